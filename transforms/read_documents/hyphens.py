"""Joins words that a line break has cut.  Pure.

A hyphen at a line end may be the typesetter's or the word's own.  The rest of the
document tells which, wherever it has the word on one line.
"""

from __future__ import annotations

import collections
import re

_HYPHENS = "\\-\u00ad\u2010\u2011"
_BROKEN = re.compile(
    rf"(?<![\w/{_HYPHENS}])(\w+(?:[{_HYPHENS}]\w+)*)[{_HYPHENS}][ \t\f\v]*\n\s*"
    rf"(\w+(?:[{_HYPHENS}]\w+)*)"
)
_WORD = re.compile(rf"(?<![\w{_HYPHENS}])[^\W\d_]\w*(?:[{_HYPHENS}]\w+)*")
_HYPHEN = re.compile(rf"[{_HYPHENS}]")
# What seldom begins a word without a hyphen behind it.
_PREFIXES = frozenset(
    [
        *("self", "well", "ill", "half", "cross", "high", "low", "long", "short"),
        *("quasi", "ex", "all", "double", "single", "two", "three", "four", "five"),
        *("six", "large", "small", "state", "open", "fine", "age", "time", "real"),
    ]
)
# "High- and low-lying": what follows is no part of the word.
_CONJUNCTIONS = frozenset(
    ["and", "or", "to", "vs", "versus", "und", "oder", "bis", "et"]
)
_OF_SERIES = ("-of", "-the", "-to", "-and", "-by", "-in", "-a")
_ADDRESS = ("://", "doi.org/", "www.")
_ADDRESS_JOINTS = ("/", "_", "=", "-", "&", "?")
_MIN_PART_CHARS = 4
_MIN_PART_COUNT = 2


class Hyphens:
    """Knows the words of one document that stand on one line.

    Args:
      text: The whole document with its line breaks.
    """

    def __init__(self, text: str) -> None:
        # The halves of broken words are no words.
        whole = _BROKEN.sub(" ", text)
        self._words = collections.Counter(
            _HYPHEN.sub("-", word.group()).casefold() for word in _WORD.finditer(whole)
        )

    def count(self, word: str) -> int:
        """Returns how often ``word`` stands in the document on one line."""
        return self._words[word.casefold()]

    def mend(self, text: str) -> str:
        """Returns ``text`` with the words joined that its line breaks cut."""
        if "\n" not in text:
            return text
        whole = _BROKEN.sub(lambda m: self.join(m[1], m[2]), text)
        first, *lines = whole.split("\n")
        parts = [first]
        for line in lines:
            if not _breaks_address(parts[-1]):
                parts.append("\n")
            parts.append(line)
        return "".join(parts)

    def join(self, first: str, second: str) -> str:
        """Returns the word of which ``first`` ends a line and ``second`` begins one."""
        if second in _CONJUNCTIONS:
            return f"{first}- {second}"
        with_hyphen = f"{first}-{second}"
        return with_hyphen if self._keeps_hyphen(first, second) else first + second

    def _keeps_hyphen(self, first: str, second: str) -> bool:
        """Tells whether the hyphen belongs to the word."""
        bare = _HYPHEN.sub("-", second)
        joined, hyphenated = self.count(first + bare), self.count(f"{first}-{bare}")
        if joined or hyphenated:
            return hyphenated > joined
        if not second[0].islower() or not first[1:].islower():
            return True
        if first.casefold() in _PREFIXES or first.endswith(_OF_SERIES):
            return True
        return all(
            len(part) >= _MIN_PART_CHARS and self.count(part) >= _MIN_PART_COUNT
            for part in (first, second)
        )


def _breaks_address(line: str) -> bool:
    """Tells whether a line ends within a link or DOI."""
    if not line.endswith(_ADDRESS_JOINTS):
        return False
    last = line[line.rfind(" ") + 1 :]
    return last.startswith("10.") or any(mark in last for mark in _ADDRESS)
