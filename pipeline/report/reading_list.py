"""The documents of a run that are worth reading first."""

from __future__ import annotations

import dataclasses
import pathlib

import pyarrow.dataset as ds

_COLUMNS = ("doc_id", "score", "band", "checked", "low")
# What a run may lack: that of an earlier version.
_OF_TRIAGE = ("priority", "flagged")


@dataclasses.dataclass(frozen=True, slots=True)
class Lead:
    """A document to read.

    Attributes:
      doc_id: Identifier of the document.
      score: Its score in [0, 5].
      band: The score in words, or None where nothing was checked.
      checked: Citations with a grade.
      low: Those of them that are graded low.
      priority: How early it should be read, >= 0, or None where there is no triage.
      flagged: Citations that seem to be off topic, or None likewise.
    """

    doc_id: str
    score: float
    band: str | None
    checked: int
    low: int
    priority: float | None = None
    flagged: int | None = None


def reading_list(folder: pathlib.Path, number: int) -> list[Lead]:
    """Returns the documents to read first: by priority, then by score, worst first.

    Args:
      folder: The folder of a run.
      number: How many at most; documents that nothing speaks against are left out.
    """
    documents = ds.dataset(folder / "documents", format="parquet")
    triage = [name for name in _OF_TRIAGE if name in documents.schema.names]
    speaks_against = ds.field("score") > 0
    if "priority" in triage:
        speaks_against |= (ds.field("priority") > 0) & ds.field("score").is_valid()
    table = documents.to_table(columns=[*_COLUMNS, *triage], filter=speaks_against)
    return sorted((Lead(**row) for row in table.to_pylist()), key=_rank)[:number]


def _rank(lead: Lead) -> tuple[float, float, str]:
    return -(lead.priority or 0.0), -lead.score, lead.doc_id
