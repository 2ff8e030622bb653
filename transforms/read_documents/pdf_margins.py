"""Drops running heads and feet, page numbers and line numbers of a PDF.  Pure."""

from __future__ import annotations

import collections
import itertools
import math
import re
import statistics
from collections.abc import Iterable, Iterator, Sequence

from transforms.read_documents.pdf_segments import Segment

_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"\W{0,3}(?:(?:page|p\.)\s)?(?:\d{1,5}|[ivxl]{1,7})(?:\s?(?:of|/)\s?\d{1,5})?\W{0,3}",
    re.IGNORECASE,
)
# Heads and feet are at the same height on their pages, give or take some points.
_SAME_HEIGHT_POINTS = 4.0
_MARGIN_ROWS = 3
_MIN_REPEATS = 2
_FEW_PAGES = 8
# In heights of a line of the text.
_MIN_HEAD_GAP = 2.0
_MAX_HEAD_SIZE = 0.93
# Of the characters of a line: the title of a chapter may stand beside the journal's.
_MIN_REPEATED_PART = 0.4
# A watermark stands in the text of each page.
_MIN_WATERMARK_SHARE = 0.6
_MIN_WATERMARK_PAGES = 3
_MIN_WATERMARK_CHARS = 10
_MIN_LINE_NUMBERS = 5
_MIN_RISING_SHARE = 0.8
_MAX_OUTSIDE = 2
_COLUMN_POINTS = 6.0


def drop_margins(pages: Sequence[Sequence[Segment]]) -> list[list[Segment]]:
    """Returns the segments of each page that belong to its text.

    Args:
      pages: The segments of each page, in any order.
    """
    bare = [_without_line_numbers(page) for page in pages]
    margins = [_margin_rows(page) for page in bare]
    drop = _watermarks(bare)
    repeated = _repeated(margins)
    for rows in margins:
        for number, row in enumerate(rows):
            is_edge = number in (0, len(rows) - 1)
            if _is_repeated(row, repeated) or (is_edge and _is_page_number(row)):
                drop.update(map(id, row))
        if len(pages) > 1 and _is_set_off(rows):
            drop.update(map(id, rows[0]))
    return [[segment for segment in page if id(segment) not in drop] for page in bare]


def _without_line_numbers(page: Sequence[Segment]) -> list[Segment]:
    """Returns a page without a column of rising numbers outside its text."""
    numbers = [s for s in page if s.text.isdecimal() and len(s.text) <= 4]
    if len(numbers) < _MIN_LINE_NUMBERS:
        return list(page)
    drop: set[int] = set()
    others = [s for s in page if not (s.text.isdecimal() and len(s.text) <= 4)]
    for column in _columns(numbers):
        left, right = min(s.left for s in column), max(s.right for s in column)
        before = sum(s.left < right for s in others)
        after = sum(s.right > left for s in others)
        if min(before, after) <= _MAX_OUTSIDE and _are_rising(column):
            drop.update(map(id, column))
    return [s for s in page if id(s) not in drop]


def _columns(numbers: Iterable[Segment]) -> Iterator[list[Segment]]:
    """Yields numbers by their right edge, as they are set flush with it."""
    group: list[Segment] = []
    for number in sorted(numbers, key=lambda s: s.right):
        if group and number.right - group[-1].right > _COLUMN_POINTS:
            yield group
            group = []
        group.append(number)
    yield group


def _are_rising(column: Sequence[Segment]) -> bool:
    """Tells whether numbers rise by one step from line to line down the page."""
    if len(column) < _MIN_LINE_NUMBERS:
        return False
    values = [int(s.text) for s in sorted(column, key=lambda s: -s.middle)]
    steps = collections.Counter(b - a for a, b in itertools.pairwise(values))
    step, count = steps.most_common(1)[0]
    return step > 0 and count >= _MIN_RISING_SHARE * (len(values) - 1)


def _margin_rows(page: Sequence[Segment]) -> list[list[Segment]]:
    """Returns the first and the last lines of a page, from top to bottom."""
    rows: list[list[Segment]] = []
    for segment in sorted(page, key=lambda s: -s.middle):
        if rows and segment.is_beside(rows[-1][0]):
            rows[-1].append(segment)
        else:
            rows.append([segment])
    return (
        rows
        if len(rows) <= 2 * _MARGIN_ROWS
        else [
            *rows[:_MARGIN_ROWS],
            *rows[-_MARGIN_ROWS:],
        ]
    )


def _is_page_number(row: Sequence[Segment]) -> bool:
    return len(row) == 1 and _PAGE_NUMBER.fullmatch(row[0].text) is not None


def _is_set_off(rows: Sequence[Sequence[Segment]]) -> bool:
    """Tells whether the first line is small and far from the text, as a head is.

    Where left and right pages have their own, one of a few pages has no like.
    """
    if len(rows) < 2 * _MARGIN_ROWS:
        return False
    heights = [statistics.median(s.height for s in row) for row in rows]
    gap = rows[0][0].middle - rows[1][0].middle
    text = statistics.median(heights[1:])
    return gap > _MIN_HEAD_GAP * text and heights[0] < _MAX_HEAD_SIZE * text


def _is_repeated(row: Sequence[Segment], repeated: set[int]) -> bool:
    """Tells whether a good part of a line comes back on other pages."""
    chars = sum(len(segment.text) for segment in row)
    found = sum(len(segment.text) for segment in row if id(segment) in repeated)
    return found > 0 and found >= _MIN_REPEATED_PART * chars


def _repeated(margins: Sequence[Sequence[Sequence[Segment]]]) -> set[int]:
    """Returns what comes back in the margins of several pages."""
    pages = [[segment for row in rows for segment in row] for rows in margins]
    few = _MIN_REPEATS if len(pages) <= _FEW_PAGES else _MIN_REPEATS + 1
    return _on_pages(pages, few)


def _watermarks(pages: Sequence[Sequence[Segment]]) -> set[int]:
    """Returns what comes back anywhere on most pages."""
    many = max(_MIN_WATERMARK_PAGES, math.ceil(_MIN_WATERMARK_SHARE * len(pages)))
    long = [[s for s in page if len(s.text) >= _MIN_WATERMARK_CHARS] for page in pages]
    return _on_pages(long, many)


def _on_pages(pages: Sequence[Sequence[Segment]], least: int) -> set[int]:
    """Returns the segments with the same words at one height of enough pages."""
    found: dict[str, list[tuple[int, Segment]]] = collections.defaultdict(list)
    for number, page in enumerate(pages):
        for segment in page:
            found[_DIGITS.sub("#", segment.text)].append((number, segment))
    return {
        id(segment)
        for occurrences in found.values()
        for group in _at_one_height(occurrences)
        if len({number for number, _ in group}) >= least
        for _, segment in group
    }


def _at_one_height(
    occurrences: Iterable[tuple[int, Segment]],
) -> Iterator[list[tuple[int, Segment]]]:
    group: list[tuple[int, Segment]] = []
    for occurrence in sorted(occurrences, key=lambda pair: pair[1].middle):
        if group and occurrence[1].middle - group[-1][1].middle > _SAME_HEIGHT_POINTS:
            yield group
            group = []
        group.append(occurrence)
    yield group
