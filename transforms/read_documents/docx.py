"""Reads a manuscript in Word's DOCX format.  Pure: bytes in, document out."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

from lxml import etree

from transforms.read_documents.docx_body import BodyReader, read_notes
from transforms.read_documents.docx_fields import CitedWorks
from transforms.read_documents.docx_package import Package, W
from transforms.read_documents.docx_sources import read_word_sources
from transforms.read_documents.errors import UnreadableDocument
from transforms.read_documents.headings import find_headings, is_back_matter, is_usual
from transforms.read_documents.running_text import (
    PARAGRAPH_BREAK,
    Block,
    fold,
    is_title,
    part_references,
    to_body,
)
from transforms.records import Document

_TITLE = "{http://purl.org/dc/elements/1.1/}title"


def read(data: bytes, *, doc_id: str, path: str) -> Document:
    """Reads a Word file.

    Args:
      data: The file.
      doc_id: Identifier of the document.
      path: The file it comes from.

    Returns:
      The document: headings, paragraphs and list items as plain text, one a line,
      footnotes and endnotes at its end, without its reference list.  The fields of
      Zotero, Mendeley, EndNote and Word give anchors and reference records.

    Raises:
      UnreadableDocument: If the file is broken, encrypted or too large.
    """
    package = Package(data)
    works = CitedWorks(read_word_sources(package.sources()))
    reader = BodyReader(package.styles(), works)
    body = package.document().find(f"{W}body")
    if body is None:
        raise UnreadableDocument("is a Word file without a body: save it again")
    blocks, entries = reader.read(body)
    kept, headed = part_references(list(_with_levels(blocks)))
    title = reader.title or _first_title(kept)
    notes = {name: package.beside(f"{name}s") for name in ("footnote", "endnote")}
    kept.extend(read_notes(reader, notes))
    text = to_body(kept, skip=int(is_title(kept)))
    return Document(
        doc_id=doc_id,
        path=path,
        text=text.text,
        title=title or _property_title(package.properties()),
        sections=text.sections,
        references=works.references,
        reference_text=PARAGRAPH_BREAK.join(b.text for b in (*headed, *entries)),
        anchors=text.anchors,
    )


def _with_levels(blocks: Sequence[Block]) -> Iterator[Block]:
    """Yields the blocks, with a level for usual headings that have no style."""
    for block in blocks:
        if block.level or not (is_usual(block.text) or is_back_matter(block.text)):
            yield block
            continue
        heading = next(find_headings(block.text), None)
        yield dataclasses.replace(block, level=heading.level if heading else 0)


def _first_title(blocks: Sequence[Block]) -> str:
    return blocks[0].text if is_title(blocks) else ""


def _property_title(properties: etree._Element | None) -> str:
    title = None if properties is None else properties.find(_TITLE)
    return "" if title is None else fold(title.text or "")
