"""Groups the citations that stand together, mostly in one bracket.  Pure."""

from __future__ import annotations

import bisect
import re
from collections.abc import Sequence

from transforms.extract_citations.markers import Marker
from transforms.sentences import Span

# Markers nearer than this, with only punctuation and cue words between, are a group.
_BETWEEN = re.compile(
    r"[\s,;:&()\[\]（）［］]*(?:(?:and|or|see|also|but|cf\.?|e\.g\.,?|in|reviewed|by|for"
    r"|as|cited)[\s,;:&()\[\]]+)*"
)


class Groups:
    """The groups of a document, each told by the ordinal of its first citation.

    Args:
      text: The document text.
      spans: Spans of all markers, distinct, by position.
      markers: All markers by position.
    """

    def __init__(
        self, text: str, spans: Sequence[Span], markers: Sequence[Marker]
    ) -> None:
        self._starts = [start for start, _ in groups_of(text, spans)]
        self._first: dict[int, int] = {}
        for ordinal, marker in enumerate(markers, start=1):
            self._first.setdefault(self._index(marker), ordinal)

    def first_ordinal(self, marker: Marker) -> int:
        """Returns the ordinal of the first citation in the group of ``marker``."""
        return self._first[self._index(marker)]

    def _index(self, marker: Marker) -> int:
        return bisect.bisect_right(self._starts, marker.start)


def groups_of(text: str, markers: Sequence[Span]) -> list[Span]:
    """Joins markers that stand together, in one bracket or side by side.

    Args:
      text: The document text.
      markers: Spans by position.

    Returns:
      The span of each group by position.
    """
    groups: list[Span] = []
    for start, end in markers:
        if groups and _BETWEEN.fullmatch(
            text, groups[-1][1], max(start, groups[-1][1])
        ):
            groups[-1] = (groups[-1][0], max(end, groups[-1][1]))
        else:
            groups.append((start, end))
    return groups
