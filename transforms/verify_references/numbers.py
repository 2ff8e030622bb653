"""Compares identifiers, volume and pages of an entry with those of its work.  Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from transforms import identifiers
from transforms.records import Reference, Work
from transforms.reference_records import Field, FieldCheck, FieldState, Led
from transforms.verify_references.identifiers import (
    IdMatch,
    compare_arxiv,
    compare_doi,
)

_FIRST_PAGE = re.compile(r"\w+")


def check_doi(
    reference: Reference, works: Sequence[Work], led: Mapping[str, Led]
) -> FieldCheck:
    """Compares the DOI, which may be that of any version."""
    if not reference.doi:
        return FieldCheck(Field.DOI, FieldState.UNKNOWN)
    lead = led.get(f"doi:{reference.doi}")
    if lead is None and (arxiv := identifiers.arxiv_id(reference.doi)):
        lead = led.get(f"arxiv:{arxiv}")
    match = compare_doi(reference, lead, works)
    known = next((work.doi for work in works if work.doi), None)
    return _identifier(Field.DOI, match, reference.doi, known, lead)


def check_arxiv(
    reference: Reference, works: Sequence[Work], led: Mapping[str, Led]
) -> FieldCheck:
    """Compares the arXiv id."""
    if not reference.arxiv_id:
        return FieldCheck(Field.ARXIV, FieldState.UNKNOWN)
    lead = led.get(f"arxiv:{reference.arxiv_id}")
    match = compare_arxiv(reference, lead, works)
    known = next((work.arxiv_id for work in works if work.arxiv_id), None)
    return _identifier(Field.ARXIV, match, reference.arxiv_id, known, lead)


def _identifier(
    field: Field, match: IdMatch, cited: str, known: str | None, led: Led | None
) -> FieldCheck:
    record = f"; the record has {known}" if known and known != cited else ""
    match match:
        case IdMatch.OK:
            return FieldCheck(field, FieldState.OK)
        case IdMatch.OTHER:
            title = led.work.title if led and led.work else ""
            reason = f'{field}: {cited} belongs to another work, "{title}"{record}'
            return FieldCheck(field, FieldState.CONFLICT, reason)
        case IdMatch.UNRESOLVED:
            reason = f"{field}: {cited} is unknown to the indexes{record}"
            return FieldCheck(field, FieldState.DIFFERS, reason)
        case IdMatch.DIFFERS:
            reason = f"{field}: cited {cited}{record}"
            return FieldCheck(field, FieldState.DIFFERS, reason)
        case _:
            return FieldCheck(field, FieldState.UNKNOWN)


def check_pages(reference: Reference, works: Sequence[Work]) -> FieldCheck:
    """Compares volume and first page; indexes err in them, so it is only a note."""
    pairs = [
        (name, ours, theirs)
        for name, ours, others in (
            ("volume", reference.volume, [work.volume for work in works]),
            ("first page", _first_page(reference.pages), _first_pages(works)),
        )
        if ours and (theirs := [other for other in others if other])
    ]
    if not pairs:
        return FieldCheck(Field.PAGES, FieldState.UNKNOWN)
    wrong = [
        f"{name}: cited {ours}, record {theirs[0]}"
        for name, ours, theirs in pairs
        if ours.casefold() not in [other.casefold() for other in theirs]
    ]
    state = FieldState.NOTE if wrong else FieldState.OK
    return FieldCheck(Field.PAGES, state, "; ".join(wrong))


def _first_pages(works: Sequence[Work]) -> list[str]:
    return [_first_page(work.pages) for work in works]


def _first_page(pages: str) -> str:
    found = _FIRST_PAGE.search(pages)
    return found.group() if found else ""
