"""Reads a manuscript in Markdown.  Pure: bytes in, document out.

CommonMark with tables, YAML front matter and footnotes.  Citation keys of pandoc
(``[@key]``) stay in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from transforms.read_documents import markdown_blocks
from transforms.read_documents.decode import decode
from transforms.read_documents.headings import Heading, is_usual, nest
from transforms.read_documents.markdown_blocks import Block
from transforms.read_documents.reference_section import (
    find_reference_lists,
    is_reference_heading,
)
from transforms.records import Document

_FRONT_MATTER = re.compile(r"---[ \t]*\n(?=(?:#.*\n)*[\w\"'-]+[ \t]*:)")
_FRONT_MATTER_END = re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE)
_TITLE = re.compile(r"^title:[ \t]*(.*(?:\n[ \t]+\S.*)*)", re.MULTILINE)
_BLOCK_SCALAR = re.compile(r"[|>][+-]?\d?[ \t]*\n")
_FOOTNOTE = re.compile(
    r"^ {0,3}\[\^[^\]\s]{1,40}\]:[ \t]*(.*(?:\n(?: {4}|\t).*)*)\n?", re.MULTILINE
)
_FOOTNOTE_MARK = re.compile(r"\[\^[^\]\s]{1,40}\](?!:)")
_PARAGRAPH_BREAK = "\n\n"


def read(data: bytes, *, doc_id: str, path: str) -> Document:
    """Reads Markdown.

    Args:
      data: The text in any encoding that ``decode`` knows.
      doc_id: Identifier of the document.
      path: The file it comes from.

    Returns:
      The document: headings, paragraphs and list items as plain text, one a line,
      footnotes at its end; no code, table, image, HTML or reference list.
    """
    title, source = _split_front_matter(decode(data))
    source, footnotes = _split_footnotes(source)
    blocks = list(markdown_blocks.read_blocks(source))
    kept, cut = _cut(blocks)
    kept.extend(markdown_blocks.read_blocks(footnotes))
    text = _PARAGRAPH_BREAK.join(block.text for block in kept)
    headings = list(_headings(kept))
    if not title and headings and _is_title(headings[0]):
        title = headings.pop(0).title
    return Document(
        doc_id=doc_id,
        path=path,
        text=text,
        title=title,
        sections=nest(headings, text),
        reference_text="\n".join(block.with_links() for block in cut),
    )


def _split_front_matter(source: str) -> tuple[str, str]:
    """Returns the title of YAML front matter, or ``""``, and the source behind it."""
    source = source.lstrip("\n")
    opening = _FRONT_MATTER.match(source)
    closing = _FRONT_MATTER_END.search(source, opening.end()) if opening else None
    if not opening or not closing:
        return "", source
    found = _TITLE.search(source, opening.end(), closing.start())
    title = _BLOCK_SCALAR.sub("", found[1]) if found else ""
    return " ".join(title.strip(" \t\n\"'").split()), source[closing.end() :]


def _split_footnotes(source: str) -> tuple[str, str]:
    """Returns the source without footnotes and their marks, and the footnotes."""
    if "[^" not in source:
        return source, ""
    notes = [match[1] for match in _FOOTNOTE.finditer(source)]
    body = _FOOTNOTE_MARK.sub("", _FOOTNOTE.sub("\n", source))
    return body, _PARAGRAPH_BREAK.join(re.sub(r"\n[ \t]+", "\n", n) for n in notes)


def _cut(blocks: Sequence[Block]) -> tuple[list[Block], list[Block]]:
    """Returns the blocks of the body, and those of the reference lists."""
    lines = [line for block in blocks for line in (block.text, "")]
    levels = {2 * at: block.level for at, block in enumerate(blocks) if block.level}
    listed: set[int] = set()
    for found in find_reference_lists(lines, levels):
        listed.update(index // 2 for index in found)
    kept = [block for at, block in enumerate(blocks) if at not in listed]
    cut = (block for at, block in enumerate(blocks) if at in listed)
    return kept, [block for block in cut if not is_reference_heading(block.text)]


def _headings(blocks: Sequence[Block]) -> Iterator[Heading]:
    start = 0
    for block in blocks:
        if block.level:
            yield Heading(block.text, start, block.level)
        start += len(block.text) + len(_PARAGRAPH_BREAK)


def _is_title(heading: Heading) -> bool:
    return heading.start == 0 and heading.level == 1 and not is_usual(heading.title)
