"""Reads a manuscript in PDF.  Pure: bytes in, document out."""

from __future__ import annotations

import collections
import itertools
import json
import threading
from collections.abc import Sequence

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_raw

from transforms.read_documents import ligatures
from transforms.read_documents.errors import UnreadableDocument
from transforms.read_documents.headings import (
    find_headings,
    is_back_matter,
    is_usual,
)
from transforms.read_documents.hyphens import Hyphens
from transforms.read_documents.pdf_layout import Line, order_lines
from transforms.read_documents.pdf_margins import drop_margins
from transforms.read_documents.pdf_paragraphs import Paragraph, build_paragraphs
from transforms.read_documents.pdf_segments import Segment, read_segments
from transforms.read_documents.running_text import (
    PARAGRAPH_BREAK,
    Block,
    fold,
    part_references,
    to_body,
)
from transforms.records import Document

_MAX_PAGES = 3000
_MAX_TEXT_PIECES = 30_000
_MIN_CHARS_A_PAGE = 40
_MIN_IMAGE_SHARE = 0.5
_MIN_TITLE_CHARS, _MAX_TITLE_CHARS = 12, 300
_REPLACED = "\ufffd"
_LOST_LIGATURES = json.dumps({"text_quality": "ligatures lost"})
_NO_TEXT_LAYER = (
    "no_text_layer: its pages are images without text; run text recognition (OCR) on "
    "it first, for example with ocrmypdf"
)
_REASONS = {
    pdfium_raw.FPDF_ERR_PASSWORD: "is encrypted: save it without its password",
    pdfium_raw.FPDF_ERR_SECURITY: "is encrypted in a way that is not known: save it "
    "without",
}
# PDFium may be in one call at a time, whatever the thread.
_pdfium_lock = threading.Lock()


def read(data: bytes, *, doc_id: str, path: str) -> Document:
    """Reads a PDF file.

    Args:
      data: The file.
      doc_id: Identifier of the document.
      path: The file it comes from.

    Returns:
      The document: paragraphs and headings in reading order, one a line, without
      running heads, page and line numbers, captions and reference list.  Where
      ligatures are lost, ``metadata`` says so.

    Raises:
      UnreadableDocument: If the file is broken, encrypted, too long or has no text.
    """
    with _pdfium_lock:
        pages = _read_pages(data)
    lines: list[Line] = []
    for number, segments in enumerate(drop_margins(pages)):
        lines.extend(order_lines(segments, number))
    paragraphs = build_paragraphs(lines)
    texts, lost = _texts(paragraphs)
    blocks = [_block(p, t) for p, t in zip(paragraphs, texts, strict=True) if t]
    title = _title(paragraphs, texts)
    kept, entries = part_references(blocks)
    body = to_body(kept)
    return Document(
        doc_id=doc_id,
        path=path,
        text=body.text,
        title=title,
        sections=tuple(s for s in body.sections if s.title != title),
        reference_text=_printed(entries),
        metadata=_LOST_LIGATURES if lost else "{}",
    )


def _read_pages(data: bytes) -> list[list[Segment]]:
    """Returns the segments of each page."""
    try:
        document = pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        reason = _REASONS.get(getattr(error, "err_code", None) or 0)
        raise UnreadableDocument(
            reason or "is a broken PDF file: save or export it again"
        ) from None
    try:
        if len(document) > _MAX_PAGES:
            raise UnreadableDocument(f"has over {_MAX_PAGES} pages: split it")
        pages = [_read_page(document, number) for number in range(len(document))]
        _require_text(document, pages)
        return pages
    finally:
        document.close()


def _read_page(document: pdfium.PdfDocument, number: int) -> list[Segment]:
    try:
        page = document[number]
        try:
            _refuse_shreds(page, number)
            text_page = page.get_textpage()
            try:
                return read_segments(text_page)
            finally:
                text_page.close()
        finally:
            page.close()
    except pdfium.PdfiumError:
        raise UnreadableDocument(
            f"has a broken page {number + 1}: save or export it again"
        ) from None


def _refuse_shreds(page: pdfium.PdfPage, number: int) -> None:
    """Raises UnreadableDocument where text is in so many pieces that PDFium hangs."""
    count = pdfium_raw.FPDFPage_CountObjects(page)
    if count <= _MAX_TEXT_PIECES:
        return
    pieces = sum(
        pdfium_raw.FPDFPageObj_GetType(pdfium_raw.FPDFPage_GetObject(page, index))
        == pdfium_raw.FPDF_PAGEOBJ_TEXT
        for index in range(count)
    )
    if pieces > _MAX_TEXT_PIECES:
        raise UnreadableDocument(
            f"has its text in over {_MAX_TEXT_PIECES} pieces on page {number + 1}: "
            "print it to PDF again"
        )


def _require_text(
    document: pdfium.PdfDocument, pages: Sequence[Sequence[Segment]]
) -> None:
    """Raises UnreadableDocument for a scan, even one with a line of text on it."""
    chars = sum(len(segment.text) for page in pages for segment in page)
    if chars and chars >= _MIN_CHARS_A_PAGE * len(pages):
        return
    if not chars or any(_is_image(document, n) for n in range(len(pages))):
        raise UnreadableDocument(_NO_TEXT_LAYER)


def _is_image(document: pdfium.PdfDocument, number: int) -> bool:
    """Tells whether an image covers most of a page."""
    page = document[number]
    try:
        for image in page.get_objects(filter=[pdfium_raw.FPDF_PAGEOBJ_IMAGE]):
            left, bottom, right, top = image.get_bounds()
            area = (right - left) * (top - bottom)
            if area > _MIN_IMAGE_SHARE * page.get_width() * page.get_height():
                return True
        return False
    finally:
        page.close()


def _texts(paragraphs: Sequence[Paragraph]) -> tuple[list[str], bool]:
    """Returns the text of each paragraph on one line, and whether letters are lost."""
    printed = [ligatures.expand(paragraph.text) for paragraph in paragraphs]
    whole = PARAGRAPH_BREAK.join(printed)
    words = Hyphens(whole)
    texts = [fold(words.mend(text).replace(_REPLACED, "")) for text in printed]
    return ligatures.mend(texts), ligatures.are_lost(whole)


def _block(paragraph: Paragraph, text: str) -> Block:
    named = is_usual(text) or is_back_matter(text)
    heading = next(find_headings(text), None) if paragraph.is_display or named else None
    return Block(
        text, level=heading.level if heading else 0, item=int(paragraph.is_wrapped)
    )


def _title(paragraphs: Sequence[Paragraph], texts: Sequence[str]) -> str:
    """Returns what is set largest on the first page, if it reads as a title."""
    sizes = collections.Counter[float]()
    for paragraph in paragraphs:
        sizes[paragraph.size] += len(paragraph.text)
    body = sizes.most_common(1)[0][0] if sizes else 0.0
    found = [
        (paragraph.size, text)
        for paragraph, text in zip(paragraphs, texts, strict=True)
        if paragraph.page == 0
        and paragraph.size > body
        and _MIN_TITLE_CHARS <= len(text) <= _MAX_TITLE_CHARS
        and not is_usual(text)
    ]
    return max(found, key=lambda pair: pair[0])[1] if found else ""


def _printed(entries: Sequence[Block]) -> str:
    """Returns a reference list, with entries parted where they could be told."""
    parts: list[str] = []
    for before, entry in itertools.pairwise([Block(""), *entries]):
        wrapped = before.item and entry.item
        parts.append(f"\n{entry.text}" if wrapped else f"\n\n{entry.text}")
    return "".join(parts).strip()
