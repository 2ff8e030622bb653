"""Reads the records of reference managers that Word files hold.  Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from lxml import etree

from transforms import identifiers
from transforms.read_documents.csl_json import read_csl_json
from transforms.read_documents.errors import UnreadableDocument
from transforms.read_documents.running_text import fold
from transforms.read_documents.xml_source import parse_xml
from transforms.records import Reference

_B = "{http://schemas.openxmlformats.org/officeDocument/2006/bibliography}"
_YEAR = re.compile(r"(?<!\d)((?:1[5-9]|20)\d\d)([a-z]?)(?!\w)")
_VENUES = ("JournalName", "BookTitle", "ConferenceName", "PeriodicalTitle", "Publisher")
_PUBMED = ("pubmed", "ncbi.nlm", "nlm")


def read_csl_citation(code: str) -> list[tuple[str, Reference]]:
    """Returns the works that Zotero or Mendeley cite in one place, with their keys.

    Args:
      code: The JSON of the citation, with the CSL record of each work.
    """
    start = code.find("{")
    try:
        citation = json.JSONDecoder().raw_decode(code, start)[0] if start >= 0 else {}
    except (ValueError, RecursionError):
        return []
    items = citation.get("citationItems") if isinstance(citation, dict) else None
    found: list[tuple[str, Reference]] = []
    for item in items if isinstance(items, list) else ():
        record = item.get("itemData") if isinstance(item, dict) else None
        if isinstance(record, dict):
            found.extend(_from_csl(item, record))
    return found


def read_endnote(code: str) -> list[tuple[str, Reference]]:
    """Returns the works that EndNote cites in one place, with their keys.

    Args:
      code: XML with a ``Cite`` for each work.
    """
    start, end = code.find("<EndNote"), code.rfind("</EndNote>")
    if start < 0 or end < start:
        return []
    try:
        root = parse_xml(code[start : end + len("</EndNote>")].encode())
    except UnreadableDocument:
        return []
    return [_from_endnote(cite) for cite in root.iter("Cite")]


def read_endnote_library(root: etree._Element) -> tuple[Reference, ...]:
    """Returns the works of a library that EndNote exported as XML, in order.

    Args:
      root: An element with a ``record`` for each work; one without a number is
        ``ref-<n>``, counting from 1.
    """
    return tuple(
        _of_record(record, ref_id=_text(record, "rec-number") or f"ref-{number}")
        for number, record in enumerate(root.iter("record"), start=1)
    )


def read_word_sources(parts: Iterable[etree._Element]) -> dict[str, Reference]:
    """Returns the works of Word's own list of sources by their tags."""
    found: dict[str, Reference] = {}
    for part in parts:
        for source in part.iter(f"{_B}Source"):
            tag = _child(source, "Tag")
            if tag:
                found.setdefault(tag, _from_word(tag, source))
    return found


def _from_csl(
    item: dict[str, Any], record: dict[str, Any]
) -> Iterator[tuple[str, Reference]]:
    # Mendeley counts its ids anew in every citation.
    uris = item.get("uris", item.get("uri"))
    bare = {name: value for name, value in record.items() if name != "id"}
    key = str(uris[0]) if isinstance(uris, list) and uris else json.dumps(bare)
    for reference in read_csl_json(json.dumps([{**bare, "id": key}])).values():
        yield key, reference


def _from_endnote(cite: etree._Element) -> tuple[str, Reference]:
    record = cite.find("record")
    if record is None:
        author, year = _text(cite, "Author"), _text(cite, "Year")
        return f"{_text(cite, 'RecNum')} {author} {year}", _reference(
            authors=[author] if author else [], dated=year, title="", venue=""
        )
    key = f"{_text(record, 'rec-number')} {_text(record, 'titles/title')}"
    return key, _of_record(record, _text(cite, "Year"))


def _of_record(
    record: etree._Element, cited_year: str = "", ref_id: str = ""
) -> Reference:
    """Returns the work in a record of EndNote."""
    authors = record.findall("contributors/authors/author") or record.findall(
        "contributors/secondary-authors/author"
    )
    title, venue = (
        _text(record, "titles/title"),
        _text(record, "titles/secondary-title"),
    )
    venue = (
        venue or _text(record, "periodical/full-title") or _text(record, "publisher")
    )
    number = _text(record, "accession-num")
    origin = " ".join(map(_flat, record.iterfind("urls//url"))) + _text(
        record, "remote-database-provider"
    )
    is_pubmed = any(mark in origin.lower() for mark in _PUBMED)
    return _reference(
        ref_id=ref_id,
        authors=[_flat(author) for author in authors],
        dated=_text(record, "dates/year") or cited_year,
        title=title,
        venue=venue,
        doi=identifiers.doi(_text(record, "electronic-resource-num")),
        pmid=identifiers.pmid(number) if is_pubmed else None,
        volume=_text(record, "volume"),
        pages=_text(record, "pages"),
        work_type=_kind(record.find("ref-type")),
    )


def _kind(element: etree._Element | None) -> str:
    return "" if element is None else element.get("name", "")


def _from_word(tag: str, source: etree._Element) -> Reference:
    authors = [
        ", ".join(filter(None, (_child(person, "Last"), _child(person, "First"))))
        for person in source.iterfind(f"{_B}Author/{_B}Author/{_B}NameList/{_B}Person")
    ]
    corporate = source.find(f"{_B}Author/{_B}Author/{_B}Corporate")
    title = _child(source, "Title") or _child(source, "InternetSiteTitle")
    doi = _child(source, "DOI") or _child(source, "StandardNumber")
    return _reference(
        ref_id=tag,
        authors=authors or ([_flat(corporate)] if corporate is not None else []),
        dated=_child(source, "Year"),
        title=title,
        venue=next(filter(None, (_child(source, name) for name in _VENUES)), ""),
        doi=identifiers.doi(doi) or identifiers.doi(_child(source, "URL")),
        volume=_child(source, "Volume"),
        pages=_child(source, "Pages"),
        work_type=_child(source, "SourceType"),
    )


def _reference(
    *,
    authors: list[str],
    dated: str,
    title: str,
    venue: str,
    ref_id: str = "",
    doi: str | None = None,
    pmid: str | None = None,
    volume: str = "",
    pages: str = "",
    work_type: str = "",
) -> Reference:
    """Returns a record, with the entry as its parts make it."""
    year = _YEAR.search(dated)
    names = ", ".join(author.replace(",", "") for author in authors)
    parts = (names, year[0] if year else "", title, venue, f"doi:{doi}" if doi else "")
    return Reference(
        ref_id=ref_id,
        raw=". ".join(filter(None, parts)),
        authors=tuple(filter(None, authors)),
        year=int(year[1]) if year else None,
        year_suffix=year[2] if year else "",
        title=title.rstrip(" ."),
        venue=venue,
        doi=doi,
        pmid=pmid,
        volume=volume,
        pages=pages,
        work_type=work_type,
    )


def _text(element: etree._Element, path: str) -> str:
    return _flat(element.find(path))


def _child(element: etree._Element, name: str) -> str:
    return _flat(element.find(f"{_B}{name}"))


def _flat(element: etree._Element | None) -> str:
    return "" if element is None else fold("".join(map(str, element.itertext())))
