"""The citation-extraction stage."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

import apache_beam as beam
from apache_beam.metrics.metric import Metrics
from apache_beam.pvalue import PCollection, TaggedOutput

from transforms.extract_citations.extract import ExtractSettings, extract
from transforms.failures import to_failure
from transforms.records import CitingDocument, Document, Failure
from transforms.reference_records import ListedReference
from transforms.time_limit import TimeLimit

_STAGE = "extract_citations"
_REFERENCES: Literal["references"] = "references"


_Outputs: TypeAlias = tuple[
    PCollection[CitingDocument],
    PCollection[ListedReference],
    PCollection[Failure],
]


class ExtractCitations(beam.PTransform[PCollection[Document], _Outputs]):
    """Finds the citations of each document, and selects those to check.

    Input: ``PCollection[Document]``.  Output: ``(citing documents, references,
    failures)``: each document with its selected citations, every entry of every
    reference list, and one failure for a document that raises, which then contributes
    nothing else.  Nothing is shuffled, and no output holds the document text.  A
    retried bundle yields the same again.

    Args:
      settings: What to select.
    """

    def __init__(self, settings: ExtractSettings) -> None:
        super().__init__()
        self._settings = settings

    def expand(self, documents: PCollection[Document]) -> _Outputs:
        """Applies the extraction."""
        extracted = documents | "Extract" >> (
            beam.ParDo(_ExtractFn(self._settings))
            .with_outputs(_REFERENCES, main="documents")
            .with_exception_handling()
        )
        failures = extracted.bad | "ToFailures" >> beam.Map(
            to_failure, stage=_STAGE, element_id=_doc_id
        ).with_output_types(Failure)
        return extracted.documents, extracted[_REFERENCES], failures


class _ExtractFn(beam.DoFn):
    """Applies the extraction and counts what it finds."""

    def __init__(self, settings: ExtractSettings) -> None:
        self._settings = settings
        self._found = Metrics.counter(_STAGE, "citations_found")
        self._selected = Metrics.counter(_STAGE, "citations_selected")

    def setup(self) -> None:
        self._limit = TimeLimit(self._settings.timeout_seconds)

    def process(
        self, document: Document
    ) -> Iterator[
        CitingDocument | TaggedOutput[Literal["references"], ListedReference]
    ]:
        with self._limit:
            found = extract(document, self._settings)
        self._found.inc(found.header.citations_total)
        self._selected.inc(found.header.citations_selected)
        for reference in found.references:
            yield TaggedOutput(_REFERENCES, reference)
        yield CitingDocument(found.header, found.citations)


def _doc_id(document: Document) -> str:
    return document.doc_id
