"""The summary that a run prints when it ends."""

from __future__ import annotations

import dataclasses
import json
import pathlib
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from pipeline.counts import UNCHECKED, RunCounts
from pipeline.report.citations_table import citations_table
from pipeline.report.reading_list import Lead
from transforms.printable import printable
from transforms.records import DocumentStatus, Grade

_CAVEAT = (
    "A low grade is a lead to check, not a finding: only title and abstract are "
    "compared, word by word."
)


@dataclasses.dataclass(frozen=True, slots=True)
class Outcome:
    """What a finished run has to say.

    Attributes:
      folder: Where the tables are.
      manifest: The manifest as published.
      counts: Counts of the run.
      requests: What asking the network indexes cost, by name.
      leads: The documents to read first.
      problems: Why the run counts as incomplete; empty if it does not.
      report: The page to open, or None if there is none.
    """

    folder: pathlib.Path
    manifest: Mapping[str, Any]
    counts: RunCounts
    requests: Mapping[str, int]
    leads: Sequence[Lead]
    problems: Sequence[str]
    report: pathlib.Path | None


def tell(outcome: Outcome, *, quiet: bool, as_json: bool) -> None:
    """Says what a run came to, in the way that was asked for.

    Args:
      outcome: What there is to say.
      quiet: Whether to say nothing but why the run is incomplete.
      as_json: Whether to print one JSON object instead of tables.
    """
    if as_json:
        print(json.dumps(_as_json(outcome), indent=2))
    elif not quiet:
        print_summary(outcome)
    if quiet or as_json:
        for problem in outcome.problems:
            print(f"citation-support: incomplete: {problem}", file=sys.stderr)


def print_summary(outcome: Outcome) -> None:
    """Prints what was run, what it came to, and what could not be checked."""
    console = Console(soft_wrap=True)
    console.print(_documents(outcome.counts))
    console.print(_citations(outcome.counts))
    if outcome.counts.references_total:
        console.print(_references(outcome.counts))
        _print_plain(console, _reference_requests(outcome.manifest))
    if outcome.requests["questions"]:
        _print_plain(console, _requests(outcome.requests))
    if outcome.counts.documents_in == 1:
        # To be wrapped into what there is of the terminal.
        Console().print(citations_table(outcome.folder))
    elif outcome.leads:
        console.print(_reading_list(outcome.leads))
    for problem in outcome.problems:
        _print_plain(console, f"INCOMPLETE: {problem}")
    console.print(_CAVEAT)
    _print_plain(console, f"Tables: {outcome.folder}")
    if outcome.report:
        _print_plain(console, f"Report: {outcome.report}")


def ratio_to_floor(requests: Mapping[str, int]) -> float | None:
    """Returns how many times the fewest requests were made; None without any need."""
    floor = requests["floor"]
    return round(requests["requests"] / floor, 3) if floor else None


def per_thousand(requests: Mapping[str, int], references: int) -> dict[str, Any]:
    """Returns what asking about references cost, in all and for 1,000 of them."""
    thousands = references / 1000
    return {
        **requests,
        "ratio_to_floor": ratio_to_floor(requests),
        "per_1000_references": thousands and round(requests["requests"] / thousands, 1),
        "floor_per_1000_references": thousands
        and round(requests["floor"] / thousands, 1),
    }


def _reference_requests(manifest: Mapping[str, Any]) -> str:
    costs = manifest["reference_requests"]
    return (
        f"Requests for 1,000 references: {costs['per_1000_references']}"
        f" (fewest without a cache: {costs['floor_per_1000_references']})"
    )


def _requests(requests: Mapping[str, int]) -> str:
    made, floor = requests["requests"], requests["floor"]
    ratio = ratio_to_floor(requests)
    times = "" if ratio is None else f", {ratio:.2f} times"
    return (
        f"Requests: {made} made, {max(0, floor - made)} saved by the cache"
        f" (fewest without a cache: {floor}{times});"
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


def _references(counts: RunCounts) -> Table:
    table = _table("references", "count", "share")
    total = counts.references_total
    table.add_row("checked", str(total), "")
    for label, number in counts.references.items():
        table.add_row(label, str(number), f"{number / total:.1%}")
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


def _reading_list(leads: Sequence[Lead]) -> Table:
    has_triage = any(lead.flagged is not None for lead in leads)
    of_triage = ("off topic",) if has_triage else ()
    table = _table("read first", *of_triage, "score", "low", "checked")
    table.add_column("band")
    for lead in leads:
        # A name may look like markup, and may hold a line break.
        name = Text(" ".join(lead.doc_id.split()))
        flagged = (str(lead.flagged or 0),) if has_triage else ()
        numbers = (f"{lead.score:.2f}", str(lead.low), str(lead.checked))
        table.add_row(name, *flagged, *numbers, lead.band or "-")
    return table


def _print_plain(console: Console, line: str) -> None:
    console.print(line, highlight=False, markup=False)


def _as_json(outcome: Outcome) -> dict[str, Any]:
    return {
        "output": printable(str(outcome.folder)),
        "report": outcome.report and printable(str(outcome.report)),
        **outcome.manifest,
        # The pages are written behind the manifest, which tells of the tables alone.
        "status": "incomplete" if outcome.problems else "complete",
        "read_first": [dataclasses.asdict(lead) for lead in outcome.leads],
    }
