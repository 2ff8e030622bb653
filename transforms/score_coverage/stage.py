"""The scoring stage."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, TypeAlias

import apache_beam as beam
from apache_beam.metrics import Metrics
from apache_beam.pvalue import PCollection, TaggedOutput

from transforms.failures import failure_of
from transforms.packing import pack, unpack
from transforms.records import (
    Assessment,
    CitationStatus,
    CitingDocument,
    DocumentHeader,
    DocumentScore,
    Evidence,
    Failure,
)
from transforms.reference_records import ReferenceNotes
from transforms.score_coverage import reference_notes
from transforms.score_coverage.assess import assess, score_document
from transforms.score_coverage.triage.document import judge_document
from transforms.score_coverage.triage.judge import Judge

_STAGE = "score_coverage"
_SCORES: Literal["scores"] = "scores"
_FAILURES: Literal["failures"] = "failures"

# A document, with the lookup key of each of its citations.
_Keyed: TypeAlias = tuple[CitingDocument, tuple[str, ...]]
# By document id, packed: keyed documents, which should be one, and evidence.
_Dossier: TypeAlias = tuple[
    str, tuple[Iterable[bytes], Iterable[bytes], Iterable[ReferenceNotes]]
]
_Inputs: TypeAlias = tuple[
    PCollection[_Keyed],
    PCollection[Evidence],
    PCollection[tuple[str, ReferenceNotes]],
]
_Outputs: TypeAlias = tuple[
    PCollection[Assessment], PCollection[DocumentScore], PCollection[Failure]
]


class ScoreCoverage(beam.PTransform[_Inputs, _Outputs]):
    """Gives each citation its verdict and each document its score.

    Input: ``(documents with the lookup keys of their citations, evidence, reference
    notes by document id)``, with at most one evidence a key and one note a document.
    Output: ``(assessments, document scores, failures)``.  Evidence that no citation
    asks for is left out.  A citation that raises appears once in the failures, and so
    does its document, since a score without that citation would mislead.  A document
    whose citations cannot be judged together appears in the failures, and its
    citations without a judgement.

    Evidence goes to every document that asks for it, and all there is of a document
    meets once.

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
        documents, evidence, notes = inputs
        packed = documents | "Pack" >> beam.Map(_packed).with_output_types(
            tuple[str, bytes]
        )
        asked = documents | "KeyByWork" >> beam.FlatMapTuple(_asked).with_output_types(
            tuple[str, str]
        )
        shared = _shared(asked, evidence)
        dossiers = (packed, shared, notes) | "JoinDocuments" >> beam.CoGroupByKey()
        scored = dossiers | "Score" >> beam.ParDo(
            _ScoreFn(self._judge, references_are_checked=self._references_are_checked)
        ).with_outputs(_SCORES, _FAILURES, main="assessments")
        return scored.assessments, scored[_SCORES], scored[_FAILURES]


def _shared(
    asked: PCollection[tuple[str, str]], evidence: PCollection[Evidence]
) -> PCollection[tuple[str, bytes]]:
    """Gives evidence to each document that asks for it, by document id."""
    keyed = evidence | "PackEvidence" >> beam.Map(
        lambda item: (item.key, pack(item))
    ).with_output_types(tuple[str, bytes])
    shared: PCollection[tuple[str, bytes]] = (
        (asked, keyed)
        | "JoinEvidence" >> beam.CoGroupByKey()
        | "ShareEvidence"
        >> beam.FlatMapTuple(_share).with_output_types(tuple[str, bytes])
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
        doc_id, (documents, evidence, notes) = dossier
        keyed: list[_Keyed] = list(map(unpack, documents))
        noted = next(iter(notes), reference_notes.NO_NOTES)
        assessments, failures = _assess(keyed, map(unpack, evidence), noted)
        try:
            header = self._noted(_only(keyed), noted)
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

    def _noted(self, header: DocumentHeader, notes: ReferenceNotes) -> DocumentHeader:
        is_counted = self._references_are_checked
        return reference_notes.counted(header, notes) if is_counted else header


def _assess(
    documents: Iterable[_Keyed],
    evidence: Iterable[Evidence],
    notes: ReferenceNotes,
) -> tuple[Sequence[Assessment], list[Failure]]:
    """Assesses the citations of a document; one that raises is a failure."""
    known = {item.key: item for item in evidence}
    said = reference_notes.by_citation(notes)
    assessments: list[Assessment] = []
    failures: list[Failure] = []
    for document, keys in documents:
        for citation, key in zip(document.citations, keys, strict=True):
            try:
                labelled = reference_notes.labelled(citation, said)
                assessments.append(assess(labelled, key, known.get(key)))
            except Exception as error:
                failures.append(failure_of(error, _STAGE, citation.citation_id))
    return assessments, failures


def _only(documents: Sequence[_Keyed]) -> DocumentHeader:
    if len(documents) != 1:
        raise ValueError(f"{len(documents)} documents of one id, expected 1")
    return documents[0][0].header


def _packed(keyed: _Keyed) -> tuple[str, bytes]:
    return keyed[0].header.doc_id, pack(keyed)


def _asked(
    document: CitingDocument, keys: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    for key in sorted(set(keys)):
        yield key, document.header.doc_id


def _share(
    _: str, group: tuple[Iterable[str], Iterable[bytes]]
) -> Iterator[tuple[str, bytes]]:
    doc_ids, evidence = group
    known = next(iter(evidence), None)
    if known is not None:
        # Of a famous paper there are too many to be held.
        for doc_id in doc_ids:
            yield doc_id, known
