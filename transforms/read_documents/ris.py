"""Reads a bibliography in RIS as references.  Pure; nothing raises."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from transforms import identifiers
from transforms.records import Reference

_LINE = re.compile(r"\s{0,3}([A-Z][A-Z0-9]) {1,2}-(?: (.*))?$")
_START = re.compile(r"^\s{0,3}TY {1,2}- ", re.MULTILINE)
_YEAR = re.compile(r"(?<!\d)((?:1[5-9]|20)\d\d)([a-z]?)(?!\w)")
_AUTHORS = ("AU", "A1", "A2", "ED")
_TITLES = ("TI", "T1", "CT", "BT")
_VENUES = ("JF", "JO", "T2", "JA", "J2", "BT", "T3", "PB")
_YEARS = ("PY", "Y1", "DA", "Y2")
_NUMBERS = ("DO", "M3", "UR", "L1", "L2", "LK", "N1")

_Fields = Mapping[str, Sequence[str]]


def is_ris(text: str) -> bool:
    """Tells whether a text is RIS."""
    return _START.search(text) is not None


def read_ris(text: str) -> tuple[Reference, ...]:
    """Returns the entries of a bibliography, in order.

    An entry without an id of its own is ``ref-<n>``, counting from 1.
    """
    return tuple(
        _reference(fields, number)
        for number, fields in enumerate(_entries(text), start=1)
    )


def _entries(text: str) -> Iterator[_Fields]:
    """Yields the fields of each entry by tag; a line without tag goes on the last."""
    fields: dict[str, list[str]] = defaultdict(list)
    tag = ""
    for line in text.splitlines():
        if match := _LINE.match(line.rstrip()):
            tag, value = match[1], (match[2] or "").strip()
            if tag in ("TY", "ER"):
                if fields:
                    yield fields
                fields = defaultdict(list)
            if tag != "ER":
                fields[tag].append(value)
        elif line.strip() and fields.get(tag):
            fields[tag][-1] += f" {line.strip()}"
    if fields:
        yield fields


def _reference(fields: _Fields, number: int) -> Reference:
    title = _first(fields, _TITLES).rstrip(" .")
    venues = (_first(fields, [tag]) for tag in _VENUES)
    venue = next((name for name in venues if name and name != title), "")
    authors = next(
        (tuple(filter(None, fields[t])) for t in _AUTHORS if fields.get(t)), ()
    )
    year = _YEAR.search(_first(fields, _YEARS))
    pages = "-".join(filter(None, (_first(fields, [tag]) for tag in ("SP", "EP"))))
    written = [value for tag in _NUMBERS for value in fields.get(tag, ())]
    doi = next(filter(None, map(identifiers.doi, written)), None)
    names = ", ".join(author.replace(",", "") for author in authors)
    place = " ".join(filter(None, (venue, _first(fields, ("VL",)))))
    parts = (names, year[0] if year else "", title, place, f"doi:{doi}" if doi else "")
    return Reference(
        ref_id=_first(fields, ("ID",)) or f"ref-{number}",
        raw=". ".join(filter(None, parts)),
        authors=authors,
        year=int(year[1]) if year else None,
        year_suffix=year[2] if year else "",
        title=title,
        venue=venue,
        doi=doi,
        arxiv_id=next(filter(None, map(identifiers.arxiv_id, written)), None),
        pmid=_pmid(fields),
        volume=_first(fields, ("VL",)),
        pages=pages or _first(fields, ("C7",)),
        work_type=_first(fields, ("TY",)),
    )


def _pmid(fields: _Fields) -> str | None:
    """Returns the accession number where the database says that it is of PubMed."""
    database = " ".join((*fields.get("DB", ()), *fields.get("DP", ()))).lower()
    is_pubmed = "pubmed" in database or "medline" in database or "nlm" in database
    return identifiers.pmid(_first(fields, ("AN",))) if is_pubmed else None


def _first(fields: _Fields, tags: Sequence[str]) -> str:
    """Returns the first value that there is of the tags, in their order."""
    return next((v for tag in tags for v in fields.get(tag, ()) if v), "")
