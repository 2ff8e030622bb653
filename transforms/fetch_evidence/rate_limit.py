"""A rate limit shared by every thread, process and run on one machine.

The limit is one row in a SQLite file: each caller reserves the next free slot in a
short write transaction, then sleeps until it.  A crash leaves at most one unused
slot behind, and there is no server process to outlive.  Not for network drives:
SQLite's locks do not hold there.
"""

from __future__ import annotations

import contextlib
import pathlib
import sqlite3
import time
from collections.abc import Callable, Iterator

_SCHEMA = """
CREATE TABLE IF NOT EXISTS slots (
    name TEXT PRIMARY KEY,
    next_at REAL NOT NULL,
    resumes_at REAL NOT NULL
)
"""
_LOCK_TIMEOUT_SECONDS = 30.0
# No queue or cool-down is this long: the clock was set back.
_MAX_AHEAD_SECONDS = 3600.0


class RateLimit:
    """Spaces calls to one service evenly.  Can be pickled.

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
            with self._transaction() as connection:
                connection.execute(_SCHEMA)
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
        with self._transaction() as connection:
            connection.execute(
                "INSERT INTO slots VALUES (:name, :until, :until)"
                " ON CONFLICT (name) DO UPDATE SET"
                " next_at = max(next_at, :until), resumes_at = max(resumes_at, :until)",
                {"name": self._name, "until": until},
            )

    def _reserve(self) -> tuple[float, float]:
        """Takes the next free slot; returns it and the seconds until then."""
        with self._transaction() as connection:
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
        with self._connection() as connection:
            row = connection.execute(
                "SELECT resumes_at FROM slots WHERE name = ?", (self._name,)
            ).fetchone()
        return float(row[0]) if row else 0.0

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._connection() as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")

    @contextlib.contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        connection = sqlite3.connect(
            self._path, timeout=_LOCK_TIMEOUT_SECONDS, isolation_level=None
        )
        try:
            # A slot lost with the power is no loss; a sync a call would be.
            connection.execute("PRAGMA synchronous=OFF")
            yield connection
        finally:
            connection.close()
