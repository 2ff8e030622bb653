"""Turns the body of a JATS article into text, sections and anchors.

Pure.  The text is what a reader takes for running text: no reference list, table,
figure, caption, displayed formula, footnote or supplement.
"""

from __future__ import annotations

import html.entities
from collections.abc import Iterable

from lxml import etree

from transforms.read_documents.running_text import (
    PARAGRAPH_BREAK,
    Body,
    fold_marked,
)
from transforms.records import Anchor, Section

# Left out with all they hold.
_DROPPED_BLOCKS = frozenset(
    [
        *("ref-list", "table-wrap", "table-wrap-group", "table"),
        *("fig", "fig-group", "graphic", "media", "chem-struct-wrap"),
        *("disp-formula", "disp-formula-group", "preformat", "code"),
        *("supplementary-material", "fn", "fn-group", "sub-article", "response"),
        *("sec-meta", "permissions", "related-article", "related-object"),
    ]
)
_DROPPED_INLINE = frozenset(
    [
        *("tex-math", "annotation", "annotation-xml", "inline-graphic", "label"),
        *("object-id", "alt-text", "long-desc", "index-term", "contrib-group"),
        *("processing-meta", "fn"),
    ]
)
_PARAGRAPHS = frozenset(
    [
        *("p", "title", "subtitle", "list-item", "term", "def", "attrib"),
        *("verse-line", "speaker", "boxed-text", "disp-quote", "list", "def-list"),
    ]
)
# Reference lists part them by style sheet.
_NAME_PARTS = frozenset(["surname", "given-names", "suffix"])
_HEADED = frozenset(["sec", "app"])
_CITING = frozenset(["bibr", "bib", "ref"])


def read_body(parts: Iterable[etree._Element], ref_ids: frozenset[str]) -> Body:
    """Reads elements such as ``body`` and ``app`` as running text.

    Args:
      parts: The elements, in reading order.
      ref_ids: Ids of the entries of the reference list.

    Returns:
      The text of all parts.  An anchor covers the text of its ``xref`` without
      outer white space; an ``xref`` without text gives none.
    """
    writer = _Writer(ref_ids)
    for part in parts:
        writer.write(part)
        writer.end_paragraph()
    return Body(
        PARAGRAPH_BREAK.join(writer.paragraphs),
        tuple(section for section in writer.sections if section.title),
        tuple(writer.anchors),
    )


def flat_text(element: etree._Element | None) -> str:
    """Returns the text of ``element`` on one line, as :func:`read_body` reads it."""
    if element is None:
        return ""
    writer = _Writer(frozenset())
    writer.write_content(element)
    writer.end_paragraph()
    return " ".join(writer.paragraphs)


class _Writer:
    """Collects paragraphs while it walks the tree."""

    def __init__(self, ref_ids: frozenset[str]) -> None:
        self.paragraphs: list[str] = []
        self.sections: list[Section] = []
        self.anchors: list[Anchor] = []
        self._ref_ids = ref_ids
        self._next_start = 0
        self._pieces: list[str] = []
        # Citations in the open paragraph: first piece, one past the last, ids.
        self._marks: list[tuple[int, int, tuple[str, ...]]] = []
        self._inside_mark = False

    def write(self, element: etree._Element) -> None:
        """Writes ``element`` without its tail."""
        tag = element.tag
        if not isinstance(tag, str):
            if tag is etree.Entity:
                self._pieces.append(character(element.name))
            return
        if "}" in tag:
            tag = tag.rpartition("}")[2]
        if tag == "xref":
            self._write_xref(element)
        elif tag in _HEADED:
            self._write_section(element)
        elif tag in _PARAGRAPHS:
            self.end_paragraph()
            self.write_content(element)
            self.end_paragraph()
        elif tag in _DROPPED_BLOCKS or tag == "break":
            # The sentence goes on behind a formula or a line break.
            self._pieces.append(" ")
        elif tag not in _DROPPED_INLINE:
            if tag in _NAME_PARTS and self._pieces and self._pieces[-1][-1:].isalnum():
                self._pieces.append(" ")
            self.write_content(element)

    def write_content(self, element: etree._Element) -> None:
        """Writes the text and children of ``element``."""
        if element.text:
            self._pieces.append(element.text)
        for child in element:
            self.write(child)
            if child.tail:
                self._pieces.append(child.tail)

    def end_paragraph(self) -> None:
        """Closes the open paragraph; one without text leaves no trace."""
        pieces, marks = self._pieces, self._marks
        if not pieces:
            return
        self._pieces, self._marks = [], []
        text, anchors = fold_marked(pieces, marks, self._next_start)
        self.anchors.extend(anchors)
        if text:
            self.paragraphs.append(text)
            self._next_start += len(text) + len(PARAGRAPH_BREAK)

    def _write_section(self, section: etree._Element) -> None:
        self.end_paragraph()
        place, start = len(self.sections), self._next_start
        before = len(self.paragraphs)
        self.sections.append(Section("", start, start))
        label, title = section.find("label"), section.find("title")
        for part in (label, title):
            if part is not None:
                self.write_content(part)
                self._pieces.append(" ")
        self.end_paragraph()
        heading = self.paragraphs[before] if len(self.paragraphs) > before else ""
        for child in section:
            if child is not title and child is not label:
                self.write(child)
        self.end_paragraph()
        end = max(start, self._next_start - len(PARAGRAPH_BREAK))
        self.sections[place] = Section(heading, start, end)

    def _write_xref(self, xref: etree._Element) -> None:
        ids = tuple(xref.get("rid", "").split())
        cites = xref.get("ref-type") in _CITING or not self._ref_ids.isdisjoint(ids)
        if not cites or self._inside_mark:
            self.write_content(xref)
            return
        pieces, self._inside_mark = self._pieces, True
        first = len(pieces)
        self.write_content(xref)
        self._inside_mark = False
        # A paragraph that ends inside an xref leaves nothing to mark.
        if pieces is self._pieces:
            self._marks.append((first, len(pieces), ids))


def character(entity: str) -> str:
    """Returns the character that HTML names ``entity``, or U+FFFD."""
    return html.entities.html5.get(f"{entity};", "\ufffd")
