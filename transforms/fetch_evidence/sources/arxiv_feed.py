"""Reads the Atom feeds of arXiv.  Pure; no entity is resolved, nothing is fetched."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from lxml import etree

from transforms import identifiers
from transforms.fetch_evidence.abstracts import clean_abstract, plain_text
from transforms.fetch_evidence.sources.base import MalformedAnswer
from transforms.fetch_evidence.sources.fields import whole
from transforms.records import Work

NAME = "arxiv"

_ATOM = "{http://www.w3.org/2005/Atom}"
_ARXIV = "{http://arxiv.org/schemas/atom}"
_ERROR = "/errors#"


@dataclasses.dataclass(frozen=True, slots=True)
class Feed:
    """What a feed says.

    Attributes:
      works: The works in it.
      error: The address of the error that it reports instead, or ``""``; it names
        what was asked, so it is not for messages.
    """

    works: tuple[Work, ...] = ()
    error: str = ""


def decode_feed(body: bytes) -> Feed:
    """Returns what is in an Atom feed.

    Raises:
      MalformedAnswer: If it is none.
    """
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
    )
    try:
        root = etree.fromstring(body, parser)
    except (etree.XMLSyntaxError, ValueError):
        raise MalformedAnswer("not XML") from None
    if root.tag != f"{_ATOM}feed":
        raise MalformedAnswer("not an Atom feed")
    entries = root.findall(f"{_ATOM}entry")
    for entry in entries:
        # Reported with status 400, or with 200 by an older server.
        address = _text(entry, f"{_ATOM}id")
        if _ERROR in address:
            return Feed(error=address)
    return Feed(works=tuple(filter(None, map(_work, entries))))


def _work(entry: etree._Element) -> Work | None:
    """Returns the work in an entry, or None for one without id or title."""
    arxiv_id = identifiers.arxiv_id(_text(entry, f"{_ATOM}id"))
    title = plain_text(_text(entry, f"{_ATOM}title"))
    if arxiv_id is None or not title:
        return None
    return Work(
        source=NAME,
        paper_id=arxiv_id,
        title=title,
        abstract=clean_abstract(_text(entry, f"{_ATOM}summary")),
        authors=tuple(_authors(entry)),
        year=whole(_text(entry, f"{_ATOM}published")[:4]),
        doi=identifiers.doi(_text(entry, f"{_ARXIV}doi")),
        arxiv_id=arxiv_id,
    )


def _authors(entry: etree._Element) -> Iterator[str]:
    for author in entry.findall(f"{_ATOM}author"):
        if name := _text(author, f"{_ATOM}name"):
            yield name


def _text(element: etree._Element, tag: str) -> str:
    """Returns the text of the first child of that name, lines joined."""
    return " ".join((element.findtext(tag) or "").split())
