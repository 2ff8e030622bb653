"""What the citations of one sentence have in common, worked out once.  Pure."""

from __future__ import annotations

import functools
from collections.abc import Sequence, Set

from transforms.extract_citations.claims import overlapping, strip_markers
from transforms.extract_citations.groups import groups_of
from transforms.extract_citations.named_authors import named_in
from transforms.sentences import Span

# Citations come in reading order: the sentence before is asked for again, and no more.
_KEPT = 4


class SentenceParts:
    """Looks into the sentences of one document.

    Args:
      text: The document text.
      markers: Spans of all markers, distinct, by position.
      surnames: Folded words of the family names in the reference list.
    """

    def __init__(self, text: str, markers: Sequence[Span], surnames: Set[str]) -> None:
        self._text = text
        self._markers = markers
        self._surnames = surnames
        keep = functools.lru_cache(_KEPT)
        self.unmarked = keep(self._unmarked)
        self.groups = keep(self._groups)
        self.named = keep(self._named)

    def _unmarked(self, sentence: Span) -> str:
        """Returns the sentence without its citation markers."""
        inside = overlapping(self._markers, *sentence)
        return strip_markers(self._text, sentence, inside)

    def _groups(self, sentence: Span) -> list[Span]:
        """Returns the spans of its groups of citations by position."""
        return groups_of(self._text, overlapping(self._markers, *sentence))

    def _named(self, sentence: Span) -> tuple[str, ...]:
        """Returns the listed authors that it names besides its markers, folded."""
        return named_in(self.unmarked(sentence), self._surnames)
