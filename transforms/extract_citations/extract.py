"""Extracts the citations of one document with their claims.  Pure.

The order of trust: what the format itself marks, then identifiers, then the
author-year grammar, with the document's own reference list as the arbiter of
doubtful forms.
"""

from __future__ import annotations

import bisect
import dataclasses
import re
from collections.abc import Iterable, Iterator, Sequence

from transforms import identifiers
from transforms.extract_citations.author_year import find_author_year
from transforms.extract_citations.claims import overlapping, strip_markers
from transforms.extract_citations.clauses import clause_of
from transforms.extract_citations.language import is_english
from transforms.extract_citations.links import ReferenceList
from transforms.extract_citations.markers import Marker
from transforms.extract_citations.numbered import find_numbered
from transforms.extract_citations.references import parse_references
from transforms.extract_citations.sentences import SentenceFinder, Span
from transforms.records import (
    Anchor,
    Citation,
    CitationKind,
    Document,
    DocumentHeader,
    DocumentStatus,
    ReferenceStatus,
)

_HAS_WORD = re.compile(r"[^\W\d_]{2}")
_YEAR = re.compile(r"((?:1[5-9]|20)\d\d)([a-z]?)")
_VOLUME_AND_PAGE = re.compile(r"\d\)?\s?[:,]\s?[eE]?\d[\d–-]*\.?\s{0,2}$")
_MAX_REFERENCE_CHARS = 200
_WORD_CHUNK_CHARS = 1 << 20


@dataclasses.dataclass(frozen=True, slots=True)
class ExtractSettings:
    """What to select for checking.

    Attributes:
      max_citations: Citations checked per document, in reading order; 0 = all.
      min_words: Words of body text below which a document is not scored.
      check_numbered: Whether numbered citations with a reference entry are
        checked like the others.
      timeout_seconds: Time that a document may take to extract; 0 = any.

    Raises:
      ValueError: If a number is negative.
    """

    max_citations: int = 8
    min_words: int = 200
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


def extract(
    document: Document, settings: ExtractSettings
) -> tuple[DocumentHeader, list[Citation]]:
    """Returns the document's header and the citations selected for checking.

    Args:
      document: The document.
      settings: What to select.

    Returns:
      The header with the counts of all citations, and the selected citations in
      reading order; none for a document that is too short.
    """
    references = ReferenceList(
        document.references or parse_references(document.reference_text)
    )
    markers = find_markers(document, references)
    words = count_words(document.text)
    checkable = [
        (ordinal, marker)
        for ordinal, marker in enumerate(markers, start=1)
        if marker.kind is not CitationKind.NUMBERED
        or (settings.check_numbered and references.find(marker))
    ]
    status = _status(document, words, settings.min_words, checkable)
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
    )
    return header, list(_citations(document, selected, markers, references))


def find_markers(document: Document, references: ReferenceList) -> list[Marker]:
    """Returns every citation marker of the document in reading order.

    Markers of one place (an anchor to several entries, a range of numbers) share
    their span.
    """
    grammar = find_author_year(document.text)
    marked = _anchored(document, references, grammar)
    taken = [(anchor.start, anchor.end) for anchor in document.anchors]
    loose = [
        marker
        for marker in _free(grammar, taken)
        if not marker.doubtful or references.find(marker)
    ]
    named = _free(_identifier_markers(document), taken)
    loose, named = _merge_adjacent(document.text, loose, named)
    numbered: Iterable[Marker] = ()
    if not document.anchors:
        spans = sorted((m.start, m.end) for m in named)
        numbered = _free(find_numbered(document.text), spans)
    return sorted([*marked, *loose, *named, *numbered], key=lambda m: (m.start, m.end))


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
    min_words: int,
    checkable: Sequence[tuple[int, Marker]],
) -> DocumentStatus:
    if words < min_words:
        return DocumentStatus.TOO_SHORT
    if not is_english(document.text):
        return DocumentStatus.UNSUPPORTED_LANGUAGE
    return DocumentStatus.SCORED if checkable else DocumentStatus.NO_CITATIONS


def _anchored(
    document: Document, references: ReferenceList, grammar: list[Marker]
) -> Iterator[Marker]:
    """Yields a marker for each entry that an anchor points to."""
    starts = [marker.start for marker in grammar]
    for anchor in document.anchors:
        low = max(0, bisect.bisect_left(starts, anchor.start) - 1)
        high = bisect.bisect_left(starts, anchor.end)
        read = next((m for m in grammar[low:high] if m.end > anchor.start), None)
        targets = [(ref_id,) for ref_id in anchor.ref_ids]
        for ref_ids in targets or ((),):
            yield _anchor_marker(document.text, anchor, ref_ids, references, read)


def _anchor_marker(
    text: str,
    anchor: Anchor,
    ref_ids: tuple[str, ...],
    references: ReferenceList,
    read: Marker | None,
) -> Marker:
    written = text[anchor.start : anchor.end]
    bare = Marker(anchor.start, anchor.end, CitationKind.NUMBERED, ref_ids=ref_ids)
    year = _YEAR.search(written)
    if not year and not _HAS_WORD.search(written):
        return dataclasses.replace(bare, label=written.strip("[]() "))
    if read:
        return dataclasses.replace(
            read, start=anchor.start, end=anchor.end, ref_ids=ref_ids, doubtful=False
        )
    entry = next(iter(references.find(bare)), None)
    authors = entry.authors if entry else ()
    return dataclasses.replace(
        bare,
        kind=CitationKind.AUTHOR_YEAR,
        surnames=tuple(author.partition(",")[0] for author in authors[:1]),
        et_al=len(authors) > 1,
        year=year[1] if year else str(entry.year or "") if entry else "",
        year_suffix=year[2] if year else "",
    )


def _free(markers: Iterable[Marker], taken: Sequence[Span]) -> list[Marker]:
    """Returns the markers that overlap none of the ``taken`` spans."""
    ends = [end for _, end in taken]
    free = []
    for marker in markers:
        index = bisect.bisect_right(ends, marker.start)
        if index >= len(taken) or taken[index][0] >= marker.end:
            free.append(marker)
    return free


def _identifier_markers(document: Document) -> list[Marker]:
    """Returns identifiers in the text, without those of the document itself."""
    mentions = sorted(
        identifiers.find_identifiers(document.text), key=lambda m: (m.start, -m.end)
    )
    found: list[Marker] = []
    for mention in mentions:
        own = any(
            mention.key == own_id or mention.key.startswith(f"{own_id}.")
            for own_id in document.own_ids
        )
        if own or (found and mention.start < found[-1].end):
            continue
        if _ends_printed_reference(document.text, mention.start):
            continue
        found.append(
            Marker(mention.start, mention.end, mention.kind, identifier=mention.key)
        )
    return found


def _ends_printed_reference(text: str, start: int) -> bool:
    """Tells whether an identifier ends a whole reference printed in the body.

    A box "Related article: Ode T, Ng L. Quills fall. Tides 3:e14. doi: 10.5555/q"
    makes no claim; "(Tides 2014;3:e14. doi: 10.5555/q)" in a sentence does.
    """
    low = max(0, start - _MAX_REFERENCE_CHARS)
    if not _VOLUME_AND_PAGE.search(text, max(0, start - 40), start):
        return False
    return text.rfind("(", low, start) <= text.rfind(")", low, start)


def _merge_adjacent(
    text: str, author_year: list[Marker], named: list[Marker]
) -> tuple[list[Marker], list[Marker]]:
    """Joins ``Ode, 2015, doi:10.1000/x``: one citation that names its work twice."""
    ends = {marker.end: index for index, marker in enumerate(author_year)}
    merged, separate = list(author_year), []
    for marker in named:
        at = marker.start
        while at and (text[at - 1] in ",;:. " or text[at - 1] in "(["):
            at -= 1
        index = ends.get(at) if marker.start - at <= 3 else None
        if index is None:
            separate.append(marker)
            continue
        merged[index] = dataclasses.replace(
            merged[index], end=marker.end, identifier=marker.identifier
        )
    return merged, separate


def _citations(
    document: Document,
    selected: Sequence[tuple[int, Marker]],
    markers: Sequence[Marker],
    references: ReferenceList,
) -> Iterator[Citation]:
    spans = sorted({(marker.start, marker.end) for marker in markers})
    finder = SentenceFinder(document.text, _heading_bounds(document), spans)
    for ordinal, marker in selected:
        sentence, before = finder.around(marker.start)
        yield _citation(document, ordinal, marker, sentence, before, references, spans)


def _citation(
    document: Document,
    ordinal: int,
    marker: Marker,
    sentence: Span,
    before: Span | None,
    references: ReferenceList,
    spans: Sequence[Span],
) -> Citation:
    text = document.text
    entries = references.find(marker)
    start, end = sentence[0], max(sentence[1], marker.end)
    inside = overlapping(spans, start, end)
    clause = clause_of(text, (start, end), (marker.start, marker.end), inside)
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
        claim_unmarked=strip_markers(text, (start, end), inside),
        claim_clause=text[slice(*clause)],
        clause_start=clause[0],
        clause_end=clause[1],
        previous_sentence=text[slice(*before)] if before else "",
        section=_section_at(document, marker.start),
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


def _section_at(document: Document, offset: int) -> str:
    """Returns the heading of the innermost section around ``offset``."""
    around = [s for s in document.sections if s.start <= offset < s.end]
    return max(around, key=lambda s: s.start).title if around else ""
