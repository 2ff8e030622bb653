"""What the ``check`` command tells a person."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from pipeline import check
from transforms.printable import printable
from transforms.records import Assessment, Judgement, Triage, Work

_TOPICS = {
    Triage.ON_TOPIC: "seems on topic",
    Triage.UNCLEAR: "unclear",
    Triage.OFF_TOPIC: "seems off topic",
    Triage.ATTRIBUTION: "a reason to cite that no abstract could show",
}
_MOST_SHOWN = 0.85


def print_verdict(assessment: Assessment) -> None:
    """Prints grade, triage and work of a claim, and why they are what they are."""
    console = Console()
    work = assessment.work
    if assessment.coverage:
        share = f"{assessment.coverage.value:.0%} of the claim's weight is covered"
        _line(console, f"grade: {assessment.grade} ({share})")
        if assessment.judgement:
            _line(console, f"topic: {_topic(assessment)}")
    else:
        why = f" ({assessment.detail})" if assessment.detail else ""
        _line(console, f"not graded: {assessment.status}{why}")
    if work:
        year = f" ({work.year})" if work.year else ""
        _line(console, f"work: {work.title}{year} [{work.source} {work.paper_id}]")
    if work and assessment.coverage:
        console.print(_terms(check.explain(assessment.citation, work)))
        if assessment.judgement:
            _print_reasons(console, assessment.judgement, work)
        _line(
            console,
            "Title and abstract are compared word by word: a low grade is a lead to"
            " check, not a finding, and on topic is not the same as supported.",
        )


def _topic(assessment: Assessment) -> str:
    judgement, purpose = assessment.judgement, assessment.purpose
    if judgement is None:
        return ""
    told = _TOPICS[judgement.triage]
    if judgement.triage is Triage.ATTRIBUTION and purpose and purpose.attribution_cue:
        told += f': "{purpose.attribution_cue}"'
    return f"{told} (probability {_probability(judgement.topic_probability)})"


def _probability(value: float) -> str:
    """Returns a probability; a high one promises nothing more, so no more is shown."""
    if value >= _MOST_SHOWN:
        return f"{_MOST_SHOWN} or more"
    return f"{value:.2f}"


def _print_reasons(console: Console, judgement: Judgement, work: Work) -> None:
    for name, listed in (("for", judgement.covered), ("against", judgement.missing)):
        ordered = sorted(listed, key=lambda item: (-abs(item.points), item.term))
        if ordered:
            points = ", ".join(f"{item.term} {item.points:+.1f}" for item in ordered)
            _line(console, f"{name} the topic: {points}")
    if judgement.passage_start is not None:
        passage = work.abstract[judgement.passage_start : judgement.passage_end]
        _line(console, f"best passage: {' '.join(passage.split())}")
    if judgement.direction_note:
        _line(console, f"note: {judgement.direction_note}")


def _terms(explained: list[check.Term]) -> Table:
    table = Table(show_edge=False, pad_edge=False)
    table.add_column("term")
    table.add_column("weight", justify="right")
    table.add_column("found in")
    for term in explained:
        table.add_row(Text(term.term), f"{term.weight:g}", term.found_in or "-")
    return table


def _line(console: Console, line: str) -> None:
    console.print(printable(line), markup=False, highlight=False, soft_wrap=True)
