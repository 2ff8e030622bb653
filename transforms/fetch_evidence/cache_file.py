"""Looks after a cache file: what is in it, copies of it, and what is out of date.

For people and their commands, not for runs: errors of the file are raised here.
"""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import itertools
import json
import pathlib
import sqlite3
from collections import Counter
from collections.abc import Iterator

import pyarrow as pa
import pyarrow.parquet as pq

from transforms.fetch_evidence.cache import FIELDS_VERSION
from transforms.fetch_evidence.store import Store

_LOCK_TIMEOUT_SECONDS = 30.0
_BATCH = 2_000
_DAY = datetime.timedelta(days=1)

# One answer a row; ``works`` is JSON, so that the file outlives the schema.
_COLUMNS: list[tuple[str, pa.DataType]] = [
    ("key", pa.string()),
    ("version", pa.int64()),
    ("retrieved_at", pa.string()),
    ("is_find", pa.bool_()),
    ("works", pa.string()),
]
SCHEMA = pa.schema(_COLUMNS)


class CacheFileError(Exception):
    """A file that is no cache, or no copy of one; says what to do."""


@dataclasses.dataclass(frozen=True, slots=True)
class Info:
    """What a cache holds.

    Attributes:
      answers: Answers by index and by kind of question.
      finds: Answers with the work.
      outdated: Answers of another version, which count as misses.
      oldest: When the oldest answer was given, ISO 8601, or ``""``.
      newest: When the newest was, or ``""``.
      size_bytes: Size of the file.
    """

    answers: dict[str, int]
    finds: int
    outdated: int
    oldest: str
    newest: str
    size_bytes: int


@dataclasses.dataclass(frozen=True, slots=True)
class _Entry:
    """One row of ``SCHEMA``."""

    key: str
    version: int
    retrieved_at: str
    is_find: bool
    works: str


def inspect(path: pathlib.Path) -> Info:
    """Returns what the cache at ``path`` holds.

    Raises:
      CacheFileError: If there is no cache there.
    """
    answers: Counter[str] = Counter()
    finds = outdated = 0
    oldest = newest = ""
    with _opened(path) as connection:
        for entry in _entries(connection):
            source, _, question = entry.key.partition("|")
            answers[f"{source} {question.partition(':')[0]}"] += 1
            finds += entry.is_find
            outdated += entry.version != FIELDS_VERSION
            newest = max(newest, entry.retrieved_at)
            oldest = min(oldest or entry.retrieved_at, entry.retrieved_at)
    return Info(dict(answers), finds, outdated, oldest, newest, path.stat().st_size)


def export(path: pathlib.Path, copy: pathlib.Path) -> int:
    """Writes the answers of a cache as Parquet; returns how many.

    Raises:
      CacheFileError: If there is no cache at ``path``.
    """
    number = 0
    draft = copy.with_name(f"{copy.name}.part")
    with (
        _opened(path) as connection,
        pq.ParquetWriter(draft, SCHEMA, compression="zstd") as writer,
    ):
        rows = map(dataclasses.asdict, _entries(connection))
        while batch := list(itertools.islice(rows, _BATCH)):
            writer.write_table(pa.Table.from_pylist(batch, SCHEMA))
            number += len(batch)
    draft.replace(copy)
    return number


def merge(path: pathlib.Path, copy: pathlib.Path) -> tuple[int, int]:
    """Takes the answers of a copy into a cache, made if need be.

    Of two answers to one question the newer stays.

    Returns:
      How many were taken, and how many were not: older, or of another version.

    Raises:
      CacheFileError: If ``copy`` is no copy of a cache.
    """
    try:
        file = pq.ParquetFile(copy)
        missing = [name for name in SCHEMA.names if name not in file.schema_arrow.names]
    except (OSError, pa.ArrowInvalid) as error:
        raise CacheFileError(f"{copy}: not Parquet; give a file of export") from error
    if missing:
        raise CacheFileError(f"{copy}: has no {missing[0]}; give a file of export")
    taken = left = 0
    # Makes the file, with its table and settings, as a run would.
    store = Store(path)
    store.read([])
    store.close()
    with _opened(path) as connection:
        for batch in file.iter_batches(_BATCH, columns=SCHEMA.names):
            for row in batch.to_pylist():
                if _take(connection, _Entry(**row)):
                    taken += 1
                else:
                    left += 1
            connection.commit()
    return taken, left


def prune(
    path: pathlib.Path,
    *,
    find_days: float,
    miss_days: float,
    now: datetime.datetime,
) -> int:
    """Removes answers that are stale or of another version; returns how many.

    Raises:
      CacheFileError: If there is no cache at ``path``.
    """
    with _opened(path) as connection:
        stale = [
            (entry.key,)
            for entry in _entries(connection)
            if entry.version != FIELDS_VERSION
            or now - datetime.datetime.fromisoformat(entry.retrieved_at)
            >= _DAY * (find_days if entry.is_find else miss_days)
        ]
        connection.executemany("DELETE FROM answers WHERE key = ?", stale)
        connection.commit()
        connection.execute("VACUUM")
    return len(stale)


@contextlib.contextmanager
def _opened(path: pathlib.Path) -> Iterator[sqlite3.Connection]:
    if not path.exists():
        raise CacheFileError(f"{path}: there is no cache; name it with --cache")
    try:
        with contextlib.closing(
            sqlite3.connect(path, timeout=_LOCK_TIMEOUT_SECONDS)
        ) as connection:
            connection.execute("SELECT key, value FROM answers LIMIT 1")
            yield connection
    except sqlite3.Error as error:
        raise CacheFileError(
            f"{path}: cannot be used as a cache ({error}); name another with --cache,"
            " or delete it if it is a damaged one"
        ) from error


def _entries(connection: sqlite3.Connection) -> Iterator[_Entry]:
    """Yields what is stored; what cannot be read is of no version."""
    for key, value in connection.execute("SELECT key, value FROM answers ORDER BY key"):
        try:
            found = json.loads(value)
            yield _Entry(
                key=key,
                version=int(found["version"]),
                retrieved_at=str(found["retrieved_at"]),
                is_find=bool(found["is_find"]),
                works=json.dumps(found["works"]),
            )
        except (ValueError, KeyError, TypeError):
            yield _Entry(key, 0, "", False, "[]")


def _take(connection: sqlite3.Connection, entry: _Entry) -> bool:
    """Stores an answer unless there is a newer one; returns whether it did."""
    query = "SELECT value FROM answers WHERE key = ?"
    stored = connection.execute(query, (entry.key,)).fetchone()
    if entry.version != FIELDS_VERSION:
        return False
    with contextlib.suppress(ValueError, KeyError, TypeError):
        if stored and json.loads(stored[0])["retrieved_at"] >= entry.retrieved_at:
            return False
    value = {
        "version": entry.version,
        "retrieved_at": entry.retrieved_at,
        "is_find": entry.is_find,
        "works": json.loads(entry.works),
    }
    connection.execute(
        "REPLACE INTO answers (key, value) VALUES (?, ?)",
        (entry.key, json.dumps(value)),
    )
    return True
