"""Counts of a finished run, read back from its tables.

Counts come from the tables and not from the runner's counters: a retried bundle
is counted twice there, and here only what was written counts.
"""

from __future__ import annotations

import dataclasses
import pathlib
from collections import Counter
from collections.abc import Iterable
from typing import Any

import pyarrow.compute as pc
import pyarrow.dataset as ds

from pipeline.output import TABLES
from transforms.records import (
    Band,
    CitationStatus,
    DocumentStatus,
    EvidenceStatus,
    Grade,
)
from transforms.reference_records import ReferenceLabel

_OPEN = (ds.field("label") == ReferenceLabel.NOT_VERIFIABLE.value) & (
    pc.list_value_length(ds.field("unasked")) > 0
)
_SCORING = "score_coverage"
_CHECKED_REFERENCES = "references_checked"
UNCHECKED = tuple(s for s in CitationStatus if s is not CitationStatus.CHECKED)


@dataclasses.dataclass(frozen=True, slots=True)
class RunCounts:
    """What a run came to.

    Attributes:
      documents_in: Documents that the inputs hold.
      documents: Rows of the documents table by status.
      failed_documents: Documents that could not be read or extracted.
      failures: Rows of the failures table by stage.
      bands: Scored documents by band; those with nothing checked have none.
      citations_found: Citations of every kind in all documents.
      citations_numbered: Those of them that cite by number.
      citations_selected: Citations that were to be checked.
      citations: Rows of the citations table by status.
      grades: Checked citations by grade.
      works: Rows of the works table, one a distinct lookup, by status.
      references: Rows of the references table by label.
      references_open: Those of them that are not verifiable because an index could
        not be asked.
      sums: Sums of the documents table's count columns by name.
    """

    documents_in: int
    documents: dict[str, int]
    failed_documents: int
    failures: dict[str, int]
    bands: dict[str, int]
    citations_found: int
    citations_numbered: int
    citations_selected: int
    citations: dict[str, int]
    grades: dict[str, int]
    works: dict[str, int]
    references: dict[str, int]
    references_open: int
    sums: dict[str, int]

    @property
    def checked(self) -> int:
        """Citations with a grade."""
        return self.citations[CitationStatus.CHECKED]

    @property
    def support_rate(self) -> float | None:
        """Share of checked citations graded strong or partial; None without any."""
        supported = self.grades[Grade.STRONG] + self.grades[Grade.PARTIAL]
        return supported / self.checked if self.checked else None

    @property
    def unchecked_share(self) -> float | None:
        """Share of selected citations that were not checked; None without any."""
        selected = self.citations_selected
        return (selected - self.checked) / selected if selected else None

    @property
    def references_total(self) -> int:
        """References that were checked."""
        return sum(self.references.values())

    @property
    def failed_lookup_share(self) -> float:
        """Share of lookups that no index could be asked for.

        Of distinct lookups or of citations, whichever is worse: where a whole lane
        breaks, its lookups have no rows, but its citations have.
        """
        return max(
            _share(self.works, EvidenceStatus.FETCH_FAILED),
            _share(self.citations, CitationStatus.FETCH_FAILED),
        )

    @property
    def open_reference_share(self) -> float:
        """Share of references that an index could not be asked about."""
        total = self.references_total
        return self.references_open / total if total else 0.0

    @property
    def failed_document_share(self) -> float:
        """Share of documents that could not be read or extracted."""
        return self.failed_documents / self.documents_in if self.documents_in else 0.0


def _share(tally: dict[str, int], name: str) -> float:
    total = sum(tally.values())
    return tally[name] / total if total else 0.0


def count(folder: pathlib.Path, documents_in: int) -> RunCounts:
    """Counts the tables below ``folder``.

    Args:
      folder: The folder that holds the tables.
      documents_in: Documents that the inputs hold.
    """
    tables = {name: ds.dataset(folder / name, format="parquet") for name in TABLES}
    documents, failures = tables["documents"], tables["failures"]
    sums = _sums(documents)
    by_stage = _tally(failures, "stage")
    # A document that could not be scored has citations and references, but no row.
    told = _of(documents) if by_stage.get(_SCORING) else None
    return RunCounts(
        documents_in=documents_in,
        documents=_tally(documents, "status", DocumentStatus),
        failed_documents=documents_in - documents.count_rows(),
        failures=by_stage,
        bands=_tally(documents, "band", Band),
        citations_found=sums["citations_total"],
        citations_numbered=sums["citations_numbered"],
        citations_selected=sums["citations_selected"],
        citations=_tally(tables["citations"], "status", CitationStatus, told),
        grades=_tally(tables["citations"], "grade", Grade, told),
        works=_tally(tables["works"], "status", EvidenceStatus),
        references=_tally(tables["references"], "label", ReferenceLabel, told),
        references_open=tables["references"].count_rows(filter=_OPEN),
        sums=sums,
    )


def broken_laws(counts: RunCounts) -> list[str]:
    """Returns what does not add up, in words; empty for a sound run."""
    broken = []
    failed = sum(counts.failures.values())
    if counts.failed_documents < 0 or counts.failed_documents > failed:
        broken.append(
            f"{counts.documents_in} documents in, but {sum(counts.documents.values())} "
            f"rows in documents and {failed} in failures"
        )
    rows = sum(counts.citations.values())
    if rows != counts.citations_selected:
        broken.append(
            f"{counts.citations_selected} citations selected, but {rows} rows"
        )
    for name, of_rows in {**counts.citations, **counts.grades}.items():
        if counts.sums[name] != of_rows:
            broken.append(
                f"documents count {counts.sums[name]} {name}, citations {of_rows}"
            )
    for label, of_rows in counts.references.items():
        if (of_documents := counts.sums[f"references_{label}"]) != of_rows:
            broken.append(
                f"documents count {of_documents} references {label}, rows {of_rows}"
            )
    labelled = sum(counts.sums[f"references_{label}"] for label in counts.references)
    if labelled != (listed := counts.sums[_CHECKED_REFERENCES]):
        broken.append(f"{listed} references listed, but {labelled} labels")
    return broken


def _sums(documents: ds.Dataset) -> dict[str, int]:
    names = [
        *("citations_total", "citations_numbered", "citations_selected"),
        *CitationStatus,
        *Grade,
        *(f"references_{label.value}" for label in ReferenceLabel),
    ]
    totals = dict.fromkeys(map(str, names), 0)
    for batch in documents.to_batches(columns=list(totals)):
        for name in totals:
            totals[name] += pc.sum(batch.column(name)).as_py() or 0
    checked = documents.to_table(
        columns=["references_total"], filter=ds.field("references_exact") >= 0
    )
    totals[_CHECKED_REFERENCES] = pc.sum(checked["references_total"]).as_py() or 0
    return totals


def _of(documents: ds.Dataset) -> ds.Expression:
    """Returns the condition that a row is of a document that has one itself."""
    return ds.field("doc_id").isin(documents.to_table(columns=["doc_id"])["doc_id"])


def _tally(
    table: ds.Dataset,
    column: str,
    known: Iterable[str] = (),
    condition: ds.Expression | None = None,
) -> dict[str, int]:
    """Counts the values of ``column``; every known value is there, nulls are not."""
    tally: Counter[Any] = Counter()
    for batch in table.to_batches(columns=[column], filter=condition):
        tally.update(batch.column(0).drop_null().to_pylist())
    return {**{str(value): 0 for value in known}, **tally}
