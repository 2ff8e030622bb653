"""The summary that a run prints when it ends."""

from __future__ import annotations

import pathlib
from collections.abc import Mapping

from rich.console import Console
from rich.table import Table

from pipeline.counts import UNCHECKED, RunCounts
from transforms.records import DocumentStatus, Grade

_CAVEAT = (
    "A low grade is a lead to check, not a finding: only title and abstract are "
    "compared, word by word."
)


def print_summary(
    counts: RunCounts,
    requests: Mapping[str, int],
    folder: pathlib.Path,
    first: list[tuple[str, float]],
    problems: list[str],
) -> None:
    """Prints what was run, what it came to, and what could not be checked.

    Args:
      counts: Counts of the run.
      requests: What asking the network indexes cost, by name.
      folder: Where the tables are.
      first: The documents to read first, with their scores.
      problems: Why the run counts as incomplete; empty if it does not.
    """
    console = Console(soft_wrap=True)
    console.print(_documents(counts))
    console.print(_citations(counts))
    if requests["questions"]:
        console.print(_requests(requests), highlight=False, markup=False)
    if first:
        console.print("Read first: " + _listed(first), highlight=False, markup=False)
    for problem in problems:
        console.print(f"INCOMPLETE: {problem}", highlight=False, markup=False)
    console.print(_CAVEAT)
    console.print(f"Tables: {folder}", highlight=False, markup=False)


def ratio_to_floor(requests: Mapping[str, int]) -> float | None:
    """Returns how many times the fewest requests were made; None without any need."""
    floor = requests["floor"]
    return round(requests["requests"] / floor, 3) if floor else None


def _requests(requests: Mapping[str, int]) -> str:
    made, floor = requests["requests"], requests["floor"]
    ratio = ratio_to_floor(requests)
    times = "" if ratio is None else f", {ratio:.2f} times"
    return (
        f"Requests: {made} (fewest without a cache: {floor}{times});"
        f" {requests['cache_hits']} of {requests['questions']} answers from the cache"
    )


def _documents(counts: RunCounts) -> Table:
    table = _table("documents", "count")
    table.add_row("in", str(counts.documents_in))
    for status in DocumentStatus:
        table.add_row(status, str(counts.documents[status]))
    table.add_row("failed", str(counts.failed_documents))
    for band, number in counts.bands.items():
        table.add_row(f"  {band}", str(number))
    return table


def _citations(counts: RunCounts) -> Table:
    table = _table("citations", "count", "share of selected")
    selected = counts.citations_selected

    def row(name: str, number: int) -> None:
        share = f"{number / selected:.1%}" if selected else "-"
        table.add_row(name, str(number), share)

    table.add_row("found", str(counts.citations_found), "")
    table.add_row("by number", str(counts.citations_numbered), "")
    row("selected", selected)
    row("checked", counts.checked)
    for grade in Grade:
        row(f"  {grade}", counts.grades[grade])
    row("not checked", selected - counts.checked)
    for reason in UNCHECKED:
        row(f"  {reason}", counts.citations[reason])
    rate = counts.support_rate
    table.add_row(
        "support rate",
        "-" if rate is None else f"{rate:.1%}",
        "(strong + partial) / checked",
    )
    return table


def _table(*columns: str) -> Table:
    table = Table(show_edge=False, pad_edge=False)
    table.add_column(columns[0])
    for column in columns[1:]:
        table.add_column(column, justify="right")
    return table


def _listed(first: list[tuple[str, float]]) -> str:
    return ", ".join(f"{doc_id} ({score:.2f})" for doc_id, score in first)
