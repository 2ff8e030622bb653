"""Finds the part of a sentence that one group of citations closes.  Pure.

"Rates fell in the cold (Ode, 2001), but rose in the warm (Ng, 2002)." makes two
claims.  A group closes what stands between the group before it and itself; the last
one also closes what is left of the sentence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from transforms.sentences import Span

# What begins a clause and is no part of what it claims.
_LEAD = re.compile(r"[\s,;:.)\]）］–—-]*(?:(?:and|but|or|while|whereas|yet)\s+)?")
_TAIL = re.compile(r"[\s,;]+(?:(?:and|but|or|while|whereas|yet)\s*)?$")
# A group that begins a clause is the subject of what follows: "Ng (2002) saw ...".
_MIN_CLAUSE_LETTERS = 12


def clause_of(text: str, sentence: Span, marker: Span, groups: Sequence[Span]) -> Span:
    """Returns the clause of ``sentence`` that the group around ``marker`` closes.

    Args:
      text: The document text.
      sentence: Span of the sentence.
      marker: Span of one marker in it.
      groups: Spans of the groups of markers in the sentence by position.

    Returns:
      A span within the sentence; all of it where it has one group.
    """
    if len(groups) < 2:
        return sentence
    at = next(i for i, group in enumerate(groups) if marker[0] < group[1])
    if _opens(text, sentence, groups):
        # Narrative citations: each opens its clause.
        start = groups[at][0] if at else sentence[0]
        end = groups[at + 1][0] if at + 1 < len(groups) else sentence[1]
    else:
        start = _behind(text, groups[at - 1]) if at else sentence[0]
        last = at + 1 == len(groups)
        end = sentence[1] if last else _behind(text, groups[at])
    return _trimmed(text, start, end, marker)


def _opens(text: str, sentence: Span, groups: Sequence[Span]) -> bool:
    """Tells whether the sentence begins with a narrative citation, not a claim."""
    before = text[sentence[0] : groups[0][0]]
    bracketed = before.rstrip().endswith(("(", "[", "（", "［"))
    return not bracketed and sum(map(str.isalpha, before)) < _MIN_CLAUSE_LETTERS


def _behind(text: str, group: Span) -> int:
    """Returns the offset behind a group and the bracket that it closes."""
    end = group[1]
    while end < len(text) and text[end] in ")]）］":
        end += 1
    return end


def _trimmed(text: str, start: int, end: int, marker: Span) -> Span:
    lead = _LEAD.match(text, start, end)
    if lead and lead.end() <= marker[0]:
        start = lead.end()
    tail = _TAIL.search(text, max(marker[1], end - 12), end)
    return start, tail.start() if tail else end
