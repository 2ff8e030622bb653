"""What to do with a SQLite file that is damaged."""

from __future__ import annotations

import contextlib
import datetime
import os
import pathlib
import sqlite3

_DAMAGED = frozenset([sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB])
# What SQLite keeps beside the file belongs to it.
_SUFFIXES = ("", "-wal", "-shm", "-journal")


class ForeignSchema(sqlite3.DatabaseError):
    """A file with tables that are not ours."""


def is_damage(error: Exception) -> bool:
    """Tells damage from trouble that may pass, such as a lock or a full disk."""
    if isinstance(error, ForeignSchema):
        return True
    # Extended codes hold the plain one in their low byte.
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGED


def inode(path: pathlib.Path) -> int:
    """Returns what tells a file from another of its name; 0 if there is none."""
    try:
        return path.stat().st_ino
    except FileNotFoundError:
        return 0


def move_aside(path: pathlib.Path, number: int) -> str:
    """Renames a damaged file, so that a fresh one can be begun.

    Args:
      path: The file.
      number: Its inode when it was opened; 0 if it was not there.

    Returns:
      Its new name, or ``""`` where another process was faster: that one's fresh file
      is not ours to move.

    Raises:
      OSError: If the folder cannot be written to.
    """
    if number and inode(path) not in (0, number):
        return ""
    now = datetime.datetime.now(datetime.UTC)
    aside = f"{path}.damaged-{now:%Y%m%dT%H%M%S%f}"
    for suffix in _SUFFIXES:
        with contextlib.suppress(FileNotFoundError):
            os.replace(f"{path}{suffix}", f"{aside}{suffix}")
    return aside
