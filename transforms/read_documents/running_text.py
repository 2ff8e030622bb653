"""Builds running text from the pieces that markup gives, with what is marked in it.

Pure.  A block is a heading, a paragraph or a list item, on one line; a mark is a
citation that the format itself marks.
"""

from __future__ import annotations

import dataclasses
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence

from transforms.read_documents.headings import Heading, is_usual, nest
from transforms.read_documents.reference_section import (
    find_reference_lists,
    is_reference_heading,
)
from transforms.records import Anchor, Section

PARAGRAPH_BREAK = "\n\n"

# No-break and thin spaces too: typesetting, not text.
_SPACE = re.compile(r"\s+")
# First piece, one past the last, and ids.
_Mark = tuple[int, int, tuple[str, ...]]


@dataclasses.dataclass(frozen=True, slots=True)
class Block:
    """A heading, paragraph or list item.

    Attributes:
      text: Its text on one line.
      level: Level of a heading, from 1; 0 for anything else.
      anchors: The marked citations in it; offsets are those in ``text``.
      ids: What links in the document call it, where the format has such ids.
      links: Targets of its links to elsewhere.
      item: Number of the list item that it is in or part of; 0 outside lists.
    """

    text: str
    level: int = 0
    anchors: tuple[Anchor, ...] = ()
    ids: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    item: int = 0


@dataclasses.dataclass(frozen=True, slots=True)
class Body:
    """Running text with what is marked in it.

    Attributes:
      text: Headings and paragraphs, parted by a blank line; NFC.
      sections: Headed parts in reading order.
      anchors: Citations of the reference list, by position.
    """

    text: str
    sections: tuple[Section, ...]
    anchors: tuple[Anchor, ...]


class BlockWriter:
    """Collects blocks from pieces of text.

    Args:
      mend: Repairs the text of a block, or of a part between marks, before its white
        space is folded.
    """

    def __init__(self, mend: Callable[[str], str] = str) -> None:
        self.blocks: list[Block] = []
        self.item = 0
        self._mend = mend
        self._pieces: list[str] = []
        self._marks: list[_Mark] = []
        self._ids: list[str] = []
        self._links: list[str] = []
        self._opened: int | None = None

    @property
    def is_open(self) -> bool:
        """Whether the open block has text so far."""
        return any(piece.strip() for piece in self._pieces)

    def add(self, text: str | None) -> None:
        """Adds a piece of text to the open block."""
        if text:
            self._pieces.append(text)

    def add_id(self, name: str) -> None:
        """Says what links call the block that is open or comes next."""
        self._ids.append(name)

    def add_link(self, target: str) -> None:
        """Says where a link in the open block leads."""
        self._links.append(target)

    def open_mark(self) -> bool:
        """Begins a marked citation; False where one is open already."""
        if self._opened is not None:
            return False
        self._opened = len(self._pieces)
        return True

    def close_mark(self, ref_ids: Iterable[str]) -> None:
        """Ends a marked citation; one that a paragraph ended in marks nothing."""
        if self._opened is not None:
            self._marks.append((self._opened, len(self._pieces), tuple(ref_ids)))
        self._opened = None

    def end_block(self, level: int = 0) -> None:
        """Closes the open block; one without text leaves no trace but its ids."""
        pieces, marks = self._pieces, self._marks
        links, self._links = tuple(self._links), []
        self._pieces, self._marks, self._opened = [], [], None
        text, anchors = fold_marked(pieces, marks, 0, self._mend)
        if text:
            ids, self._ids = tuple(self._ids), []
            block = Block(text, level, tuple(anchors), ids, links, self.item)
            self.blocks.append(block)


def to_body(blocks: Sequence[Block], *, skip: int = 0) -> Body:
    """Returns the text of ``blocks`` with its sections and anchors.

    Args:
      blocks: The blocks in reading order.
      skip: How many blocks at the beginning open no section.
    """
    text = PARAGRAPH_BREAK.join(block.text for block in blocks)
    headings: list[Heading] = []
    anchors: list[Anchor] = []
    start = 0
    for number, block in enumerate(blocks):
        if block.level and number >= skip:
            headings.append(Heading(block.text, start, block.level))
        for anchor in block.anchors:
            low, high = start + anchor.start, start + anchor.end
            anchors.append(Anchor(low, high, anchor.ref_ids))
        start += len(block.text) + len(PARAGRAPH_BREAK)
    return Body(text, nest(headings, text), tuple(anchors))


def part_references(blocks: Sequence[Block]) -> tuple[list[Block], list[Block]]:
    """Returns the blocks of the body, and the entries of the reference lists."""
    lines = [line for block in blocks for line in (block.text, "")]
    levels = {2 * at: block.level for at, block in enumerate(blocks) if block.level}
    listed: set[int] = set()
    for found in find_reference_lists(lines, levels):
        listed.update(index // 2 for index in found)
    kept = [block for at, block in enumerate(blocks) if at not in listed]
    cut = (block for at, block in enumerate(blocks) if at in listed)
    return kept, [b for b in cut if not b.level and not is_reference_heading(b.text)]


def is_title(blocks: Sequence[Block]) -> bool:
    """Tells whether the first block heads the whole document."""
    return bool(blocks) and blocks[0].level == 1 and not is_usual(blocks[0].text)


def fold(text: str) -> str:
    """Returns ``text`` in NFC on one line, white space folded to single spaces."""
    return unicodedata.normalize("NFC", " ".join(text.split()))


def fold_marked(
    pieces: Sequence[str],
    marks: Sequence[_Mark],
    start: int,
    mend: Callable[[str], str] = str,
) -> tuple[str, list[Anchor]]:
    """Folds a paragraph and finds where its marks end up.

    Args:
      pieces: The text of the paragraph, cut at least at each mark.
      marks: First piece, one past the last and ids of each mark, in order.
      start: Offset of the paragraph in the text.
      mend: Repairs the text of a part before it is folded.

    Returns:
      The folded text, and an anchor for each mark with text.
    """
    if not marks:
        return fold(mend("".join(pieces))), []
    folded: list[str] = []
    anchors: list[Anchor] = []
    length, after_space = 0, True
    for begin, end, ref_ids in _parts(len(pieces), marks):
        part = _SPACE.sub(" ", mend("".join(pieces[begin:end])))
        part = part.lstrip(" ") if after_space else part
        part = unicodedata.normalize("NFC", part)
        if not part:
            continue
        bare = part.strip(" ")
        if bare and ref_ids is not None:
            at = start + length + part.index(bare)
            anchors.append(Anchor(at, at + len(bare), ref_ids))
        folded.append(part)
        length, after_space = length + len(part), part[-1] == " "
    return "".join(folded).rstrip(" "), anchors


def _parts(
    size: int, marks: Sequence[_Mark]
) -> Iterator[tuple[int, int, tuple[str, ...] | None]]:
    """Yields the runs of pieces between and in the marks; the former have no ids."""
    done = 0
    for first, last, ids in marks:
        yield done, first, None
        yield first, last, ids
        done = last
    yield done, size, None
