"""Reads an archive of a LaTeX project as one document.  Pure."""

from __future__ import annotations

import dataclasses
import pathlib
import re
from collections.abc import Mapping

from transforms.read_documents import archives, latex
from transforms.read_documents.errors import UnreadableDocument
from transforms.read_documents.siblings import MemberSiblings
from transforms.records import Document

_TEX = frozenset([".tex", ".ltx", ".latex"])
_CLASS = re.compile(rb"^[ \t]*\\document(?:class|style)\b", re.MULTILINE)
_BEGIN = re.compile(rb"^[^%\n]*\\begin\s*\{document\}", re.MULTILINE)
_STANDALONE = re.compile(rb"\\documentclass[^\n]*\{(?:standalone|subfiles|beamer)\}")
_USUAL_NAMES = ("main", "ms", "paper", "manuscript", "article")


def read(data: bytes, *, doc_id: str, path: str) -> Document:
    """Reads a .zip or .tar.gz of a LaTeX project.

    Args:
      data: The archive.
      doc_id: Identifier of the document.
      path: The file it comes from.

    Returns:
      The document that the main file is, with the files that it inputs.

    Raises:
      UnreadableDocument: If the archive cannot be unpacked, or holds no LaTeX.
    """
    members = archives.unpack(data)
    main = _main_file(members)
    siblings = MemberSiblings(members, str(pathlib.PurePosixPath(main).parent))
    document = latex.read(members[main], doc_id=doc_id, path=main, siblings=siblings)
    return dataclasses.replace(document, path=path)


def _main_file(members: Mapping[str, bytes]) -> str:
    """Returns the path of the file that LaTeX is to be run on."""
    files = [p for p in members if pathlib.PurePosixPath(p).suffix.lower() in _TEX]
    if not files:
        raise UnreadableDocument(
            "is an archive without a .tex file: pack a LaTeX project, or unpack it"
        )
    whole = [p for p in files if _CLASS.search(members[p])]
    begun = [p for p in whole or files if _BEGIN.search(members[p])]
    return min(begun or whole or files, key=lambda p: _rank(p, members[p]))


def _rank(path: str, data: bytes) -> tuple[bool, int, bool, int, str]:
    """Orders files by how likely they are the main one, the likeliest first."""
    stem = pathlib.PurePosixPath(path).stem.lower()
    is_usual = stem in _USUAL_NAMES
    depth = path.count("/")
    return bool(_STANDALONE.search(data)), depth, not is_usual, -len(data), path
