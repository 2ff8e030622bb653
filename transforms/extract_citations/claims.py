"""Strips citation markers from a sentence.  Pure."""

from __future__ import annotations

import bisect
import itertools
import re
from collections.abc import Iterator, Sequence

from transforms.sentences import Span

_BRACKETS = {"(": ")", "[": "]", "（": "）", "［": "］"}
_BRACKET = re.compile(r"[()\[\]（）［］]")
_WORD = re.compile(r"[^\W_]+(?:[.'’-][^\W_]+)*")
# What stands in a bracket of citations and claims nothing.
_CUES = frozenset(
    [
        *("see", "also", "but", "cf", "e.g", "eg", "i.e", "ie", "reviewed", "in", "by"),
        *("for", "review", "reviews", "a", "an", "the", "and", "or", "as", "cited"),
        *("quoted", "discussed", "described", "reported", "shown", "examples"),
        *(
            "example",
            "references",
            "reference",
            "therein",
            "et",
            "al",
            "among",
            "others",
        ),
        *("adapted", "modified", "from", "after", "with", "recently", "recent", "more"),
        *("emphasis", "added", "p", "pp", "page", "pages", "chapter", "ch", "section"),
        *("sec", "para", "vol", "doi", "arxiv", "pmid", "pmcid", "preprint", "https"),
        *("http", "doi.org", "etc", "further", "details", "instance", "most", "to"),
        *("according", "following", "ref", "refs", "note", "notes", "s", "of"),
    ]
)
_QUANTITY = re.compile(r"[%=<>±°~]")
_SPACE_BEFORE = re.compile(r"\s+(?=[.,;:!?)\]])|(?<![\s,;])[\s,;]+(?=[)\]])")
_EMPTY_BRACKETS = re.compile(r"[(\[（［][\s,;.&]*[)\]）］]")


def strip_markers(text: str, sentence: Span, markers: Sequence[Span]) -> str:
    """Returns the sentence without its citation markers.

    A bracket goes with its markers when nothing but cue words ("see", "reviewed
    in"), locators and punctuation would be left in it.

    Args:
      text: The document text.
      sentence: Span of the sentence.
      markers: Spans of the citation markers in it, by position.

    Returns:
      The rest of the sentence with white space folded.
    """
    start, end = sentence
    inside = [(max(start, low), min(end, high)) for low, high in markers]
    kept: list[str] = []
    at = start
    for low, high in _with_brackets(text, sentence, inside):
        if high <= at:
            continue
        kept.append(text[at : max(at, low)])
        at = high
    kept.append(text[at:end])
    bare = _EMPTY_BRACKETS.sub(" ", " ".join(kept))
    return _SPACE_BEFORE.sub("", " ".join(bare.split()))


def overlapping(markers: Sequence[Span], start: int, end: int) -> list[Span]:
    """Returns those of ``markers``, by position, that overlap ``[start, end)``."""
    low = max(0, bisect.bisect_left(markers, (start, 0)) - 1)
    high = bisect.bisect_left(markers, (end, 0))
    return [span for span in markers[low:high] if span[1] > start]


def _with_brackets(text: str, sentence: Span, markers: list[Span]) -> Iterator[Span]:
    """Yields the markers by position, widened to the brackets that they fill."""
    spans = list(markers)
    # One may lie within another.
    ends = list(itertools.accumulate((end for _, end in markers), max))
    for bracket in _brackets(text, *sentence):
        low = bisect.bisect_right(ends, bracket[0])
        high = bisect.bisect_left(markers, (bracket[1], 0))
        inside = [marker for marker in markers[low:high] if marker[1] > bracket[0]]
        if inside and _is_filler(text, bracket, inside):
            spans.append(bracket)
    yield from sorted(spans)


def _brackets(text: str, start: int, end: int) -> Iterator[Span]:
    """Yields the balanced brackets of a sentence, inner ones first."""
    stack: list[tuple[str, int]] = []
    for bracket in _BRACKET.finditer(text, start, end):
        character = bracket.group()
        if character in _BRACKETS:
            stack.append((_BRACKETS[character], bracket.start()))
        elif stack and character == stack[-1][0]:
            yield stack.pop()[1], bracket.end()


def _is_filler(text: str, bracket: Span, markers: list[Span]) -> bool:
    at, end = bracket[0], bracket[1]
    rest = []
    for low, high in markers:
        rest.append(text[at : max(at, low)])
        at = max(at, high)
    rest.append(text[at:end])
    left = " ".join(rest).casefold()
    if _QUANTITY.search(left):
        return False
    words = _WORD.findall(left)
    return all(word in _CUES or word[0].isdigit() for word in words)
