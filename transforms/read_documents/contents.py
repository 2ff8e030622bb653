"""Opens sources and reads what is in them.  No Beam.

Everything that can be foreseen to go wrong with one document is a ``Failure``, so that
the other documents of its file are read nonetheless.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from transforms.printable import printable
from transforms.read_documents import json_lines, parquet
from transforms.read_documents.errors import UnreadableDocument
from transforms.read_documents.formats import read_document
from transforms.read_documents.inputs import Source
from transforms.read_documents.regular_file import open_regular
from transforms.read_documents.rows import Row
from transforms.read_documents.siblings import (
    NO_SIBLINGS,
    FolderSiblings,
    Siblings,
)
from transforms.records import Document, Failure

STAGE = "read_documents"

# The file and the number of the row in it, from 0: the order in which the first of
# several documents of one id is the one that is read.
Place: TypeAlias = tuple[str, int]
# A place, and how messages call it.
NamedPlace: TypeAlias = tuple[Place, str]

# As much as an archive may unpack to; what is larger could fill the memory.
_MAX_BYTES = 1 << 29
_TOO_LARGE = "is over {} MB, as no manuscript is: split it"
_NO_METADATA = "{}"
_CHANGED = "is no longer there: the file changed or is damaged; write it again"
_DUPLICATE = "DuplicateDocumentId"


@dataclasses.dataclass(frozen=True, slots=True)
class Content:
    """A document before it is read.

    Attributes:
      doc_id: Its identifier.
      path: The file it comes from.
      name: How messages call it: its file, and the row in it.
      data: Its bytes.
      is_text: Whether ``data`` was a string before it was encoded as UTF-8.
      metadata: Further columns of the input as a JSON object.
      siblings: The files beside it.
    """

    doc_id: str
    path: str
    name: str
    data: bytes
    is_text: bool = False
    metadata: str = _NO_METADATA
    siblings: Siblings = NO_SIBLINGS


def open_source(
    source: Source,
    id_column: str | None,
    text_column: str | None,
    duplicates: Mapping[Place, str],
) -> Iterator[Content | Failure]:
    """Yields the documents of a source, one or a failure for each that it holds.

    Args:
      source: What to open.
      id_column: Column of Parquet and JSON Lines files that holds document ids.
      text_column: Column of such files that holds the documents.
      duplicates: Where documents are whose id another had before, and how messages
        call the place of that other.
    """
    if source.problem:
        yield _failure(source.doc_id, UnreadableDocument, source.doc_id, source.problem)
    elif source.has_rows and id_column and text_column:
        yield from _open_rows(source, id_column, text_column, duplicates)
    else:
        yield from _open_file(source, duplicates)


def read_content(content: Content) -> Document | Failure:
    """Reads a document, or says why it cannot be read."""
    try:
        document = read_document(
            content.data,
            doc_id=content.doc_id,
            path=content.path,
            is_text=content.is_text,
            siblings=content.siblings,
        )
    except UnreadableDocument as error:
        return _failure(content.doc_id, UnreadableDocument, content.name, error.reason)
    metadata = content.metadata
    if document.metadata != _NO_METADATA:
        noted = {**json.loads(metadata), **json.loads(document.metadata)}
        metadata = json.dumps(noted, ensure_ascii=False)
    return dataclasses.replace(document, metadata=metadata)


def read_ids(source: Source, id_column: str | None) -> Iterator[tuple[str, NamedPlace]]:
    """Yields the ids of a source's documents, with where they are.

    What cannot be read is left out: opening the source will say so.
    """
    if source.problem:
        return
    if not source.has_rows or not id_column:
        yield source.doc_id, (_place(source, source.first_row), source.doc_id)
        return
    try:
        for number, doc_id in enumerate(_ids(source, id_column), source.first_row):
            if doc_id:
                yield doc_id, (_place(source, number), _row_name(source, number))
    except Exception:  # Opening the source will meet it again.
        return


def later_duplicates(
    documents: tuple[str, Iterable[NamedPlace]],
) -> Iterator[tuple[Place, str]]:
    """Yields each place of an id but the first, with the name of the first."""
    _, places = documents
    first, *others = sorted(places)
    for place, _ in others:
        yield place, first[1]


def _open_file(
    source: Source, duplicates: Mapping[Place, str]
) -> Iterator[Content | Failure]:
    if first := duplicates.get(_place(source, source.first_row)):
        yield _duplicate(source.doc_id, source.doc_id, first)
        return
    try:
        with open_regular(source.path) as stream:
            # Asking for so many bytes would reserve them for every file.
            if os.fstat(stream.fileno()).st_size > _MAX_BYTES:
                raise UnreadableDocument(_TOO_LARGE.format(_MAX_BYTES >> 20))
            data = stream.read()
    except UnreadableDocument as error:
        yield _failure(source.doc_id, type(error), source.doc_id, error.reason)
        return
    except OSError as error:
        reason = (
            f"cannot be opened ({error.strerror}): check the file and its permissions"
        )
        yield _failure(source.doc_id, type(error), source.doc_id, reason)
        return
    siblings = FolderSiblings(os.path.dirname(source.path))
    yield Content(source.doc_id, source.path, source.doc_id, data, siblings=siblings)


def _open_rows(
    source: Source, id_column: str, text_column: str, duplicates: Mapping[Place, str]
) -> Iterator[Content | Failure]:
    """Yields as many rows as were listed; those that cannot be read are failures."""
    number, reason = source.first_row, _CHANGED
    rows = itertools.islice(_rows(source, id_column, text_column), source.documents)
    try:
        for row in rows:
            yield _open_row(source, row, duplicates)
            number += 1
    except UnreadableDocument as error:
        reason = error.reason
    except Exception as error:  # Whatever a damaged file leads to, rows are not lost.
        reason = f"cannot be read ({type(error).__name__}): write the file again"
    for lost in range(number, source.first_row + source.documents):
        name = _row_name(source, lost)
        yield _failure(name, UnreadableDocument, name, reason)


def _rows(source: Source, id_column: str, text_column: str) -> Iterator[Row]:
    if source.byte_range:
        return json_lines.read_rows(
            source.path,
            source.byte_range,
            source.first_row,
            id_column=id_column,
            text_column=text_column,
        )
    return parquet.read_rows(
        source.path,
        source.row_groups or (0, 0),
        source.first_row,
        id_column=id_column,
        text_column=text_column,
    )


def _ids(source: Source, id_column: str) -> Iterator[str]:
    """Yields the ids of a source with rows, in order; ``""`` for a missing one."""
    if source.byte_range:
        return (row.doc_id for row in _rows(source, id_column, id_column))
    row_groups = source.row_groups or (0, 0)
    return parquet.read_ids(source.path, row_groups, id_column=id_column)


def _open_row(
    source: Source, row: Row, duplicates: Mapping[Place, str]
) -> Content | Failure:
    name = _row_name(source, row.number)
    if row.problem:
        return _failure(row.doc_id or name, UnreadableDocument, name, row.problem)
    if not row.doc_id:
        reason = "has no document id: the id is null or empty; give it one"
        return _failure(name, UnreadableDocument, name, reason)
    if first := duplicates.get(_place(source, row.number)):
        return _duplicate(row.doc_id, name, first)
    if row.data is None:
        reason = "cannot be read: its text is null; fill it in or leave the row out"
        return _failure(row.doc_id, UnreadableDocument, name, reason)
    return Content(row.doc_id, source.path, name, row.data, row.is_text, row.metadata)


def _place(source: Source, number: int) -> Place:
    return printable(source.path), number


def _row_name(source: Source, number: int) -> str:
    return f"{source.doc_id} row {number + 1}"


def _duplicate(doc_id: str, name: str, first: str) -> Failure:
    message = f"{name} has the same id as {first}, which is read: give each its own"
    return Failure(STAGE, doc_id, _DUPLICATE, message)


def _failure(
    element_id: str, error: type[Exception], name: str, reason: str
) -> Failure:
    return Failure(STAGE, element_id, error.__name__, f"{name} {reason}")
