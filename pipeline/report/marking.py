"""Marks terms, passages and citations in text.  Pure: text in, safe HTML out."""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import TypeAlias

from markupsafe import Markup

from transforms.score_coverage.triage.words import claim_words

# Words joined by hyphens of any kind, numbers with their separators and signs.
_COMPOUND = re.compile(
    r"[^\W_]+(?:,\d{3})*(?:\.\d+)?(?:[-\u2010-\u2015\u2212][^\W_]+)*%?"
)
# Start, end, and the tags that go there.
_Span: TypeAlias = tuple[int, int, str, str]


@dataclasses.dataclass(frozen=True, slots=True)
class Mark:
    """How a term is marked.

    Attributes:
      is_covered: Whether the evidence has the term.
      note: What is said of it on hover and focus, or ``""``.
    """

    is_covered: bool
    note: str = ""


@dataclasses.dataclass(frozen=True, slots=True)
class Region:
    """A stretch of text that stands out as a whole.

    Attributes:
      start: Offset of its first character.
      end: Offset one past its last character.
      name: Class of the element around it.
      is_opaque: Whether terms in it are left alone, as in the citation itself.
    """

    start: int
    end: int
    name: str
    is_opaque: bool = False


def mark_terms(
    text: str, marks: Mapping[str, Mark], regions: Sequence[Region] = ()
) -> Markup:
    """Marks every occurrence of some terms, and regions around them.

    Args:
      text: Plain text.
      marks: Stem, as the triage stems words, to the mark of the words that have it.
      regions: Regions to set off; of two that cross, the second is left out, and so
        is one that is not within the text.

    Returns:
      Escaped HTML whose text is ``text``.
    """
    kept: list[Region] = []
    for region in regions:
        if 0 <= region.start < region.end <= len(text) and not any(
            _cross(region.start, region.end, other) for other in kept
        ):
            kept.append(region)
    spans = [(r.start, r.end, f'<span class="{r.name}">', "</span>") for r in kept]
    return _assemble(text, (*spans, *_term_spans(text, marks, kept)))


def occurrences(text: str) -> Iterator[tuple[int, int, str]]:
    """Finds where the words that triage compares stand in a text.

    Args:
      text: Plain text of any length.

    Yields:
      Start, end and stem of each occurrence, in order.
    """
    for match in _COMPOUND.finditer(text):
        for start, end, stem in _parts(match[0]):
            yield match.start() + start, match.start() + end, stem


@functools.lru_cache(maxsize=1 << 16)
def _parts(compound: str) -> tuple[tuple[int, int, str], ...]:
    """Returns start, end and stem of the words in a compound as printed."""
    parts, done = [], 0
    for stem, word in claim_words(compound).items():
        start = compound.find(word, done)
        if start < 0:
            # It is printed in other letters, as Greek ones: all of it stands for it.
            return ((0, len(compound), stem),)
        done = start + len(word)
        parts.append((start, done, stem))
    return tuple(parts)


def _term_spans(
    text: str, marks: Mapping[str, Mark], regions: Sequence[Region]
) -> Iterator[_Span]:
    for start, end, stem in occurrences(text):
        mark = marks.get(stem)
        if mark and not any(_is_in_the_way(start, end, region) for region in regions):
            tag = "mark" if mark.is_covered else "u"
            note = f' data-note="{escape(mark.note)}"' if mark.note else ""
            yield start, end, f"<{tag}{note}>", f"</{tag}>"


def _is_in_the_way(start: int, end: int, region: Region) -> bool:
    if region.is_opaque:
        return start < region.end and end > region.start
    return _cross(start, end, region)


def _cross(start: int, end: int, region: Region) -> bool:
    """Tells whether two stretches overlap and neither holds the other."""
    overlap = start < region.end and end > region.start
    inside = region.start <= start and end <= region.end
    outside = start <= region.start and region.end <= end
    return overlap and not inside and not outside


def _assemble(text: str, spans: Iterable[_Span]) -> Markup:
    """Puts the tags of spans that nest into the escaped text."""
    tags: list[tuple[int, int, int, int, str]] = []
    for number, (start, end, opening, closing) in enumerate(spans):
        # What closes comes before what opens there; what opens first closes last.
        tags.append((start, 1, -end, number, opening))
        tags.append((end, 0, -start, -number, closing))
    parts: list[str] = []
    done = 0
    for offset, _, _, _, tag in sorted(tags):
        parts += (escape(text[done:offset]), tag)
        done = offset
    return Markup("".join((*parts, escape(text[done:]))))
