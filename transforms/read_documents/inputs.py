"""Finds the documents to screen, at launch.  No Beam.

Only names, Parquet footers and the line ends of JSON Lines are read here: a document
that turns out to be broken is the run's business, a mistyped path is the user's.
"""

from __future__ import annotations

import collections
import dataclasses
import os
import pathlib
from collections.abc import Iterable, Iterator, Sequence

from transforms.printable import printable
from transforms.read_documents import json_lines, parquet
from transforms.read_documents.errors import InputError, UnreadableDocument
from transforms.read_documents.finding import File, find
from transforms.read_documents.regular_file import open_regular

__all__ = ["InputError", "Inputs", "Source", "expand"]

_PARQUET_SUFFIXES = frozenset([".parquet", ".pq"])
_PARQUET_MAGIC = b"PAR1"
_JSON_LINES_SUFFIXES = frozenset([".jsonl", ".ndjson"])
_SAME_ID = "has the name of another file once it is escaped: rename it"


@dataclasses.dataclass(frozen=True, slots=True)
class Source:
    """A file to read, or one part of a file with a document a row.

    Attributes:
      path: The file.
      doc_id: Identifier, unique in the run; that of a file with rows only names it
        in messages, since its rows have their own.
      row_groups: The row groups of a Parquet file that it begins with and ends
        before, from 0; None for other files.
      first_row: Number of its first row in the file, from 0.
      documents: How many documents it holds.
      problem: What is wrong with a file that cannot be opened, or ``""``.
      byte_range: Where in a JSON Lines file it begins and ends; None for other files.
    """

    path: str
    doc_id: str
    row_groups: tuple[int, int] | None = None
    first_row: int = 0
    documents: int = 1
    problem: str = ""
    byte_range: tuple[int, int] | None = None

    @property
    def has_rows(self) -> bool:
        """Whether it holds a document a row."""
        return bool(self.row_groups or self.byte_range)


@dataclasses.dataclass(frozen=True, slots=True)
class Inputs:
    """What a run is to read.

    Attributes:
      sources: The files and parts of files, in the order in which they were found.
      files: How many files they are in.
      documents: How many documents and failures reading them must give.
    """

    sources: tuple[Source, ...]
    files: int
    documents: int


def expand(
    inputs: Iterable[str | os.PathLike[str]],
    *,
    exclude: Iterable[str | os.PathLike[str]] = (),
    id_column: str | None = None,
    text_column: str | None = None,
) -> Inputs:
    """Finds what to read: files, folders with all they hold, and globs.

    Hidden files and folders inside a folder are left out, and so are bibliographies
    and styles; no file is read twice, however often it is named.

    Args:
      inputs: Paths and glob patterns, in the order to read them.
      exclude: Files and folders to leave out, such as the output folder.
      id_column: Column of Parquet and JSON Lines files that holds document ids.
      text_column: Column of such files that holds the documents.

    Returns:
      The sources, sorted within a folder or pattern; none for an empty folder.  A
      document's id is its path within the folder that was given, or the name of a
      file given itself, with as much of the path before it as tells it from others.

    Raises:
      InputError: If a path is missing, a pattern matches nothing, a folder cannot
        be listed, or a file with rows lacks a column.
    """
    excluded = {os.path.realpath(path) for path in exclude}
    found: dict[str, File] = {}
    for given in inputs:
        for file in find(os.fspath(given)):
            real = os.path.realpath(file.path)
            if not _is_inside(real, excluded):
                found.setdefault(real, file)
    files = list(found.values())
    sources: list[Source] = []
    ids: set[str] = set()
    for file, doc_id in zip(files, map(printable, _doc_ids(files)), strict=True):
        if _is_parquet(file):
            sources.extend(_parquet_parts(file.path, doc_id, id_column, text_column))
        elif pathlib.PurePath(file.path).suffix.lower() in _JSON_LINES_SUFFIXES:
            sources.extend(_json_lines_parts(file.path, doc_id, id_column, text_column))
        else:
            # Names that are no UTF-8 are escaped, and others may look so.
            problem = _SAME_ID if doc_id in ids else ""
            sources.append(Source(file.path, doc_id, problem=problem))
            ids.add(doc_id)
    documents = sum(source.documents for source in sources)
    return Inputs(tuple(sources), len(files), documents)


def _is_inside(real: str, excluded: set[str]) -> bool:
    return bool(excluded) and any(
        real == folder or real.startswith(folder + os.sep) for folder in excluded
    )


def _doc_ids(files: Sequence[File]) -> list[str]:
    """Returns an id for each file: the end of its path, as long as it must be."""
    parts = [pathlib.PurePath(os.path.abspath(file.path)).parts for file in files]
    depths = [file.depth for file in files]
    while True:
        ids = ["/".join(own[-depth:]) for own, depth in zip(parts, depths, strict=True)]
        counts = collections.Counter(ids)
        clashing = [
            index
            for index, doc_id in enumerate(ids)
            if counts[doc_id] > 1 and depths[index] < len(parts[index])
        ]
        if not clashing:
            return ids
        for index in clashing:
            depths[index] += 1


def _is_parquet(file: File) -> bool:
    if pathlib.PurePath(file.path).suffix.lower() in _PARQUET_SUFFIXES:
        return True
    if not file.is_given:
        return False
    try:
        with open_regular(file.path) as stream:
            return stream.read(len(_PARQUET_MAGIC)) == _PARQUET_MAGIC
    except (OSError, UnreadableDocument):
        return False


def _parquet_parts(
    path: str, doc_id: str, id_column: str | None, text_column: str | None
) -> Iterator[Source]:
    """Yields the parts of a Parquet file, or the file if it cannot be opened."""
    try:
        parts = parquet.find_parts(path, id_column, text_column)
    except UnreadableDocument as problem:
        yield Source(path, doc_id, problem=problem.reason)
        return
    first_row = 0
    for part in parts:
        yield Source(path, doc_id, (part.start, part.stop), first_row, part.rows)
        first_row += part.rows


def _json_lines_parts(
    path: str, doc_id: str, id_column: str | None, text_column: str | None
) -> Iterator[Source]:
    """Yields the parts of a JSON Lines file, or the file if it cannot be opened."""
    try:
        parts = json_lines.find_parts(path, id_column, text_column)
    except UnreadableDocument as problem:
        yield Source(path, doc_id, problem=problem.reason)
        return
    first_row = 0
    for part in parts:
        place = (part.start, part.stop)
        if part.rows:
            yield Source(path, doc_id, None, first_row, part.rows, byte_range=place)
        first_row += part.rows
