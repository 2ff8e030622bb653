"""A rate limit shared by every thread, process and run on one machine.

The limit is one row in a SQLite file: each caller reserves the next free slot in a
short write transaction, then sleeps until it.  A crash leaves at most one unused
slot behind, and there is no server process to outlive.  Not for network drives:
SQLite's locks do not hold there.
"""

from __future__ import annotations

import contextlib
import logging
import pathlib
import sqlite3
import time
from collections.abc import Callable
from typing import TypeVar

from transforms.fetch_evidence.damaged import (
    ForeignSchema,
    inode,
    is_damage,
    move_aside,
)

_SCHEMA = """
CREATE TABLE IF NOT EXISTS slots (
    name TEXT PRIMARY KEY,
    next_at REAL NOT NULL,
    resumes_at REAL NOT NULL
)
"""
_COLUMNS = ["name", "next_at", "resumes_at"]
_LOCK_TIMEOUT_SECONDS = 30.0
# No queue or cool-down is this long: the clock was set back.
_MAX_AHEAD_SECONDS = 3600.0

_Result = TypeVar("_Result")

_log = logging.getLogger(__name__)


class RateLimit:
    """Spaces calls to one service evenly.  Can be pickled.

    A file that is damaged, or not ours, is moved aside and a fresh one begun.

    Args:
      path: The SQLite file that all callers on the machine share.
      name: The service that is limited; each name has its own schedule.
      per_second: Calls allowed per second, > 0.
      clock: Wall-clock time in seconds.
      sleep: Blocks for a number of seconds.

    Raises:
      ValueError: If ``per_second`` is not positive.
      RuntimeError: If the file cannot be used; says what to do.
    """

    def __init__(
        self,
        path: pathlib.Path,
        name: str,
        per_second: float,
        *,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if per_second <= 0:
            raise ValueError(f"per_second must be positive, got {per_second}")
        self._path = path
        self._name = name
        self._interval = 1.0 / per_second
        self._clock = clock
        self._sleep = sleep
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._run(lambda connection: None)
        except (OSError, sqlite3.Error) as error:
            raise RuntimeError(
                f"cannot keep the rate limit in {path} ({error}): make the folder"
                " writable, or delete the file"
            ) from error

    def wait(self) -> float:
        """Blocks until the caller may make one call; returns the seconds waited."""
        waited = 0.0
        while True:
            slot, delay = self._reserve()
            if delay > 0:
                self._sleep(delay)
                waited += delay
            # Another caller may have been told to slow down in the meantime.
            if delay <= 0 or self._resumes_at() <= slot:
                return waited

    def cool_down(self, seconds: float) -> None:
        """Lets nobody call for some time, those included who wait already.

        Args:
          seconds: How long from now, >= 0.
        """
        until = self._clock() + seconds
        self._run(
            lambda connection: connection.execute(
                "INSERT INTO slots VALUES (:name, :until, :until)"
                " ON CONFLICT (name) DO UPDATE SET"
                " next_at = max(next_at, :until), resumes_at = max(resumes_at, :until)",
                {"name": self._name, "until": until},
            )
        )

    def _reserve(self) -> tuple[float, float]:
        """Takes the next free slot; returns it and the seconds until then."""
        return self._run(self._take_slot)

    def _take_slot(self, connection: sqlite3.Connection) -> tuple[float, float]:
        now = self._clock()
        row = connection.execute(
            "SELECT next_at, resumes_at FROM slots WHERE name = ?", (self._name,)
        ).fetchone()
        next_at, resumes_at = row or (now, now)
        if next_at > now + _MAX_AHEAD_SECONDS:
            next_at = resumes_at = now
        slot = max(now, next_at)
        connection.execute(
            "REPLACE INTO slots VALUES (?, ?, ?)",
            (self._name, slot + self._interval, resumes_at),
        )
        return slot, slot - now

    def _resumes_at(self) -> float:
        row = self._run(
            lambda connection: connection.execute(
                "SELECT resumes_at FROM slots WHERE name = ?", (self._name,)
            ).fetchone()
        )
        return float(row[0]) if row else 0.0

    def _run(self, work: Callable[[sqlite3.Connection], _Result]) -> _Result:
        """Does ``work`` in a transaction; where the file is damaged, on a fresh one."""
        opened = inode(self._path)
        try:
            return self._transact(work)
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise
            if aside := move_aside(self._path, opened):
                _log.warning(
                    "the rate limit in %s is damaged (%s): moved to %s, a fresh one is"
                    " begun",
                    self._path,
                    error,
                    aside,
                )
            return self._transact(work)

    def _transact(self, work: Callable[[sqlite3.Connection], _Result]) -> _Result:
        with contextlib.closing(
            sqlite3.connect(
                self._path, timeout=_LOCK_TIMEOUT_SECONDS, isolation_level=None
            )
        ) as connection:
            # A slot lost with the power is no loss; a sync a call would be.
            connection.execute("PRAGMA synchronous=OFF")
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(_SCHEMA)
            columns = connection.execute("PRAGMA table_info(slots)").fetchall()
            if [column[1] for column in columns] != _COLUMNS:
                raise ForeignSchema("it has other columns")
            result = work(connection)
            connection.execute("COMMIT")
            return result
