"""Extracts the citations of one document with their claims.  Pure."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

from transforms.extract_citations.all_markers import find_markers
from transforms.extract_citations.clauses import clause_of
from transforms.extract_citations.groups import Groups
from transforms.extract_citations.language import is_english
from transforms.extract_citations.links import ReferenceList
from transforms.extract_citations.listed import list_references, with_unique_ids
from transforms.extract_citations.markers import Marker
from transforms.extract_citations.references import parse_references
from transforms.extract_citations.sections import SectionFinder
from transforms.extract_citations.sentence_parts import SentenceParts
from transforms.records import (
    Citation,
    CitationKind,
    Document,
    DocumentHeader,
    DocumentStatus,
    ReferenceStatus,
)
from transforms.reference_records import ListedReference
from transforms.sentences import SentenceFinder, Span

_WORD_CHUNK_CHARS = 1 << 20


@dataclasses.dataclass(frozen=True, slots=True)
class ExtractSettings:
    """What to select for checking.

    Attributes:
      max_citations: Citations checked per document, in reading order; 0 = all.
      min_words: Words of body text below which a document is not scored.
      check_support: Whether citations are selected at all; else only references are
        listed.
      check_numbered: Whether numbered citations with a reference entry are
        checked like the others.
      timeout_seconds: Time that a document may take to extract; 0 = any.

    Raises:
      ValueError: If a number is negative.
    """

    max_citations: int = 8
    min_words: int = 200
    check_support: bool = True
    check_numbered: bool = False
    timeout_seconds: float = 0.0

    def __post_init__(self) -> None:
        """Validates the numbers."""
        if self.max_citations < 0:
            raise ValueError(f"max_citations must be >= 0, got {self.max_citations}")
        if self.min_words < 0:
            raise ValueError(f"min_words must be >= 0, got {self.min_words}")
        if self.timeout_seconds < 0:
            raise ValueError(
                f"timeout_seconds must be >= 0, got {self.timeout_seconds}"
            )


@dataclasses.dataclass(frozen=True, slots=True)
class Extracted:
    """What is extracted from one document.

    Attributes:
      header: The counts.
      citations: The citations selected for checking, in reading order.
      references: Every entry of the reference list, in order.
    """

    header: DocumentHeader
    citations: tuple[Citation, ...]
    references: tuple[ListedReference, ...]


def extract(document: Document, settings: ExtractSettings) -> Extracted:
    """Returns the document's header, citations and references.

    Args:
      document: The document.
      settings: What to select.

    Returns:
      The header with the counts of all citations, the selected citations in reading
      order, none for a document that is too short, and every reference.
    """
    entries = with_unique_ids(
        document.references or parse_references(document.reference_text)
    )
    references = ReferenceList(entries)
    markers = find_markers(document, references)
    words = count_words(document.text)
    checkable = [
        (ordinal, marker)
        for ordinal, marker in enumerate(markers, start=1)
        if marker.kind is not CitationKind.NUMBERED
        or (settings.check_numbered and references.find(marker))
    ]
    status = _status(document, words, settings, checkable)
    selected: list[tuple[int, Marker]] = []
    if status is DocumentStatus.SCORED:
        selected = checkable[: settings.max_citations or None]
    header = DocumentHeader(
        doc_id=document.doc_id,
        path=document.path,
        title=document.title,
        words=words,
        status=status,
        citations_total=len(markers),
        citations_numbered=sum(m.kind is CitationKind.NUMBERED for m in markers),
        citations_selected=len(selected),
        metadata=document.metadata,
        content_sha256=document.content_sha256,
        references_total=len(entries),
    )
    return Extracted(
        header,
        tuple(_citations(document, selected, markers, references)),
        tuple(list_references(document.doc_id, entries, markers, references)),
    )


def count_words(text: str) -> int:
    """Returns the number of words: runs of characters without white space."""
    count, start = 0, 0
    while start < len(text):
        end = start + _WORD_CHUNK_CHARS
        while end < len(text) and not text[end].isspace():
            end += 1
        count += len(text[start:end].split())
        start = end
    return count


def _status(
    document: Document,
    words: int,
    settings: ExtractSettings,
    checkable: Sequence[tuple[int, Marker]],
) -> DocumentStatus:
    if not settings.check_support:
        return DocumentStatus.SUPPORT_NOT_CHECKED
    if words < settings.min_words:
        return DocumentStatus.TOO_SHORT
    if not is_english(document.text):
        return DocumentStatus.UNSUPPORTED_LANGUAGE
    return DocumentStatus.SCORED if checkable else DocumentStatus.NO_CITATIONS


def _citations(
    document: Document,
    selected: Sequence[tuple[int, Marker]],
    markers: Sequence[Marker],
    references: ReferenceList,
) -> Iterator[Citation]:
    spans = sorted({(marker.start, marker.end) for marker in markers})
    finder = SentenceFinder(document.text, _heading_bounds(document), spans)
    groups = Groups(document.text, spans, markers)
    parts = SentenceParts(document.text, spans, references.surnames)
    sections = SectionFinder(document.sections)
    for ordinal, marker in selected:
        sentence, before = finder.around(marker.start)
        headings = sections.titles_at(marker.start)
        citation = _citation(
            document, ordinal, marker, sentence, references, parts, headings
        )
        group = f"{document.doc_id}#g{groups.first_ordinal(marker)}"
        citation = dataclasses.replace(citation, group_id=group)
        yield _with_context(citation, document.text, before, parts)


def _with_context(
    citation: Citation, text: str, before: Span | None, parts: SentenceParts
) -> Citation:
    """Adds the sentence before the claim and the authors that both name."""
    claim = citation.claim_start, citation.claim_end
    names = *(parts.named(before) if before else ()), *parts.named(claim)
    return dataclasses.replace(
        citation,
        previous_sentence=text[slice(*before)] if before else "",
        previous_unmarked=parts.unmarked(before) if before else "",
        named_authors=tuple(dict.fromkeys(names)),
    )


def _citation(
    document: Document,
    ordinal: int,
    marker: Marker,
    sentence: Span,
    references: ReferenceList,
    parts: SentenceParts,
    headings: tuple[str, str],
) -> Citation:
    text = document.text
    entries = references.find(marker)
    start, end = claim = sentence[0], max(sentence[1], marker.end)
    clause = clause_of(text, claim, (marker.start, marker.end), parts.groups(claim))
    return Citation(
        citation_id=f"{document.doc_id}#{ordinal}",
        doc_id=document.doc_id,
        ordinal=ordinal,
        kind=marker.kind,
        marker=text[marker.start : marker.end],
        marker_start=marker.start,
        marker_end=marker.end,
        claim=text[start:end],
        claim_start=start,
        claim_end=end,
        claim_unmarked=parts.unmarked(claim),
        claim_clause=text[slice(*clause)],
        clause_start=clause[0],
        clause_end=clause[1],
        section=headings[0],
        outer_section=headings[1],
        surnames=marker.surnames,
        et_al=marker.et_al,
        year=marker.year,
        year_suffix=marker.year_suffix,
        identifier=marker.identifier,
        reference_status=_reference_status(len(references), len(entries)),
        reference=entries[0] if len(entries) == 1 else None,
        reference_candidates=tuple(
            entry.ref_id for entry in entries if len(entries) > 1
        ),
    )


def _reference_status(listed: int, found: int) -> ReferenceStatus:
    if not listed:
        return ReferenceStatus.NO_LIST
    if not found:
        return ReferenceStatus.UNLISTED
    return ReferenceStatus.LINKED if found == 1 else ReferenceStatus.AMBIGUOUS


def _heading_bounds(document: Document) -> list[int]:
    bounds: set[int] = set()
    for section in document.sections:
        bounds.update((section.start, section.start + len(section.title)))
    return sorted(bounds)
