"""Reads a file that is a bibliography and nothing else."""

from __future__ import annotations

import pathlib
import re

from transforms.read_documents.bibtex import read_bibtex
from transforms.read_documents.csl_json import read_csl_json
from transforms.read_documents.decode import decode
from transforms.read_documents.docx_sources import read_endnote_library
from transforms.read_documents.ris import is_ris, read_ris
from transforms.read_documents.xml_source import parse_xml, root_name
from transforms.records import Reference

_HEAD_CHARS = 1 << 16
_BIBTEX = re.compile(r"^[ \t]*@[ \t]*[A-Za-z]{1,40}[ \t]*[{(]", re.MULTILINE)
_BIBTEX_SUFFIXES = frozenset([".bib", ".bibtex"])
# The roots of an export of EndNote.
_ENDNOTE_ROOTS = frozenset(["xml", "records"])
_NOT_TEXT = (b"%PDF-", b"PK\x03\x04", b"\x1f\x8b", b"PAR1")


def read_bibliography(data: bytes, path: str) -> tuple[Reference, ...] | None:
    """Reads a bibliography in BibTeX, RIS, CSL-JSON or the XML of EndNote.

    Args:
      data: The file.
      path: Its name; the suffix decides only where the content does not.

    Returns:
      Its entries in order; None if it is something else, such as a manuscript.

    Raises:
      UnreadableDocument: If it is XML of EndNote, and broken.
    """
    if data.startswith(_NOT_TEXT):
        return None
    text = decode(data)
    head = text[:_HEAD_CHARS].lstrip("\ufeff \t\r\n")
    suffix = pathlib.PurePath(path).suffix.lower()
    if root_name(head) in _ENDNOTE_ROOTS and "<record" in text:
        return read_endnote_library(parse_xml(data))
    if suffix == ".ris" or (is_ris(head) and suffix != ".tex"):
        return read_ris(text)
    if suffix in _BIBTEX_SUFFIXES or (not suffix and _BIBTEX.match(head)):
        return tuple(read_bibtex(text).values())
    if suffix == ".json" and head.startswith(("[", "{")):
        return tuple(read_csl_json(text).values())
    return None
