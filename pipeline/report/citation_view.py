"""One citation as its reader sees it: claim, evidence, and what is known of both."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence

from markupsafe import Markup

from pipeline.report.links import source_name, work_links
from pipeline.report.marking import Mark, Region, mark_terms
from pipeline.report.page import signed
from pipeline.report.spool import Row
from pipeline.report.words import (
    CITATION_STATUSES,
    GRADES,
    REFERENCE_STATUSES,
    TRIAGE,
    Word,
)
from transforms.records import CitationStatus, Triage
from transforms.score_coverage.terms import claim_terms
from transforms.score_coverage.triage.words import claim_words

_SHOWN_AUTHORS = 3
# The right paper may be cited for the wrong finding, which no comparison of words sees.
_MAX_SHOWN_PROBABILITY = 0.85


@dataclasses.dataclass(frozen=True, slots=True)
class Part:
    """A part of a document's page, worst first.

    Attributes:
      kind: Class of its citations on the page.
      title: Its heading.
    """

    kind: str
    title: str


LEADS = Part("lead-first", "To read first")
UNCLEAR = Part("less-clear", "Less clear")
ON_TOPIC = Part("on-topic", "On topic")
UNJUDGED = Part("unjudged", "Not judged")
PARTS = (LEADS, UNCLEAR, ON_TOPIC, UNJUDGED)

_PART_OF_TRIAGE = {
    Triage.OFF_TOPIC: LEADS,
    Triage.UNCLEAR: UNCLEAR,
    Triage.ON_TOPIC: ON_TOPIC,
    Triage.ATTRIBUTION: UNJUDGED,
}
_PART_OF_STATUS = {
    CitationStatus.IDENTITY_MISMATCH: LEADS,
    CitationStatus.SUSPECT_ABSTRACT: UNCLEAR,
}


@dataclasses.dataclass(frozen=True, slots=True)
class WorkView:
    """A cited work.

    Attributes:
      title: Its title, with the claim's terms marked.
      byline: Authors, year, and the index that knows it.
      links: Names and addresses of its pages.
      abstract: Its abstract, with the claim's terms marked; empty without one.
    """

    title: Markup
    byline: str
    links: tuple[tuple[str, str], ...]
    abstract: Markup


@dataclasses.dataclass(frozen=True, slots=True)
class CitationView:
    """A citation.

    Attributes:
      row: Its row of the citations table.
      part: The part of the page that it belongs to.
      tags: What is said of it first: class and word.
      meaning: What that means, in a sentence.
      notes: Further sentences.
      claim: The claim, with citation and terms marked.
      previous: The sentence before it, marked likewise; empty if there is none.
      speaks_for: Words that title or abstract have, with their points.
      speaks_against: Words that they lack, with their points.
      work: The cited work, or None.
      work_heading: What stands above the work.
    """

    row: Row
    part: Part
    tags: tuple[tuple[str, Word], ...]
    meaning: str
    notes: tuple[str, ...]
    claim: Markup
    previous: Markup
    speaks_for: str
    speaks_against: str
    work: WorkView | None
    work_heading: str

    @property
    def sort_key(self) -> tuple[int, float, int]:
        """Orders citations, the worst first."""
        measures = self.row["topic_probability"], self.row["coverage"]
        known = [measure for measure in measures if measure is not None]
        return PARTS.index(self.part), known[0] if known else 1.0, self.row["ordinal"]


def view(row: Row, work: Row | None) -> CitationView:
    """Prepares a citation for its page.

    Args:
      row: Its row of the citations table.
      work: The row of the works table that its lookup led to, if any.
    """
    marks = _marks(row)
    tags = _tags(row)
    is_known = work is not None and bool(work["title"] or work["abstract"])
    return CitationView(
        row=row,
        part=_part(row),
        tags=tags,
        meaning=tags[0][1].meaning,
        notes=tuple(_notes(row)),
        claim=mark_terms(row["claim"], marks, _claim_regions(row)),
        previous=mark_terms(row["previous_sentence"] or "", marks),
        speaks_for=_told(row["covered_points"]),
        speaks_against=_told(row["missing_points"]),
        work=_work_view(row, work, marks) if work and is_known else None,
        work_heading=_heading(row),
    )


def _part(row: Row) -> Part:
    if row["triage"]:
        return _PART_OF_TRIAGE[row["triage"]]
    return _PART_OF_STATUS.get(row["status"], UNJUDGED)


def _tags(row: Row) -> tuple[tuple[str, Word], ...]:
    """Returns what a citation came to, what matters most first."""
    found = (
        (row["triage"], TRIAGE),
        (row["grade"], GRADES),
        (row["status"], CITATION_STATUSES),
    )
    tags = tuple((value, words[value]) for value, words in found if value)
    # That it was checked goes without saying where there is a grade.
    return tags[:-1] or tags


def _notes(row: Row) -> Iterator[str]:
    if row["topic_probability"] is not None:
        yield _chance(row["topic_probability"])
    if row["attribution_cue"]:
        yield f"What tells: “{row['attribution_cue']}”."
    if row["direction_note"]:
        yield f"{row['direction_note'].rstrip('.')}."
    if row["numeric_claim"]:
        yield "The claim states a number, which an abstract may leave out."
    if row["status"] == CitationStatus.IDENTITY_MISMATCH and row["detail"]:
        yield f"What disagrees: {row['detail']}."
    if note := REFERENCE_STATUSES[row["reference_status"]]:
        yield note
    if row["match_method"] == "author_year":
        yield "The work was found by names and year: check that it is the one cited."


def _chance(probability: float) -> str:
    """Says how likely the abstract is on topic, and no more than can be known."""
    shown = f"{min(probability, _MAX_SHOWN_PROBABILITY):.2f}"
    more = " or more" if probability >= _MAX_SHOWN_PROBABILITY else ""
    return f"Chance that it is on topic: {shown}{more}."


def _heading(row: Row) -> str:
    if row["status"] == CitationStatus.IDENTITY_MISMATCH:
        return "The identifier leads to"
    return "The cited work says"


def _marks(row: Row) -> dict[str, Mark]:
    """Returns the stems of the claim's words, and what is said of each on hover."""
    weights = claim_terms(row["claim_unmarked"]) if row["grade"] else {}
    marks = {}
    for points, is_covered in _all_points(row):
        stem = next(iter(claim_words(points["term"])), None)
        if stem is not None:
            weight = weights.get(points["term"].casefold())
            marks[stem] = Mark(is_covered, _note(points["points"], is_covered, weight))
    return marks


def _all_points(row: Row) -> Iterator[tuple[Row, bool]]:
    for points in row["covered_points"] or ():
        yield points, True
    for points in row["missing_points"] or ():
        yield points, False


def _note(points: float, is_covered: bool, weight: float | None) -> str:
    state = "covered" if is_covered else "missing"
    weighs = "" if weight is None else f"; weighs {weight:g} in the coverage"
    return f"{state}, {signed(points)} points{weighs}"


def _told(points: Sequence[Row] | None) -> str:
    """Lists words with their points, the most telling first."""
    telling = sorted(
        points or (), key=lambda item: (-abs(item["points"]), item["term"])
    )
    return ", ".join(f"{item['term']} {signed(item['points'])}" for item in telling)


def _claim_regions(row: Row) -> tuple[Region, ...]:
    """Returns where the citation stands in its claim, and the clause it closes."""
    start = row["claim_start"]
    return (
        Region(row["marker_start"] - start, row["marker_end"] - start, "marker", True),
    )


def _work_view(row: Row, work: Row, marks: Mapping[str, Mark]) -> WorkView:
    # What a word weighs is said at the claim; here it would only repeat.
    covered = {stem: Mark(True) for stem, mark in marks.items() if mark.is_covered}
    start, end = row["best_passage_start"], row["best_passage_end"]
    passages = () if end is None else (Region(start, end, "passage"),)
    return WorkView(
        title=mark_terms(work["title"] or "(without a title)", covered),
        byline=_byline(work),
        links=work_links(work),
        abstract=mark_terms(work["abstract"] or "", covered, passages),
    )


def _byline(work: Row) -> str:
    authors = list(work["authors"] or ())
    names = "; ".join(authors[:_SHOWN_AUTHORS])
    if len(authors) > _SHOWN_AUTHORS:
        names += " et al."
    parts = [names, str(work["year"] or ""), source_name(work["source"])]
    return " · ".join(filter(None, parts))
