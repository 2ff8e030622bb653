"""Reads an article in JATS XML.  Pure: bytes in, document out."""

from __future__ import annotations

from lxml import etree

from transforms import identifiers
from transforms.read_documents.errors import UnreadableDocument
from transforms.read_documents.jats_body import flat_text, read_body
from transforms.read_documents.jats_references import read_references
from transforms.read_documents.xml_source import parse_xml
from transforms.records import Document

_PROSE_PARENTS = frozenset(["app", "sec", "boxed-text", "list-item", "disp-quote"])
_MAX_ROOT_CHARS = 40


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


def _parse(data: bytes) -> etree._Element:
    """Returns the root element of a JATS article."""
    root = parse_xml(data)
    if root.tag != "article":
        raise UnreadableDocument(
            f"is XML with the root element '{str(root.tag)[:_MAX_ROOT_CHARS]}', not a "
            "JATS 'article': convert it to JATS, Markdown or text"
        )
    return root


def _text_parts(article: etree._Element) -> list[etree._Element]:
    """Returns the body and those appendices that hold prose."""
    parts = article.findall("body")
    for appendix in article.iterfind("back//app"):
        if next(appendix.iterancestors("app"), None) is not None:
            continue  # It is part of the outer one.
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
