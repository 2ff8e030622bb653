"""Reads a manuscript in Markdown.  Pure but for the files beside it.

CommonMark with tables, YAML front matter and footnotes.  Citation keys of pandoc
(``[@key]``) are printed as author and year where a bibliography has them; others stay
in the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from transforms.read_documents import (
    markdown_blocks,
    markdown_citations,
    pandoc_citations,
)
from transforms.read_documents.decode import decode
from transforms.read_documents.markdown_blocks import Block
from transforms.read_documents.reference_section import (
    find_reference_lists,
    is_reference_heading,
)
from transforms.read_documents.running_text import is_title, to_body
from transforms.read_documents.siblings import NO_SIBLINGS, Siblings
from transforms.records import Document

_FRONT_MATTER = re.compile(r"---[ \t]*\n(?=(?:#.*\n)*[\w\"'-]+[ \t]*:)")
_FRONT_MATTER_END = re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE)
_TITLE = re.compile(r"^title:[ \t]*(.*(?:\n[ \t]+\S.*)*)", re.MULTILINE)
_BIBLIOGRAPHY = re.compile(
    r"^bibliography:(.*(?:\n(?:[ \t]*-[ \t]|[ \t]+\S).*)*)", re.MULTILINE
)
_FILE = re.compile(r"[^\s,\[\]\"']+\.(?:bib|json)\b")
_BLOCK_SCALAR = re.compile(r"[|>][+-]?\d?[ \t]*\n")
_FOOTNOTE = re.compile(
    r"^ {0,3}\[\^[^\]\s]{1,40}\]:[ \t]*(.*(?:\n(?: {4}|\t).*)*)\n?", re.MULTILINE
)
_FOOTNOTE_MARK = re.compile(r"\[\^[^\]\s]{1,40}\](?!:)")
_PARAGRAPH_BREAK = "\n\n"


def read(
    data: bytes, *, doc_id: str, path: str, siblings: Siblings = NO_SIBLINGS
) -> Document:
    """Reads Markdown.

    Args:
      data: The text in any encoding that ``decode`` knows.
      doc_id: Identifier of the document.
      path: The file it comes from.
      siblings: The files beside it: its bibliography.

    Returns:
      The document: headings, paragraphs and list items as plain text, one a line,
      footnotes at its end; no code, table, image, HTML or reference list.  There is
      an anchor for each key that cites, and a reference for each that is known.
    """
    matter, source = _split_front_matter(decode(data))
    source, aliases = pandoc_citations.read_definitions(source)
    source, footnotes = _split_footnotes(source)
    kept, cut = _cut(list(markdown_blocks.read_blocks(source)))
    kept.extend(markdown_blocks.read_blocks(footnotes))
    bibliography = markdown_citations.find(
        [block.text for block in kept], _bibliographies(matter), aliases, siblings
    )
    blocks = bibliography.mark((block.text, block.level) for block in kept)
    title = _title(matter)
    is_headed = not title and is_title(blocks)
    body = to_body(blocks, skip=int(is_headed))
    return Document(
        doc_id=doc_id,
        path=path,
        text=body.text,
        title=blocks[0].text if is_headed else title,
        sections=body.sections,
        references=bibliography.cited(body.anchors),
        reference_text="\n".join(
            block.with_links().replace(pandoc_citations.CODE_AT, "@") for block in cut
        ),
        anchors=body.anchors,
    )


def _split_front_matter(source: str) -> tuple[str, str]:
    """Returns YAML front matter, or ``""``, and the source behind it."""
    source = source.lstrip("\n")
    opening = _FRONT_MATTER.match(source)
    closing = _FRONT_MATTER_END.search(source, opening.end()) if opening else None
    if not opening or not closing:
        return "", source
    return source[opening.end() : closing.start()], source[closing.end() :]


def _title(matter: str) -> str:
    found = _TITLE.search(matter)
    title = _BLOCK_SCALAR.sub("", found[1]) if found else ""
    return " ".join(title.strip(" \t\n\"'").split())


def _bibliographies(matter: str) -> list[str]:
    """Returns the bibliographies that front matter names, in one line or in a list."""
    found = _BIBLIOGRAPHY.search(matter)
    return _FILE.findall(found[1]) if found else []


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
