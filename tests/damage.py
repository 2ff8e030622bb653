"""Damages SQLite files in every way that is told apart."""

from __future__ import annotations

import contextlib
import pathlib
import sqlite3

DAMAGES = ("noise", "cut", "page")
# Whole, but not ours.
FOREIGN = ("empty", "foreign")


def damage(path: pathlib.Path, kind: str) -> None:
    """Damages a file of several pages."""
    content = path.read_bytes()
    if kind == "noise":
        path.write_bytes(b"no database " * 500)
    elif kind == "cut":
        path.write_bytes(content[: len(content) // 2])
    elif kind == "page":
        # All pages but the first, which holds the schema.
        path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))
    else:
        path.write_bytes(b"")
        if kind == "foreign":
            with contextlib.closing(sqlite3.connect(path)) as connection:
                for table in ("slots", "works"):
                    connection.execute(f"CREATE TABLE {table} (name TEXT)")
                connection.commit()
