"""The reading stage."""

# Beam ships type information but leaves most of its functions unannotated.
# mypy: disallow-untyped-calls=False

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal, TypeAlias

import apache_beam as beam
from apache_beam.metrics.metric import Metrics
from apache_beam.pvalue import AsDict, PBegin, PCollection, TaggedOutput

from transforms.failures import to_failure
from transforms.read_documents.contents import (
    STAGE,
    Content,
    NamedPlace,
    Place,
    later_duplicates,
    open_source,
    read_content,
    read_ids,
)
from transforms.read_documents.inputs import Source
from transforms.records import Document, Failure
from transforms.time_limit import TimeLimit

_FAILURES: Literal["failures"] = "failures"

_Outputs: TypeAlias = tuple[PCollection[Document], PCollection[Failure]]


class ReadDocuments(beam.PTransform[PBegin, _Outputs]):
    """Reads every document of the sources.

    Input: the root of a pipeline.
    Output: ``(documents, failures)``: each document of the sources is once in one of
    the two.  Only sources cross a shuffle, and ids where there are rows; documents
    can be fused with what comes next.

    Of several documents with one id the first is read, by file and row; the others
    are failures that name it.  A retry reads the same files again.

    Args:
      sources: What to read, as found at launch.
      id_column: Column of Parquet and JSON Lines files that holds document ids.
      text_column: Column of such files that holds the documents.
      timeout_seconds: Time that reading a document may take; 0 = any.

    Raises:
      ValueError: If there are files with rows, and a column is not named.
    """

    def __init__(
        self,
        sources: Iterable[Source],
        *,
        id_column: str | None = None,
        text_column: str | None = None,
        timeout_seconds: float = 0.0,
    ) -> None:
        super().__init__()
        self._sources = tuple(sources)
        self._has_rows = any(source.has_rows for source in self._sources)
        if self._has_rows and not (id_column and text_column):
            raise ValueError(
                "Parquet and JSON Lines need both columns, got "
                f"id_column={id_column!r}, text_column={text_column!r}"
            )
        self._id_column = id_column
        self._text_column = text_column
        self._timeout_seconds = timeout_seconds

    def expand(self, root: PBegin) -> _Outputs:
        """Spreads the sources over the workers, opens them and reads them."""
        sources = (
            root
            | "ListSources" >> beam.Create(self._sources, reshuffle=False)
            | "SpreadSources" >> beam.Reshuffle()
        )
        contents, unopened = sources | "OpenSources" >> beam.FlatMap(
            open_source,
            self._id_column,
            self._text_column,
            # The ids of files are distinct; only rows can repeat one.
            AsDict(self._duplicates(sources)) if self._has_rows else {},
        ).with_output_types(Content | Failure).with_exception_handling(
            # A row group may hold more text than fits in memory.
            partial=True,
            threshold=1.0,
        )
        results, unread = contents | "ReadContents" >> beam.ParDo(
            _ReadFn(self._timeout_seconds)
        ).with_exception_handling(threshold=1.0)
        documents, refused = results | "PartFailures" >> beam.ParDo(
            _PartFn()
        ).with_outputs(_FAILURES, main="documents")
        failures = (
            refused,
            unopened | "DescribeUnopened" >> _describe(_source_id),
            unread | "DescribeUnread" >> _describe(_content_id),
        ) | "MergeFailures" >> beam.Flatten()
        return documents, failures | "CountFailures" >> beam.ParDo(_CountFn())

    def _duplicates(
        self, sources: PCollection[Source]
    ) -> PCollection[tuple[Place, str]]:
        """Finds the documents whose id another had before."""
        duplicates: PCollection[tuple[Place, str]] = (
            sources
            | "ReadIds"
            >> beam.FlatMap(read_ids, self._id_column).with_output_types(
                tuple[str, NamedPlace]
            )
            | "GroupIds" >> beam.GroupByKey()
            | "FindDuplicates"
            >> beam.FlatMap(later_duplicates).with_output_types(tuple[Place, str])
        )
        return duplicates


def _describe(element_id: Callable[[Any], str]) -> beam.ParDo:
    describe: beam.ParDo = beam.Map(
        to_failure, stage=STAGE, element_id=element_id
    ).with_output_types(Failure)
    return describe


class _ReadFn(beam.DoFn):
    """Reads each document within the time that it may take."""

    def __init__(self, timeout_seconds: float) -> None:
        self._timeout_seconds = timeout_seconds

    def setup(self) -> None:
        self._limit = TimeLimit(self._timeout_seconds)

    def process(self, content: Content | Failure) -> Iterator[Document | Failure]:
        if isinstance(content, Failure):
            yield content
            return
        with self._limit:
            document = read_content(content)
        yield document


class _PartFn(beam.DoFn):
    """Parts failures from documents, which it counts."""

    def __init__(self) -> None:
        super().__init__()
        self._read = Metrics.counter(STAGE, "documents_read")

    def process(
        self, result: Document | Failure
    ) -> Iterator[Document | TaggedOutput[Literal["failures"], Failure]]:
        if isinstance(result, Failure):
            yield TaggedOutput(_FAILURES, result)
        else:
            self._read.inc()
            yield result


class _CountFn(beam.DoFn):
    """Counts failures as they pass."""

    def __init__(self) -> None:
        super().__init__()
        self._failed = Metrics.counter(STAGE, "documents_failed")

    def process(self, failure: Failure) -> Iterator[Failure]:
        self._failed.inc()
        yield failure


def _source_id(source: Source) -> str:
    return source.doc_id


def _content_id(content: Content | Failure) -> str:
    return content.doc_id if isinstance(content, Content) else content.element_id
