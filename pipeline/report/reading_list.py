"""The documents of a run that are worth reading first."""

from __future__ import annotations

import dataclasses
import pathlib
from typing import Any

import pyarrow.dataset as ds

_COLUMNS = ("doc_id", "score", "band", "checked", "low")
# Highest first; a column that a run does not have, or a null, comes last.
_ORDER = ("priority", "score")


@dataclasses.dataclass(frozen=True, slots=True)
class Lead:
    """A document to read.

    Attributes:
      doc_id: Identifier of the document.
      score: Its score in (0, 5].
      band: The score in words, or None where nothing was checked.
      checked: Citations with a grade.
      low: Those of them that are graded low.
    """

    doc_id: str
    score: float
    band: str | None
    checked: int
    low: int


def reading_list(folder: pathlib.Path, number: int) -> list[Lead]:
    """Returns the documents to read first: by priority, then by score, worst first.

    Args:
      folder: The folder of a run.
      number: How many at most; documents with a score of 0 are left out.
    """
    documents = ds.dataset(folder / "documents", format="parquet")
    order = [name for name in _ORDER if name in documents.schema.names]
    rows = documents.to_table(
        columns=[*dict.fromkeys((*_COLUMNS, *order))], filter=ds.field("score") > 0
    ).to_pylist()

    def rank(row: dict[str, Any]) -> tuple[object, ...]:
        return *(-(row[name] or 0.0) for name in order), row["doc_id"]

    first = sorted(rows, key=rank)[:number]
    return [Lead(**{name: row[name] for name in _COLUMNS}) for row in first]
