"""Reads the reference list of a JATS article as records.  Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from transforms import identifiers
from transforms.read_documents.jats_body import flat_text
from transforms.records import CitationKind, Reference

_CITATIONS = ("element-citation", "mixed-citation", "nlm-citation", "citation")
_TITLES = ("article-title", "part-title", "chapter-title", "data-title")
_NAMES = frozenset(["name", "string-name", "name-alternatives", "collab"])
# Where a source stands alone, a journal is a venue and anything else the work.
_PERIODICALS = frozenset(["journal", "magazine", "newspaper", "periodical"])
_HREF = "{http://www.w3.org/1999/xlink}href"
_YEAR = re.compile(r"(?<!\d)((?:1[5-9]|20)\d\d)\s?([a-z]?)(?![\w])")


def read_references(article: etree._Element) -> tuple[Reference, ...]:
    """Reads every entry of the article's reference lists, in order.

    An entry that holds several works gives one record each; the first has the
    entry's id.  Lists of sub-articles and responses are left out.

    Args:
      article: The root of a JATS document.

    Returns:
      The records; an entry without id is ``ref-<n>``, counting from 1, or with further
      letters where another entry has that id.
    """
    found: list[Reference] = []
    given = {ref.get("id") for ref in article.iter("ref")}
    for ref in article.iter("ref"):
        if next(ref.iterancestors("sub-article", "response"), None) is not None:
            continue
        ref_id = ref.get("id") or _unused(f"ref-{len(found) + 1}", given)
        label = flat_text(ref.find("label")).strip(" .[]()")
        for number, citation in enumerate(_citations(ref)):
            further = citation.get("id") or f"{ref_id}-{number + 1}"
            found.append(_reference(citation, further if number else ref_id, label))
    return tuple(found)


def _unused(ref_id: str, given: set[str | None]) -> str:
    while ref_id in given:
        ref_id += "a"
    return ref_id


def _citations(ref: etree._Element) -> Iterator[etree._Element]:
    """Yields the works of an entry; of alternatives the one with most markup."""
    for child in ref:
        if child.tag == "citation-alternatives":
            yield max(child, key=len, default=child)
        elif child.tag in _CITATIONS:
            yield child


def _reference(citation: etree._Element, ref_id: str, label: str) -> Reference:
    year, suffix = _year(citation)
    title, venue = _title_and_venue(citation)
    authors = tuple(_authors(citation))
    raw = _raw(citation, authors, title, venue)
    ids = _identifiers(citation, raw)
    return Reference(
        ref_id=ref_id,
        raw=raw,
        authors=authors,
        year=year,
        year_suffix=suffix,
        title=title,
        venue=venue,
        doi=ids.get(CitationKind.DOI),
        arxiv_id=ids.get(CitationKind.ARXIV),
        pmid=ids.get(CitationKind.PMID),
        pmcid=ids.get(CitationKind.PMCID),
        label=label,
        volume=_part(citation, "volume"),
        pages=_part(citation, "fpage") or _part(citation, "elocation-id"),
        work_type=citation.get("publication-type", ""),
    )


def _year(citation: etree._Element) -> tuple[int | None, str]:
    """Returns the year and the letter behind it, e.g. ``(2013, "a")``."""
    element = citation.find("year")
    if element is None:
        element = citation.find("date/year")
    if element is None:
        return None, ""
    written = flat_text(element)
    match = _YEAR.search(written) or _YEAR.search(element.get("iso-8601-date", ""))
    return (int(match[1]), match[2]) if match else (None, "")


def _title_and_venue(citation: etree._Element) -> tuple[str, str]:
    """Returns the title of the work and where it came out.

    A source without a title in it is a venue for periodicals and the work itself
    for everything else.
    """
    source = _part(citation, "source")
    publisher = _part(citation, "publisher-name")
    title = next(filter(None, (_part(citation, tag) for tag in _TITLES)), "")
    if title or not source:
        return title, source or publisher
    volume = citation.find("volume") is not None
    kind = citation.get("publication-type")
    if kind in _PERIODICALS or (volume and not publisher):
        return "", source
    return source, publisher


def _authors(citation: etree._Element) -> Iterator[str]:
    """Yields the authors as ``Family, Given``, or the editors of a whole book."""
    leading: list[etree._Element] = []
    groups: list[etree._Element] = []
    editors: list[etree._Element] = []
    titled = False
    for child in citation:
        if child.tag == "person-group":
            kind = child.get("person-group-type", "author")
            (groups if "author" in kind else editors).extend(_names(child))
        elif child.tag in _NAMES:
            (editors if titled else leading).append(child)
        titled = titled or child.tag in _TITLES or child.tag == "source"
    for name in groups + leading or editors:
        if written := _author(name):
            yield written


def _names(group: etree._Element) -> Iterator[etree._Element]:
    return (child for child in group if child.tag in _NAMES)


def _author(name: etree._Element) -> str:
    if name.tag == "name-alternatives":
        name = name[0] if len(name) else name
    family = flat_text(name.find("surname"))
    given = flat_text(name.find("given-names"))
    if not family:
        return given or flat_text(name)
    given = " ".join(filter(None, (given, flat_text(name.find("suffix")))))
    return f"{family}, {given}" if given else family


def _part(element: etree._Element, tag: str) -> str:
    """Returns the text of the first child ``tag`` without a closing stop."""
    return flat_text(element.find(tag)).rstrip(" .,;:")


def _raw(
    citation: etree._Element, authors: tuple[str, ...], title: str, venue: str
) -> str:
    """Returns the entry as printed, or set from its parts where it has no text."""
    loose = [citation.text, *(child.tail for child in citation)]
    if any(text and not text.isspace() for text in loose):
        return flat_text(citation)
    names = ", ".join(author.replace(",", "") for author in authors)
    pages = "–".join(filter(None, (_part(citation, "fpage"), _part(citation, "lpage"))))
    pages = pages or _part(citation, "elocation-id")
    numbers = ":".join(filter(None, (_part(citation, "volume"), pages)))
    place = " ".join(filter(None, (venue, numbers)))
    publisher = _part(citation, "publisher-name")
    ids = (
        f"{pub_id.get('pub-id-type', 'id')}:{flat_text(pub_id)}"
        for pub_id in citation.iterfind("pub-id")
    )
    parts = [names, flat_text(citation.find("year")), title, place]
    parts += ["" if publisher in (title, venue) else publisher, *ids]
    return ". ".join(filter(None, parts))


def _identifiers(citation: etree._Element, raw: str) -> dict[CitationKind, str]:
    """Returns the identifiers of the work; marked ones win over mere text."""
    found: dict[CitationKind, str] = {}
    for pub_id in citation.iter("pub-id", "article-id", "elocation-id"):
        kind = pub_id.get("pub-id-type", "")
        if identifier := identifiers.typed(kind, flat_text(pub_id)):
            found.setdefault(*identifier)
    links = (link.get(_HREF, "") for link in citation.iter("ext-link", "uri"))
    for text in (*links, raw, *map(flat_text, citation.iterfind("comment"))):
        if CitationKind.DOI in found:
            break
        for mention in identifiers.find_identifiers(text):
            found.setdefault(mention.kind, mention.key.partition(":")[2])
    return found
