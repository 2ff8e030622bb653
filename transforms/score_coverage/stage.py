"""The scoring stage."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Literal, TypeAlias

import apache_beam as beam
from apache_beam.metrics import Metrics
from apache_beam.pvalue import PCollection, TaggedOutput

from transforms.failures import failure_of, to_failure
from transforms.records import (
    Assessment,
    Citation,
    CitationStatus,
    DocumentHeader,
    DocumentScore,
    Evidence,
    Failure,
)
from transforms.reference_records import ReferenceNote
from transforms.score_coverage import reference_notes
from transforms.score_coverage.assess import assess, score_document
from transforms.score_coverage.triage.document import judge_document
from transforms.score_coverage.triage.judge import Judge

_STAGE = "score_coverage"
_UNASSESSED: Literal["unassessed"] = "unassessed"

_Keyed: TypeAlias = tuple[str, Citation]
# All there is of a document: headers, citations with lookup keys, evidence, notes.
_Dossier: TypeAlias = tuple[
    str,
    tuple[
        Iterable[DocumentHeader],
        Iterable[_Keyed],
        Iterable[Evidence],
        Iterable[ReferenceNote],
    ],
]
_Assessed: TypeAlias = tuple[str, tuple[DocumentHeader, ...], tuple[Assessment, ...]]
_Judged: TypeAlias = tuple[DocumentHeader, tuple[Assessment, ...]]
_Inputs: TypeAlias = tuple[
    PCollection[_Keyed],
    PCollection[Evidence],
    PCollection[DocumentHeader],
    PCollection[tuple[str, ReferenceNote]],
]
_Outputs: TypeAlias = tuple[
    PCollection[Assessment], PCollection[DocumentScore], PCollection[Failure]
]


class ScoreCoverage(beam.PTransform[_Inputs, _Outputs]):
    """Gives each citation its verdict and each document its score.

    Input: ``(citations by lookup key, evidence, headers, reference notes by document
    id)``, with at most one evidence a key and exactly one header a document.
    Output: ``(assessments, document scores, failures)``.  Evidence that no citation
    asks for is left out.  A citation that raises appears once in the failures, and so
    does its document, since a score without that citation would mislead.  A document
    whose citations cannot be judged together appears in the failures, and its
    citations without a judgement.

    Evidence goes to every document that asks for it, and all there is of a document
    meets once: citations cross one shuffle, and works cross one a document.

    A retry repeats computations only.

    Args:
      judge: Judges whether cited works are on topic.
      references_are_checked: Whether the notes are to be counted.
    """

    def __init__(self, judge: Judge, *, references_are_checked: bool = False) -> None:
        super().__init__()
        self._judge = judge
        self._references_are_checked = references_are_checked

    def expand(self, inputs: _Inputs) -> _Outputs:
        """Joins evidence with documents, and assesses, judges and scores each."""
        citations, evidence, headers, notes = inputs
        asking = citations | "KeyByWork" >> beam.MapTuple(
            lambda key, citation: (key, citation.doc_id)
        ).with_output_types(tuple[str, str])
        by_document = citations | "KeyByDocument" >> beam.MapTuple(
            lambda key, citation: (citation.doc_id, (key, citation))
        ).with_output_types(tuple[str, _Keyed])
        keyed = headers | "KeyHeaders" >> beam.Map(
            lambda header: (header.doc_id, header)
        ).with_output_types(tuple[str, DocumentHeader])
        dossiers = (
            keyed,
            by_document,
            _by_asking_document(asking, evidence),
            notes,
        ) | "JoinDocuments" >> beam.CoGroupByKey()
        assessed, unassessed = _assess(
            dossiers, references_are_checked=self._references_are_checked
        )
        judged, unjudged, bad = _judge_documents(assessed, self._judge)
        scores, unscored = _score(judged)
        picked = judged | "PickAssessments" >> beam.FlatMap(
            lambda document: document[1]
        ).with_output_types(Assessment)
        assessments = (picked, unjudged) | "MergeAssessments" >> beam.Flatten()
        failures = (unassessed, bad, unscored) | "MergeFailures" >> beam.Flatten()
        return assessments, scores, failures


def _by_asking_document(
    asking: PCollection[tuple[str, str]], evidence: PCollection[Evidence]
) -> PCollection[tuple[str, Evidence]]:
    """Gives evidence to each document that asks for it, by document id."""
    keyed = evidence | "KeyEvidence" >> beam.Map(
        lambda item: (item.key, item)
    ).with_output_types(tuple[str, Evidence])
    shared: PCollection[tuple[str, Evidence]] = (
        (asking, keyed)
        | "JoinEvidence" >> beam.CoGroupByKey()
        | "ShareEvidence"
        >> beam.FlatMapTuple(_share).with_output_types(tuple[str, Evidence])
    )
    return shared


def _assess(
    dossiers: PCollection[_Dossier], *, references_are_checked: bool
) -> tuple[PCollection[_Assessed], PCollection[Failure]]:
    """Assesses the citations of each document."""
    assessed = dossiers | "Assess" >> beam.ParDo(
        _AssessFn(references_are_checked=references_are_checked)
    ).with_outputs(_UNASSESSED, main="assessed")
    return assessed.assessed, assessed[_UNASSESSED]


def _judge_documents(
    assessed: PCollection[_Assessed], judge: Judge
) -> tuple[PCollection[_Judged], PCollection[Assessment], PCollection[Failure]]:
    """Judges the citations of each document together."""
    judged, bad = assessed | "JudgeDocuments" >> beam.Map(
        _judged, judge
    ).with_output_types(_Judged).with_exception_handling(threshold=1.0)
    unjudged = bad | "KeepUnjudged" >> beam.FlatMap(
        lambda failed: failed[0][2]
    ).with_output_types(Assessment)
    failures = bad | "DescribeUnjudged" >> beam.Map(
        to_failure, stage=_STAGE, element_id=lambda document: document[0]
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
    """Assesses the citations of a document, and counts the outcomes."""

    def __init__(self, *, references_are_checked: bool) -> None:
        self._references_are_checked = references_are_checked
        self._outcomes = {s: Metrics.counter(_STAGE, s.value) for s in CitationStatus}

    def process(
        self, dossier: _Dossier
    ) -> Iterator[_Assessed | TaggedOutput[Literal["unassessed"], Failure]]:
        doc_id, (headers, citations, evidence, notes) = dossier
        known = {item.key: item for item in evidence}
        noted = list(notes)
        said = reference_notes.by_citation(noted)
        if self._references_are_checked:
            headers = [reference_notes.counted(header, noted) for header in headers]
        assessments = []
        for key, citation in citations:
            labelled = reference_notes.labelled(citation, said)
            try:
                assessment = assess(labelled, key, known.get(key))
            # Whatever it is, the document's other citations keep their verdicts.
            except Exception as error:
                failure = failure_of(error, _STAGE, citation.citation_id)
                yield TaggedOutput(_UNASSESSED, failure)
            else:
                self._outcomes[assessment.status].inc()
                assessments.append(assessment)
        yield doc_id, tuple(headers), tuple(assessments)


def _share(
    _: str, group: tuple[Iterable[str], Iterable[Evidence]]
) -> Iterator[tuple[str, Evidence]]:
    doc_ids, evidence = group
    known = next(iter(evidence), None)
    if known is None:
        return
    # Of a famous paper there are too many to be held.  Those of one document mostly
    # come together; that it gets its evidence twice does no harm.
    for doc_id, _same in itertools.groupby(doc_ids):
        yield doc_id, known


def _judged(assessed: _Assessed, judge: Judge) -> _Judged:
    _, headers, assessments = assessed
    if len(headers) != 1:
        raise ValueError(f"{len(headers)} headers for one document id, expected 1")
    return headers[0], judge_document(assessments, judge)
