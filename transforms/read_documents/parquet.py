"""Reads manuscripts from Parquet, one row each.  No Beam.

A row group is read in small batches, and only the columns that are needed.
"""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import decimal
import itertools
import json
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from transforms.printable import printable
from transforms.read_documents.errors import InputError, UnreadableDocument
from transforms.read_documents.regular_file import open_regular
from transforms.read_documents.rows import Part, Row

# Opening a part reads what the file says of all row groups: of the parts there are
# few, however many groups it has.
_MIN_PART_BYTES = 1 << 22
_MAX_PARTS = 128
_BATCH_BYTES = 1 << 22
_MAX_BATCH_ROWS = 256
_BUFFER_BYTES = 1 << 20
_DAMAGED = (
    *(pa.ArrowException, NotImplementedError, MemoryError),
    *(UnicodeDecodeError, EOFError),
)

_Value = TypeVar("_Value")


def find_parts(path: str, id_column: str | None, text_column: str | None) -> list[Part]:
    """Returns the parts of a file, once the columns are seen to be there.

    Raises:
      InputError: If a column is not named, not there or not of text.
      UnreadableDocument: If the file cannot be opened as Parquet.
    """
    with _open(path) as file:
        schema = file.schema_arrow
        for option, column in (("id", id_column), ("text", text_column)):
            if column not in schema.names:
                raise InputError(_missing(path, option, column, schema.names))
        kind = schema.field(str(text_column)).type
        # Where all texts are null, a file may not say of what type they are.
        if not (_is_text(kind) or _is_binary(kind) or pa.types.is_null(kind)):
            raise InputError(
                f"the column '{text_column}' of {path} holds {kind}, not text; name "
                "another with --text-column"
            )
        metadata = file.metadata
        groups = [metadata.row_group(i) for i in range(metadata.num_row_groups)]
        rows = [group.num_rows for group in groups]
        if min(rows, default=0) < 0 or sum(rows) != metadata.num_rows:
            raise UnreadableDocument(_reason(EOFError()))
        return _parts(rows, [group.total_byte_size for group in groups])


def read_rows(
    path: str,
    row_groups: tuple[int, int],
    first_row: int,
    *,
    id_column: str,
    text_column: str,
) -> Iterator[Row]:
    """Yields the rows of some row groups, in order.

    Where a row group is damaged, its rows have a problem.

    Args:
      path: The file.
      row_groups: Index of the first row group, and one past that of the last.
      first_row: Number of its first row in the file, from 0.
      id_column: Column that holds document ids.
      text_column: Column that holds the documents.

    Raises:
      UnreadableDocument: If the rows that have not been yielded cannot be read.
    """
    with _open(path) as file:
        names = [
            field.name
            for field in file.schema_arrow
            if field.name in (id_column, text_column) or _is_scalar(field.type)
        ]
        number = first_row
        for group in range(*row_groups):
            rows = _group_rows(file, group, names, id_column, text_column)
            for row in _filled_up(file, group, rows, _lost_row):
                yield dataclasses.replace(row, number=number)
                number += 1


def read_ids(
    path: str, row_groups: tuple[int, int], *, id_column: str
) -> Iterator[str]:
    """Yields the document ids of some row groups, in order; ``""`` for a missing one.

    Raises:
      UnreadableDocument: If the ids that have not been yielded cannot be read.
    """
    with _open(path) as file:
        for group in range(*row_groups):
            ids = _group_ids(file, group, id_column)
            # Reading the rows will say what is wrong with them.
            yield from _filled_up(file, group, ids, lambda _: "")


def _filled_up(
    file: pq.ParquetFile,
    group: int,
    values: Iterator[_Value],
    stand_in: Callable[[Exception], _Value],
) -> Iterator[_Value]:
    """Yields a value for each row of a row group, also where it is damaged.

    The other row groups may be whole.
    """
    left = file.metadata.row_group(group).num_rows
    problem: Exception = EOFError()
    try:
        for value in values:
            yield value
            left -= 1
    except Exception as error:
        problem = error
    yield from itertools.repeat(stand_in(problem), left)


def _lost_row(error: Exception) -> Row:
    return Row(0, "", None, True, "{}", _reason(error))


def _group_ids(file: pq.ParquetFile, group: int, id_column: str) -> Iterator[str]:
    for batch in file.iter_batches(row_groups=[group], columns=[id_column]):
        yield from map(_doc_id, _id_values(batch.column(0)))


def _group_rows(
    file: pq.ParquetFile, group: int, names: list[str], id_column: str, text_column: str
) -> Iterator[Row]:
    size = _batch_rows(file.metadata.row_group(group))
    for batch in file.iter_batches(size, [group], names, use_threads=False):
        yield from _rows(batch, id_column, text_column)


def _parts(rows: Sequence[int], sizes_bytes: Sequence[int]) -> list[Part]:
    """Puts row groups together into parts of some size."""
    least = max(_MIN_PART_BYTES, sum(sizes_bytes) // _MAX_PARTS)
    parts = []
    start = part_rows = part_bytes = 0
    for stop, (more_rows, more_bytes) in enumerate(
        zip(rows, sizes_bytes, strict=True), start=1
    ):
        part_rows += more_rows
        part_bytes += more_bytes
        if part_rows and (part_bytes >= least or stop == len(rows)):
            parts.append(Part(start, stop, part_rows))
            start, part_rows, part_bytes = stop, 0, 0
    return parts


@contextlib.contextmanager
def _open(path: str) -> Iterator[pq.ParquetFile]:
    """Opens a file; whatever Arrow raises meanwhile means that it is broken."""
    try:
        # Arrow takes no path that is not UTF-8; Python opens any.
        with (
            open_regular(path) as stream,
            pq.ParquetFile(stream, buffer_size=_BUFFER_BYTES) as file,
        ):
            yield file
    except (OSError, *_DAMAGED) as error:
        raise UnreadableDocument(_reason(error)) from None


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        reason = f"{error.strerror}): check it or"
    elif isinstance(error, (OSError, *_DAMAGED)):
        reason = "damaged data):"
    else:
        reason = f"{type(error).__name__}):"
    return f"cannot be read as Parquet ({reason} write it again"


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
    ids = _id_values(batch.column(id_column))
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


def _id_values(column: Any) -> list[object]:
    """Returns a column of ids as Python values."""
    # Replaced, what is no UTF-8 would make one id of several.
    return _values(column, "backslashreplace")


def _values(column: Any, errors: str = "replace") -> list[object]:
    """Returns a scalar column as Python values; one that has none is None.

    Args:
      column: The column.
      errors: What to do with text that is no UTF-8: Arrow does not check it.
    """
    kind = column.type
    if _is_text(kind) or _is_binary(kind):
        written = column.cast(pa.large_binary()).to_pylist()
        return [None if t is None else t.decode("utf-8", errors) for t in written]
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
    if pa.types.is_dictionary(kind):
        return _is_binary(kind.value_type)
    return bool(
        pa.types.is_binary(kind)
        or pa.types.is_fixed_size_binary(kind)
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
