"""Compares the fields of an entry with the records of its work.  Pure."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from transforms.records import Reference, Work
from transforms.reference_records import Field, FieldCheck, FieldState, Led
from transforms.verify_references.authors import AuthorState, compare_authors
from transforms.verify_references.candidates import Candidate
from transforms.verify_references.identifiers import is_preprint_doi
from transforms.verify_references.index_names import said_by
from transforms.verify_references.numbers import check_arxiv, check_doi, check_pages
from transforms.verify_references.titles import TitleClass
from transforms.verify_references.venue_table import VenueKind, VenueTable
from transforms.verify_references.venues import VenueMatch, compare_venues, find_venue
from transforms.verify_references.words import title_words
from transforms.verify_references.years import is_year_of, is_year_of_series

# Proceedings that print authors in an order of their own.
_SORTED_AUTHORS = "10.52202/"
# Its years are those of the first version.
_FIRST_YEARS = "semantic-scholar"


@dataclasses.dataclass(frozen=True, slots=True)
class Setting:
    """What a comparison needs to know beside entry and records.

    Attributes:
      table: Which names are of one venue.
      current_year: The year it is.
    """

    table: VenueTable
    current_year: int


@dataclasses.dataclass(frozen=True, slots=True)
class Compared:
    """The fields of an entry beside the versions of its work.

    Attributes:
      author_state: How many of the cited authors are on the record.
      has_equal_year: Whether a version is of the very year; True if none is known.
      checks: One for each ``Field``, in its order.
    """

    author_state: AuthorState
    has_equal_year: bool
    checks: tuple[FieldCheck, ...]

    def state(self, field: Field) -> FieldState:
        """Returns the state of one field."""
        return next(check.state for check in self.checks if check.field is field)


def compare_fields(
    reference: Reference,
    versions: Sequence[Candidate],
    led: Mapping[str, Led],
    setting: Setting,
) -> Compared:
    """Compares every field; one is right if any version of the work agrees.

    Args:
      reference: The entry.
      versions: Its work's records, the best first; at least one.
      led: What the identifiers of the entry lead to, by key.
      setting: Venues and year.
    """
    works = [version.work for version in versions]
    state, authors = _authors(reference, works, setting.table)
    years = [work.year for work in works if work.year]
    checks = (
        _title(versions),
        authors,
        _year(reference, works, setting),
        _venue(reference, works, setting.table),
        check_doi(reference, works, led),
        check_arxiv(reference, works, led),
        check_pages(reference, works),
    )
    is_equal = not years or reference.year is None or reference.year in years
    return Compared(state, is_equal, checks)


def _title(versions: Sequence[Candidate]) -> FieldCheck:
    best = versions[0]
    match best.title.kind:
        case TitleClass.SAME | TitleClass.STOP:
            return FieldCheck(Field.TITLE, FieldState.OK)
        case TitleClass.MAIN | TitleClass.PREFIX:
            reason = f'title: the record has "{best.work.title}"'
            return FieldCheck(Field.TITLE, FieldState.NOTE, reason)
        case _:
            words = "; ".join(best.title.changed)
            reason = (
                f'title: the record has "{best.work.title}"'
                f" ({said_by(best.work)}; {words})"
            )
            return FieldCheck(Field.TITLE, FieldState.DIFFERS, reason)


def _authors(
    reference: Reference, works: Sequence[Work], table: VenueTable
) -> tuple[AuthorState, FieldCheck]:
    has_preprint = any(_is_preprint(work, table) for work in works)
    matches = [
        (
            compare_authors(
                reference.authors,
                work.authors,
                title_words=title_words(reference.title),
                has_preprint=has_preprint,
                order_may_differ=(work.doi or "").startswith(_SORTED_AUTHORS),
            ),
            work,
        )
        for work in works
    ]
    known = [m for m in matches if m[0].state is not AuthorState.UNKNOWN]
    if not known:
        return AuthorState.UNKNOWN, FieldCheck(Field.AUTHORS, FieldState.UNKNOWN)
    match, work = min(known, key=lambda m: (len(m[0].faults), -m[0].share))
    source = said_by(work)
    if match.faults:
        is_other = match.state is AuthorState.NONE
        state = FieldState.CONFLICT if is_other else FieldState.DIFFERS
        reason = f"authors: {'; '.join(match.faults)} ({source})"
    elif match.notes:
        state, reason = FieldState.NOTE, f"authors: {'; '.join(match.notes)} ({source})"
    else:
        state, reason = FieldState.OK, ""
    return match.state, FieldCheck(Field.AUTHORS, state, reason)


def _year(reference: Reference, works: Sequence[Work], setting: Setting) -> FieldCheck:
    cited = reference.year
    if cited is None:
        return FieldCheck(Field.YEAR, FieldState.UNKNOWN)
    if cited > setting.current_year:
        reason = f"year: cited {cited}, which is yet to come"
        return FieldCheck(Field.YEAR, FieldState.DIFFERS, reason)
    dated = [work for work in works if work.year]
    if not dated:
        return FieldCheck(Field.YEAR, FieldState.UNKNOWN)
    years = [work.year for work in dated if work.year]
    confirming = _of_series(reference, dated, setting.table)
    is_right = is_year_of(cited, years) and (
        not confirming or is_year_of_series(cited, confirming)
    )
    if is_right:
        state = FieldState.OK if cited in years else FieldState.NOTE
    else:
        state = FieldState.DIFFERS
    said = "; ".join(
        dict.fromkeys(f"record {work.year} ({said_by(work)})" for work in dated)
    )
    reason = "" if state is FieldState.OK else f"year: cited {cited}, {said}"
    return FieldCheck(Field.YEAR, state, reason)


def _of_series(
    reference: Reference, works: Sequence[Work], table: VenueTable
) -> list[int]:
    """Returns the years of the records that confirm the cited conference."""
    cited = find_venue(reference.venue, table)
    if cited is None or cited.kind is not VenueKind.CONFERENCE:
        return []
    return [
        work.year
        for work in works
        if work.year
        and work.source != _FIRST_YEARS
        and find_venue(work.venue, table) == cited
    ]


def _venue(
    reference: Reference, works: Sequence[Work], table: VenueTable
) -> FieldCheck:
    unknown = FieldCheck(Field.VENUE, FieldState.UNKNOWN)
    named = [work for work in works if work.venue]
    cited = find_venue(reference.venue, table)
    if not reference.venue or (cited and cited.kind is VenueKind.UNCLEAR):
        return unknown
    if cited and cited.kind is VenueKind.PREPRINT:
        return FieldCheck(Field.VENUE, FieldState.OK)
    if not named:
        if not all(_is_preprint(work, table) for work in works):
            return unknown
        reason = f"venue: cited {reference.venue}, only a preprint is on record"
        return FieldCheck(Field.VENUE, FieldState.NOTE, reason)
    matches = {
        work: compare_venues(reference.venue, work.venue, table) for work in named
    }
    published = [work for work in named if not _is_preprint(work, table)]
    shown = (published or named)[0]
    reason = f"venue: cited {reference.venue}, record {shown.venue} ({said_by(shown)})"
    if VenueMatch.SAME in matches.values():
        return FieldCheck(Field.VENUE, FieldState.OK)
    if not published:
        return FieldCheck(
            Field.VENUE, FieldState.NOTE, f"{reason}: only a preprint is on record"
        )
    found = {matches[work] for work in published}
    if VenueMatch.UNKNOWN in found:
        return unknown
    is_conflict = VenueMatch.CONFLICT in found
    state = FieldState.CONFLICT if is_conflict else FieldState.DIFFERS
    return FieldCheck(Field.VENUE, state, reason)


def _is_preprint(work: Work, table: VenueTable) -> bool:
    """Tells whether a record is of a manuscript in a repository."""
    venue = find_venue(work.venue, table)
    if venue:
        return venue.kind is VenueKind.PREPRINT
    if work.venue:
        return False
    return bool(work.arxiv_id) or (bool(work.doi) and is_preprint_doi(work.doi or ""))
