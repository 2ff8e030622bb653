"""Puts the segments of a PDF page in reading order, in one column or more.  Pure."""

from __future__ import annotations

import bisect
import dataclasses
import itertools
from collections.abc import Iterable, Sequence

from transforms.read_documents.pdf_segments import Segment

# A column begins where many segments do; edges within this many points are one.
_EDGE_POINTS = 3.0
_MIN_COLUMN_LINES = 5
_MIN_COLUMN_SHARE = 0.1
# Of the width of the text: what the narrowest column takes.
_MIN_COLUMN_WIDTH = 0.2
_MAX_CROSSED_SHARE = 0.5
_MIN_GUTTER_POINTS = 4.0
_RECENT_ROWS = 6
_MAX_LOOK = 40
# Shares of the lines of a column that may stand out at its left and its right.
_LEFT_OUTLIERS, _RIGHT_OUTLIERS = 0.05, 0.1
# Of the height of a line: how much lines of one size differ.
MAX_SIZE_CHANGE = 0.12
# In em: a gap that parts words.
_MIN_SPACE = 0.12


@dataclasses.dataclass(frozen=True, slots=True)
class Line:
    """A line of text in reading order.

    Attributes:
      place: The line itself: its text with its box.
      page: Number of its page, from 0.
      column: Number of its column on the page; -1 across columns.
      left: Left edge of the column.
      right: Right edge of the column.
    """

    place: Segment
    page: int
    column: int
    left: float
    right: float

    @property
    def text(self) -> str:
        """The words of the line."""
        return self.place.text

    def is_below(self, before: Line) -> bool:
        """Tells whether it is further down the same column."""
        same = (before.page, before.column) == (self.page, self.column)
        return same and self.place.middle < before.place.middle

    def gap(self, before: Line) -> float:
        """Returns how far it is below another line, in heights of that line."""
        return (before.place.middle - self.place.middle) / before.place.height

    def changes_size(self, before: Line) -> bool:
        """Tells whether it is set in clearly another size."""
        sizes = before.place.height, self.place.height
        return max(sizes) > min(sizes) * (1 + MAX_SIZE_CHANGE)


def order_lines(segments: Sequence[Segment], page: int) -> list[Line]:
    """Returns the lines of a page in reading order.

    What crosses columns parts what stands above it from what stands below; between
    two such lines a column is read after the one at its left.

    Args:
      segments: The segments of the page.
      page: Number of the page.
    """
    if not segments:
        return []
    gutters = _find_gutters(segments)
    rows = _join_rows(segments, gutters)
    placed = [(_column(row, gutters), row) for row in rows]
    bounds = _bounds(placed)
    return [
        Line(row, page, column, *bounds[column]) for column, row in _in_order(placed)
    ]


def _find_gutters(segments: Sequence[Segment]) -> list[float]:
    """Returns where columns but the first begin, from left to right."""
    left = min(s.left for s in segments)
    width = max(s.right for s in segments) - left
    enough = max(_MIN_COLUMN_LINES, int(_MIN_COLUMN_SHARE * len(segments)))
    found: list[float] = []
    for group in _aligned(segments):
        edge = min(s.left for s in group)
        before = found[-1] if found else left
        if (
            len(group) >= enough
            and edge - before >= _MIN_COLUMN_WIDTH * width
            and left + width - edge >= _MIN_COLUMN_WIDTH * width
            and _parts_text(edge, group, segments)
        ):
            found.append(edge)
    return found


def _aligned(segments: Sequence[Segment]) -> Iterable[list[Segment]]:
    """Yields segments by common left edge, from left to right."""
    group: list[Segment] = []
    for segment in sorted(segments, key=lambda s: s.left):
        if group and segment.left - group[0].left > _EDGE_POINTS:
            yield group
            group = []
        group.append(segment)
    yield group


def _parts_text(
    edge: float, group: Sequence[Segment], segments: Sequence[Segment]
) -> bool:
    """Tells whether text stands at the left of ``edge``, and little across it."""
    low = min(s.bottom for s in group)
    high = max(s.top for s in group)
    beside = [s for s in segments if low <= s.middle <= high]
    across = sum(s.left < edge - _EDGE_POINTS < s.right for s in beside)
    before = sum(s.right <= edge - _EDGE_POINTS for s in beside)
    after = sum(s.left >= edge - _EDGE_POINTS for s in beside)
    return before >= _MIN_COLUMN_LINES and across <= _MAX_CROSSED_SHARE * min(
        before + across, after + across
    )


def _join_rows(segments: Sequence[Segment], gutters: Sequence[float]) -> list[Segment]:
    """Joins segments of one line that no gutter parts."""
    rows: list[list[Segment]] = []
    for segment in sorted(segments, key=lambda s: (-s.middle, s.left)):
        # A superscript may sort before the line that it belongs to.
        recent = rows[-_RECENT_ROWS:]
        row = [segment]
        for other in recent:
            some = other[:_MAX_LOOK]
            if any(_are_one_row(segment, member, gutters) for member in some):
                row.extend(other)
                rows.remove(other)
        rows.append(row)
    joined: list[Segment] = []
    for row in rows:
        joined.extend(_join_row(sorted(row, key=lambda s: s.left), gutters))
    return joined


def _are_one_row(one: Segment, other: Segment, gutters: Sequence[float]) -> bool:
    # Lines of two columns need not stand at one height.
    first, second = sorted((one, other), key=lambda s: s.left)
    return one.is_beside(other) and not _is_parted(first, second, gutters)


def _join_row(row: Sequence[Segment], gutters: Sequence[float]) -> list[Segment]:
    joined = [row[0]]
    for segment in row[1:]:
        before = joined[-1]
        if _is_parted(before, segment, gutters):
            joined.append(segment)
        else:
            joined[-1] = _join(before, segment)
    return joined


def _is_parted(before: Segment, after: Segment, gutters: Sequence[float]) -> bool:
    """Tells whether a gutter lies in the gap between two segments of a line."""
    return any(
        before.right <= gutter + _EDGE_POINTS
        and after.left >= gutter - _EDGE_POINTS
        and after.left - before.right >= _MIN_GUTTER_POINTS
        for gutter in gutters
    )


def _join(before: Segment, after: Segment) -> Segment:
    size = max(before.height, after.height)
    space = " " if after.left - before.right > _MIN_SPACE * size else ""
    longer = before if len(before.text) >= len(after.text) else after
    return Segment(
        left=min(before.left, after.left),
        right=max(before.right, after.right),
        bottom=longer.bottom,
        top=longer.top,
        text=f"{before.text}{space}{after.text}",
        bold=before.bold and after.bold,
    )


def _column(row: Segment, gutters: Sequence[float]) -> int:
    """Returns the column of a line, -1 where it crosses columns."""
    first = bisect.bisect_right(gutters, row.left + _EDGE_POINTS)
    last = bisect.bisect_right(gutters, row.right - _EDGE_POINTS)
    return first if first == last else -1


def _bounds(placed: Iterable[tuple[int, Segment]]) -> dict[int, tuple[float, float]]:
    """Returns the left and right edge of each column, without outliers."""
    bounds: dict[int, tuple[float, float]] = {}
    ordered = sorted(placed, key=lambda pair: pair[0])
    for column, group in itertools.groupby(ordered, key=lambda pair: pair[0]):
        rows = [row for _, row in group]
        lefts, rights = sorted(r.left for r in rows), sorted(r.right for r in rows)
        first = int(_LEFT_OUTLIERS * len(rows))
        last = int((1 - _RIGHT_OUTLIERS) * (len(rows) - 1))
        bounds[column] = lefts[first], rights[last]
    return bounds


def _in_order(placed: Sequence[tuple[int, Segment]]) -> list[tuple[int, Segment]]:
    """Returns lines from top to bottom, column after column between full lines."""
    ordered: list[tuple[int, Segment]] = []
    waiting: list[tuple[int, Segment]] = []
    for column, row in sorted(placed, key=lambda pair: -pair[1].middle):
        if column >= 0:
            waiting.append((column, row))
            continue
        ordered.extend(sorted(waiting, key=lambda pair: pair[0]))
        waiting = []
        ordered.append((column, row))
    return [*ordered, *sorted(waiting, key=lambda pair: pair[0])]
