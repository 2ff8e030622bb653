"""What files with a document a row are read as."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True, slots=True)
class Part:
    """A part of a file, read in one go.

    Attributes:
      start: Where it begins: a row group of Parquet, a byte of JSON Lines.
      stop: Where the next begins.
      rows: How many rows it holds; blank lines are none.
    """

    start: int
    stop: int
    rows: int


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
