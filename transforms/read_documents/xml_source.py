"""Parses XML that may be hostile.  Pure: bytes in, tree out.

The parser expands no entity, loads no DTD and asks no network.
"""

from __future__ import annotations

import codecs
import html.entities
import re
from typing import Any

from lxml import etree

from transforms.read_documents.errors import UnreadableDocument

_NAMED_ENTITY = re.compile(
    rb"&(?!(?:amp|lt|gt|quot|apos);)([A-Za-z][A-Za-z0-9]{1,31});"
)
_DECLARATION = re.compile(rb"\s*<\?xml\s[^<>]{0,200}\?>")

_ROOT = re.compile(r"<(?:[A-Za-z_][\w.-]{0,40}:)?([A-Za-z_][\w.-]{0,40})(?=[\s/>])")
_HTML_DOCTYPE = re.compile(r"<!doctype\s+html\b", re.IGNORECASE)
_TAIL = re.compile(r"[\s>]*")
_NOT_WELL_FORMED = (
    "is not well-formed XML: it may be cut short; repair it or export it again"
)
_REASONS = {
    etree.ErrorTypes.ERR_RESOURCE_LIMIT: "nests XML entities or elements too deeply, "
    "or has over 10 MB in one element, as hostile files do: export it again without",
    etree.ErrorTypes.ERR_ENTITY_LOOP: "has XML entities that hold themselves: "
    "replace them by their text",
    etree.ErrorTypes.ERR_UNDECLARED_ENTITY: "uses an XML entity that is not defined: "
    "replace it by its text",
}


def parse_xml(data: bytes) -> etree._Element:
    """Returns the root element of a well-formed document.

    Args:
      data: The XML, in the encoding that it declares.

    Raises:
      UnreadableDocument: If it is not well-formed, or uses entities of its own.
    """
    prepared = _prepare(data)
    try:
        root = etree.fromstring(prepared, _parser(recover=False))
    except etree.XMLSyntaxError as error:
        root = _parse_with_odd_ids(prepared, error)
    except (ValueError, LookupError):
        raise UnreadableDocument("is not XML: export it again") from None
    if _uses_own_entities(root):
        raise UnreadableDocument(
            "uses XML entities that it declares itself, which are not expanded: "
            "replace them by their text"
        )
    return root


def root_name(head: str) -> str:
    """Returns the name of the root element in lower case, or ``""`` where none begins.

    Args:
      head: The beginning of a document, without white space before it.
    """
    at = 0
    while head.startswith(("<?", "<!"), at):
        if _HTML_DOCTYPE.match(head, at):
            return "html"
        at = _prologue_end(head, at)
    name = _ROOT.match(head, at)
    return name[1].lower() if name else ""


def _prologue_end(head: str, at: int) -> int:
    """Returns where what stands before the root and begins at ``at`` ends."""
    mark = ">"
    if head.startswith("<!--", at):
        mark = "-->"
    elif head.startswith("<?", at):
        mark = "?>"
    elif 0 <= head.find("[", at) < head.find(mark, at):
        # A document type may declare entities of its own.
        mark = "]"
    end = head.find(mark, at)
    rest = _TAIL.match(head, end + len(mark)) if end >= 0 else None
    return rest.end() if rest else len(head)


def without_declaration(data: bytes) -> bytes:
    """Returns XML in UTF-8 without the declaration, which may name another."""
    return _DECLARATION.sub(b"", data.removeprefix(codecs.BOM_UTF8), count=1)


def _parser(*, recover: bool) -> etree.XMLParser:
    return etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        recover=recover,
        remove_comments=True,
        remove_pis=True,
    )


def _parse_with_odd_ids(data: bytes, error: Any) -> etree._Element:
    """Parses XML in which nothing is wrong but ``xml:id`` that are no names."""
    if error.code != etree.ErrorTypes.DTD_XMLID_VALUE:
        raise UnreadableDocument(_reason(error)) from None
    parser = _parser(recover=True)
    root: etree._Element | None = etree.fromstring(data, parser)
    broken = [e for e in parser.error_log if e.level_name == "FATAL"]
    if root is None or broken:
        raise UnreadableDocument(_NOT_WELL_FORMED)
    return root


def _prepare(data: bytes) -> bytes:
    """Returns XML in UTF-8, or as it is, with the names that HTML gives characters."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        text = data.decode("utf-16", errors="replace")
        data = without_declaration(text.encode("utf-8"))
    # White space before the XML declaration is an error that is easily made.
    data = data.removeprefix(codecs.BOM_UTF8).lstrip()
    return _NAMED_ENTITY.sub(_as_number, data)


def _reason(error: Any) -> str:
    """Says what is wrong without the parser's words, which may quote the text."""
    line, column = error.position
    return _REASONS.get(
        error.code,
        f"is not well-formed XML at line {line}, column {column}: it may be cut short; "
        "repair it or export it again",
    )


def _as_number(match: re.Match[bytes]) -> bytes:
    """Returns a named entity of HTML as character references.

    Without the DTD, which is never loaded, XML does not know the name.
    """
    text = html.entities.html5.get(match[1].decode("ascii") + ";")
    if text is None:
        return match[0]
    return "".join(f"&#{ord(char)};" for char in text).encode("ascii")


def _uses_own_entities(root: etree._Element) -> bool:
    used: list[Any] = list(root.iter(etree.Entity))
    dtd: Any = root.getroottree().docinfo.internalDTD
    if not used or dtd is None:
        return False
    own = {entity.name for entity in dtd.iterentities()}
    return any(entity.name in own for entity in used)
