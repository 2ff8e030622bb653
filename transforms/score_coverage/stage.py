"""The scoring stage."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

import apache_beam as beam
from apache_beam.metrics import Metrics
from apache_beam.pvalue import PCollection

from transforms.failures import to_failure
from transforms.records import (
    Assessment,
    Citation,
    CitationStatus,
    DocumentHeader,
    DocumentScore,
    Evidence,
    Failure,
    Work,
)
from transforms.score_coverage.assess import assess, score_document, work_terms
from transforms.score_coverage.triage.document import judge_document
from transforms.score_coverage.triage.judge import Judge

_STAGE = "score_coverage"

_Claim: TypeAlias = tuple[Citation, str, Evidence | None]
_Judged: TypeAlias = tuple[DocumentHeader, tuple[Assessment, ...]]
_Inputs: TypeAlias = tuple[
    PCollection[tuple[str, Citation]],
    PCollection[Evidence],
    PCollection[DocumentHeader],
]
_Outputs: TypeAlias = tuple[
    PCollection[Assessment], PCollection[DocumentScore], PCollection[Failure]
]


class ScoreCoverage(beam.PTransform[_Inputs, _Outputs]):
    """Gives each citation its verdict and each document its score.

    Input: ``(citations by lookup key, evidence, headers)``, with at most one evidence
    a key and exactly one header a document.
    Output: ``(assessments, document scores, failures)``.  Evidence that no citation
    asks for is left out.  A citation that raises appears once in the failures, and so
    does its document, since a score without that citation would mislead.  A document
    whose citations cannot be judged together appears in the failures, and its
    citations without a judgement.

    A retry repeats computations only.

    Args:
      judge: Judges whether cited works are on topic.
    """

    def __init__(self, judge: Judge) -> None:
        super().__init__()
        self._judge = judge

    def expand(self, inputs: _Inputs) -> _Outputs:
        """Joins citations with evidence, then documents with verdicts."""
        citations, evidence, headers = inputs
        assessed, unassessed = _assess(citations, evidence)
        judged, unjudged, bad = _judge_documents(headers, assessed, self._judge)
        scores, unscored = _score(judged)
        picked = judged | "PickAssessments" >> beam.FlatMap(
            lambda document: document[1]
        ).with_output_types(Assessment)
        assessments = (picked, unjudged) | "MergeAssessments" >> beam.Flatten()
        failures = (unassessed, bad, unscored) | "MergeFailures" >> beam.Flatten()
        return assessments, scores, failures


def _assess(
    citations: PCollection[tuple[str, Citation]], evidence: PCollection[Evidence]
) -> tuple[PCollection[Assessment], PCollection[Failure]]:
    """Joins citations with their evidence and assesses each."""
    keyed = evidence | "KeyEvidence" >> beam.Map(
        lambda item: (item.key, item)
    ).with_output_types(tuple[str, Evidence])
    claims = (
        (citations, keyed)
        | "JoinEvidence" >> beam.CoGroupByKey()
        | "PairClaims" >> beam.FlatMapTuple(_pair).with_output_types(_Claim)
    )
    assessments, bad = claims | "Assess" >> beam.ParDo(
        _AssessFn()
    ).with_exception_handling(threshold=1.0)
    failures = bad | "DescribeUnassessed" >> beam.Map(
        to_failure, stage=_STAGE, element_id=_citation_id
    ).with_output_types(Failure)
    return assessments, failures


def _judge_documents(
    headers: PCollection[DocumentHeader],
    assessments: PCollection[Assessment],
    judge: Judge,
) -> tuple[PCollection[_Judged], PCollection[Assessment], PCollection[Failure]]:
    """Joins headers with their citations and judges each document."""
    keyed = headers | "KeyHeaders" >> beam.Map(
        lambda header: (header.doc_id, header)
    ).with_output_types(tuple[str, DocumentHeader])
    by_document = assessments | "KeyAssessments" >> beam.Map(
        lambda item: (item.citation.doc_id, item)
    ).with_output_types(tuple[str, Assessment])
    judged, bad = (
        (keyed, by_document)
        | "JoinDocuments" >> beam.CoGroupByKey()
        | "JudgeDocuments"
        >> beam.Map(_judge_group, judge)
        .with_output_types(_Judged)
        .with_exception_handling(threshold=1.0)
    )
    unjudged = bad | "KeepUnjudged" >> beam.FlatMap(
        lambda failed: failed[0][1][1]
    ).with_output_types(Assessment)
    failures = bad | "DescribeUnjudged" >> beam.Map(
        to_failure, stage=_STAGE, element_id=_group_id
    ).with_output_types(Failure)
    return judged, unjudged, failures


def _score(
    judged: PCollection[_Judged],
) -> tuple[PCollection[DocumentScore], PCollection[Failure]]:
    """Scores each document."""
    scores, bad = judged | "Score" >> beam.MapTuple(score_document).with_output_types(
        DocumentScore
    ).with_exception_handling(threshold=1.0)
    failures = bad | "DescribeUnscored" >> beam.Map(
        to_failure, stage=_STAGE, element_id=lambda document: document[0].doc_id
    ).with_output_types(Failure)
    return scores, failures


class _AssessFn(beam.DoFn):
    """Assesses claims, which arrive work by work, and counts the outcomes."""

    def __init__(self) -> None:
        self._work: Work | None = None
        self._work_terms: frozenset[str] = frozenset()
        self._outcomes = {s: Metrics.counter(_STAGE, s.value) for s in CitationStatus}

    def process(self, claim: _Claim) -> Iterator[Assessment]:
        citation, lookup_key, evidence = claim
        terms = self._terms(evidence.work if evidence else None)
        assessment = assess(citation, lookup_key, evidence, terms)
        self._outcomes[assessment.status].inc()
        yield assessment

    def _terms(self, work: Work | None) -> frozenset[str]:
        if work is not self._work:
            self._work_terms = work_terms(work)
            self._work = work
        return self._work_terms


def _pair(
    lookup_key: str, group: tuple[Iterable[Citation], Iterable[Evidence]]
) -> Iterator[_Claim]:
    citations, evidence = group
    known = next(iter(evidence), None)
    # The claims of a famous paper are too many to be assessed as one element.
    for citation in citations:
        yield citation, lookup_key, known


def _judge_group(
    element: tuple[str, tuple[Iterable[DocumentHeader], Iterable[Assessment]]],
    judge: Judge,
) -> _Judged:
    _, (headers, assessments) = element
    known = list(headers)
    if len(known) != 1:
        raise ValueError(f"{len(known)} headers for one document id, expected 1")
    return known[0], judge_document(list(assessments), judge)


def _citation_id(claim: _Claim) -> str:
    return claim[0].citation_id


def _group_id(element: tuple[str, object]) -> str:
    return element[0]
