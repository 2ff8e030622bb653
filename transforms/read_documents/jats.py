"""Reads an article in JATS XML.  Pure: bytes in, document out.

The parser expands no entity, loads no DTD and asks no network.
"""

from __future__ import annotations

import codecs
import html.entities
import re
from typing import Any

from lxml import etree

from transforms import identifiers
from transforms.read_documents.errors import UnreadableDocument
from transforms.read_documents.jats_body import flat_text, read_body
from transforms.read_documents.jats_references import read_references
from transforms.records import Document

_NAMED_ENTITY = re.compile(
    rb"&(?!(?:amp|lt|gt|quot|apos);)([A-Za-z][A-Za-z0-9]{1,31});"
)
_DECLARATION = re.compile(rb"\s*<\?xml\s[^<>]{0,200}\?>")
_PROSE_PARENTS = frozenset(["app", "sec", "boxed-text", "list-item", "disp-quote"])
_MAX_ROOT_CHARS = 40

_REASONS = {
    etree.ErrorTypes.ERR_RESOURCE_LIMIT: "nests XML entities or elements too deeply, "
    "or has over 10 MB in one element, as hostile files do: export it again without",
    etree.ErrorTypes.ERR_ENTITY_LOOP: "has XML entities that hold themselves: "
    "replace them by their text",
    etree.ErrorTypes.ERR_UNDECLARED_ENTITY: "uses an XML entity that is not defined: "
    "replace it by its text",
}


def read(data: bytes, *, doc_id: str, path: str) -> Document:
    """Reads a JATS article.

    Args:
      data: The XML, in the encoding that it declares.
      doc_id: Identifier of the document.
      path: The file it comes from.

    Returns:
      The document: body and appendices as text, sections, citation anchors, and
      the reference list as records.

    Raises:
      UnreadableDocument: If the XML is not well-formed, is not an ``article`` or
        uses entities of its own.
    """
    article = _parse(data)
    references = read_references(article)
    body = read_body(_text_parts(article), frozenset(r.ref_id for r in references))
    meta = article.find("front/article-meta")
    title = None if meta is None else meta.find("title-group/article-title")
    return Document(
        doc_id=doc_id,
        path=path,
        text=body.text,
        title=flat_text(title),
        sections=body.sections,
        references=references,
        anchors=body.anchors,
        own_ids=_own_ids(meta),
    )


def without_declaration(data: bytes) -> bytes:
    """Returns XML in UTF-8 without the declaration, which may name another."""
    return _DECLARATION.sub(b"", data.removeprefix(codecs.BOM_UTF8), count=1)


def _parse(data: bytes) -> etree._Element:
    """Returns the root element of a well-formed JATS article."""
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        recover=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(_prepare(data), parser)
    except etree.XMLSyntaxError as error:
        raise UnreadableDocument(_reason(error)) from None
    except (ValueError, LookupError):
        raise UnreadableDocument("is not XML: export it again") from None
    if root.tag != "article":
        raise UnreadableDocument(
            f"is XML with the root element '{str(root.tag)[:_MAX_ROOT_CHARS]}', not a "
            "JATS 'article': convert it to JATS, Markdown or text"
        )
    if _uses_own_entities(root):
        raise UnreadableDocument(
            "uses XML entities that it declares itself, which are not expanded: "
            "replace them by their text"
        )
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


def _text_parts(article: etree._Element) -> list[etree._Element]:
    """Returns the body and those appendices that hold prose."""
    parts = article.findall("body")
    for appendix in article.iterfind("back//app"):
        if any(_is_prose(paragraph) for paragraph in appendix.iter("p")):
            parts.append(appendix)
    return parts


def _is_prose(paragraph: etree._Element) -> bool:
    parent = paragraph.getparent()
    return parent is not None and parent.tag in _PROSE_PARENTS


def _own_ids(meta: etree._Element | None) -> tuple[str, ...]:
    """Returns the keys of the article's own identifiers."""
    written: dict[str, str] = {}
    for element in meta.iterfind("article-id") if meta is not None else ():
        kind = element.get("pub-id-type", "").lower()
        written.setdefault(kind, flat_text(element))
    return identifiers.keys(
        doi=identifiers.doi(written.get("doi")),
        arxiv=identifiers.arxiv_id(written.get("arxiv")),
        pmid=identifiers.pmid(written.get("pmid")),
        pmcid=identifiers.pmcid(written.get("pmcid") or written.get("pmc")),
    )
