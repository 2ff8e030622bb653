"""Reads an article in HTML.  Pure: bytes in, document out."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Sequence

from lxml import etree

from transforms import identifiers
from transforms.read_documents.decode import decode
from transforms.read_documents.errors import UnreadableDocument
from transforms.read_documents.headings import is_usual
from transforms.read_documents.html_body import read_blocks
from transforms.read_documents.running_text import (
    Block,
    Body,
    fold,
    is_title,
    part_references,
    to_body,
)
from transforms.records import Anchor, Document

_HEAD_BYTES = 4096
_CHARSET = re.compile(rb"<meta\s[^<>]{0,300}?charset\s*=\s*[\"']?([\w.:-]{2,40})", re.I)
_DECLARED = re.compile(rb"\s*<\?xml\s[^<>]{0,100}?encoding\s*=\s*[\"']([\w.:-]{2,40})")
_XML_DECLARATION = re.compile(r"\s*<\?xml\s[^<>]{0,200}\?>")
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
# Browsers read these names as the wider encoding that holds them.
_WIDER = {"iso-8859-1": "cp1252", "latin-1": "cp1252", "us-ascii": "cp1252"}
# Where publishers name the article itself.
_OWN_NAMES = {
    "citation_doi": "doi",
    "dc.identifier": "doi",
    "citation_pmid": "pmid",
    "citation_arxiv_id": "arxiv",
}
_TITLES = frozenset(["citation_title", "dc.title"])
_RESOLVER = "https://doi.org/"


def read(data: bytes, *, doc_id: str, path: str) -> Document:
    """Reads an HTML page.

    Args:
      data: The page in the encoding that it declares, or any that ``decode`` knows.
      doc_id: Identifier of the document.
      path: The file it comes from.

    Returns:
      The document: headings, paragraphs and list items of the article as plain text,
      one a line, without its reference list; links to an item of that list are
      anchors, and entry ``n`` of ``reference_text`` is ``ref-<n>``.

    Raises:
      UnreadableDocument: If there is no HTML in ``data``.
    """
    root = _parse(_decode(data))
    kept, cut = part_references(read_blocks(root))
    entries = _whole_items(cut)
    targets = {
        name: f"ref-{number}"
        for number, entry in enumerate(entries, start=1)
        for name in entry.ids
    }
    body = to_body(kept, skip=int(is_title(kept)))
    return Document(
        doc_id=doc_id,
        path=path,
        text=body.text,
        title=_title(root, kept),
        sections=body.sections,
        reference_text="\n\n".join(map(_printed, entries)),
        anchors=tuple(_resolve(body, targets)),
        own_ids=_own_ids(root),
    )


def _decode(data: bytes) -> str:
    """Returns the page as text, without the declaration of XHTML."""
    head = data[:_HEAD_BYTES]
    declared = _CHARSET.search(head) or _DECLARED.match(head)
    text = None
    if declared and not data.startswith(_MARKS):
        name = declared[1].decode("ascii").lower()
        text = _in_encoding(data, _WIDER.get(name, name))
    return _XML_DECLARATION.sub("", text or decode(data), count=1)


def _in_encoding(data: bytes, name: str) -> str | None:
    """Returns ``data`` in a declared encoding; None where it is not in it."""
    try:
        # A page whose declaration can be read is in no encoding of two bytes.
        text = data.decode(name) if "16" not in name and "32" not in name else None
    except (LookupError, ValueError):
        return None
    # Some codecs of Python give bytes.
    return decode(text.encode("utf-8", "replace")) if isinstance(text, str) else None


def _parse(source: str) -> etree._Element:
    parser = etree.HTMLParser(
        encoding="utf-8",
        huge_tree=False,
        no_network=True,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(source.encode("utf-8", "replace"), parser)
    except (etree.XMLSyntaxError, ValueError):
        root = None
    # Behind what nests too deeply, the parser leaves out the rest of the page.
    if any(e.type_name == "ERR_RESOURCE_LIMIT" for e in parser.error_log):
        raise UnreadableDocument("nests HTML elements too deeply: export it again")
    if root is None:
        raise UnreadableDocument("has no HTML in it: export it again")
    return root


def _resolve(body: Body, targets: dict[str, str]) -> Iterator[Anchor]:
    """Yields those anchors that point to an entry of the reference list."""
    for anchor in body.anchors:
        ref_ids = tuple(targets[name] for name in anchor.ref_ids if name in targets)
        if ref_ids:
            yield Anchor(anchor.start, anchor.end, ref_ids)


def _whole_items(blocks: Sequence[Block]) -> list[Block]:
    """Returns the blocks with those joined that are of one list item."""
    whole: list[Block] = []
    for block in blocks:
        if whole and block.item and block.item == whole[-1].item:
            first = whole.pop()
            block = Block(
                f"{first.text} {block.text}",
                ids=first.ids + block.ids,
                links=first.links + block.links,
                item=block.item,
            )
        whole.append(block)
    return whole


def _printed(entry: Block) -> str:
    """Returns an entry with its DOI, which may stand in nothing but a link."""
    for link in entry.links:
        found = identifiers.doi(link) if "doi.org/" in link else None
        if found and found not in entry.text.lower():
            return f"{entry.text} {_RESOLVER}{found}"
    return entry.text


def _title(root: etree._Element, kept: Sequence[Block]) -> str:
    for meta in root.iter("meta"):
        if meta.get("name", "").lower() in _TITLES and meta.get("content"):
            return fold(meta.get("content", ""))
    if is_title(kept):
        return kept[0].text
    for name in ("h1", "title"):
        for element in root.iter(name):
            title = fold("".join(map(str, element.itertext())))
            if title and not is_usual(title):
                return title
    return ""


def _own_ids(root: etree._Element) -> tuple[str, ...]:
    """Returns the keys of the page's own identifiers."""
    written: dict[str, str] = {}
    for meta in root.iter("meta"):
        kind = _OWN_NAMES.get(meta.get("name", "").lower())
        if kind:
            written.setdefault(kind, meta.get("content", ""))
    return identifiers.keys(
        doi=identifiers.doi(written.get("doi")),
        arxiv=identifiers.arxiv_id(written.get("arxiv")),
        pmid=identifiers.pmid(written.get("pmid")),
        pmcid=None,
    )
