"""Holds what is being read and written while LaTeX is walked.

Nothing recurses: inputs, macros and notes are pieces of source on a stack.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from transforms.read_documents.decode import decode
from transforms.read_documents.latex_citations import Note, Part
from transforms.read_documents.latex_input import Source
from transforms.read_documents.latex_macros import Macros
from transforms.read_documents.latex_source import clean
from transforms.read_documents.marked_text import MarkedText
from transforms.read_documents.siblings import Siblings

Action: TypeAlias = Callable[[], None]

_MAX_SOURCES = 100
_MAX_FILES = 200
_MAX_INPUT_CHARS = 20 << 20


class State:
    """The state of a walk.

    Args:
      siblings: The files that the document may input.
      macros: The commands that it defines.

    Attributes:
      body: Its paragraphs.
      title: Its title.
      notes: Its footnotes.
      spare: What is not printed.
      uncited: Keys that it lists without citing them.
      bibliographies: The bibliographies that it names.
      lists: The source of the reference lists that it holds.
      in_document: Whether the preamble is over.
    """

    def __init__(self, siblings: Siblings, macros: Macros) -> None:
        self.macros = macros
        self.body, self.title = MarkedText(), MarkedText()
        self.notes, self.spare = MarkedText(), MarkedText()
        self.uncited: list[str] = []
        self.bibliographies: list[str] = []
        self.lists: list[str] = []
        self.in_document = False
        self._siblings = siblings
        self._out = [self.body]
        self._stack: list[Source | Part] = []
        self._groups: list[Action | None] = []
        self._files_left = _MAX_FILES
        self._chars_left = _MAX_INPUT_CHARS

    def next_source(self) -> Source | None:
        """Returns the source to read from; what needs no reading is written."""
        while self._stack:
            top = self._stack[-1]
            if isinstance(top, Source):
                return top
            self._stack.pop()
            if isinstance(top, Note):
                self.push(top.source)
            else:
                self._out[-1].write(top)
        return None

    def write(self, text: str) -> None:
        """Writes to the open paragraph."""
        if text:
            self._out[-1].write(text)

    def end_paragraph(self, level: int = 0) -> None:
        """Ends the open paragraph, as a heading if it has a level."""
        self._out[-1].end_paragraph(level)

    def push(self, source: str) -> None:
        """Has ``source`` read next."""
        self.drop_done()
        if source and len(self._stack) < _MAX_SOURCES:
            self._stack.append(Source(source))

    def push_parts(self, parts: Iterable[Part]) -> None:
        """Has the parts of a citation written next."""
        if len(self._stack) < _MAX_SOURCES:
            self._stack.extend(reversed(list(parts)))

    def pop(self) -> None:
        """Leaves the present source."""
        self._stack.pop()

    def drop_done(self) -> Source | None:
        """Leaves macros that are read to their end; returns the source then read."""
        while len(self._stack) > 1:
            top = self._stack[-1]
            if not isinstance(top, Source) or not top.is_done():
                break
            self._stack.pop()
        last = self._stack[-1] if self._stack else None
        return last if isinstance(last, Source) else None

    def end_file(self) -> bool:
        """Leaves the present file; returns whether it was the main file."""
        while len(self._stack) > 1:
            top = self._stack.pop()
            if isinstance(top, Source) and top.file:
                return False
        self._stack.clear()
        return True

    def input(self, *names: str) -> None:
        """Has the first file of ``names`` that there is read next."""
        open_ = {part.file for part in self._stack if isinstance(part, Source)}
        for name in names if self._files_left > 0 else ():
            self._files_left -= 1
            data = self._siblings.read(name)
            if data is None:
                continue
            if name in open_:
                return
            self._chars_left -= len(data)
            if self._chars_left >= 0 and len(self._stack) < _MAX_SOURCES:
                self._stack.append(Source(clean(decode(data)), file=name))
            return

    def start_document(self) -> None:
        """Forgets what the preamble seemed to print."""
        self.in_document = True
        while self._groups:
            self.close_group()
        self._out = [self.body]
        self.body.clear()

    def open_group(self, source: Source, action: Action | None = None) -> bool:
        """Steps into an argument in braces, and has ``action`` done at its end."""
        if not source.open_group():
            return False
        self._groups.append(action)
        return True

    def open_brace(self) -> None:
        """Notes a brace that only groups."""
        self._groups.append(None)

    def close_group(self) -> None:
        """Ends the innermost group."""
        action = self._groups.pop() if self._groups else None
        if action:
            action()

    def divert(self, source: Source, text: MarkedText) -> None:
        """Has an argument in braces written to ``text``."""
        if self.open_group(source, self._end_diversion):
            self._out.append(text)

    def finish(self) -> None:
        """Ends all that is open."""
        while self._groups:
            self.close_group()
        for text in (self.body, self.title, self.notes):
            text.end_paragraph()

    def _end_diversion(self) -> None:
        self._out[-1].end_paragraph()
        if len(self._out) > 1:
            self._out.pop()
