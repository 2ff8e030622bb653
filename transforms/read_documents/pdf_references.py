"""Finds reference lists among the lines of a PDF, and parts their entries.  Pure."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from transforms.read_documents.headings import is_back_matter, is_usual
from transforms.read_documents.pdf_layout import Line
from transforms.read_documents.reference_section import (
    is_reference_heading,
    looks_like_list,
)

ENDS_SENTENCE = re.compile(r"[.!?:…。][\"'”’)\]\d,–-]{0,12}$")
_LABEL = re.compile(r"\[\d{1,3}\]|\(\d{1,3}\)|\d{1,3}[.)]?(?=\s)")
_MAX_FLUSH_SHARE = 0.8
# In em.
_FLUSH = 0.3
_MIN_WIDE_GAP = 1.15
_MIN_HEADING_GAP = 2.0


def split_lists(lines: Sequence[Line]) -> Iterator[tuple[bool, Sequence[Line]]]:
    """Yields the lines in parts, and whether a part is a reference list."""
    start = 0
    heads = [n for n, line in enumerate(lines) if is_reference_heading(line.text)]
    for head in heads:
        if head < start:
            continue
        end = _list_end(lines, head + 1)
        if _is_list(lines[head + 1 : end]):
            yield False, lines[start:head]
            yield False, lines[head : head + 1]
            yield True, lines[head + 1 : end]
            start = end
    yield False, lines[start:]


def entry_bounds(lines: Sequence[Line]) -> list[tuple[int, int]]:
    """Returns where each entry of a reference list begins and ends, if that shows.

    Entries are told by labels, else by what is flush with the column, else by the
    space between them.
    """
    starts = _labelled(lines) or _flush(lines) or _spaced(lines)
    if not starts:
        return []
    return list(itertools.pairwise(sorted({0, *starts, len(lines)})))


def _is_list(lines: Sequence[Line]) -> bool:
    """Tells whether lines are a reference list, or are one once they are joined."""
    if looks_like_list([line.text for line in lines]):
        return True
    entries = (lines[start:end] for start, end in entry_bounds(lines))
    return looks_like_list([" ".join(line.text for line in entry) for entry in entries])


def _list_end(lines: Sequence[Line], start: int) -> int:
    """Returns where what is headed as something else begins behind a list."""
    for index in range(start, len(lines)):
        text = lines[index].text
        if is_usual(text) or is_reference_heading(text):
            return index
        if is_back_matter(text) and _stands_out(lines[index - 1], lines[index]):
            return index
    return len(lines)


def _stands_out(before: Line, line: Line) -> bool:
    return (
        line.place.bold
        or line.changes_size(before)
        or not line.is_below(before)
        or line.gap(before) > _MIN_HEADING_GAP
    )


def _labelled(lines: Sequence[Line]) -> set[int]:
    """Returns the lines that begin with the next number; none if few do."""
    starts: set[int] = set()
    expected = None
    for index, line in enumerate(lines):
        label = _LABEL.match(line.text)
        number = int(re.sub(r"\D", "", label.group())) if label else -1
        if label and (expected is None or number == expected):
            starts.add(index)
            expected = number + 1
    enough = max(2, len(lines) // 12)
    return starts if 0 in starts and len(starts) >= enough else set()


def _flush(lines: Sequence[Line]) -> set[int]:
    """Returns the lines at the left edge of their column, if the others are set in."""
    starts = {
        index
        for index, line in enumerate(lines)
        if line.place.left - line.left < _FLUSH * line.place.height
    }
    return starts if 0 < len(starts) <= _MAX_FLUSH_SHARE * len(lines) else set()


def _spaced(lines: Sequence[Line]) -> set[int]:
    """Returns the lines behind a gap that is wider than others."""
    gaps = [
        (line.gap(before) if line.is_below(before) else 0.0)
        for before, line in itertools.pairwise(lines)
    ]
    usual = [gap for gap in gaps if gap > 0]
    if not usual or max(usual) < _MIN_WIDE_GAP * min(usual):
        return set()
    wide = min(usual) * _MIN_WIDE_GAP
    # Where a column begins, nothing tells but how the line before it ends.
    return {0} | {
        index
        for index, gap in enumerate(gaps, start=1)
        if gap > wide or (gap == 0.0 and ENDS_SENTENCE.search(lines[index - 1].text))
    }
