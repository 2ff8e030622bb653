"""Finds every citation marker of a document.  Pure.

The order of trust: what the format itself marks, then identifiers, then the
author-year grammar, with the document's own reference list as the arbiter of
doubtful forms.
"""

from __future__ import annotations

import bisect
import dataclasses
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from transforms import identifiers
from transforms.extract_citations.author_year import find_author_year
from transforms.extract_citations.links import ReferenceList
from transforms.extract_citations.markers import Marker
from transforms.extract_citations.numbered import find_numbered
from transforms.names import fold
from transforms.records import Anchor, CitationKind, Document
from transforms.sentences import Span

_HAS_WORD = re.compile(r"[^\W\d_]{2}")
_YEAR = re.compile(r"(?<!\w)((?:1[5-9]|20)\d\d)([a-z]?)(?!\w)")
_DATA_SECTION = re.compile(
    r"[\d.\s]*(?:data|code|software|materials?)\b.{0,40}"
    r"\b(?:availability|access|accessibility|deposition|sharing|statement)\b"
    r"|[\d.\s]*(?:availability of|accession)\b",
    re.IGNORECASE,
)
_VOLUME_AND_PAGE = re.compile(r"\d\)?\s?[:,]\s?[eE]?\d[\d–-]*\.?\s{0,2}$")
_MAX_REFERENCE_CHARS = 200


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
        if not _needs_entry(marker, bool(taken) and len(references) > 0)
        or references.find(marker)
    ]
    named = _free(_identifier_markers(document), taken)
    loose, named = _merge_adjacent(document.text, loose, named)
    numbered: Iterable[Marker] = ()
    if not document.anchors:
        spans = sorted((m.start, m.end) for m in named)
        numbered = _free(find_numbered(document.text), spans)
    dated = _with_shared_identifiers([*marked, *loose], references)
    return sorted([*dated, *named, *numbered], key=lambda m: (m.start, m.end))


def _with_shared_identifiers(
    markers: Sequence[Marker], references: ReferenceList
) -> list[Marker]:
    """Gives a citation without entry the identifier that the same one has elsewhere.

    "(Ng, 2015; doi:10.5555/x)" on one page says which work "(Ng, 2015)" on another
    means, unless a third place says otherwise.
    """
    known: dict[tuple[object, ...], set[str]] = defaultdict(set)
    for marker in markers:
        if marker.identifier:
            known[_cited_as(marker)].add(marker.identifier)
    if not known:
        return list(markers)
    return [
        dataclasses.replace(marker, identifier=next(iter(ids)))
        if not marker.identifier
        and len(ids := known.get(_cited_as(marker), set())) == 1
        and not references.find(marker)
        else marker
        for marker in markers
    ]


def _cited_as(marker: Marker) -> tuple[object, ...]:
    names = tuple(map(fold, marker.surnames))
    return names, marker.et_al, marker.year, marker.year_suffix


def _needs_entry(marker: Marker, format_marks: bool) -> bool:
    """Tells whether a marker counts only if the reference list has its entry.

    Where the format marks citations, one name with a year that it does not mark is
    more often software or an acronym: "(Stata 2009)".
    """
    lone = len(marker.surnames) == 1 and not marker.et_al
    return marker.doubtful or (format_marks and lone)


def _anchored(
    document: Document, references: ReferenceList, grammar: list[Marker]
) -> Iterator[Marker]:
    """Yields a marker for each entry that an anchor points to."""
    starts = [marker.start for marker in grammar]
    for anchor in document.anchors:
        low = max(0, bisect.bisect_left(starts, anchor.start) - 1)
        high = bisect.bisect_left(starts, anchor.end)
        inside = [marker for marker in grammar[low:high] if marker.end > anchor.start]
        if len(anchor.ref_ids) < 2:
            read = inside[0] if inside else None
            yield _anchor_marker(
                document.text, anchor, anchor.ref_ids, references, read
            )
            continue
        for ref_id in anchor.ref_ids:
            # One field may hold a whole bracket: "(Ng, 2010; Ode, 2011)".
            named = (m for m in inside if references.names(m, ref_id))
            read = next(named, None)
            yield _anchor_marker(document.text, anchor, (ref_id,), references, read)


def _anchor_marker(
    text: str,
    anchor: Anchor,
    ref_ids: tuple[str, ...],
    references: ReferenceList,
    read: Marker | None,
) -> Marker:
    written = text[anchor.start : anchor.end]
    bare = Marker(anchor.start, anchor.end, CitationKind.NUMBERED, ref_ids=ref_ids)
    if mention := next(identifiers.find_identifiers(written), None):
        # "@doi:10.5555/x": digits in an identifier are no year.
        return dataclasses.replace(bare, kind=mention.kind, identifier=mention.key)
    year = _YEAR.search(written)
    # "Ode, 2010a, <xref>b</xref>": a letter that the grammar reads is half a year.
    is_letter = read is not None and written.strip().isalpha()
    if not year and not is_letter and not _HAS_WORD.search(written):
        return dataclasses.replace(bare, label=written.strip("[]() "))
    if read:
        own = dataclasses.replace(read, ref_ids=ref_ids, doubtful=False)
        if len(anchor.ref_ids) > 1:
            return own
        # Some formats mark the year alone: "Ode et al. (<xref>2014</xref>)".
        start, end = min(read.start, anchor.start), max(read.end, anchor.end)
        return dataclasses.replace(own, start=start, end=end)
    entry = next(iter(references.find(bare)), None)
    if len(anchor.ref_ids) > 1:
        year = None
    return dataclasses.replace(
        bare,
        kind=CitationKind.AUTHOR_YEAR,
        surnames=tuple(a.partition(",")[0] for a in entry.authors[:1]) if entry else (),
        et_al=len(entry.authors) > 1 if entry else False,
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
    """Returns identifiers in the text that cite a work.

    Those of the document itself and of the data that it offers do not.
    """
    mentions = sorted(
        identifiers.find_identifiers(document.text), key=lambda m: (m.start, -m.end)
    )
    found: list[Marker] = []
    data = [s for s in document.sections if _DATA_SECTION.match(s.title)]
    for mention in mentions:
        if any(section.start <= mention.start < section.end for section in data):
            continue
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
