"""Gives each citation its verdict, or the reason why it has none.  Pure."""

from __future__ import annotations

import dataclasses
import functools
from collections import Counter
from collections.abc import Sequence
from typing import TypeAlias

from transforms.identity import described, disagreements
from transforms.records import (
    MIN_ABSTRACT_CHARS,
    Assessment,
    Citation,
    CitationFunction,
    CitationStatus,
    Coverage,
    DocumentHeader,
    DocumentScore,
    DocumentStatus,
    Evidence,
    EvidenceStatus,
    Grade,
    MatchMethod,
    Triage,
    Work,
)
from transforms.score_coverage import terms
from transforms.score_coverage.coverage import cover
from transforms.score_coverage.function import citation_function
from transforms.score_coverage.grades import (
    band,
    contribution,
    document_score,
    grade,
    severity,
)
from transforms.score_coverage.scope import context_of
from transforms.score_coverage.triage.document import priority

# Works that many documents cite are read once.
_WORKS_IN_MEMORY = 2_000

_Counts: TypeAlias = Counter[tuple[CitationStatus, Grade | None]]


def work_terms(work: Work | None) -> frozenset[str]:
    """Collects the terms of a work's title and abstract together.

    Args:
      work: The cited work, or None if there is none.

    Returns:
      The evidence terms; empty without a work.
    """
    if work is None:
        return frozenset()
    return _evidence_terms(work.title, work.abstract)


def assess(
    citation: Citation, lookup_key: str, evidence: Evidence | None
) -> Assessment:
    """Assesses one citation against the work that it cites.

    A claim without terms comes first: no evidence could change that it says
    nothing to compare.  What an identifier led to is held against the citation's own
    reference entry, since another document may cite the same identifier rightly.

    Args:
      citation: The citation with its claim.
      lookup_key: Key of the lookup that was made for it.
      evidence: What the lookup came to; None if it failed unforeseen.

    Returns:
      The verdict, or the reason why there is none.
    """
    claim_terms = terms.claim_terms(citation.claim_unmarked)
    fields = _disagreements(citation, evidence)
    assessment = Assessment(
        citation,
        lookup_key,
        _status(evidence, is_mismatch=bool(fields or citation.reference_fault)),
        evidence.work if evidence else None,
        detail=", ".join(fields)
        or citation.reference_fault
        or (evidence.detail if evidence else ""),
        purpose=_purpose(citation, None if fields or not evidence else evidence.work),
    )
    if evidence and not fields and not citation.reference_fault:
        assessment = dataclasses.replace(
            assessment,
            match_method=evidence.match_method,
            match_score=evidence.match_score,
            abstract_source=evidence.abstract_source,
        )
    if not claim_terms:
        status = CitationStatus.NO_CLAIM_TERMS
        return dataclasses.replace(assessment, status=status)
    if assessment.status is not CitationStatus.CHECKED:
        return assessment
    return _graded_by(assessment, cover(claim_terms, work_terms(assessment.work)))


def score_document(
    header: DocumentHeader, assessments: Sequence[Assessment]
) -> DocumentScore:
    """Counts and scores the citations of one document.

    Args:
      header: The document.
      assessments: Its selected citations, judged, in any order.

    Returns:
      The counts, which add up to the citations selected, and the score: None for a
      document that is not to be scored.  The band is None where nothing was checked.

    Raises:
      ValueError: If there are more or fewer assessments than citations selected: a
        score of some of them would pass for a score of all.
    """
    counts = Counter((item.status, item.grade) for item in assessments)
    grades = _graded(counts)
    unchecked = _unchecked(counts)
    if sum(grades + unchecked) != header.citations_selected:
        raise ValueError(
            f"{sum(grades + unchecked)} of {header.citations_selected} selected "
            "citations were assessed; see the failures of this document's citations"
        )
    triages = Counter(item.judgement.triage for item in assessments if item.judgement)
    score = None
    if header.status is DocumentStatus.SCORED:
        score = document_score(grades[1], grades[2])
    on_topic, unclear, off_topic, attribution = (triages[triage] for triage in Triage)
    return DocumentScore(
        header=header,
        grades=grades,
        unchecked=unchecked,
        score=score,
        band=band(score) if score is not None and any(grades) else None,
        triages=(on_topic, unclear, off_topic, attribution),
        priority=priority(assessments),
    )


@functools.lru_cache(maxsize=_WORKS_IN_MEMORY)
def _evidence_terms(title: str, abstract: str) -> frozenset[str]:
    return terms.evidence_terms(title) | terms.evidence_terms(abstract)


def _graded_by(assessment: Assessment, coverage: Coverage) -> Assessment:
    verdict = grade(coverage.value)
    return dataclasses.replace(
        assessment,
        coverage=coverage,
        grade=verdict,
        contribution=contribution(verdict),
        severity=severity(verdict),
    )


def _purpose(citation: Citation, work: Work | None) -> CitationFunction:
    return citation_function(context_of(citation, work.title if work else ""))


def _disagreements(citation: Citation, evidence: Evidence | None) -> tuple[str, ...]:
    """Returns the fields by which an identifier led to another work than is cited."""
    if evidence is None or evidence.work is None:
        return ()
    if evidence.status is EvidenceStatus.IDENTITY_MISMATCH:
        return disagreements(described(citation), evidence.work) or (evidence.detail,)
    if evidence.match_method is not MatchMethod.IDENTIFIER:
        return ()
    return disagreements(described(citation), evidence.work)


def _status(evidence: Evidence | None, *, is_mismatch: bool) -> CitationStatus:
    """Returns the status that the evidence allows."""
    if is_mismatch:
        return CitationStatus.IDENTITY_MISMATCH
    if evidence is None:
        return CitationStatus.FETCH_FAILED
    if evidence.status is not EvidenceStatus.FOUND:
        return CitationStatus(evidence.status.value)
    if (
        evidence.work is None
        or len(evidence.work.abstract.strip()) < MIN_ABSTRACT_CHARS
    ):
        return CitationStatus.NO_ABSTRACT
    return CitationStatus.CHECKED


def _graded(counts: _Counts) -> tuple[int, int, int]:
    """Returns the count of each grade, in the order of the grades."""
    strong, partial, low = (counts[CitationStatus.CHECKED, grade] for grade in Grade)
    return strong, partial, low


def _unchecked(counts: _Counts) -> tuple[int, ...]:
    """Returns the count of each reason not checked, in the order of the statuses."""
    return tuple(
        counts[status, None]
        for status in CitationStatus
        if status is not CitationStatus.CHECKED
    )
