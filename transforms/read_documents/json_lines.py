"""Reads manuscripts from JSON Lines, one a line.  No Beam.

A file is read in parts, each a range of bytes that begins and ends with a line, and a
part line by line.
"""

from __future__ import annotations

import codecs
import contextlib
import json
import math
from collections.abc import Iterator
from typing import IO, Any

from transforms.printable import printable
from transforms.read_documents.errors import InputError, UnreadableDocument
from transforms.read_documents.regular_file import open_regular
from transforms.read_documents.rows import Part, Row

_PART_BYTES = 1 << 24
_MAX_LINE_BYTES = 1 << 26
# Enough lines to tell a wrong name of a column from a broken line.
_LOOK_AT_LINES = 20


def find_parts(path: str, id_column: str | None, text_column: str | None) -> list[Part]:
    """Returns the parts of a file, once the columns are seen to be there.

    Raises:
      InputError: If a column is not named, or no line has it.
      UnreadableDocument: If the file cannot be opened.
    """
    parts: list[Part] = []
    seen: list[bytes] = []
    with _open(path) as stream:
        start = at = rows = 0
        for line, size in _lines(stream):
            at += size
            if line is None or line.strip():
                rows += 1
                seen.extend([line] if line and len(seen) < _LOOK_AT_LINES else [])
            if at - start >= _PART_BYTES:
                parts.append(Part(start, at, rows))
                start, rows = at, 0
        parts.append(Part(start, at, rows))
    _require_columns(path, seen, id=id_column, text=text_column)
    return parts


def read_rows(
    path: str,
    byte_range: tuple[int, int],
    first_row: int,
    *,
    id_column: str,
    text_column: str,
) -> Iterator[Row]:
    """Yields the rows of one part, in order; a bad line is a row with a problem.

    Args:
      path: The file.
      byte_range: Offsets of the part's first byte, and one past its last.
      first_row: Number of its first row in the file, from 0.
      id_column: Name under which a line has its document's id.
      text_column: Name under which it has the document.

    Raises:
      UnreadableDocument: If the rows that have not been yielded cannot be read.
    """
    number = first_row
    with _open(path) as stream:
        at, stop = byte_range
        stream.seek(at)
        for line, size in _lines(stream):
            if at >= stop:
                return
            at += size
            if line is None or line.strip():
                yield _row(number, line, id_column, text_column)
                number += 1


@contextlib.contextmanager
def _open(path: str) -> Iterator[IO[bytes]]:
    try:
        with open_regular(path) as stream:
            yield stream
    except OSError as error:
        raise UnreadableDocument(
            f"cannot be opened ({error.strerror}): check the file and its permissions"
        ) from None


def _lines(stream: IO[bytes]) -> Iterator[tuple[bytes | None, int]]:
    """Yields lines with their size in bytes; of one that is too long, None."""
    while line := stream.readline(_MAX_LINE_BYTES):
        size = len(line)
        rest = line
        while rest and not rest.endswith(b"\n"):
            rest = stream.readline(_MAX_LINE_BYTES)
            size += len(rest)
        yield (line if len(line) == size else None), size


def _require_columns(path: str, lines: list[bytes], **columns: str | None) -> None:
    """Raises InputError where every line that can be read lacks a column."""
    records = [record for record in map(_parse, lines) if record is not None]
    for option, column in columns.items():
        if column is None:
            raise InputError(
                f"{path} needs --{option}-column; name the right one with it"
            )
        if records and all(column not in record for record in records):
            names = ", ".join(sorted(set().union(*records)))
            raise InputError(
                f"{path} has no column '{column}'; it has: {names}; name the right one "
                f"with --{option}-column"
            )


def _row(number: int, line: bytes | None, id_column: str, text_column: str) -> Row:
    record = _parse(line) if line is not None else None
    if record is None:
        limit = f"is over {_MAX_LINE_BYTES >> 20} MB: split it"
        broken = "is no JSON object on one line: write it again"
        return Row(number, "", None, True, "{}", limit if line is None else broken)
    written = record.get(text_column)
    fields = {
        name: value
        for name, value in record.items()
        if name not in (id_column, text_column) and _is_scalar(value)
    }
    problem = ""
    if not _is_text(record):
        problem = "holds half of a character, which is no text: write it again"
        return Row(number, _doc_id(record.get(id_column)), None, True, "{}", problem)
    if written is not None and not isinstance(written, str):
        problem = f"has no text in '{text_column}' but another kind of value: fix it"
    return Row(
        number=number,
        doc_id=_doc_id(record.get(id_column)),
        data=written.encode() if isinstance(written, str) else None,
        is_text=True,
        metadata=json.dumps(fields, ensure_ascii=False),
        problem=problem,
    )


def _parse(line: bytes) -> dict[str, Any] | None:
    try:
        text = line.removeprefix(codecs.BOM_UTF8).decode("utf-8")
        record = json.loads(text, parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _is_text(record: dict[str, Any]) -> bool:
    """Tells whether there is no half of a surrogate pair, which JSON may hold."""
    try:
        json.dumps(record, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _doc_id(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return (
        ""
        if isinstance(value, float) and not math.isfinite(value)
        else printable(str(value))
    )


def _is_scalar(value: object) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    return value is None or isinstance(value, str | int)
