"""Tells a document's format by its content and reads it.  Pure.

The suffix decides only between Markdown and plain text, which look alike.
"""

from __future__ import annotations

import codecs
import dataclasses
import functools
import hashlib
import itertools
import pathlib
import re
from typing import Protocol

from transforms.read_documents import (
    archives,
    compressed,
    docx,
    html,
    jats,
    latex,
    latex_project,
    markdown,
    pdf,
    plain_text,
    tei,
)
from transforms.read_documents.decode import decode
from transforms.read_documents.errors import UnreadableDocument
from transforms.read_documents.siblings import NO_SIBLINGS, Siblings
from transforms.read_documents.xml_source import root_name, without_declaration
from transforms.records import Document

_HEAD_BYTES = 1 << 16
_MAGIC_BYTES = 1024
_CONVERT = "convert it to text, PDF or DOCX"

# What a file begins with, and what it then is.
_MAGIC = (
    (b"PAR1", "is a Parquet file without the suffix .parquet: rename it"),
    (b"\x1f\x8b", "is a gzip file within another: decompress it"),
    (b"BZh", "is a bzip2 file: decompress it"),
    (b"\xfd7zXZ\0", "is an xz file: decompress it"),
    (b"\x28\xb5\x2f\xfd", "is a zstd file: decompress it"),
    (b"{\\rtf", f"is an RTF file; RTF is not read: {_CONVERT}"),
    (b"\xd0\xcf\x11\xe0", f"is a binary Office file; it is not read: {_CONVERT}"),
)
_PDF = re.compile(rb"\s*%PDF-")
_ZIP = b"PK\x03\x04"
_WORD = b"word/document.xml"

_MARKDOWN_SUFFIXES = frozenset([".md", ".markdown", ".mdown", ".mkd", ".rmd", ".qmd"])
_TEXT_SUFFIXES = frozenset([".txt", ".text"])
_LATEX_SUFFIXES = frozenset([".tex", ".ltx", ".latex"])
_LATEX = re.compile(r"^[ \t]*\\document(?:class|style)\b", re.MULTILINE)
_LATEX_BODY = "\\begin{document}"
_XML_SUFFIXES = frozenset([".xml", ".nxml"])
_XML = re.compile(r"<\?xml\s|<!DOCTYPE\s|<article[\s>]")
_HTML_SUFFIXES = frozenset([".html", ".htm", ".xhtml"])
_HTML_ROOTS = frozenset(["html", "head", "body"])
_TEI_ROOTS = frozenset(["tei", "teicorpus"])
_ATX_HEADING = re.compile(r"^#{1,6} \S", re.MULTILINE)
_FRONT_MATTER = re.compile(r"---[ \t]*\n[\w\"'-]+[ \t]*:")
_MIN_ATX_HEADINGS = 2

_CONTROLS = bytes(set(range(1, 32)) - set(b"\t\n\v\f\r"))
_MAX_NUL_SHARE = 0.2
_MAX_CONTROL_SHARE = 0.05


class Format(Protocol):
    """Reads the documents of one format."""

    def __call__(self, data: bytes, *, doc_id: str, path: str) -> Document:
        """Reads a document.

        Raises:
          UnreadableDocument: If ``data`` makes no sense in the format.
        """
        ...


def read_document(
    data: bytes,
    *,
    doc_id: str,
    path: str,
    is_text: bool = False,
    siblings: Siblings = NO_SIBLINGS,
) -> Document:
    """Reads a document in whichever format it is.

    Args:
      data: Its bytes.
      doc_id: Identifier of the document.
      path: The file it comes from.
      is_text: Whether ``data`` was a string before it was encoded as UTF-8, so that
        an encoding it declares is void.
      siblings: The files beside it, for formats that keep a document in several.

    Returns:
      The document, with the digest of ``data``.

    Raises:
      UnreadableDocument: If the format is not read, or the document is broken.
    """
    source, name = data, path
    if compressed.is_gzip(data) and not archives.is_archive(data):
        source, name = compressed.unpack(data), compressed.inner_path(path)
    read = detect(source, name)
    if is_text and (read is jats.read or read is tei.read):
        source = without_declaration(source)
    elif is_text and read is html.read:
        source = codecs.BOM_UTF8 + source.removeprefix(codecs.BOM_UTF8)
    if read is latex.read or read is markdown.read:
        read = functools.partial(read, siblings=siblings)
    document = read(source, doc_id=doc_id, path=path)
    digest = hashlib.sha256(data).hexdigest()
    return dataclasses.replace(document, content_sha256=digest)


def detect(data: bytes, path: str) -> Format:
    """Returns the reader of the format that ``data`` is in.

    Raises:
      UnreadableDocument: If it is empty, or in a format that is not read.
    """
    if not data:
        raise UnreadableDocument("is empty: there is nothing to read")
    if data.startswith(_ZIP) and _WORD in data:
        return docx.read
    if archives.is_archive(data):
        return latex_project.read
    if _PDF.match(data[:_MAGIC_BYTES]):
        return pdf.read
    _refuse_other_formats(data)
    suffix = pathlib.PurePath(path).suffix.lower()
    head = decode(data[:_HEAD_BYTES]).lstrip()
    if read := _markup(head, suffix):
        return read
    if suffix in _MARKDOWN_SUFFIXES:
        return markdown.read
    if suffix in _LATEX_SUFFIXES or (_LATEX_BODY in head and _LATEX.search(head)):
        return latex.read
    if suffix not in _TEXT_SUFFIXES and _looks_like_markdown(head):
        return markdown.read
    return plain_text.read


def _markup(head: str, suffix: str) -> Format | None:
    """Returns the reader of a document in XML or HTML, or None for other text."""
    root = root_name(head)
    if root in _HTML_ROOTS or (suffix in _HTML_SUFFIXES and root):
        return html.read
    if root in _TEI_ROOTS:
        return tei.read
    if _XML.match(head) or (suffix in _XML_SUFFIXES and head.startswith("<")):
        return jats.read
    return None


def _refuse_other_formats(data: bytes) -> None:
    """Raises UnreadableDocument where ``data`` is in a format that is not read."""
    for magic, reason in _MAGIC:
        if data.startswith(magic):
            raise UnreadableDocument(reason)
    if _is_binary(data[:_HEAD_BYTES]):
        raise UnreadableDocument(f"is binary, not text: {_CONVERT}")


def _is_binary(head: bytes) -> bool:
    """Tells binary data from text, in which a lost ligature may have left a NUL."""
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return False
    nuls = head.count(0)
    controls = len(head) - len(head.translate(None, _CONTROLS))
    if nuls > _MAX_NUL_SHARE * len(head) or controls > _MAX_CONTROL_SHARE * len(head):
        return True
    return nuls > 0 and controls > 0 and not _is_utf_8(head)


def _is_utf_8(head: bytes) -> bool:
    try:
        # A character may be cut at the end of the head.
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return True


def _looks_like_markdown(head: str) -> bool:
    headings = itertools.islice(_ATX_HEADING.finditer(head), _MIN_ATX_HEADINGS)
    if len(list(headings)) == _MIN_ATX_HEADINGS:
        return True
    return _FRONT_MATTER.match(head) is not None
