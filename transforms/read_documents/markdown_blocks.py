"""Turns Markdown into blocks of plain text.  Pure.

A block is a heading, a paragraph or a list item, on one line.
"""

from __future__ import annotations

import dataclasses
import re
import unicodedata
from collections.abc import Iterable, Iterator

from markdown_it import MarkdownIt
from markdown_it.token import Token

from transforms import identifiers
from transforms.read_documents.pandoc_citations import CODE_AT

# A parse tree takes many times the memory of its source.
_MAX_CHUNK_CHARS = 1 << 17
_MAX_PIECE_CHARS = 1 << 18
_BOUNDARY = re.compile(
    r"^ {0,3}(?P<fence>`{3,}|~{3,})(?P<info>.*)$|\n\n(?=[^\W\d_]|#)", re.MULTILINE
)
_DEFINITION = re.compile(r"^ {0,3}\[[^\]\n^]{1,200}\]:[ \t]*\S.*$", re.MULTILINE)
_ATTRIBUTES = re.compile(r"\s*\{[^{}\n]{0,200}\}$")
_DIV = re.compile(r"^:{3,}.*$", re.MULTILINE)
_COMMENT, _COMMENT_END = "<!--", "-->"
_MATH = "$$"

_parser = MarkdownIt("commonmark").enable("table")


@dataclasses.dataclass(frozen=True, slots=True)
class Block:
    """A heading, paragraph or list item.

    Attributes:
      text: Plain text on one line; in code, CODE_AT stands for an at sign.
      level: Level of a heading, 1 to 6; 0 for anything else.
      links: Targets of its links that the text does not show.
    """

    text: str
    level: int = 0
    links: tuple[str, ...] = ()

    def with_links(self) -> str:
        """Returns the text with those link targets that hold an identifier."""
        telling = (link for link in self.links if identifiers.doi(link))
        return " ".join((self.text, *telling))


def read_blocks(source: str) -> Iterator[Block]:
    """Yields the blocks of running text in ``source``, in order.

    Emphasis and link targets are dropped, and so are images, code blocks, tables,
    displayed formulas, comments and HTML.  A link with no label of its own gives
    its target.

    Args:
      source: CommonMark, tables allowed, without front matter.
    """
    source = _DIV.sub("", _without_comments(source))
    definitions: dict[str, object] = {}
    if len(source) > _MAX_CHUNK_CHARS:
        # A link may be defined in another chunk than the one that uses it.
        _parser.parse("\n".join(_DEFINITION.findall(source)), definitions)
    for chunk in _chunks(source):
        yield from _blocks(_parser.parse(chunk, definitions))


def _without_comments(source: str) -> str:
    parts: list[str] = []
    start = 0
    while (opening := source.find(_COMMENT, start)) >= 0:
        closing = source.find(_COMMENT_END, opening)
        if closing < 0:
            break
        parts.append(source[start:opening])
        start = closing + len(_COMMENT_END)
    parts.append(source[start:])
    return "".join(parts)


def _chunks(source: str) -> Iterator[str]:
    """Yields the source in parts that parse alone, cut between paragraphs."""
    start, fence = 0, ""
    for match in _BOUNDARY.finditer(source) if len(source) > _MAX_CHUNK_CHARS else ():
        mark, info = match["fence"], match["info"]
        if mark and fence:
            fence = "" if mark.startswith(fence) and not info.strip() else fence
        elif mark:
            fence = "" if "`" in info else mark
        elif not fence and match.start() - start >= _MAX_CHUNK_CHARS:
            yield from _pieces(source[start : match.start()])
            start = match.start()
    yield from _pieces(source[start:])


def _pieces(chunk: str) -> Iterator[str]:
    """Yields a chunk that has no paragraphs to cut at in parts of bounded length."""
    while len(chunk) > _MAX_PIECE_CHARS:
        cut = max(chunk.rfind(space, 1, _MAX_PIECE_CHARS) for space in "\n ")
        cut = cut if cut > 0 else _MAX_PIECE_CHARS
        yield chunk[:cut]
        chunk = chunk[cut:]
    yield chunk


def _blocks(tokens: Iterable[Token]) -> Iterator[Block]:
    level = tables = 0
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            level = int(token.tag[1]) if token.nesting > 0 else 0
        elif token.type in ("table_open", "table_close"):
            tables += token.nesting
        elif token.type == "inline" and not tables:
            block = _block(token.children or (), level)
            if block.text and not _is_formula(block.text):
                yield block


def _block(children: Iterable[Token], level: int) -> Block:
    parts: list[str] = []
    links: list[str] = []
    target, label_start, has_image = "", 0, False
    for child in children:
        match child.type:
            case "text":
                parts.append(child.content)
            case "code_inline":
                parts.append(child.content.replace("@", CODE_AT))
            case "softbreak" | "hardbreak":
                parts.append(" ")
            case "html_inline" if child.content[:3].lower() == "<br":
                parts.append(" ")
            case "image":
                has_image = True
            case "link_open":
                target, label_start = str(child.attrGet("href") or ""), len(parts)
                has_image = False
            case "link_close":
                if any(part.strip() for part in parts[label_start:]):
                    links.append(target)
                elif not has_image:
                    parts.append(target)
    text = " ".join(unicodedata.normalize("NFC", "".join(parts)).split())
    text = _ATTRIBUTES.sub("", text) if level else text
    return Block(text, level, tuple(link for link in links if link not in text))


def _is_formula(text: str) -> bool:
    return (
        len(text) > 2 * len(_MATH) and text.startswith(_MATH) and text.endswith(_MATH)
    )
