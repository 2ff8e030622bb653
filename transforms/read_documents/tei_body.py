"""Turns the body of a TEI document into text, sections and anchors.  Pure.

GROBID's TEI comes from PDF: it may keep the line breaks of the page, with words cut
by them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from lxml import etree

from transforms.read_documents.hyphens import Hyphens
from transforms.read_documents.running_text import (
    Block,
    BlockWriter,
    Body,
    fold,
    to_body,
)
from transforms.records import Anchor

_DROPPED = frozenset(
    [
        *("figure", "figDesc", "table", "formula", "listBibl", "biblStruct", "note"),
        *("graphic", "teiHeader", "facsimile", "fw", "byline", "docTitle"),
    ]
)
# Where the sentence goes on behind what is left out.
_BLOCKS = frozenset(["p", "item", "ab", "quote", "label", "list", "div", "body", "lg"])
_CITING = frozenset(["bibr", "biblio"])
_BREAKS = frozenset(["lb", "pb", "cb"])
_NUMBER = re.compile(r"\s*(\d{1,2}(?:\.\d{1,2}){0,4})\.?(?=\s|$)")
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_WORD = re.compile(r"[^\W\d_]{3,}")
_NO_NAMES = frozenset(
    [
        *("and", "und", "see", "also", "but", "for", "the", "cited", "reviewed", "van"),
        *("von", "der", "den", "del", "della", "dos", "das", "ten", "ter", "press"),
        *("forthcoming", "submitted", "colleagues", "coworkers", "review", "example"),
    ]
)
# GROBID puts into a citation what parts it from the next one.
_OPENERS, _CLOSERS, _SEPARATORS = "([（［", ")]）］", " ,;:"


def read_body(parts: Iterable[etree._Element], ref_ids: frozenset[str]) -> Body:
    """Reads elements such as ``body`` as running text.

    Args:
      parts: The elements, in reading order.
      ref_ids: Ids of the entries of the bibliography.

    Returns:
      The text of all parts.  An anchor covers the text of a ``ref`` that points to
      an entry, without the brackets and semicolons around it.  One that points to
      none is left to the grammar, unless the grammar needs the help.
    """
    elements = list(parts)
    printed: list[str] = []

    def keep(text: str) -> str:
        printed.append(text)
        return text

    _write(elements, ref_ids, keep)
    hyphens = Hyphens("\n\n".join(printed))
    body = to_body(_write(elements, ref_ids, hyphens.mend))
    anchors = tuple(_anchors(body.text, body.anchors))
    return Body(body.text, body.sections, anchors)


def find_local(element: etree._Element, name: str) -> etree._Element | None:
    """Returns the first element called ``name`` below ``element`` in any namespace."""
    return next(element.iter(f"{{*}}{name}"), None)


def local_name(element: etree._Element) -> str:
    """Returns the name of an element without namespace; ``""`` for other nodes."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def flat(element: etree._Element | None) -> str:
    """Returns the text of ``element`` on one line."""
    return "" if element is None else fold("".join(map(str, element.itertext())))


def _write(
    parts: Iterable[etree._Element],
    ref_ids: frozenset[str],
    mend: Callable[[str], str],
) -> list[Block]:
    writer = _Writer(ref_ids, mend)
    for part in parts:
        writer.write(part)
        writer.blocks.end_block()
    return writer.blocks.blocks


class _Writer:
    """Walks the tree."""

    def __init__(self, ref_ids: frozenset[str], mend: Callable[[str], str]) -> None:
        self.blocks = BlockWriter(mend)
        self._ref_ids = ref_ids

    def write(self, element: etree._Element) -> None:
        """Writes ``element`` without its tail."""
        name = local_name(element)
        if name in _BREAKS:
            self.blocks.add("\n")
        elif name in _DROPPED or not name:
            self.blocks.add(" ")
        elif name == "head":
            self.blocks.end_block()
            number = element.get("n", "")
            self.blocks.add(f"{number} " if number else "")
            self._write_content(element)
            self.blocks.end_block(level=_level(number or flat(element)))
        elif name in _BLOCKS:
            self.blocks.end_block()
            self._write_content(element)
            self.blocks.end_block()
        else:
            self._write_inline(element, name)

    def _write_inline(self, element: etree._Element, name: str) -> None:
        cites = name == "ref" and element.get("type") in _CITING
        marks = cites and self.blocks.open_mark()
        self._write_content(element)
        if marks:
            ids = (target.lstrip("#") for target in element.get("target", "").split())
            self.blocks.close_mark(i for i in ids if i in self._ref_ids)

    def _write_content(self, element: etree._Element) -> None:
        self.blocks.add(element.text)
        for child in element:
            self.write(child)
            self.blocks.add(child.tail)


def _level(title: str) -> int:
    """Returns the level of a heading by its number, 1 where it has none."""
    number = _NUMBER.match(title)
    return number[1].count(".") + 1 if number else 1


def _anchors(text: str, marked: Iterable[Anchor]) -> Iterator[Anchor]:
    """Yields the anchors that point to an entry or name nobody with a capital."""
    for anchor in marked:
        parts = [anchor] if anchor.ref_ids else _parts(text, anchor)
        for part in parts:
            bare = _bare(text, part)
            if bare and (bare.ref_ids or _hides_names(text[bare.start : bare.end])):
                yield bare


def _parts(text: str, anchor: Anchor) -> Iterator[Anchor]:
    start = anchor.start
    for written in text[anchor.start : anchor.end].split(";"):
        yield Anchor(start, start + len(written), anchor.ref_ids)
        start += len(written) + 1


def _hides_names(written: str) -> bool:
    """Tells a citation whose names lost their capitals, as small caps may."""
    if not _YEAR.search(written):
        return False
    words = _WORD.findall(written)
    return any(word.islower() and word not in _NO_NAMES for word in words)


def _bare(text: str, anchor: Anchor) -> Anchor | None:
    """Returns an anchor without outer punctuation, or None where nothing is left."""
    start, end = anchor.start, anchor.end
    opened = sum(text.count(bracket, start, end) for bracket in _OPENERS)
    closed = sum(text.count(bracket, start, end) for bracket in _CLOSERS)
    while start < end:
        first, last = text[start], text[end - 1]
        wrapped = opened == closed == 1 and last in _CLOSERS
        if first in _SEPARATORS or (first in _OPENERS and (opened > closed or wrapped)):
            start += 1
            opened -= first in _OPENERS
        elif last in _SEPARATORS or (last in _CLOSERS and closed > opened):
            end -= 1
            closed -= last in _CLOSERS
        else:
            return Anchor(start, end, anchor.ref_ids)
    return None
