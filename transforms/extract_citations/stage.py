"""The citation-extraction stage."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

import apache_beam as beam
from apache_beam.metrics.metric import Metrics
from apache_beam.pvalue import PCollection, TaggedOutput

from transforms.extract_citations.extract import ExtractSettings, extract
from transforms.failures import to_failure
from transforms.records import Citation, Document, DocumentHeader, Failure
from transforms.time_limit import TimeLimit

_STAGE = "extract_citations"
_HEADERS: Final = "headers"


_Outputs: TypeAlias = tuple[
    PCollection[Citation], PCollection[DocumentHeader], PCollection[Failure]
]


class ExtractCitations(beam.PTransform[PCollection[Document], _Outputs]):
    """Finds the citations of each document, and selects those to check.

    Input: ``PCollection[Document]``.  Output: ``(citations, headers, failures)``:
    the selected citations, one header a document, and one failure for a document
    that raises, which then contributes neither.  Nothing is shuffled, and no
    output holds the document text.  A retried bundle yields the same again.

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
            .with_outputs(_HEADERS, main="citations")
            .with_exception_handling()
        )
        failures = extracted.bad | "ToFailures" >> beam.Map(
            to_failure, stage=_STAGE, element_id=_doc_id
        ).with_output_types(Failure)
        return extracted.citations, extracted[_HEADERS], failures


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
    ) -> Iterator[Citation | TaggedOutput[Literal["headers"], DocumentHeader]]:
        with self._limit:
            header, citations = extract(document, self._settings)
        self._found.inc(header.citations_total)
        self._selected.inc(header.citations_selected)
        yield TaggedOutput(_HEADERS, header)
        yield from citations


def _doc_id(document: Document) -> str:
    return document.doc_id
