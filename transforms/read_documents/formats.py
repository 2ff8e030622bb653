"""Tells a document's format by its content and reads it.  Pure.

The suffix decides only between Markdown and plain text, which look alike.
"""

from __future__ import annotations

import codecs
import dataclasses
import hashlib
import itertools
import pathlib
import re
from typing import Protocol

from transforms.read_documents import jats, markdown, plain_text
from transforms.read_documents.decode import decode
from transforms.read_documents.errors import UnreadableDocument
from transforms.records import Document

_HEAD_BYTES = 1 << 16
_MAGIC_BYTES = 1024
_CONVERT = "convert it to text, Markdown or JATS XML"

# What a file begins with, and what it then is.
_MAGIC = (
    (b"PAR1", "is a Parquet file without the suffix .parquet: rename it"),
    (b"\x1f\x8b", "is a gzip file: decompress it"),
    (b"BZh", "is a bzip2 file: decompress it"),
    (b"\xfd7zXZ\0", "is an xz file: decompress it"),
    (b"\x28\xb5\x2f\xfd", "is a zstd file: decompress it"),
    (b"{\\rtf", f"is an RTF file; RTF is not read: {_CONVERT}"),
    (b"\xd0\xcf\x11\xe0", f"is a binary Office file; it is not read: {_CONVERT}"),
)
_PDF = re.compile(rb"\s*%PDF-")
_ZIP = b"PK\x03\x04"
_WORD = b"word/"

_MARKDOWN_SUFFIXES = frozenset([".md", ".markdown", ".mdown", ".mkd", ".rmd", ".qmd"])
_TEXT_SUFFIXES = frozenset([".txt", ".text"])
_XML_SUFFIXES = frozenset([".xml", ".nxml"])
_XML = re.compile(r"<\?xml\s|<!DOCTYPE\s|<article[\s>]")
_HTML = re.compile(r"<!doctype\s+html|<(?:html|head|body)[\s>]", re.IGNORECASE)
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
    data: bytes, *, doc_id: str, path: str, is_text: bool = False
) -> Document:
    """Reads a document in whichever format it is.

    Args:
      data: Its bytes.
      doc_id: Identifier of the document.
      path: The file it comes from.
      is_text: Whether ``data`` was a string before it was encoded as UTF-8, so that
        an encoding it declares is void.

    Returns:
      The document, with the digest of ``data``.

    Raises:
      UnreadableDocument: If the format is not read, or the document is broken.
    """
    read = detect(data, path)
    source = data
    if is_text and read is jats.read:
        source = jats.without_declaration(data)
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
    _refuse_other_formats(data)
    suffix = pathlib.PurePath(path).suffix.lower()
    head = decode(data[:_HEAD_BYTES]).lstrip()
    if _HTML.match(head):
        raise UnreadableDocument(f"is an HTML file; HTML is not read yet: {_CONVERT}")
    if _XML.match(head) or (suffix in _XML_SUFFIXES and head.startswith("<")):
        return jats.read
    if suffix in _MARKDOWN_SUFFIXES:
        return markdown.read
    if suffix not in _TEXT_SUFFIXES and _looks_like_markdown(head):
        return markdown.read
    return plain_text.read


def _refuse_other_formats(data: bytes) -> None:
    """Raises UnreadableDocument where ``data`` is in a format that is not read."""
    if _PDF.match(data[:_MAGIC_BYTES]):
        raise UnreadableDocument(f"is a PDF file; PDF is not read yet: {_CONVERT}")
    if data.startswith(_ZIP):
        if _WORD in data:
            raise UnreadableDocument(
                f"is a Word file; DOCX is not read yet: {_CONVERT}"
            )
        raise UnreadableDocument("is a zip archive: unpack it")
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
