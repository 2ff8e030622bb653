"""The scoring stage."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, TypeAlias

import apache_beam as beam
from apache_beam.metrics import Metrics
from apache_beam.pvalue import PCollection, TaggedOutput

from transforms.failures import failure_of
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
_SCORES: Literal["scores"] = "scores"
_FAILURES: Literal["failures"] = "failures"

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
        scored = dossiers | "Score" >> beam.ParDo(
            _ScoreFn(self._judge, references_are_checked=self._references_are_checked)
        ).with_outputs(_SCORES, _FAILURES, main="assessments")
        return scored.assessments, scored[_SCORES], scored[_FAILURES]


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


class _ScoreFn(beam.DoFn):
    """Assesses, judges and scores a document, and counts the outcomes.

    One step, because the local runner keeps whatever is merged from several.
    """

    def __init__(self, judge: Judge, *, references_are_checked: bool) -> None:
        self._judge = judge
        self._references_are_checked = references_are_checked
        self._outcomes = {s: Metrics.counter(_STAGE, s.value) for s in CitationStatus}

    def process(
        self, dossier: _Dossier
    ) -> Iterator[
        Assessment
        | TaggedOutput[Literal["scores"], DocumentScore]
        | TaggedOutput[Literal["failures"], Failure]
    ]:
        doc_id, (headers, citations, evidence, notes) = dossier
        noted = list(notes)
        assessments, failures = _assess(citations, evidence, noted)
        try:
            header = self._noted(_only(headers), noted)
            assessments = judge_document(assessments, self._judge)
            score = score_document(header, assessments)
        # Whatever it is, the document's citations keep their verdicts.
        except Exception as error:
            failures.append(failure_of(error, _STAGE, doc_id))
        else:
            yield TaggedOutput(_SCORES, score)
        for assessment in assessments:
            self._outcomes[assessment.status].inc()
            yield assessment
        for failure in failures:
            yield TaggedOutput(_FAILURES, failure)

    def _noted(
        self, header: DocumentHeader, notes: Sequence[ReferenceNote]
    ) -> DocumentHeader:
        is_counted = self._references_are_checked
        return reference_notes.counted(header, notes) if is_counted else header


def _assess(
    citations: Iterable[_Keyed],
    evidence: Iterable[Evidence],
    notes: Sequence[ReferenceNote],
) -> tuple[Sequence[Assessment], list[Failure]]:
    """Assesses the citations of a document; one that raises is a failure."""
    known = {item.key: item for item in evidence}
    said = reference_notes.by_citation(notes)
    assessments: list[Assessment] = []
    failures: list[Failure] = []
    for key, citation in citations:
        try:
            labelled = reference_notes.labelled(citation, said)
            assessments.append(assess(labelled, key, known.get(key)))
        except Exception as error:
            failures.append(failure_of(error, _STAGE, citation.citation_id))
    return assessments, failures


def _only(headers: Iterable[DocumentHeader]) -> DocumentHeader:
    known = list(headers)
    if len(known) != 1:
        raise ValueError(f"{len(known)} headers for one document id, expected 1")
    return known[0]


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
