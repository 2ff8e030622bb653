"""Chooses the charts of a run."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

from markupsafe import Markup

from pipeline.counts import RunCounts
from pipeline.report import charts
from pipeline.report.interval import Share
from pipeline.report.run_words import reasons
from pipeline.report.tally import Column, Tally

_MAX_CHART_ROWS = 12
_MIN_GROUPS = 2


@dataclasses.dataclass(frozen=True, slots=True)
class Chart:
    """A drawing with what stands above and below it."""

    title: str
    drawing: Markup
    note: str


def charts_of(counts: RunCounts, totals: Tally, by: str | None) -> Iterator[Chart]:
    """Draws what there is to draw of a run.

    Args:
      counts: Counts of the run.
      totals: Totals of the run.
      by: Metadata column to chart the support rate by; None to choose one.
    """
    if counts.checked:
        yield Chart(
            "Triage of the checked citations",
            charts.triage_chart(totals.triage),
            f"{counts.checked:,} citations.",
        )
        yield Chart(
            "Coverage of the checked citations",
            charts.coverage_chart(totals.coverage),
            f"{counts.checked:,} citations; dashed lines are the two thresholds.",
        )
    if sum(counts.bands.values()):
        yield Chart(
            "Documents by band of score",
            charts.bands_chart(counts.bands),
            f"{sum(counts.bands.values()):,} documents with a checked citation.",
        )
    if why := reasons(counts, totals.triage):
        number = sum(count for _, count in why)
        yield Chart(
            "Why citations were not judged",
            charts.reasons_chart(why),
            f"{number:,} of {counts.citations_selected:,} citations.",
        )
    column = by or _column_to_chart(totals.columns)
    if column and (groups := _groups(totals.columns[column])):
        yield Chart(
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
