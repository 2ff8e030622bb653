"""Tells whether a record and a reference entry can be of one work.  Pure.

A wrong identifier leads to a real record of another work, which looks like a find.
Only a title that is another speaks against a record, and not alone: titles are
translated and shortened, names misspelt, years those of a preprint.
"""

from __future__ import annotations

import re

from rapidfuzz import fuzz

from transforms.names import family_name, fold, same_surname
from transforms.records import Citation, Entry, Work
from transforms.titles import normalise_title

TITLE, FIRST_AUTHOR, YEAR = "title", "first author", "year"

# Of 9,021 pairs of printed entries with one DOI, 18 have titles less alike than the
# first: 17 by misprints of the DOI, with other authors or years, and one retitled.
_OTHER_TITLE = 0.70
_QUITE_OTHER_TITLE = 0.50
_LIKE_SURNAME = 0.75
_MAX_YEARS_APART = 1
# Entries that name nobody.
_NOT_AUTHORS = frozenset(["et al", "and others", "others"])
_YEAR_IN_TEXT = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_LATIN = re.compile(r"[a-z]")


def described(citation: Citation) -> Entry:
    """Returns how a citation, with its reference entry, describes the cited work.

    Names and year are those of the entry, else those in the text; a title that
    holds no word is none.
    """
    reference = citation.reference
    title = reference.title.strip() if reference else ""
    listed = listed_authors(citation)
    surnames = tuple(family_name(name) for name in listed) or citation.surnames
    year = reference.year if reference else None
    if year is None and (match := _YEAR_IN_TEXT.search(citation.year)):
        year = int(match.group())
    return Entry(title if normalise_title(title) else "", surnames, year)


def listed_authors(citation: Citation) -> list[str]:
    """Returns the authors that the reference entry names, as printed."""
    listed = citation.reference.authors if citation.reference else ()
    return [name for name in listed if fold(name) and fold(name) not in _NOT_AUTHORS]


def disagreements(entry: Entry, work: Work) -> tuple[str, ...]:
    """Returns the fields by which a record is of another work than an entry.

    With a title, it must be another, and so must the first author or the year; or it
    is quite another, and nothing else is known.  Without one, both must be others.

    Args:
      entry: How a document describes the work.
      work: The record that an identifier led to.

    Returns:
      ``title``, ``first author`` and ``year`` as far as they disagree; empty if the
      record may be of the work.
    """
    similarity = _similarity(entry.title, work.title)
    same_author = _same_first_author(entry, work)
    same_year = _same_year(entry, work)
    others = [
        name
        for name, is_same in ((FIRST_AUTHOR, same_author), (YEAR, same_year))
        if is_same is False
    ]
    if similarity is None:
        return tuple(others) if len(others) == 2 else ()
    is_alone = same_author is None and same_year is None
    if similarity >= (_QUITE_OTHER_TITLE if is_alone else _OTHER_TITLE):
        return ()
    return (TITLE, *others) if others or is_alone else ()


def _similarity(first: str, second: str) -> float | None:
    """Returns how alike two titles are, in [0, 1]; None if that says nothing.

    A subtitle, a running head and the order of words make no difference.
    """
    first, second = normalise_title(first), normalise_title(second)
    if not first or not second or _is_latin(first) != _is_latin(second):
        return None
    ratio = max(fuzz.ratio(first, second), fuzz.token_set_ratio(first, second))
    return ratio / 100.0


def _same_first_author(entry: Entry, work: Work) -> bool | None:
    """Tells whether one's first author is an author of the other; None if unknown."""
    if not entry.surnames or not work.authors:
        return None
    first, theirs = entry.surnames[0], family_name(work.authors[0])
    ours_folded, theirs_folded = fold(first), fold(theirs)
    if not ours_folded or not theirs_folded:
        return None
    if _is_latin(ours_folded) != _is_latin(theirs_folded):
        return None
    return (
        any(same_surname(first, author) for author in work.authors)
        or any(same_surname(theirs, surname) for surname in entry.surnames)
        or fuzz.ratio(ours_folded, theirs_folded) / 100.0 >= _LIKE_SURNAME
    )


def _same_year(entry: Entry, work: Work) -> bool | None:
    if entry.year is None or work.year is None:
        return None
    return abs(entry.year - work.year) <= _MAX_YEARS_APART


def _is_latin(folded: str) -> bool:
    """Tells whether a text has letters that a transliteration would have."""
    return _LATIN.search(folded) is not None
