"""Turns the article in an HTML page into blocks of text.  Pure."""

from __future__ import annotations

import urllib.parse

from lxml import etree

from transforms.read_documents.running_text import Block, BlockWriter

_DROPPED = frozenset(
    [
        *(
            "nav",
            "header",
            "footer",
            "aside",
            "script",
            "style",
            "noscript",
            "template",
        ),
        *(
            "figure",
            "figcaption",
            "table",
            "caption",
            "img",
            "svg",
            "canvas",
            "picture",
        ),
        *("iframe", "object", "embed", "audio", "video", "form", "button", "select"),
        *("textarea", "input", "dialog", "menu", "pre", "head", "annotation"),
        *("annotation-xml", "rt", "rp", "map", "area", "hr"),
    ]
)
_DROPPED_ROLES = frozenset(
    [
        *("navigation", "banner", "contentinfo", "complementary", "search", "figure"),
        *("doc-noteref", "doc-backlink", "doc-toc", "table", "dialog", "menu"),
    ]
)
# Marks of notes in the pages of pandoc, and what screens do not show.
_DROPPED_CLASSES = frozenset(
    ["footnote-ref", "footnote-back", "visually-hidden", "sr-only", "toc"]
)
_NOTES = frozenset(["doc-footnote", "doc-endnotes"])
_INLINE = frozenset(
    [
        *(
            "a",
            "abbr",
            "acronym",
            "b",
            "bdi",
            "bdo",
            "big",
            "cite",
            "code",
            "data",
            "del",
        ),
        *("dfn", "em", "font", "i", "ins", "kbd", "label", "mark", "q", "ruby", "s"),
        *("samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u"),
        *("var", "wbr", "math", "mrow", "mi", "mo", "mn", "msub", "msup", "semantics"),
    ]
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_SECTIONING = frozenset(["nav", "header", "footer", "aside", "hr", "pre", "form"])
# An id of these names no single entry.
_CONTAINERS = frozenset(["ol", "ul", "dl", "section", "body", "article", "main"])


def read_blocks(root: etree._Element) -> list[Block]:
    """Returns the article of a page as blocks in reading order.

    An anchor covers the text of a link within the page, and its ids are the name
    that the link points to, whatever that is.

    Args:
      root: The root of the page.
    """
    writer = _Writer()
    article = _article(root)
    writer.write_content(article)
    writer.blocks.end_block()
    return writer.blocks.blocks


def _article(root: etree._Element) -> etree._Element:
    """Returns the element that holds the article and as little else as can be."""
    for element in root.iter("main"):
        return element
    for element in root.iter():
        if element.get("role") == "main":
            return element
    outer = [e for e in root.iter("article") if not _is_inside_article(e)]
    if outer:
        return max(outer, key=_text_chars)
    body = root.find("body")
    return root if body is None else body


def _is_inside_article(element: etree._Element) -> bool:
    return next(element.iterancestors("article"), None) is not None


def _text_chars(element: etree._Element) -> int:
    return sum(map(len, element.itertext()))


class _Writer:
    """Walks the tree."""

    def __init__(self) -> None:
        self.blocks = BlockWriter()
        self._items = 0

    def write(self, element: etree._Element) -> None:
        """Writes ``element`` without its tail."""
        name = element.tag
        if not isinstance(name, str):
            return
        if _is_dropped(element, name):
            self._drop(name)
        elif name == "br":
            self.blocks.add("\n")
        elif name in _INLINE:
            self._write_inline(element, name)
        else:
            self.blocks.end_block()
            self._note_id(element, name)
            outer = self.blocks.item
            if not outer and _is_item(element):
                self._items += 1
                self.blocks.item = self._items
            self.write_content(element)
            self.blocks.end_block(level=_HEADINGS.get(name, 0))
            self.blocks.item = outer

    def write_content(self, element: etree._Element) -> None:
        """Writes the text and children of ``element``."""
        self.blocks.add(element.text)
        for child in element:
            self.write(child)
            self.blocks.add(child.tail)

    def _drop(self, name: str) -> None:
        # A figure may stand within a sentence; a header stands between paragraphs.
        if name in _SECTIONING:
            self.blocks.end_block()
        elif name not in _INLINE:
            self.blocks.add(" ")

    def _write_inline(self, element: etree._Element, name: str) -> None:
        self._note_id(element, name)
        href = element.get("href", "") if name == "a" else ""
        fragment = href.rpartition("#")[2] if "#" in href else ""
        if href and not href.startswith("#"):
            self.blocks.add_link(href)
        marks = bool(fragment) and self.blocks.open_mark()
        self.write_content(element)
        if marks:
            self.blocks.close_mark([urllib.parse.unquote(fragment)])

    def _note_id(self, element: etree._Element, name: str) -> None:
        for attribute in ("id", "name"):
            written = element.get(attribute)
            if written and name not in _CONTAINERS:
                self.blocks.add_id(written)


def _is_item(element: etree._Element) -> bool:
    return (
        element.tag == "li"
        or element.get("role") == "listitem"
        or "csl-entry" in element.get("class", "").split()
    )


def _is_dropped(element: etree._Element, name: str) -> bool:
    role = element.get("role", "")
    if role in _NOTES:
        return False
    return (
        name in _DROPPED
        or role in _DROPPED_ROLES
        or element.get("hidden") is not None
        or not _DROPPED_CLASSES.isdisjoint(element.get("class", "").split())
    )
