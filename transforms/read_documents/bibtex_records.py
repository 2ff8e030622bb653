"""Turns the fields of a BibTeX entry into a reference.  Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping

from transforms import identifiers
from transforms.read_documents.bibtex_names import read_names
from transforms.read_documents.latex_symbols import print_plain
from transforms.records import CitationKind, Reference

_YEAR = re.compile(r"(?<!\d)((?:1[5-9]|20)\d\d)(?:\s?([a-z])(?![\w]))?")
_VENUES = (
    *("journal", "journaltitle", "booktitle", "maintitle", "series", "publisher"),
    *("school", "institution", "organization", "howpublished"),
)
_IDENTIFIED = ("url", "note", "journal", "journaltitle", "howpublished", "eprint")
_ARXIV_KINDS = frozenset(["", "arxiv"])


def to_reference(key: str, fields: Mapping[str, str], kind: str = "") -> Reference:
    """Returns the entry ``key`` as a reference.

    Args:
      key: Its key.
      fields: Its fields as written, by lower-case name.
      kind: Its kind, such as ``article``.
    """
    authors = read_names(fields.get("author") or fields.get("editor", ""))
    title, venue = _title(fields), _venue(fields)
    year, suffix = _year(fields)
    ids = _identifiers(fields)
    return Reference(
        ref_id=key,
        raw=_raw(authors, f"{year or ''}{suffix}", title, venue, fields, ids),
        authors=authors,
        year=year,
        year_suffix=suffix,
        title=title,
        venue=venue,
        doi=ids.get(CitationKind.DOI),
        arxiv_id=ids.get(CitationKind.ARXIV),
        pmid=ids.get(CitationKind.PMID),
        pmcid=ids.get(CitationKind.PMCID),
        volume=print_plain(fields.get("volume", "")),
        pages=print_plain(fields.get("pages") or fields.get("eid", "")),
        work_type=kind,
    )


def _title(fields: Mapping[str, str]) -> str:
    title = print_plain(fields.get("title", "")).rstrip(" .")
    subtitle = print_plain(fields.get("subtitle", "")).rstrip(" .")
    return f"{title}: {subtitle}" if title and subtitle else title or subtitle


def _venue(fields: Mapping[str, str]) -> str:
    for name in _VENUES:
        # A journal may be no more than a macro of the style, such as \apj.
        if venue := _printed_or_bare(fields.get(name, "")):
            return venue
    return ""


def _printed_or_bare(source: str) -> str:
    return print_plain(source).rstrip(" .") or source.strip("\\{} \t\n")


def _year(fields: Mapping[str, str]) -> tuple[int | None, str]:
    """Returns the year and the letter behind it, e.g. ``(2013, "a")``."""
    for name in ("year", "date", "issued", "eventdate"):
        if match := _YEAR.search(print_plain(fields.get(name, ""))):
            return int(match[1]), match[2] or ""
    return None, ""


def _identifiers(fields: Mapping[str, str]) -> dict[CitationKind, str]:
    """Returns the identifiers of the work; fields of their own win over mere text."""
    eprint = print_plain(fields.get("eprint", ""))
    archive = fields.get("archiveprefix") or fields.get("eprinttype") or ""
    archive = print_plain(archive).lower()
    arxiv = fields.get("arxivid") or fields.get("arxiv") or ""
    if not arxiv and archive in _ARXIV_KINDS:
        arxiv = eprint
    pmid = fields.get("pmid") or (eprint if archive == "pubmed" else "")
    typed = {
        CitationKind.DOI: identifiers.doi(print_plain(fields.get("doi", ""))),
        CitationKind.ARXIV: identifiers.arxiv_id(print_plain(arxiv)),
        CitationKind.PMID: identifiers.pmid(print_plain(pmid)),
        CitationKind.PMCID: identifiers.pmcid(
            print_plain(fields.get("pmcid") or fields.get("pmc", ""))
        ),
    }
    found = {kind: value for kind, value in typed.items() if value}
    for name in _IDENTIFIED:
        # The note of a chapter or a data set may well name another work.
        if name == "note" and found:
            continue
        for mention in identifiers.find_identifiers(print_plain(fields.get(name, ""))):
            found.setdefault(mention.kind, mention.key.partition(":")[2])
    return found


def _raw(
    authors: tuple[str, ...],
    year: str,
    title: str,
    venue: str,
    fields: Mapping[str, str],
    ids: Mapping[CitationKind, str],
) -> str:
    """Returns the entry as a style would print it."""
    names = ", ".join(author.replace(",", "") for author in authors)
    volume, pages = (print_plain(fields.get(name, "")) for name in ("volume", "pages"))
    place = " ".join(filter(None, (venue, ":".join(filter(None, (volume, pages))))))
    named = (f"{kind.value}:{value}" for kind, value in ids.items())
    return ". ".join(filter(None, (names, year, title, place, *named)))
