"""The index: what was run, what could not be checked, and what to read first."""

from __future__ import annotations

import dataclasses
import itertools
import pathlib
from collections.abc import Iterator

from pipeline.counts import RunCounts
from pipeline.report.page import RunFacts, write_page
from pipeline.report.run_charts import charts_of
from pipeline.report.run_words import interval_note, reasons, sentences
from pipeline.report.spool import Row
from pipeline.report.tally import Column, Tally, metadata
from pipeline.report.words import BANDS, DOCUMENT_STATUSES
from transforms.records import Triage
from transforms.score_coverage.grades import PARTIAL_COVERAGE, STRONG_COVERAGE

ROWS_A_PAGE = 1000

# Metadata columns to filter by; the search finds what is in the others.
_MAX_FILTERS = 8
_MAX_CHOICES = 60
_MIN_GROUPS = 2
_MAX_FAILURES = 200
_MAX_NAME_CHARS = 200
# Count columns of the list, and what else it can be sorted by.
_COUNTED = (
    ("leads", "To read first"),
    ("unclear", "Unclear"),
    ("on_topic", "On topic"),
    ("low", "Hardly covered"),
    ("references", "References to check"),
)
_SORTED_FIRST = (("score", "score"), ("title", "title"))
_SORTED_LAST = (("unjudged", "not judged"), ("reviewed", "reviewed"))


@dataclasses.dataclass(frozen=True, slots=True)
class Filter:
    """A metadata column to filter the list by.

    Attributes:
      name: Name of the column.
      values: Its values in order; None where there are too many to choose from.
    """

    name: str
    values: tuple[str, ...] | None


def page_name(number: int) -> str:
    """Returns the file name of a page of the index, counted from 1."""
    return "index.html" if number == 1 else f"index-{number}.html"


class IndexWriter:
    """Writes the index a page at a time, as its documents come.

    Args:
      folder: Folder of the report.
      facts: The run.
      counts: Counts of the run.
      totals: Totals of the run.
      failures: Rows of the failures table, read only as far as they are shown.
      by: Metadata column to chart the support rate by; None to choose one.
    """

    def __init__(
        self,
        folder: pathlib.Path,
        facts: RunFacts,
        counts: RunCounts,
        totals: Tally,
        failures: Iterator[Row],
        by: str | None,
    ) -> None:
        self._folder = folder
        self._total = sum(counts.documents.values())
        self._pages = max(1, -(-self._total // ROWS_A_PAGE))
        self._written = 0
        self._rows: list[Row] = []
        self._common = {
            "facts": facts,
            "total": self._total,
            "pages": self._pages,
            "page_name": page_name,
            "columns": _filters(totals.columns),
            "bands": BANDS,
            "statuses": DOCUMENT_STATUSES,
            "counted": _COUNTED,
            "sortable": (*_SORTED_FIRST, *_COUNTED, *_SORTED_LAST),
        }
        self._first_page = {
            "counts": counts,
            "support": totals.support,
            "triage": totals.triage,
            "judged": counts.checked - totals.triage[Triage.ATTRIBUTION],
            "sentences": tuple(sentences(facts, counts, totals.triage)),
            "reasons": reasons(counts, totals.triage),
            "charts": tuple(charts_of(counts, totals, by)),
            "failures": tuple(itertools.islice(failures, _MAX_FAILURES)),
            "failures_more": max(0, sum(counts.failures.values()) - _MAX_FAILURES),
            "low_below": f"{PARTIAL_COVERAGE:.2f}",
            "strong_from": f"{STRONG_COVERAGE:.2f}",
            "interval_note": interval_note(totals),
        }

    def add(self, document: Row, page: str) -> None:
        """Adds the next document in reading order.

        Args:
          document: Its row of the documents table.
          page: File name of its own page.
        """
        rank = self._written * ROWS_A_PAGE + len(self._rows) + 1
        self._rows.append(
            {
                **document,
                "rank": rank,
                "page": page,
                "name": document_name(document),
                "facts": metadata(document),
                "leads": leads(document),
                "unjudged": unjudged(document),
                "references": doubtful_references(document),
            }
        )
        if len(self._rows) == ROWS_A_PAGE:
            self._write()

    def close(self) -> None:
        """Writes what is left."""
        if self._rows or not self._written:
            self._write()

    def _write(self) -> None:
        self._written += 1
        write_page(
            self._folder / page_name(self._written),
            "index.html",
            page=self._written,
            first=(self._written - 1) * ROWS_A_PAGE + 1,
            rows=self._rows,
            **self._common,
            **(self._first_page if self._written == 1 else {}),
        )
        self._rows = []


def leads(document: Row) -> int:
    """Returns how many citations of a document are to be read first.

    Those whose work seems off topic, and those whose identifier leads elsewhere.

    Args:
      document: Its row of the documents table.
    """
    return int(document["flagged"] + document["identity_mismatch"])


def doubtful_references(document: Row) -> int:
    """Returns how many entries of a reference list differ from every record.

    Args:
      document: Its row of the documents table; where the list was not checked, there
        are none.
    """
    return sum(document[f"references_{name}"] or 0 for name in ("major", "minor"))


def unjudged(document: Row) -> int:
    """Returns how many selected citations say nothing about their document.

    Args:
      document: Its row of the documents table.
    """
    unchecked = document["citations_selected"] - document["checked"]
    return int(unchecked - document["identity_mismatch"] + document["attribution"])


def document_name(document: Row) -> str:
    """Returns what a document is called: its title, or else its identifier."""
    name = document["title"] or document["doc_id"]
    if len(name) <= _MAX_NAME_CHARS:
        return str(name)
    return f"{name[: _MAX_NAME_CHARS - 1]}…"


def _filters(columns: dict[str, Column]) -> tuple[Filter, ...]:
    """Picks the columns that most documents have, in the order of their names."""
    found = sorted(columns.items(), key=lambda item: (-item[1].documents, item[0]))
    telling = [(name, c) for name, c in found if len(c.support) >= _MIN_GROUPS]
    return tuple(
        Filter(name, None if _is_crowded(column) else tuple(sorted(column.support)))
        for name, column in sorted(telling[:_MAX_FILTERS])
    )


def _is_crowded(column: Column) -> bool:
    return column.is_crowded or len(column.support) > _MAX_CHOICES
