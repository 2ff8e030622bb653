"""Tells whether a text is English.  Pure.

Claims are compared with English abstracts by their words, so a text in another
language would be graded low throughout.  The share of common English words tells
them apart: 0.11 to 0.26 in 200 articles of three publishers, next to 0 elsewhere.
"""

from __future__ import annotations

import re

# Common English words that are no words of the neighbouring languages, as "in",
# "is", "was", "of" and "we" are.
_COMMON = frozenset(
    [
        *("the", "and", "to", "that", "with", "are", "by", "this", "from", "which"),
        *("have", "were", "been", "these", "their", "but", "they", "there", "both"),
        *("than", "between", "other", "its", "not", "has", "because", "when", "such"),
    ]
)
_MIN_SHARE = 0.05
_MIN_WORDS = 50
# Enough to tell; from three places, since an abstract may be in a second language.
_SAMPLE_CHARS = 4_000
_WORD = re.compile(r"[^\W\d_]+")


def is_english(text: str) -> bool:
    """Tells whether ``text`` is English; a text of few words is given the benefit."""
    words = [word.casefold() for part in _samples(text) for word in _WORD.findall(part)]
    if len(words) < _MIN_WORDS:
        return True
    return sum(word in _COMMON for word in words) >= _MIN_SHARE * len(words)


def _samples(text: str) -> list[str]:
    if len(text) <= 3 * _SAMPLE_CHARS:
        return [text]
    starts = (0, len(text) // 2, len(text) - _SAMPLE_CHARS)
    return [text[start : start + _SAMPLE_CHARS] for start in starts]
