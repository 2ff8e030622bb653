"""Compares the identifiers of an entry with those of a work.  Pure."""

from __future__ import annotations

import enum
import re
from collections.abc import Sequence

from rapidfuzz import fuzz

from transforms import identifiers
from transforms.records import Reference, Work
from transforms.reference_records import Led
from transforms.verify_references.authors import compare_authors
from transforms.verify_references.titles import TitleClass, compare_titles
from transforms.verify_references.words import content_words, title_words

# Registrants of repositories: a work has another DOI there than at its publisher.
_REPOSITORIES = re.compile(
    r"10\.(?:48550|1101/(?:\d{6}$|\d{4}\.)|64898|2139|21203|20944|26434|31234|31219"
    r"|5281|6084|17605|32388|36227|2172|33774|33767|31223)(?:/|$|\.)?"
)
_ARXIV_NEW = re.compile(r"\d{2}(?P<month>\d{2})\.\d{4,5}$")
# A retitled version shares its authors and some words.
_RETITLED_AUTHORS = 0.8
_RETITLED_WORDS = 2
_RETITLED_SIMILARITY = 0.45


class IdMatch(enum.StrEnum):
    """What comparing an identifier came to."""

    OK = "ok"
    OTHER = "other"
    UNRESOLVED = "unresolved"
    DIFFERS = "differs"
    UNKNOWN = "unknown"


def is_preprint_doi(doi: str) -> bool:
    """Tells whether a DOI is of a repository of manuscripts."""
    return _REPOSITORIES.match(doi) is not None


def is_arxiv_id(arxiv_id: str) -> bool:
    """Tells whether an arXiv id has a month that there is."""
    match = _ARXIV_NEW.match(arxiv_id)
    return match is None or 1 <= int(match["month"]) <= 12


def compare_doi(
    reference: Reference, led: Led | None, works: Sequence[Work]
) -> IdMatch:
    """Compares the DOI of an entry with those of the work that it is taken for.

    Args:
      reference: The entry, with a DOI.
      led: What the DOI leads to, or None where that is not known.
      works: The records of the work.
    """
    doi = reference.doi or ""
    own = {work.doi for work in works if work.doi}
    arxiv = identifiers.arxiv_id(doi) if is_preprint_doi(doi) else None
    if doi in own or (arxiv and arxiv in {work.arxiv_id for work in works}):
        return IdMatch.OK
    # Figures, versions and reviews have DOIs below that of the article.
    if any(doi.startswith(f"{other}.") for other in own):
        return IdMatch.OK
    if led and led.work:
        if led.work in works or is_version(led.work, works[0], by_title=True):
            return IdMatch.OK
        return IdMatch.OTHER
    # What repositories register, indexes of articles may lack.
    if led and led.is_unknown and not is_preprint_doi(doi):
        return IdMatch.UNRESOLVED
    published = {other for other in own if not is_preprint_doi(other)}
    if published and not is_preprint_doi(doi):
        return IdMatch.DIFFERS
    return IdMatch.UNKNOWN


def compare_arxiv(
    reference: Reference, led: Led | None, works: Sequence[Work]
) -> IdMatch:
    """Compares the arXiv id of an entry, likewise."""
    arxiv = reference.arxiv_id or ""
    own = {work.arxiv_id for work in works if work.arxiv_id}
    if arxiv in own:
        return IdMatch.OK
    if led and led.work:
        if led.work in works or is_version(led.work, works[0], by_title=False):
            return IdMatch.OK
        return IdMatch.OTHER
    if not is_arxiv_id(arxiv) or (led and led.is_unknown):
        return IdMatch.UNRESOLVED
    return IdMatch.DIFFERS if own else IdMatch.UNKNOWN


def is_version(other: Work, work: Work, *, by_title: bool) -> bool:
    """Tells whether a record is of a version of a work, which may be retitled.

    Args:
      other: A record that an identifier leads to.
      work: The work.
      by_title: Whether a title that is quite another speaks against it.
    """
    titles = compare_titles(work.title, other.title)
    if titles.kind >= TitleClass.NEAR:
        return True
    if compare_authors(work.authors, other.authors).share < _RETITLED_AUTHORS:
        return False
    first, second = title_words(work.title), title_words(other.title)
    if len(set(content_words(first)) & set(content_words(second))) < _RETITLED_WORDS:
        return False
    ratio = fuzz.ratio(" ".join(first), " ".join(second)) / 100.0
    return not by_title or ratio >= _RETITLED_SIMILARITY
