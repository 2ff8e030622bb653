"""Finds numbered citations: ``[12]``, ``[3-6, 9]`` and superscripts.  Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from transforms.extract_citations.markers import Marker
from transforms.records import CitationKind

_BRACKET = re.compile(r"\[(\d{1,3}(?:\s?[,;–—-]\s?\d{1,3}){0,40})\]")
_SUPERSCRIPT = re.compile(r"[⁰¹²³⁴-⁹]{1,3}(?:[,˒–⁻][⁰¹²³⁴-⁹]{1,3}){0,20}")
# "cm²" and "10⁵" are no citations; "shown previously²" and "fell.²" are.
_BEFORE_SUPERSCRIPT = re.compile(r"(?:[^\W\d_]{4}|[.,;)\]”])$")
_NUMBER = re.compile(r"(\d+)(?:\s?[–—-]\s?(\d+))?")
_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻˒", "0123456789-,")
_MAX_RANGE = 50
# More than any document has; beyond it a range counts by its ends, so that a hostile
# one does not fill the memory.
_MAX_NUMBERS = 100_000


def find_numbered(text: str) -> Iterator[Marker]:
    """Yields the numbered citations of ``text``, bracketed ones first.

    Each number is one marker; a range counts every number in it.  Intervals
    such as ``[0, 1]`` are none: no reference list has an entry 0.
    """
    found = 0
    for written, offset in _written(text):
        for marker in _numbers(written, offset, in_full=found < _MAX_NUMBERS):
            found += 1
            yield marker


def _written(text: str) -> Iterator[tuple[str, int]]:
    """Yields lists of numbers and their offsets."""
    for match in _BRACKET.finditer(text):
        yield match.group(1), match.start(1)
    for match in () if text.isascii() else _SUPERSCRIPT.finditer(text):
        start = match.start()
        if _BEFORE_SUPERSCRIPT.search(text, max(0, start - 4), start):
            yield match.group().translate(_DIGITS), start


def _numbers(written: str, offset: int, *, in_full: bool) -> Iterator[Marker]:
    spans = list(_NUMBER.finditer(written))
    if any(int(n) == 0 for span in spans for n in span.groups() if n):
        return
    for span in spans:
        first, last = int(span[1]), int(span[2] or span[1])
        if last < first or last - first > _MAX_RANGE:
            last = first
        numbers = range(first, last + 1)
        for number in numbers if in_full else sorted({first, last}):
            yield Marker(
                start=offset + span.start(),
                end=offset + span.end(),
                kind=CitationKind.NUMBERED,
                label=str(number),
            )
