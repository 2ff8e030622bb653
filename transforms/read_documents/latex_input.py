"""Reads the arguments of LaTeX commands.  Pure, and linear in the source."""

from __future__ import annotations

import re

_BRACES = re.compile(r"\\.|([{}])", re.DOTALL)
_BLANK = re.compile(r"[ \t]*\n?[ \t]*")
_REST = re.compile(r"\s*\Z")
_TOKEN = re.compile(r"\\(?:[A-Za-z@]+|.)|[^\s{}]", re.DOTALL)
_MAX_OPTION_CHARS = 2000


class Source:
    """One piece of source, with how far it is read.

    Args:
      text: The source.
      file: Name of the file that it is the whole of, or ``""``.

    Attributes:
      at: Offset up to which it is read.
    """

    def __init__(self, text: str, *, file: str = "") -> None:
        self.text = text
        self.file = file
        self.at = 0
        self._closing: dict[int, int] | None = None
        self._absent: set[str] = set()

    def is_done(self) -> bool:
        """Tells whether nothing but white space is left."""
        return _REST.match(self.text, self.at) is not None

    def group(self) -> str | None:
        """Reads an argument in braces, or None where there is no whole one."""
        start = self._next("{")
        if start is None or (end := self._match(start)) is None:
            return None
        self.at = end + 1
        return self.text[start + 1 : end]

    def argument(self) -> str:
        """Reads an argument: a group, or else one character or command."""
        found = self.group()
        if found is not None:
            return found
        blank = _BLANK.match(self.text, self.at)
        token = _TOKEN.match(self.text, blank.end() if blank else self.at)
        if not token:
            return ""
        self.at = token.end()
        return token[0]

    def option(self, opener: str = "[") -> str | None:
        """Reads an optional argument in brackets, or None where there is none."""
        start = self._next(opener)
        if start is None:
            return None
        closer, depth = {"[": "]", "(": ")"}[opener], 0
        end = start + _MAX_OPTION_CHARS
        if self.text.find(closer, start, end) < 0:
            return None
        for at, char in enumerate(self.text[start + 1 : end], start + 1):
            depth += (char == "{") - (char == "}")
            if char == closer and depth <= 0:
                self.at = at + 1
                return self.text[start + 1 : at]
        return None

    def open_group(self) -> bool:
        """Steps behind an opening brace, if a whole group comes next."""
        start = self._next("{")
        if start is None or self._match(start) is None:
            return False
        self.at = start + 1
        return True

    def find(self, needle: str) -> int | None:
        """Returns where ``needle`` comes next, or None; fast however often asked."""
        if needle in self._absent:
            return None
        found = self.text.find(needle, self.at)
        if found < 0:
            self._absent.add(needle)
            return None
        return found

    def _next(self, char: str) -> int | None:
        """Returns the offset of ``char`` if nothing but a line break is before it."""
        blank = _BLANK.match(self.text, self.at)
        start = blank.end() if blank else self.at
        return start if self.text.startswith(char, start) else None

    def _match(self, start: int) -> int | None:
        """Returns the offset of the brace that closes the one at ``start``."""
        if self._closing is None:
            self._closing = _match_braces(self.text)
        return self._closing.get(start)


def _match_braces(text: str) -> dict[int, int]:
    """Returns the offset of each closing brace by that of its opening one."""
    closing: dict[int, int] = {}
    open_: list[int] = []
    for match in _BRACES.finditer(text):
        if match[1] == "{":
            open_.append(match.start())
        elif match[1] and open_:
            closing[open_.pop()] = match.start()
    return closing
