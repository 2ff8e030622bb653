"""Checks one claim against one work, term by term.  No I/O."""

from __future__ import annotations

import dataclasses

from transforms.extract_citations.all_markers import find_markers
from transforms.extract_citations.claims import strip_markers
from transforms.extract_citations.links import ReferenceList
from transforms.fetch_evidence.lookup import lookup_for
from transforms.records import (
    Assessment,
    Citation,
    CitationKind,
    Document,
    Evidence,
    Lookup,
    Reference,
    ReferenceStatus,
    Work,
)
from transforms.score_coverage import terms
from transforms.score_coverage.assess import assess
from transforms.score_coverage.triage.document import judge_document
from transforms.score_coverage.triage.judge import Judge

_ID = "claim"


@dataclasses.dataclass(frozen=True, slots=True)
class Term:
    """One term of a claim.

    Attributes:
      term: The term, case-folded.
      weight: Its weight.
      found_in: ``title``, ``abstract``, ``title, abstract``, or ``""``.
    """

    term: str
    weight: float
    found_in: str


def claim_citation(claim: str, *, identifier: str = "", title: str = "") -> Citation:
    """Returns the citation that a claim makes of a work.

    Args:
      claim: One sentence; citation markers in it are no part of what is compared.
      identifier: Canonical key of the work (``doi:10.1000/x``), or ``""``.
      title: Title of the work, or ``""``.
    """
    whole = (0, len(claim))
    markers = find_markers(Document(_ID, "", claim), ReferenceList(()))
    spans = sorted({(marker.start, marker.end) for marker in markers})
    reference = Reference(_ID, title, title=title) if title else None
    kind = identifier.partition(":")[0] or CitationKind.AUTHOR_YEAR
    return Citation(
        citation_id=f"{_ID}#1",
        doc_id=_ID,
        ordinal=1,
        kind=CitationKind(kind),
        marker="",
        marker_start=0,
        marker_end=0,
        claim=claim,
        claim_start=whole[0],
        claim_end=whole[1],
        claim_unmarked=strip_markers(claim, whole, spans),
        claim_clause=claim,
        clause_end=whole[1],
        identifier=identifier or None,
        reference=reference,
        reference_status=ReferenceStatus.LINKED
        if reference
        else ReferenceStatus.NO_LIST,
    )


def lookup(citation: Citation) -> Lookup:
    """Returns what to look up for a citation."""
    return lookup_for(citation)


def verdict(citation: Citation, evidence: Evidence, judge: Judge) -> Assessment:
    """Returns the verdict on a citation, as a run over it alone would give it."""
    assessment = assess(citation, evidence.key, evidence)
    (judged,) = judge_document([assessment], judge)
    return judged


def explain(citation: Citation, work: Work) -> list[Term]:
    """Returns the terms of a claim, in order, and where the work has them."""
    places = {
        "title": terms.evidence_terms(work.title),
        "abstract": terms.evidence_terms(work.abstract),
    }
    return [
        Term(term, weight, ", ".join(p for p, found in places.items() if term in found))
        for term, weight in terms.claim_terms(citation.claim_unmarked).items()
    ]
