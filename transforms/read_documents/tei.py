"""Reads an article in TEI XML, as GROBID writes it.  Pure: bytes in, document out."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from transforms import identifiers
from transforms.read_documents.errors import UnreadableDocument
from transforms.read_documents.tei_body import find_local, flat, local_name, read_body
from transforms.read_documents.tei_references import read_references
from transforms.read_documents.xml_source import parse_xml
from transforms.records import Document

_ROOTS = frozenset(["tei", "teicorpus"])
_APPENDICES = frozenset(["annex", "appendix"])


def read(data: bytes, *, doc_id: str, path: str) -> Document:
    """Reads a TEI document.

    Args:
      data: The XML, in the encoding that it declares.
      doc_id: Identifier of the document.
      path: The file it comes from.

    Returns:
      The document: body and appendices as text, sections, the citations that point
      into its bibliography as anchors, and the bibliography as records.

    Raises:
      UnreadableDocument: If the XML is not well-formed, is not ``TEI`` with a text or
        uses entities of its own.
    """
    root = parse_xml(data)
    text = find_local(root, "text")
    if local_name(root).lower() not in _ROOTS or text is None:
        raise UnreadableDocument("is no TEI document with a text: export it again")
    references = read_references(root)
    body = read_body(_text_parts(text), frozenset(r.ref_id for r in references))
    return Document(
        doc_id=doc_id,
        path=path,
        text=body.text,
        title=_title(root),
        sections=body.sections,
        references=references,
        anchors=body.anchors,
        own_ids=_own_ids(root),
    )


def _text_parts(text: etree._Element) -> Iterator[etree._Element]:
    """Yields the body and the appendices; GROBID's training data has no body."""
    body = find_local(text, "body")
    yield text if body is None else body
    back = find_local(text, "back")
    for part in back if back is not None else ():
        if part.get("type", "").lower() in _APPENDICES:
            yield part


def _title(root: etree._Element) -> str:
    statement = find_local(root, "titleStmt")
    return flat(find_local(statement, "title")) if statement is not None else ""


def _own_ids(root: etree._Element) -> tuple[str, ...]:
    """Returns the keys of the document's own identifiers."""
    source = find_local(root, "sourceDesc")
    written = {
        element.get("type", "").lower(): flat(element)
        for element in (source.iter("{*}idno") if source is not None else ())
    }
    return identifiers.keys(
        doi=identifiers.doi(written.get("doi")),
        arxiv=identifiers.arxiv_id(written.get("arxiv")),
        pmid=identifiers.pmid(written.get("pmid")),
        pmcid=identifiers.pmcid(written.get("pmcid")),
    )
