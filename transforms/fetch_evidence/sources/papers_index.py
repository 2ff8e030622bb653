"""Builds the SQLite index of local files of works."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import logging
import os
import pathlib
import sqlite3
import tempfile
import urllib.parse
from collections.abc import Iterable, Sequence

from transforms import identifiers
from transforms.fetch_evidence.sources.papers_file import PapersError, read_works
from transforms.names import family_name, fold
from transforms.records import MIN_ABSTRACT_CHARS, Work
from transforms.titles import normalise_title

# To be raised when tables or normalisation change: older indexes are built anew.
SCHEMA_VERSION = 4

_SCHEMA = """
CREATE TABLE works (
    id INTEGER PRIMARY KEY, normalised_title TEXT, year INTEGER, paper_id TEXT,
    title TEXT, authors TEXT, doi TEXT, arxiv_id TEXT, pmid TEXT, pmcid TEXT,
    abstract TEXT, venue TEXT, volume TEXT, pages TEXT
);
CREATE TABLE identifiers (key TEXT, lacks_abstract INTEGER, work INTEGER);
CREATE TABLE first_authors (surname TEXT, year INTEGER, work INTEGER);
"""
# Made last, which is faster than keeping them up to date row by row.
_INDEXES = """
CREATE INDEX by_identifier ON identifiers (key, lacks_abstract, work);
CREATE INDEX by_title ON works (normalised_title);
CREATE INDEX by_author_year ON first_authors (surname, year, work);
"""
_WORKS_PER_WRITE = 2_000

_log = logging.getLogger(__name__)


def prepare(paths: Sequence[pathlib.Path], folder: pathlib.Path) -> pathlib.Path:
    """Builds the index of ``paths`` in ``folder``, unless it is there and whole.

    It is written to a file of its own and then renamed, so that builders do not
    meet, and a killed one leaves nothing that looks whole.

    Args:
      paths: Parquet or JSON Lines files.
      folder: Where indexes are kept; made if need be.

    Returns:
      The index, whose name changes with path, size and time of the files.

    Raises:
      PapersError: If a file cannot be used.
    """
    fingerprint = _fingerprint(paths)
    index = folder / f"papers-{fingerprint}.sqlite"
    if index.exists():
        problem = _problem(index)
        if not problem:
            return index
        _log.warning("%s is damaged (%s): it is built anew", index, problem)
    try:
        count = _write(paths, fingerprint, index)
    except (OSError, sqlite3.Error) as error:
        raise PapersError(
            f"cannot index papers in {folder} ({error}): make the folder writable,"
            " with room for the files"
        ) from error
    _log.info("indexed %d works in %s", count, index)
    return index


def connect(index: pathlib.Path) -> sqlite3.Connection:
    """Opens an index for reading, from any thread."""
    # Nobody writes to it any more, so SQLite need not look for locks.
    return sqlite3.connect(
        f"file:{urllib.parse.quote(str(index))}?mode=ro&immutable=1",
        uri=True,
        check_same_thread=False,
    )


def surname_keys(surname: str) -> set[str]:
    """Returns what a surname is indexed under, whatever becomes of its parts.

    Its last part, since particles and first parts get lost, and all parts in one,
    since they get joined.
    """
    parts = fold(surname).split()
    return {parts[-1], "".join(parts)} if parts else set()


def _problem(index: pathlib.Path) -> str:
    """Returns why a file is no index, as far as its beginning shows, or ``""``."""
    try:
        with (
            contextlib.closing(connect(index)) as found,
            contextlib.closing(sqlite3.connect(":memory:")) as expected,
        ):
            expected.executescript(_SCHEMA + _INDEXES)
            is_ours = _tables(found) == _tables(expected)
    except sqlite3.Error as error:
        return str(error)
    return "" if is_ours else "it has other tables"


def _tables(connection: sqlite3.Connection) -> list[tuple[str]]:
    return connection.execute("SELECT sql FROM sqlite_master ORDER BY sql").fetchall()


def _fingerprint(paths: Sequence[pathlib.Path]) -> str:
    parts: list[object] = [SCHEMA_VERSION]
    for path in paths:
        try:
            status = path.stat()
        except OSError:
            raise PapersError(f"{path} does not exist: check the path") from None
        if not path.is_file():
            raise PapersError(f"{path} is not a file: give Parquet or JSON Lines files")
        parts.append([str(path.resolve()), status.st_size, status.st_mtime_ns])
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


def _write(paths: Sequence[pathlib.Path], fingerprint: str, index: pathlib.Path) -> int:
    """Builds ``index`` under another name and returns how many works it holds."""
    index.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(".tmp", f"{index.stem}-", index.parent)
    os.close(handle)
    try:
        count = _build(read_works(paths), name)
        if _fingerprint(paths) != fingerprint:
            raise PapersError(
                f"a file of {', '.join(map(str, paths))} changed while it was read:"
                " run again when it is complete"
            )
        os.replace(name, index)
    finally:
        pathlib.Path(name).unlink(missing_ok=True)
    return count


def _build(works: Iterable[Work], name: str) -> int:
    """Writes an index and returns how many works it holds."""
    connection = sqlite3.connect(name, isolation_level=None)
    try:
        # Nobody else has the file, and after a crash nobody will use it.
        connection.execute("PRAGMA journal_mode=OFF")
        connection.execute("PRAGMA synchronous=OFF")
        connection.executescript(_SCHEMA)
        numbered = enumerate(works, start=1)
        count = 0
        while batch := list(itertools.islice(numbered, _WORKS_PER_WRITE)):
            connection.execute("BEGIN")
            _insert(connection, batch)
            connection.execute("COMMIT")
            count += len(batch)
        connection.executescript(_INDEXES)
    finally:
        connection.close()
    with open(name, "rb") as file:
        # Else a power cut could leave a broken file under the final name.
        os.fsync(file.fileno())
    return count


def _insert(connection: sqlite3.Connection, batch: Sequence[tuple[int, Work]]) -> None:
    connection.executemany(
        "INSERT INTO works VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (_work_row(number, work) for number, work in batch),
    )
    connection.executemany(
        "INSERT INTO identifiers VALUES (?, ?, ?)",
        (
            (key, len(work.abstract) < MIN_ABSTRACT_CHARS, number)
            for number, work in batch
            for key in _keys(work)
        ),
    )
    connection.executemany(
        "INSERT INTO first_authors VALUES (?, ?, ?)",
        (
            (surname, work.year, number)
            for number, work in batch
            if work.authors and work.year is not None
            for surname in surname_keys(family_name(work.authors[0]))
        ),
    )


def _work_row(number: int, work: Work) -> tuple[str | int | None, ...]:
    return (
        number,
        normalise_title(work.title),
        work.year,
        work.paper_id,
        work.title,
        json.dumps(work.authors),
        work.doi,
        work.arxiv_id,
        work.pmid,
        work.pmcid,
        work.abstract,
        work.venue,
        work.volume,
        work.pages,
    )


def _keys(work: Work) -> tuple[str, ...]:
    return identifiers.keys(
        doi=work.doi, arxiv=work.arxiv_id, pmid=work.pmid, pmcid=work.pmcid
    )
