"""The whole dataflow.

    ReadDocuments --> ExtractCitations
                             |
           .--- lookups -----+---- documents, cited works --.
           |                 |                             |
     FetchEvidence           '- reference lists            |
        |  |                         |                     |
        |  |                 VerifyReferences --- notes ---+
        |  |                         |                     |
        |  '--- evidence ------------|---------------------+
        |                            |                     |
        |                            |     ScoreCoverage, document by document
        v                            v          |                  |
      works                     references   citations         documents

    failures <- every stage

Document text goes no further than ExtractCitations: what crosses a shuffle is
citations with their claims, lookups, works and headers.
"""

from __future__ import annotations

import dataclasses
import datetime
import functools
import pathlib
from collections.abc import Sequence
from typing import TypeAlias

import apache_beam as beam
from apache_beam.pvalue import PCollection

from transforms.extract_citations.extract import ExtractSettings
from transforms.extract_citations.stage import ExtractCitations
from transforms.fetch_evidence.lookup import lookup_for
from transforms.fetch_evidence.opening import open_finder, open_resolver
from transforms.fetch_evidence.settings import FetchSettings
from transforms.fetch_evidence.stage import FetchEvidence
from transforms.progress import Progress, Step
from transforms.read_documents.inputs import Source
from transforms.read_documents.stage import ReadDocuments
from transforms.records import (
    Assessment,
    CitingDocument,
    DocumentScore,
    Evidence,
    Failure,
    Lookup,
)
from transforms.reference_records import (
    ListedReference,
    ReferenceCheck,
    ReferenceNotes,
)
from transforms.score_coverage.stage import ScoreCoverage
from transforms.score_coverage.triage.judge import Judge
from transforms.verify_references.stage import VerifyReferences
from transforms.write_results.stage import WriteResults

_Asking: TypeAlias = tuple[CitingDocument, tuple[Lookup, ...]]


@dataclasses.dataclass(frozen=True, slots=True)
class Plan:
    """What the graph needs to know of a run.

    Attributes:
      sources: The inputs, expanded.
      id_column: Parquet or JSON Lines column with the document ids.
      text_column: Parquet or JSON Lines column with the document texts.
      extract: What to select for checking.
      fetch: Where evidence comes from.
      judge: What cited works are judged by.
      lanes: Groups that lookups are asked in: 1 for a network index.
      tables: Folder to write the tables to.
      check_references: Whether reference lists are checked.
      venues: Further tables of venues.
      current_year: The year it is.
      progress: Takes note of how far the run is.
    """

    sources: Sequence[Source]
    id_column: str
    text_column: str
    extract: ExtractSettings
    fetch: FetchSettings
    judge: Judge
    lanes: int
    tables: pathlib.Path
    progress: Progress
    check_references: bool = True
    venues: tuple[pathlib.Path, ...] = ()
    current_year: int = dataclasses.field(
        default_factory=lambda: datetime.datetime.now(datetime.UTC).year
    )


@dataclasses.dataclass(frozen=True, slots=True)
class Outputs:
    """The collections that become tables."""

    documents: PCollection[DocumentScore]
    citations: PCollection[Assessment]
    works: PCollection[Evidence]
    references: PCollection[ReferenceCheck]
    failures: PCollection[Failure]


def build(root: beam.Pipeline, plan: Plan) -> Outputs:
    """Builds the dataflow below ``root``.

    Args:
      root: The pipeline.
      plan: What to read, check and write.

    Returns:
      What is written, for whoever wants to look at it in the graph as well.
    """
    documents, unread = root | "ReadDocuments" >> ReadDocuments(
        plan.sources,
        id_column=plan.id_column,
        text_column=plan.text_column,
        timeout_seconds=plan.extract.timeout_seconds,
    )
    cited, listed, unextracted = documents | "ExtractCitations" >> (
        ExtractCitations(plan.extract)
    )
    asking = cited | "FindLookups" >> beam.Map(_asking).with_output_types(_Asking)
    evidence, unfetched = (
        asking
        | "PickLookups" >> beam.FlatMap(lambda asked: asked[1])
        | "FetchEvidence"
        >> FetchEvidence(
            functools.partial(open_resolver, plan.fetch, plan.progress),
            lanes=plan.lanes,
        )
    )
    checks, notes, unverified = _verified(root, plan, listed)
    keyed = asking | "PickKeys" >> beam.MapTuple(_keyed).with_output_types(
        tuple[CitingDocument, tuple[str, ...]]
    )
    assessments, scores, unscored = (
        keyed,
        evidence,
        notes,
    ) | "ScoreCoverage" >> ScoreCoverage(
        plan.judge, references_are_checked=plan.check_references
    )
    failures = (
        unread,
        unextracted,
        unfetched,
        unverified,
        unscored,
    ) | "MergeFailures" >> beam.Flatten()
    for step, done in (
        (Step.READ, documents),
        (Step.UNREADABLE, unread),
        (Step.EXTRACTED, cited),
        (Step.VERIFIED, checks),
        (Step.ASSESSED, assessments),
    ):
        _ = done | f"Note{step.title()}" >> beam.Map(_note, plan.progress, step)
    _ = (assessments, scores, evidence, checks, failures) | "WriteResults" >> (
        WriteResults(str(plan.tables))
    )
    return Outputs(scores, assessments, evidence, checks, failures)


def _verified(
    root: beam.Pipeline, plan: Plan, listed: PCollection[ListedReference]
) -> tuple[
    PCollection[ReferenceCheck],
    PCollection[tuple[str, ReferenceNotes]],
    PCollection[Failure],
]:
    """Checks the references, if that is asked for."""
    if not plan.check_references:
        none = root | "CheckNoReferences" >> beam.Create([])
        return none, none, none
    checks, notes, failures = listed | "VerifyReferences" >> VerifyReferences(
        functools.partial(open_finder, plan.fetch, plan.progress),
        current_year=plan.current_year,
        venues=plan.venues,
        lanes=plan.lanes,
    )
    return checks, notes, failures


def _note(done: object, progress: Progress, step: Step) -> None:
    progress.add(step)
    if isinstance(done, CitingDocument):
        progress.add(Step.SELECTED, done.header.citations_selected)
        progress.add(Step.LISTED, done.header.references_total)


def _asking(document: CitingDocument) -> _Asking:
    return document, tuple(map(lookup_for, document.citations))


def _keyed(
    document: CitingDocument, lookups: tuple[Lookup, ...]
) -> tuple[CitingDocument, tuple[str, ...]]:
    return document, tuple(lookup.key for lookup in lookups)
