"""Reads a manuscript in plain text.  Pure: bytes in, document out."""

from __future__ import annotations

from collections.abc import Sequence

from transforms.read_documents.decode import decode
from transforms.read_documents.headings import find_headings, is_usual, nest
from transforms.read_documents.reference_section import (
    find_reference_lists,
    is_reference_heading,
    reference_lines,
)
from transforms.records import Document

_MAX_TITLE_CHARS = 200


def read(data: bytes, *, doc_id: str, path: str) -> Document:
    """Reads plain text.

    Args:
      data: The text in any encoding that ``decode`` knows.
      doc_id: Identifier of the document.
      path: The file it comes from.

    Returns:
      The document.  Its text is the decoded text up to the reference list, so that
      offsets are those of the decoded file; what is headed as something else behind
      the list follows after a blank line.
    """
    text = decode(data)
    text, reference_text = _cut(text)
    title = _title(text)
    skip = text.index(title) + len(title) if title else 0
    return Document(
        doc_id=doc_id,
        path=path,
        text=text,
        title=title,
        sections=nest(list(find_headings(text, skip=skip)), text),
        reference_text=reference_text,
    )


def _cut(text: str) -> tuple[str, str]:
    """Returns ``text`` without its reference lists, and the lists."""
    lines = text.split("\n")
    lists = find_reference_lists(lines)
    if not lists:
        return text, ""
    kept: list[str] = []
    start = 0
    for found in (*lists, range(len(lines), len(lines))):
        part = "\n".join(lines[start : found.start]).rstrip()
        # Only the first part may begin with blank lines: its offsets count.
        kept.append(part.lstrip("\n") if start else part)
        start = found.stop
    cut = (_printed(lines[found.start : found.stop]) for found in lists)
    return "\n\n".join(part for part in kept if part.strip()), "\n\n".join(cut)


def _printed(lines: Sequence[str]) -> str:
    return "\n".join(reference_lines(lines)).strip()


def _title(text: str) -> str:
    """Returns the first line if it stands alone and is no sentence or section."""
    head = text.lstrip()[: _MAX_TITLE_CHARS + 2]
    line, newline, rest = head.partition("\n")
    title = line.strip().strip("#*_= ")
    alone = newline and (not rest or rest[0] == "\n")
    if not alone or len(title) > _MAX_TITLE_CHARS or title.endswith("."):
        return ""
    return "" if is_usual(title) or is_reference_heading(title) else title
