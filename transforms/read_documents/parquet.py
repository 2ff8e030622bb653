"""Reads manuscripts from Parquet, one row each.  No Beam.

A row group is read in small batches, and only the columns that are needed.
"""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import decimal
import json
import math
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from transforms.printable import printable
from transforms.read_documents.errors import InputError, UnreadableDocument

_BATCH_BYTES = 1 << 22
_MAX_BATCH_ROWS = 256
_BUFFER_BYTES = 1 << 20


@dataclasses.dataclass(frozen=True, slots=True)
class Row:
    """One row of a Parquet or JSON Lines file.

    Attributes:
      number: Its number in the file, from 0.
      doc_id: The document's id, or ``""`` where it is null or empty.
      data: The document: the text as UTF-8, or the bytes; None where it is null.
      is_text: Whether ``data`` was a string.
      metadata: The other scalar columns as a JSON object, dates in ISO 8601.
      problem: Why the row holds no document, or ``""``.
    """

    number: int
    doc_id: str
    data: bytes | None
    is_text: bool
    metadata: str
    problem: str = ""


def row_counts(path: str, id_column: str | None, text_column: str | None) -> list[int]:
    """Returns the rows of each row group, once the columns are seen to be there.

    Raises:
      InputError: If a column is not named, not there or not of text.
      UnreadableDocument: If the file cannot be opened as Parquet.
    """
    with _open(path) as file:
        schema = file.schema_arrow
        metadata = file.metadata
        for option, column in (("id", id_column), ("text", text_column)):
            if column not in schema.names:
                raise InputError(_missing(path, option, column, schema.names))
        kind = schema.field(str(text_column)).type
        if not _is_text(kind) and not _is_binary(kind):
            raise InputError(
                f"the column '{text_column}' of {path} holds {kind}, not text; name "
                "another with --text-column"
            )
        return [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)]


def read_rows(
    path: str, row_group: int, first_row: int, *, id_column: str, text_column: str
) -> Iterator[Row]:
    """Yields the rows of one row group, in order.

    Args:
      path: The file.
      row_group: Index of the row group, from 0.
      first_row: Number of its first row in the file, from 0.
      id_column: Column that holds document ids.
      text_column: Column that holds the documents.

    Raises:
      UnreadableDocument: If the rows that have not been yielded cannot be read.
    """
    number = first_row
    with _open(path) as file:
        names = [
            field.name
            for field in file.schema_arrow
            if field.name in (id_column, text_column) or _is_scalar(field.type)
        ]
        size = _batch_rows(file.metadata.row_group(row_group))
        for batch in file.iter_batches(size, [row_group], names, use_threads=False):
            for row in _rows(batch, id_column, text_column):
                yield dataclasses.replace(row, number=number)
                number += 1


def read_ids(path: str, row_group: int, *, id_column: str) -> Iterator[str]:
    """Yields the document ids of one row group, in order; ``""`` for a missing one.

    Raises:
      UnreadableDocument: If the ids that have not been yielded cannot be read.
    """
    with _open(path) as file:
        for batch in file.iter_batches(row_groups=[row_group], columns=[id_column]):
            yield from map(_doc_id, _values(batch.column(0)))


@contextlib.contextmanager
def _open(path: str) -> Iterator[pq.ParquetFile]:
    """Opens a file; whatever Arrow raises meanwhile means that it is broken."""
    try:
        # Arrow takes no path that is not UTF-8; Python opens any.
        with (
            open(path, "rb") as stream,
            pq.ParquetFile(stream, buffer_size=_BUFFER_BYTES) as file,
        ):
            yield file
    except OSError as error:
        reason = error.strerror or "damaged data"
        raise UnreadableDocument(
            f"cannot be read as Parquet ({reason}): check it or write it again"
        ) from None
    except (pa.ArrowException, NotImplementedError, MemoryError, UnicodeDecodeError):
        raise UnreadableDocument(
            "cannot be read as Parquet (damaged data): write it again"
        ) from None


def _missing(path: str, option: str, column: str | None, names: Sequence[str]) -> str:
    wanted = f"has no column '{column}'" if column else f"needs --{option}-column"
    return (
        f"{path} {wanted}; it has: {', '.join(names)}; name the right one with "
        f"--{option}-column"
    )


def _batch_rows(row_group: Any) -> int:
    """Returns how many rows of average size fill a batch."""
    average = max(1, row_group.total_byte_size // max(1, row_group.num_rows))
    return int(min(_MAX_BATCH_ROWS, max(1, _BATCH_BYTES // average)))


def _rows(batch: pa.RecordBatch, id_column: str, text_column: str) -> Iterator[Row]:
    """Yields the rows of a batch, numbered from 0."""
    texts = batch.column(text_column)
    is_text, texts = _is_text(texts.type), texts.cast(pa.large_binary())
    ids = _values(batch.column(id_column))
    others = {
        name: _values(batch.column(name))
        for name in batch.schema.names
        if name not in (id_column, text_column)
    }
    for number, (written_id, text) in enumerate(zip(ids, texts, strict=True)):
        fields = {name: _plain(values[number]) for name, values in others.items()}
        metadata = json.dumps(fields, ensure_ascii=False)
        yield Row(number, _doc_id(written_id), text.as_py(), is_text, metadata)


def _doc_id(value: object) -> str:
    # NaN is how data frames write a missing number.
    return "" if value is None or value != value else printable(str(value))


def _values(column: Any) -> list[object]:
    """Returns a scalar column as Python values; one that has none is None."""
    kind = column.type
    if _is_text(kind) or _is_binary(kind):
        written = column.cast(pa.large_binary()).to_pylist()
        # A string column may hold anything: Arrow does not check it.
        return [None if t is None else t.decode("utf-8", "replace") for t in written]
    if pa.types.is_timestamp(kind):
        utc = "UTC" if kind.tz else None
        column = column.cast(pa.timestamp("us", utc), safe=False)
    try:
        return list(column.to_pylist())
    except (ValueError, OverflowError):
        return [_value(scalar) for scalar in column]


def _value(scalar: Any) -> object:
    try:
        return scalar.as_py()
    except (ValueError, OverflowError):
        return None


def _plain(value: object) -> object:
    """Returns a value as JSON can hold it."""
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, decimal.Decimal):
        return str(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _is_text(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        return _is_text(kind.value_type)
    return bool(
        pa.types.is_string(kind)
        or pa.types.is_large_string(kind)
        or pa.types.is_string_view(kind)
    )


def _is_binary(kind: pa.DataType) -> bool:
    return bool(
        pa.types.is_binary(kind)
        or pa.types.is_large_binary(kind)
        or pa.types.is_binary_view(kind)
    )


def _is_scalar(kind: pa.DataType) -> bool:
    tests = (
        *(pa.types.is_boolean, pa.types.is_integer, pa.types.is_floating),
        *(pa.types.is_decimal, pa.types.is_date, pa.types.is_time),
        *(pa.types.is_timestamp, pa.types.is_null, _is_text),
    )
    return any(test(kind) for test in tests)
