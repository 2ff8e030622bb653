"""One citation as its reader sees it: claim, evidence, and what is known of both."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping

from markupsafe import Markup

from pipeline.report.links import source_name, work_links
from pipeline.report.marking import Mark, Region, mark_terms
from pipeline.report.spool import Row
from pipeline.report.words import (
    CITATION_STATUSES,
    GRADES,
    REFERENCE_STATUSES,
    Word,
)
from transforms.records import CitationStatus, Grade
from transforms.score_coverage.terms import claim_terms

_SHOWN_AUTHORS = 3


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
COVERED = Part("well-covered", "Well covered")
UNCHECKED = Part("unchecked", "Could not be checked")
PARTS = (LEADS, UNCLEAR, COVERED, UNCHECKED)

_PART_OF_GRADE = {Grade.LOW: LEADS, Grade.PARTIAL: UNCLEAR, Grade.STRONG: COVERED}
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
      missing: Claim terms that the evidence lacks.
      work: The cited work, or None.
      work_heading: What stands above the work.
    """

    row: Row
    part: Part
    tags: tuple[tuple[str, Word], ...]
    meaning: str
    notes: tuple[str, ...]
    claim: Markup
    missing: tuple[str, ...]
    work: WorkView | None
    work_heading: str

    @property
    def sort_key(self) -> tuple[int, float, int]:
        """Orders citations, the worst first."""
        coverage = self.row["coverage"]
        covered = 1.0 if coverage is None else coverage
        return PARTS.index(self.part), covered, self.row["ordinal"]


def view(row: Row, work: Row | None) -> CitationView:
    """Prepares a citation for its page.

    Args:
      row: Its row of the citations table.
      work: The row of the works table that its lookup led to, if any.
    """
    marks = _marks(row)
    is_known = work is not None and bool(work["title"] or work["abstract"])
    return CitationView(
        row=row,
        part=_part(row),
        tags=tuple(_tags(row)),
        meaning=_main_word(row).meaning,
        notes=tuple(_notes(row)),
        claim=mark_terms(row["claim"], marks, _claim_regions(row)),
        missing=tuple(row["missing_terms"] or ()),
        work=_work_view(work, marks) if work and is_known else None,
        work_heading=_heading(row),
    )


def _part(row: Row) -> Part:
    if row["grade"]:
        return _PART_OF_GRADE[row["grade"]]
    return _PART_OF_STATUS.get(row["status"], UNCHECKED)


def _main_word(row: Row) -> Word:
    return GRADES[row["grade"]] if row["grade"] else CITATION_STATUSES[row["status"]]


def _tags(row: Row) -> Iterator[tuple[str, Word]]:
    yield row["grade"] or row["status"], _main_word(row)


def _notes(row: Row) -> Iterator[str]:
    if row["status"] == CitationStatus.IDENTITY_MISMATCH and row["detail"]:
        yield f"What disagrees: {row['detail']}."
    if note := REFERENCE_STATUSES[row["reference_status"]]:
        yield note
    if row["match_method"] == "author_year":
        yield "The work was found by names and year: check that it is the one cited."


def _heading(row: Row) -> str:
    if row["status"] == CitationStatus.IDENTITY_MISMATCH:
        return "The identifier leads to"
    return "The cited work says"


def _marks(row: Row) -> dict[str, Mark]:
    """Returns the terms of the claim, and what is said of each on hover and focus."""
    weights = claim_terms(row["claim_unmarked"]) if row["grade"] else {}
    return {
        term: Mark(is_covered, f"{state}, weight {weights.get(term, 1.0):g}")
        for terms, is_covered, state in (
            (row["covered_terms"] or (), True, "covered"),
            (row["missing_terms"] or (), False, "missing"),
        )
        for term in terms
    }


def _claim_regions(row: Row) -> tuple[Region, ...]:
    """Returns where the citation stands in its claim, and the clause it closes."""
    start = row["claim_start"]
    return (
        Region(row["marker_start"] - start, row["marker_end"] - start, "marker", True),
    )


def _work_view(work: Row, marks: Mapping[str, Mark]) -> WorkView:
    # What a term weighs is said at the claim; here it would only repeat.
    covered = {term: Mark(True) for term, mark in marks.items() if mark.is_covered}
    return WorkView(
        title=mark_terms(work["title"] or "(without a title)", covered),
        byline=_byline(work),
        links=work_links(work),
        abstract=mark_terms(work["abstract"] or "", covered),
    )


def _byline(work: Row) -> str:
    authors = list(work["authors"] or ())
    names = "; ".join(authors[:_SHOWN_AUTHORS])
    if len(authors) > _SHOWN_AUTHORS:
        names += " et al."
    parts = [names, str(work["year"] or ""), source_name(work["source"])]
    return " · ".join(filter(None, parts))
