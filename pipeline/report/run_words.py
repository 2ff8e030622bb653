"""Says in words what a run came to.  Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from pipeline.counts import UNCHECKED, RunCounts
from pipeline.report.links import source_name
from pipeline.report.page import RunFacts, percent
from pipeline.report.tally import Tally
from pipeline.report.words import CITATION_STATUSES, REFERENCE_LABELS, TRIAGE, Word
from transforms.records import DocumentStatus, Triage

_UNSCORED: Mapping[str, str] = {
    DocumentStatus.TOO_SHORT: "too short",
    DocumentStatus.UNSUPPORTED_LANGUAGE: "not in English",
    DocumentStatus.NO_CITATIONS: "with nothing to check",
    DocumentStatus.SUPPORT_NOT_CHECKED: "of which reference lists alone were checked",
}


def sentences(
    facts: RunFacts, counts: RunCounts, triage: Counter[str]
) -> Iterator[str]:
    """Says what was run and what could not be judged, a sentence at a time.

    Args:
      facts: The run.
      counts: Counts of the run.
      triage: Checked citations by triage.
    """
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
    if why := reasons(counts, triage):
        sentence += f", mostly for this reason: {why[0][0].name.lower()}"
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


def reasons(counts: RunCounts, triage: Counter[str]) -> list[tuple[Word, int]]:
    """Returns why citations were not judged, the most frequent reason first."""
    found = [(CITATION_STATUSES[r], counts.citations[r]) for r in UNCHECKED]
    found.append((TRIAGE[Triage.ATTRIBUTION], triage[Triage.ATTRIBUTION]))
    return sorted((pair for pair in found if pair[1]), key=lambda pair: -pair[1])


def interval_note(totals: Tally) -> str:
    """Says how the interval of the support rate was come by; ``""`` without one."""
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
