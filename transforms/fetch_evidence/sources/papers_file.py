"""Reads works from local files: Parquet, or JSON Lines.

Columns: ``title``; optionally ``abstract``, ``year``, ``authors``, ``doi``,
``arxiv_id``, ``pmid``, ``pmcid``, ``paper_id``.  Authors are a list of names, a
list of objects with ``name`` or with ``family`` and ``given``, or one text with
semicolons between names.
"""

from __future__ import annotations

import itertools
import json
import math
import pathlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from transforms import identifiers
from transforms.fetch_evidence.abstracts import clean_abstract
from transforms.records import Work

NAME = "papers"

_COLUMNS = (
    *("title", "abstract", "year", "authors"),
    *("doi", "arxiv_id", "pmid", "pmcid", "paper_id"),
)
_PARQUET_MAGIC = b"PAR1"
_ROWS_PER_READ = 2_000
_MAX_NAMED_COLUMNS = 20
_YEAR = re.compile(r"\s*(\d{4})(?!\d)")

_Value = TypeVar("_Value")
# A row as written, and where it is in its file.
_Row = tuple[str, Mapping[str, Any]]


class PapersError(Exception):
    """Raised when a file of works cannot be used; says where and what to do."""


def read_works(paths: Sequence[pathlib.Path]) -> Iterator[Work]:
    """Yields the works of all files, in order, a few at a time in memory.

    Args:
      paths: The files; each is recognised by its first bytes.

    Raises:
      PapersError: At the first fault, with file, place and remedy.
    """
    number = itertools.count(1)
    for path in paths:
        for place, row in _rows(path):
            yield _work(path, place, row, next(number))


def _rows(path: pathlib.Path) -> Iterator[_Row]:
    try:
        with path.open("rb") as file:
            start = file.read(len(_PARQUET_MAGIC))
        if not start:
            raise PapersError(f"{path} is empty: give a Parquet or JSON Lines file")
        is_parquet = start == _PARQUET_MAGIC
        yield from _parquet_rows(path) if is_parquet else _json_rows(path)
    except FileNotFoundError:
        raise PapersError(f"{path} does not exist: check the path") from None
    except OSError as error:
        problem = error.strerror or type(error).__name__
        raise PapersError(
            f"{path} cannot be read ({problem}): check its permissions, and that"
            " it was copied whole"
        ) from None


def _parquet_rows(path: pathlib.Path) -> Iterator[_Row]:
    try:
        with pq.ParquetFile(path) as file:
            names = file.schema_arrow.names
            if "title" not in names:
                raise PapersError(_no_title(path, names))
            columns = [name for name in _COLUMNS if name in names]
            number = itertools.count(1)
            for batch in file.iter_batches(_ROWS_PER_READ, columns=columns):
                for row in batch.to_pylist():
                    yield f"row {next(number)}", row
    except (pa.ArrowException, UnicodeDecodeError):
        raise PapersError(
            f"{path} is a damaged Parquet file: copy or write it again"
        ) from None


def _json_rows(path: pathlib.Path) -> Iterator[_Row]:
    names: dict[str, None] = {}
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if number == 1:
                line = line.removeprefix(b"\xef\xbb\xbf")
            if line.strip():
                row = _json_row(path, number, line, is_first=not names)
                names.update(dict.fromkeys(row))
                yield f"line {number}", row
    if "title" not in names:
        raise PapersError(_no_title(path, list(names)))


def _json_row(
    path: pathlib.Path, number: int, line: bytes, *, is_first: bool
) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        row = None
    if isinstance(row, dict) and row:
        return row
    if is_first and not line.lstrip().startswith(b"{"):
        raise PapersError(
            f"{path} is neither Parquet nor JSON Lines: line {number} does not begin"
            " with an object; write one object {...} a line"
        )
    raise PapersError(
        f"{path}, line {number}: not a JSON object in UTF-8; correct or delete the line"
    )


def _no_title(path: pathlib.Path, names: Sequence[str]) -> str:
    listed = ", ".join(names[:_MAX_NAMED_COLUMNS])
    return f"{path} has no column 'title' (it has: {listed}): rename or add it"


def _work(path: pathlib.Path, place: str, row: Mapping[str, Any], number: int) -> Work:
    """Makes a work of a row.

    Args:
      path: The file, for messages.
      place: Where the row is in it, for messages.
      row: The row as written.
      number: Number of the row among all rows of all files, from 1.
    """

    def text(column: str) -> str:
        return _read(_text, path, place, row, column)

    year = _YEAR.match(text("year"))
    doi = identifiers.doi(text("doi"))
    arxiv_id = identifiers.arxiv_id(text("arxiv_id"))
    pmid = identifiers.pmid(text("pmid"))
    pmcid = identifiers.pmcid(text("pmcid"))
    keys = identifiers.keys(doi=doi, arxiv=arxiv_id, pmid=pmid, pmcid=pmcid)
    return Work(
        source=NAME,
        paper_id=text("paper_id") or (keys[0] if keys else f"{NAME}:{number}"),
        title=text("title"),
        abstract=clean_abstract(text("abstract")),
        authors=_read(_authors, path, place, row, "authors"),
        year=int(year[1]) if year else None,
        doi=doi,
        arxiv_id=arxiv_id,
        pmid=pmid,
        pmcid=pmcid,
    )


def _read(
    convert: Callable[[Any], _Value],
    path: pathlib.Path,
    place: str,
    row: Mapping[str, Any],
    column: str,
) -> _Value:
    """Converts one field, or says which one is of the wrong type."""
    value = row.get(column)
    try:
        return convert(value)
    except TypeError:
        raise PapersError(
            f"{path}, {place}, column '{column}': {type(value).__name__} is not what"
            " belongs there (text, a number, or for authors a list): correct it"
        ) from None


def _text(value: Any) -> str:
    """Returns text or a whole number as text; nothing for null.

    Raises:
      TypeError: If the value is of another type.
    """
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return ""
    if isinstance(value, str):
        return value.strip()
    # Columns of whole numbers with gaps come as floats.
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if is_number and value == int(value):
        return str(int(value))
    raise TypeError


def _authors(value: Any) -> tuple[str, ...]:
    """Returns the names in any of the forms that files use.

    Raises:
      TypeError: If it is none of them.
    """
    if isinstance(value, list):
        names = [_name(entry) for entry in value]
    else:
        names = [name.strip() for name in _text(value).split(";")]
    return tuple(name for name in names if name)


def _name(entry: Any) -> str:
    if not isinstance(entry, dict):
        return _text(entry)
    family, given = _text(entry.get("family")), _text(entry.get("given"))
    if family and given:
        return f"{family}, {given}"
    return _text(entry.get("name")) or family
