"""Reads works from local files: Parquet, or JSON Lines.

Columns: ``title``; optionally ``abstract``, ``year``, ``authors``, ``doi``,
``arxiv_id``, ``pmid``, ``pmcid``, ``paper_id``, ``venue``, ``volume``, ``pages``.
Authors are a list of names, a list of objects with ``name`` or with ``family`` and
``given``, or one text with semicolons between names.
"""

from __future__ import annotations

import itertools
import math
import pathlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from transforms import identifiers
from transforms.fetch_evidence.abstracts import clean_abstract
from transforms.fetch_evidence.sources.fields import notices
from transforms.fetch_evidence.sources.papers_rows import PapersError, read_rows
from transforms.records import Work

__all__ = ["NAME", "PapersError", "read_works"]

NAME = "papers"

_COLUMNS = (
    *("title", "abstract", "year", "authors"),
    *("doi", "arxiv_id", "pmid", "pmcid", "paper_id", "venue", "volume", "pages"),
)
_YEAR = re.compile(r"\s*(\d{4})(?!\d)")

_Value = TypeVar("_Value")


def read_works(paths: Sequence[pathlib.Path]) -> Iterator[Work]:
    """Yields the works of all files, in order, a few at a time in memory.

    Args:
      paths: The files; each is recognised by its first bytes.

    Raises:
      PapersError: At the first fault, with file, place and remedy.
    """
    number = itertools.count(1)
    for path in paths:
        for place, row in read_rows(path, _COLUMNS):
            yield _work(path, place, row, next(number))


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
        venue=text("venue"),
        volume=text("volume"),
        pages=text("pages"),
        notices=notices(text("title")),
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
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace").strip()
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
