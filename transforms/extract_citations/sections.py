"""Finds the sections around a citation.  Pure."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from transforms.records import Section


class SectionFinder:
    """Finds the sections around offsets that come in rising order.

    Args:
      sections: The sections of a document, in any order.
    """

    def __init__(self, sections: Iterable[Section]) -> None:
        self._coming = deque(sorted(sections, key=lambda section: section.start))
        self._open: deque[Section] = deque()

    def titles_at(self, offset: int) -> tuple[str, str]:
        """Returns the innermost and the outermost heading around ``offset``."""
        while self._coming and self._coming[0].start <= offset:
            self._open.append(self._coming.popleft())
        # What has ended will not come back.
        while self._open and self._open[-1].end <= offset:
            self._open.pop()
        while self._open and self._open[0].end <= offset:
            self._open.popleft()
        if not self._open:
            return "", ""
        return self._open[-1].title, self._open[0].title
