"""JSON values by key in one SQLite file that many processes may use at once.

Written through sqlitedict, with three guards for what is known of it: the write
lock is taken before anything is queued, a commit is a statement like any other
(its own ``commit`` hangs for ever when it fails), and reads go past its thread,
which dies of a damaged page.  It never syncs: a power cut may cost the file, a
killed process costs nothing.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import logging
import os
import pathlib
import sqlite3
import urllib.parse
from collections.abc import Iterable, Mapping
from typing import Any

import sqlitedict  # type: ignore[import-untyped]

from transforms.fetch_evidence.damaged import inode, is_damage, move_aside

_TABLE = "answers"
_KEYS_PER_READ = 500
_LOCK_TIMEOUT_SECONDS = 30.0
_CLOSE_TIMEOUT_SECONDS = 10.0
# sqlitedict waits five seconds for the write lock at each.
_LOCK_TRIES = 6
# The file may be found damaged, and another process may have begun a fresh one.
_WRITE_TRIES = 3

_log = logging.getLogger(__name__)
# It prints stack traces of errors that it raises as well.
logging.getLogger("sqlitedict").setLevel(logging.CRITICAL)


class Store:
    """A persistent mapping that fails soft: no error of the file stops a run.

    It may be pickled, and opens the file on first use in each process.  A damaged
    file is moved aside and a fresh one begun.  After any other failure, such as a
    lock that does not come free or a full disk, it stays off for its process,
    having said so once.

    Args:
      path: The file; its folder is made if need be.
      is_read_only: Whether the file is left as it is, so that it may be where nothing
        can be written.
    """

    def __init__(self, path: pathlib.Path, *, is_read_only: bool = False) -> None:
        self._path = path
        self._is_read_only = is_read_only
        self._is_off = False
        self._process_id = 0
        self._inode = 0
        self._writer: Any = None
        self._reader: sqlite3.Connection | None = None

    def read(self, keys: Iterable[str]) -> dict[str, Any]:
        """Returns the values of those keys that have one."""
        try:
            return {} if self._is_off else self._read(keys)
        except (OSError, sqlite3.Error) as error:
            self._recover(error)
            return {}

    def write(self, values: Mapping[str, Any]) -> bool:
        """Stores JSON values, all or none, and returns whether they are stored."""
        for _ in range(_WRITE_TRIES):
            if self._is_off or self._is_read_only:
                break
            try:
                self._write(values)
                return True
            except (OSError, sqlite3.Error) as error:
                self._recover(error)
        return False

    def close(self) -> None:
        """Closes the file; it opens again on the next use."""
        if self._process_id == os.getpid():
            if self._reader is not None:
                self._reader.close()
            if self._writer is not None:
                thread = self._writer.conn
                # Unforced, this could wait for ever for a thread that is dead.
                self._writer.close(do_log=False, force=True)
                thread.join(_CLOSE_TIMEOUT_SECONDS)
        self._reader = self._writer = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_reader": None, "_writer": None}

    def _read(self, keys: Iterable[str]) -> dict[str, Any]:
        if self._is_read_only and not self._path.exists():
            return {}
        self._open()
        assert self._reader is not None
        values = {}
        remaining = iter(keys)
        while batch := list(itertools.islice(remaining, _KEYS_PER_READ)):
            marks = ",".join("?" * len(batch))
            query = f"SELECT key, value FROM {_TABLE} WHERE key IN ({marks})"
            for key, value in self._reader.execute(query, batch):
                with contextlib.suppress(ValueError):
                    values[key] = json.loads(value)
        return values

    def _write(self, values: Mapping[str, Any]) -> None:
        self._open()
        for tries_left in reversed(range(_LOCK_TRIES)):
            try:
                self._run("BEGIN IMMEDIATE")
                break
            except sqlite3.OperationalError:
                if not tries_left:
                    raise
        self._writer.update(values)
        self._run("COMMIT")

    def _run(self, statement: str) -> None:
        self._writer.conn.select_one(statement)

    def _open(self) -> None:
        """Opens the file unless this process has it open."""
        if self._reader is not None and self._process_id == os.getpid():
            return
        self._process_id = os.getpid()
        if self._is_read_only:
            self._reader = _open_read_only(self._path)
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._inode = inode(self._path)
        # A Beam worker may open on one thread and use on another.
        self._reader = sqlite3.connect(
            self._path,
            timeout=_LOCK_TIMEOUT_SECONDS,
            isolation_level=None,
            check_same_thread=False,
        )
        self._reader.execute("PRAGMA journal_mode=WAL")
        self._reader.execute(
            f"CREATE TABLE IF NOT EXISTS {_TABLE} (key TEXT PRIMARY KEY, value BLOB)"
        )
        self._writer = sqlitedict.SqliteDict(
            str(self._path),
            tablename=_TABLE,
            journal_mode="WAL",
            autocommit=False,
            outer_stack=False,
            encode=json.dumps,
            decode=json.loads,
        )

    def _recover(self, error: Exception) -> None:
        """Starts afresh if the file is damaged, else stays off."""
        self.close()
        if is_damage(error) and not self._is_read_only:
            with contextlib.suppress(OSError):
                self._begin_afresh(error)
                return
        self._is_off = True
        _log.warning(
            "the cache %s cannot be used (%s): this process goes on without it, and"
            " answers from now on are not kept",
            self._path,
            error,
        )

    def _begin_afresh(self, error: Exception) -> None:
        if aside := move_aside(self._path, self._inode):
            _log.warning(
                "the cache %s is damaged (%s): moved to %s, a fresh one is begun",
                self._path,
                error,
                aside,
            )


def _open_read_only(path: pathlib.Path) -> sqlite3.Connection:
    """Opens a file in a folder that may not be written to."""
    try:
        connection = _connect_to_read(path)
        connection.execute(f"SELECT key, value FROM {_TABLE} LIMIT 0")
        return connection
    except sqlite3.OperationalError:
        # SQLite would keep files beside it, unless told that nobody writes to it.
        return _connect_to_read(path, "&immutable=1")


def _connect_to_read(path: pathlib.Path, more: str = "") -> sqlite3.Connection:
    return sqlite3.connect(
        f"file:{urllib.parse.quote(str(path))}?mode=ro{more}",
        uri=True,
        timeout=_LOCK_TIMEOUT_SECONDS,
        isolation_level=None,
        # A Beam worker may open on one thread and use on another.
        check_same_thread=False,
    )
