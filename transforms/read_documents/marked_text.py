"""Collects running text in which citations are still keys, and prints it.  Pure."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from transforms.read_documents.citation_text import Form, Mark, print_mark
from transforms.read_documents.running_text import Block, BlockWriter
from transforms.records import Reference

Piece: TypeAlias = str | Mark

# "Ng's (2015)".
_MAX_CHARS_BETWEEN = 5
_MAX_PIECES_BETWEEN = 4


@dataclasses.dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph, or a heading.

    Attributes:
      pieces: Its text, cut at each citation.
      level: Level of a heading, from 1; 0 for anything else.
    """

    pieces: tuple[Piece, ...]
    level: int = 0


class MarkedText:
    """Collects the paragraphs of a text while it is walked."""

    def __init__(self) -> None:
        self.paragraphs: list[Paragraph] = []
        self._pieces: list[Piece] = []

    def write(self, piece: Piece) -> None:
        """Adds to the open paragraph."""
        self._pieces.append(piece)

    def clear(self) -> None:
        """Forgets all that was written."""
        self.paragraphs.clear()
        self._pieces.clear()

    def end_paragraph(self, level: int = 0) -> None:
        """Closes the open paragraph as a heading of ``level``, or as text."""
        if any(isinstance(piece, Mark) or piece.strip() for piece in self._pieces):
            self.paragraphs.append(Paragraph(tuple(self._pieces), level))
        self._pieces.clear()


def cited_keys(paragraphs: Iterable[Paragraph]) -> tuple[str, ...]:
    """Returns the keys that are cited, each once, in reading order."""
    pieces = (piece for paragraph in paragraphs for piece in paragraph.pieces)
    return tuple(dict.fromkeys(p.key for p in pieces if isinstance(p, Mark)))


def print_paragraphs(
    paragraphs: Iterable[Paragraph], references: Mapping[str, Reference]
) -> list[Block]:
    """Prints each paragraph on one line, its citations marked.

    Args:
      paragraphs: The paragraphs in reading order; one without text leaves no trace.
      references: The bibliography by key.
    """
    writer = BlockWriter()
    for paragraph in paragraphs:
        for at, piece in enumerate(paragraph.pieces):
            if isinstance(piece, str):
                writer.add(piece)
            elif _is_dated_next(paragraph.pieces, at):
                writer.add(print_mark(piece, references))
            elif writer.open_mark():
                writer.add(print_mark(piece, references))
                writer.close_mark((piece.key,))
        writer.end_block(paragraph.level)
    return writer.blocks


def _is_dated_next(pieces: Sequence[Piece], at: int) -> bool:
    """Tells whether authors and their year are two marks of one citation."""
    mark = pieces[at]
    if not isinstance(mark, Mark) or mark.form is not Form.AUTHORS:
        return False
    between = ""
    for piece in pieces[at + 1 : at + 2 + _MAX_PIECES_BETWEEN]:
        if isinstance(piece, Mark):
            return piece.key == mark.key and piece.form is Form.YEAR
        between += piece
        if len(between) > _MAX_CHARS_BETWEEN:
            break
    return False
