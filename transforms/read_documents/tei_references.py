"""Reads the bibliography of a TEI document as records.  Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from transforms import identifiers
from transforms.read_documents.tei_body import flat, local_name
from transforms.records import CitationKind, Reference

_ID = "{http://www.w3.org/XML/1998/namespace}id"
_YEAR = re.compile(r"(?<!\d)((?:1[5-9]|20)\d\d)([a-z]?)(?!\w)")
_ARTICLE_LEVELS = ("a",)
_VENUE_LEVELS = ("j", "m", "s", "u")


def read_references(root: etree._Element) -> tuple[Reference, ...]:
    """Reads every entry of the bibliographies below ``root``, in order.

    Returns:
      The records; an entry without id is ``ref-<n>``, counting from 1.
    """
    entries = (entry for found in root.iter("{*}listBibl") for entry in _entries(found))
    return tuple(
        _reference(entry, entry.get(_ID) or f"ref-{number}")
        for number, entry in enumerate(entries, start=1)
    )


def _entries(listing: etree._Element) -> Iterator[etree._Element]:
    yield from listing.iterfind("{*}biblStruct")
    yield from listing.iterfind("{*}bibl")


def _reference(entry: etree._Element, ref_id: str) -> Reference:
    title, venue = _title_and_venue(entry)
    authors = tuple(_authors(entry))
    year, suffix, dated = _year(entry)
    raw = _raw(entry) or ". ".join(filter(None, (*authors, dated, title, venue)))
    if year and not suffix and (lettered := re.search(rf"{year}([a-z])\b", raw)):
        suffix = lettered[1]
    found = _identifiers(entry, raw)
    return Reference(
        ref_id=ref_id,
        raw=raw,
        authors=authors,
        year=year,
        year_suffix=suffix,
        title=title,
        venue=venue,
        doi=found.get(CitationKind.DOI),
        arxiv_id=found.get(CitationKind.ARXIV),
        pmid=found.get(CitationKind.PMID),
        pmcid=found.get(CitationKind.PMCID),
        label=flat(next(entry.iterfind("{*}label"), None)).strip(" .[]()"),
        volume=_scope(entry, "volume"),
        pages=_scope(entry, "page"),
    )


def _scope(entry: etree._Element, unit: str) -> str:
    """Returns a number of the part that an entry is of: its volume or first page."""
    for scope in entry.iter("{*}biblScope"):
        if scope.get("unit") == unit and (found := scope.get("from") or flat(scope)):
            return found
    return ""


def _title_and_venue(entry: etree._Element) -> tuple[str, str]:
    """Returns the title of the work and where it came out.

    A monograph without an article in it is the work itself.
    """
    title = _titled(entry, _ARTICLE_LEVELS)
    venue = _titled(entry, _VENUE_LEVELS)
    publisher = flat(next(entry.iter("{*}publisher"), None))
    if title or not venue or _titled(entry, ("j",)):
        return title, venue or publisher
    return venue, publisher


def _titled(entry: etree._Element, levels: tuple[str, ...]) -> str:
    for level in levels:
        for title in entry.iter("{*}title"):
            if title.get("level") == level and (written := flat(title)):
                return written.rstrip(" .,;:")
    return ""


def _authors(entry: etree._Element) -> Iterator[str]:
    """Yields the authors as ``Family, Given``, or the editors of a whole book."""
    people = list(entry.iter("{*}author")) or list(entry.iter("{*}editor"))
    for person in people:
        family = flat(next(person.iter("{*}surname"), None))
        given = " ".join(map(flat, person.iter("{*}forename")))
        name = f"{family}, {given}" if family and given else family or flat(person)
        if name:
            yield name


def _year(entry: etree._Element) -> tuple[int | None, str, str]:
    """Returns the year, the letter behind it, and the date as printed."""
    for date in entry.iter("{*}date"):
        printed = flat(date)
        match = _YEAR.search(printed) or _YEAR.match(date.get("when", ""))
        if match:
            return int(match[1]), match[2], printed or match[0]
    return None, "", ""


def _raw(entry: etree._Element) -> str:
    """Returns the entry as printed, or ``""`` where GROBID did not keep it."""
    for note in entry.iter("{*}note"):
        if note.get("type") == "raw_reference":
            return flat(note)
    return flat(entry) if local_name(entry) == "bibl" else ""


def _identifiers(entry: etree._Element, raw: str) -> dict[CitationKind, str]:
    """Returns the identifiers of the work; marked ones win over mere text."""
    found: dict[CitationKind, str] = {}
    for element in entry.iter("{*}idno"):
        kind = element.get("type", "")
        if identifier := identifiers.typed(kind, flat(element)):
            found.setdefault(*identifier)
    targets = (link.get("target", "") for link in entry.iter("{*}ptr", "{*}ref"))
    for text in (*targets, raw):
        if CitationKind.DOI in found:
            break
        for mention in identifiers.find_identifiers(text):
            found.setdefault(mention.kind, mention.key.partition(":")[2])
    return found
