"""What a whole run comes to, for numbers and charts."""

from __future__ import annotations

import dataclasses
import json
import pathlib
from collections import Counter
from collections.abc import Mapping
from typing import Any

from pipeline.report.interval import Share
from pipeline.report.spool import Row, batches

COVERAGE_BINS = 20

# A column with more values than this tells documents apart rather than groups.
_MAX_VALUES = 200
_MAX_COLUMNS = 50
_MAX_VALUE_CHARS = 60
_DOCUMENT_COLUMNS = ["checked", "strong", "partial", "metadata"]

_CITATION_COLUMNS = ["grade", "coverage", "triage"]


@dataclasses.dataclass(slots=True)
class Column:
    """A metadata column.

    Attributes:
      documents: Documents that have a value.
      support: Support rate by value; those met first where there are very many.
      is_crowded: Whether there are more values than ``support`` holds.
    """

    documents: int = 0
    support: dict[str, Share] = dataclasses.field(default_factory=dict)
    is_crowded: bool = False

    def add(self, value: str, supported: int, checked: int) -> None:
        """Adds one document."""
        self.documents += 1
        if value not in self.support:
            if len(self.support) >= _MAX_VALUES:
                self.is_crowded = True
                return
            self.support[value] = Share()
        self.support[value].add(supported, checked)


@dataclasses.dataclass(slots=True)
class Tally:
    """Totals of a run.

    Attributes:
      support: Support rate over all documents.
      coverage: Checked citations by coverage bin, of ``COVERAGE_BINS`` equal ones,
        by grade.
      triage: Checked citations by triage.
      columns: Metadata columns by name.
    """

    support: Share = dataclasses.field(default_factory=Share)
    coverage: dict[str, list[int]] = dataclasses.field(default_factory=dict)
    triage: Counter[str] = dataclasses.field(default_factory=Counter)
    columns: dict[str, Column] = dataclasses.field(default_factory=dict)


def tally(run: pathlib.Path) -> Tally:
    """Reads the tables of a run once, in streams."""
    totals = Tally()
    for rows in batches(run / "documents", _DOCUMENT_COLUMNS):
        for row in rows:
            _add_document(totals, row)
    for rows in batches(run / "citations", _CITATION_COLUMNS):
        _add_coverage(totals.coverage, rows)
        totals.triage.update(row["triage"] for row in rows if row["triage"])
    return totals


def metadata(row: Row) -> dict[str, str]:
    """Returns the metadata of a document as short texts, without what has no value.

    Args:
      row: A row of the documents table.
    """
    try:
        found = json.loads(row["metadata"])
    except ValueError:
        return {}
    if not isinstance(found, dict):
        return {}
    texts = {str(name): _text(value) for name, value in found.items()}
    return {name: text for name, text in texts.items() if text}


def _add_document(totals: Tally, row: Row) -> None:
    supported, checked = row["strong"] + row["partial"], row["checked"]
    totals.support.add(supported, checked)
    for name, value in metadata(row).items():
        if name not in totals.columns:
            if len(totals.columns) >= _MAX_COLUMNS:
                continue
            totals.columns[name] = Column()
        totals.columns[name].add(value, supported, checked)


def _add_coverage(coverage: dict[str, list[int]], rows: list[Row]) -> None:
    counts = Counter(
        (row["grade"], min(COVERAGE_BINS - 1, int(row["coverage"] * COVERAGE_BINS)))
        for row in rows
        if row["grade"]
    )
    for (grade, number), count in counts.items():
        coverage.setdefault(grade, [0] * COVERAGE_BINS)[number] += count


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, Mapping | list):
        value = json.dumps(value, ensure_ascii=False)
    folded = " ".join(str(value).split())
    if len(folded) <= _MAX_VALUE_CHARS:
        return folded
    return folded[: _MAX_VALUE_CHARS - 1] + "…"
