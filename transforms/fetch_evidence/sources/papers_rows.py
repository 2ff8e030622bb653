"""Reads the rows of local files of works: Parquet, or JSON Lines."""

from __future__ import annotations

import itertools
import json
import logging
import pathlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq

_PARQUET_MAGIC = b"PAR1"
_ROWS_PER_READ = 2_000
_MAX_NAMED_COLUMNS = 20
_HALF = re.compile(rb"\\u[dD][89a-fA-F]")
_SURROGATE = re.compile("[\ud800-\udfff]")

# Where a row is in its file, and the row as written.
Row: TypeAlias = tuple[str, Mapping[str, Any]]
# Also whether something of it had to be mended.
_Row: TypeAlias = tuple[str, Mapping[str, Any], bool]

_log = logging.getLogger(__name__)


class PapersError(Exception):
    """Raised when a file of works cannot be used; says where and what to do."""


def read_rows(path: pathlib.Path, columns: Sequence[str]) -> Iterator[Row]:
    """Yields the rows of a file, in order, a few at a time in memory.

    Args:
      path: The file; it is recognised by its first bytes.
      columns: The columns that are wanted, as far as it has them; ``title`` it must.

    Raises:
      PapersError: At the first fault, with file, place and remedy.
    """
    mended = 0
    first = ""
    for place, row, is_mended in _rows(path, columns):
        mended += is_mended
        first = first or (place if is_mended else "")
        yield place, row
    if mended:
        _log.warning(
            "%s: %d rows hold what is no text, the first in %s; it is read as U+FFFD",
            path,
            mended,
            first,
        )


def _rows(path: pathlib.Path, columns: Sequence[str]) -> Iterator[_Row]:
    try:
        with path.open("rb") as file:
            start = file.read(len(_PARQUET_MAGIC))
        if not start:
            raise PapersError(f"{path} is empty: give a Parquet or JSON Lines file")
        is_parquet = start == _PARQUET_MAGIC
        if is_parquet:
            yield from _parquet_rows(path, columns)
        else:
            yield from _json_rows(path)
    except FileNotFoundError:
        raise PapersError(f"{path} does not exist: check the path") from None
    except OSError as error:
        problem = error.strerror or type(error).__name__
        raise PapersError(
            f"{path} cannot be read ({problem}): check its permissions, and that"
            " it was copied whole"
        ) from None


def _parquet_rows(path: pathlib.Path, wanted: Sequence[str]) -> Iterator[_Row]:
    try:
        with pq.ParquetFile(path) as file:
            names = file.schema_arrow.names
            if "title" not in names:
                raise PapersError(_no_title(path, names))
            columns = [name for name in wanted if name in names]
            number = itertools.count(1)
            for batch in file.iter_batches(_ROWS_PER_READ, columns=columns):
                for row, is_mended in _mended_batch(batch):
                    yield f"row {next(number)}", row, is_mended
    except pa.ArrowException:
        raise PapersError(
            f"{path} is a damaged Parquet file: copy or write it again"
        ) from None


def _mended_batch(batch: pa.RecordBatch) -> Iterator[tuple[dict[str, Any], bool]]:
    """Yields rows, and whether a text of theirs was no UTF-8: Arrow checks none."""
    try:
        yield from ((row, False) for row in batch.to_pylist())
    except UnicodeDecodeError:
        for number in range(batch.num_rows):
            alone = batch.slice(number, 1)
            try:
                yield alone.to_pylist()[0], False
            except UnicodeDecodeError:
                names = batch.schema.names
                values = [_decoded(alone.column(name)[0]) for name in names]
                yield dict(zip(names, values, strict=True)), True


def _decoded(scalar: Any) -> Any:
    """Returns a value whose text is not all UTF-8, with U+FFFD where it is not."""
    try:
        return scalar.as_py()
    except UnicodeDecodeError:
        kind = scalar.type
    if pa.types.is_dictionary(kind):
        return _decoded(scalar.value)
    if pa.types.is_struct(kind):
        return {name: _decoded(value) for name, value in scalar.items()}
    if pa.types.is_nested(kind):
        return [_decoded(value) for value in scalar.values]
    return scalar.as_buffer().to_pybytes().decode("utf-8", "replace")


def _json_rows(path: pathlib.Path) -> Iterator[_Row]:
    names: dict[str, None] = {}
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if number == 1:
                line = line.removeprefix(b"\xef\xbb\xbf")
            if line.strip():
                row, is_mended = _json_row(path, number, line, is_first=not names)
                names.update(dict.fromkeys(row))
                yield f"line {number}", row, is_mended
    if "title" not in names:
        raise PapersError(_no_title(path, list(names)))


def _json_row(
    path: pathlib.Path, number: int, line: bytes, *, is_first: bool
) -> tuple[dict[str, Any], bool]:
    try:
        row = json.loads(line)
        # Half of a pair is valid in JSON, but no text.
        whole = _whole(row) if _HALF.search(line) else row
    except (ValueError, RecursionError):
        row = whole = None
    if isinstance(whole, dict) and whole:
        return whole, whole != row
    if is_first and not line.lstrip().startswith(b"{"):
        raise PapersError(
            f"{path} is neither Parquet nor JSON Lines: line {number} does not begin"
            " with an object; write one object {...} a line"
        )
    raise PapersError(
        f"{path}, line {number}: not a JSON object in UTF-8; correct or delete the line"
    )


def _whole(value: Any) -> Any:
    """Returns a JSON value with U+FFFD for each half of a surrogate pair."""
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_whole(item) for item in value]
    if isinstance(value, dict):
        return {name: _whole(item) for name, item in value.items()}
    return value


def _no_title(path: pathlib.Path, names: Sequence[str]) -> str:
    listed = ", ".join(names[:_MAX_NAMED_COLUMNS])
    return f"{path} has no column 'title' (it has: {listed}): rename or add it"
