"""The index: what was run, what could not be checked, and what to read first."""

from __future__ import annotations

import dataclasses
import itertools
import pathlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from markupsafe import Markup

from pipeline.counts import UNCHECKED, RunCounts
from pipeline.report import charts
from pipeline.report.interval import Share
from pipeline.report.links import source_name
from pipeline.report.page import RunFacts, percent, write_page
from pipeline.report.spool import Row
from pipeline.report.tally import Column, Tally, metadata
from pipeline.report.words import (
    BANDS,
    CITATION_STATUSES,
    DOCUMENT_STATUSES,
    REFERENCE_LABELS,
    TRIAGE,
    Word,
)
from transforms.records import DocumentStatus, Triage
from transforms.score_coverage.grades import PARTIAL_COVERAGE, STRONG_COVERAGE

ROWS_A_PAGE = 1000

# Metadata columns to filter by; the search finds what is in the others.
_MAX_FILTERS = 8
_MAX_CHOICES = 60
_MAX_CHART_ROWS = 12
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
_UNSCORED: Mapping[str, str] = {
    DocumentStatus.TOO_SHORT: "too short",
    DocumentStatus.UNSUPPORTED_LANGUAGE: "not in English",
    DocumentStatus.NO_CITATIONS: "with nothing to check",
    DocumentStatus.SUPPORT_NOT_CHECKED: "of which reference lists alone were checked",
}


@dataclasses.dataclass(frozen=True, slots=True)
class Filter:
    """A metadata column to filter the list by.

    Attributes:
      name: Name of the column.
      values: Its values in order; None where there are too many to choose from.
    """

    name: str
    values: tuple[str, ...] | None


@dataclasses.dataclass(frozen=True, slots=True)
class _Chart:
    title: str
    drawing: Markup
    note: str


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
            "sentences": tuple(_sentences(facts, counts, totals.triage)),
            "reasons": _reasons(counts, totals.triage),
            "charts": tuple(_charts(counts, totals, by)),
            "failures": tuple(itertools.islice(failures, _MAX_FAILURES)),
            "failures_more": max(0, sum(counts.failures.values()) - _MAX_FAILURES),
            "low_below": f"{PARTIAL_COVERAGE:.2f}",
            "strong_from": f"{STRONG_COVERAGE:.2f}",
            "interval_note": _interval_note(totals),
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


def _sentences(
    facts: RunFacts, counts: RunCounts, triage: Counter[str]
) -> Iterator[str]:
    scored, documents_in = counts.documents["scored"], counts.documents_in
    unscored = [
        f"{number:,} {_UNSCORED[status]}"
        for status, number in counts.documents.items()
        if number and status in _UNSCORED
    ]
    if counts.failed_documents:
        unscored.append(f"{counts.failed_documents:,} that could not be read")
    yield f"Of {documents_in:,} documents, {scored:,} were scored." + (
        f" Not scored: {', '.join(unscored)}." if unscored else ""
    )
    limit = facts.options.get("max_citations")
    which = (
        f"the first {limit} of each document" if limit else "all that can be checked"
    )
    numbered = counts.citations_numbered
    yield (
        f"They hold {counts.citations_found:,} citations, {numbered:,} of them by "
        f"number. Selected were {which}, {counts.citations_selected:,} in all."
    )
    if counts.citations_selected:
        yield _judged_sentence(counts, triage)
    if counts.references_total:
        yield _references_sentence(counts)
    asked = facts.options.get("index") or ()
    if asked:
        how = ", offline" if facts.options.get("offline") else ""
        yield f"Asked for the cited works: {', '.join(map(source_name, asked))}{how}."


def _judged_sentence(counts: RunCounts, triage: Counter[str]) -> str:
    selected = counts.citations_selected
    judged = counts.checked - triage[Triage.ATTRIBUTION]
    found = ", ".join(
        f"{triage[value]:,} {TRIAGE[value].name.lower()}"
        for value in (Triage.OFF_TOPIC, Triage.UNCLEAR, Triage.ON_TOPIC)
    )
    sentence = (
        f"{judged:,} of these ({percent(judged / selected)}) could be judged by title "
        f"and abstract of the cited work: {found}. {selected - judged:,} "
        f"({percent((selected - judged) / selected)}) could not"
    )
    if reasons := _reasons(counts, triage):
        sentence += f", mostly for this reason: {reasons[0][0].name.lower()}"
    if judged < selected / 2:
        sentence += (
            ". Most citations are therefore unjudged, and a document without a lead is "
            "not thereby a sound one"
        )
    return f"{sentence}."


def _references_sentence(counts: RunCounts) -> str:
    found = ", ".join(
        f"{counts.references[label]:,} {word.name.lower()}"
        for label, word in REFERENCE_LABELS.items()
    )
    return f"Of {counts.references_total:,} entries of reference lists: {found}."


def _reasons(counts: RunCounts, triage: Counter[str]) -> list[tuple[Word, int]]:
    """Returns why citations were not judged, the most frequent reason first."""
    found = [(CITATION_STATUSES[r], counts.citations[r]) for r in UNCHECKED]
    found.append((TRIAGE[Triage.ATTRIBUTION], triage[Triage.ATTRIBUTION]))
    return sorted((pair for pair in found if pair[1]), key=lambda pair: -pair[1])


def _interval_note(totals: Tally) -> str:
    if not totals.support.total:
        return ""
    if totals.support.documents < 2:
        return "Its interval is Wilson's for 95\u202f%."
    return (
        "Its interval is Wilson's for 95\u202f%, over documents: citations of one "
        "document are alike, so that the interval is that of "
        f"{totals.support.total / totals.support.design_effect:,.0f} independent "
        f"citations rather than {totals.support.total:,}."
    )


def _charts(counts: RunCounts, totals: Tally, by: str | None) -> Iterator[_Chart]:
    if counts.checked:
        yield _Chart(
            "Triage of the checked citations",
            charts.triage_chart(totals.triage),
            f"{counts.checked:,} citations.",
        )
        yield _Chart(
            "Coverage of the checked citations",
            charts.coverage_chart(totals.coverage),
            f"{counts.checked:,} citations; dashed lines are the two thresholds.",
        )
    if sum(counts.bands.values()):
        yield _Chart(
            "Documents by band of score",
            charts.bands_chart(counts.bands),
            f"{sum(counts.bands.values()):,} documents with a checked citation.",
        )
    if reasons := _reasons(counts, totals.triage):
        number = sum(count for _, count in reasons)
        yield _Chart(
            "Why citations were not judged",
            charts.reasons_chart(reasons),
            f"{number:,} of {counts.citations_selected:,} citations.",
        )
    column = by or _column_to_chart(totals.columns)
    if column and (groups := _groups(totals.columns[column])):
        yield _Chart(
            f"Support rate by {column}",
            charts.support_chart(groups, column),
            "With 95 % intervals; in brackets the number of checked citations. Groups "
            "differ by chance as well.",
        )


def _column_to_chart(columns: dict[str, Column]) -> str | None:
    """Picks the column that most documents have, among those that make groups."""
    fitting = [
        (-column.documents, name)
        for name, column in columns.items()
        if _MIN_GROUPS <= len(column.support) <= _MAX_CHART_ROWS
    ]
    return min(fitting)[1] if fitting else None


def _groups(column: Column) -> Sequence[tuple[str, Share]]:
    """Returns the values with most checked citations, the lowest rate first."""
    found = [(value, share) for value, share in column.support.items() if share.total]
    found.sort(key=lambda pair: (-pair[1].total, pair[0]))
    return sorted(found[:_MAX_CHART_ROWS], key=lambda pair: (pair[1].value, pair[0]))
