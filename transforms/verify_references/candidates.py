"""Puts the records that may be of a cited work in order.  Pure."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from transforms.records import Reference, Work
from transforms.verify_references.authors import (
    AuthorMatch,
    AuthorState,
    compare_authors,
)
from transforms.verify_references.titles import (
    TitleClass,
    TitleMatch,
    compare_titles,
)
from transforms.verify_references.words import title_words

_MIN_SHARED_AUTHORS = 0.5
# Authors that are this few on a record speak against it.
_TRUSTED = (AuthorState.OK, AuthorState.UNKNOWN)


@dataclasses.dataclass(frozen=True, slots=True)
class Candidate:
    """A record beside the entry that it may be of.

    Attributes:
      work: The record.
      title: How the titles agree.
      authors: How the authors agree.
      is_led: Whether an identifier of the entry leads to it.
    """

    work: Work
    title: TitleMatch
    authors: AuthorMatch
    is_led: bool


def compare(reference: Reference, work: Work, *, is_led: bool) -> Candidate:
    """Compares title and authors of an entry with those of a record."""
    return Candidate(
        work,
        compare_titles(reference.title, work.title),
        compare_authors(
            reference.authors, work.authors, title_words=title_words(reference.title)
        ),
        is_led,
    )


def best_first(candidates: Iterable[Candidate], year: int | None) -> list[Candidate]:
    """Sorts candidates, the one that agrees best first.

    Args:
      candidates: Records beside one entry.
      year: Year of the entry, or None.
    """

    def rank(candidate: Candidate) -> tuple[object, ...]:
        title, authors = candidate.title, candidate.authors
        theirs = candidate.work.year
        apart = abs(year - theirs) if year and theirs else 1
        return (
            -(title.kind >= TitleClass.NEAR and authors.state in _TRUSTED),
            -title.kind,
            authors.state not in _TRUSTED,
            -authors.share,
            not candidate.is_led,
            apart,
            -title.similarity,
            candidate.work.source,
            candidate.work.paper_id,
        )

    return sorted(candidates, key=rank)


def versions(ordered: list[Candidate]) -> list[Candidate]:
    """Returns the candidates that are of one work with the best.

    They agree in title as well as the best does, and share half of its authors.

    Args:
      ordered: Candidates, the best first; at least one.
    """
    best = ordered[0]
    return [
        other
        for other in ordered
        if other is best
        or (other.title.kind >= best.title.kind and _share_authors(best, other))
    ]


def _share_authors(best: Candidate, other: Candidate) -> bool:
    match = compare_authors(best.work.authors, other.work.authors)
    return match.share >= _MIN_SHARED_AUTHORS
