"""Decides whether a record of an index is the work that is looked up.  Pure.

The gates follow what is known of index data: of the years that two indexes give
for one work, one in ten differs by one and none by more; family names may lose
accents and particles.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from transforms.fetch_evidence.versions import group_versions
from transforms.names import same_surname
from transforms.records import MIN_ABSTRACT_CHARS, Lookup, Work
from transforms.titles import normalise_title, title_similarity

# At or above the first a title decides, unless author or year contradict it; at
# or above the second it decides only together with both.
SAME_TITLE = 0.95
CLOSE_TITLE = 0.80

_MAX_YEARS_APART = 1
# Shorter titles ("Introduction") name no work without an author or a year.
_TELLING_TITLE_WORDS = 4
# Beyond the third author, lists are cut in texts and in indexes.
_COMPARED_AUTHORS = 3


def agrees(lookup: Lookup, work: Work) -> bool:
    """Tells whether ``work`` can be the work that is looked up.

    With a title, the titles must be alike: from 0.95, nothing may speak against
    the match; from 0.80, year (within one) and first surname must speak for it.
    Without one, first surname, year and number of authors must agree.

    Args:
      lookup: What is known of the work; what is unknown agrees with nothing.
      work: A record that an index gave as a candidate.
    """
    if lookup.title:
        return _agrees_by_title(lookup, work)
    return (
        _same_year(lookup, work) is True
        and _same_authors(lookup, work.authors)
        and not _has_other_identifier(lookup, work)
    )


def candidates(lookup: Lookup, works: Sequence[Work]) -> list[Work]:
    """Returns the works that agree with ``lookup``, each once.

    Versions of one work are one candidate, for which the version with an abstract
    stands.  Where some candidates have the very title, or are of the very year,
    that is looked up, the others are dropped.

    Args:
      lookup: What is known of the work.
      works: Candidates in the order of the index.

    Returns:
      No work, one, or, where what is known does not tell them apart, several.
    """
    return [
        min(group, key=lambda w: (not has_abstract(w), w.year != lookup.year))
        for group in fitting_groups(lookup, works)
    ]


def fitting_groups(lookup: Lookup, works: Sequence[Work]) -> list[list[Work]]:
    """Returns the works that ``candidates`` chooses from, by version.

    Args:
      lookup: What is known of the work.
      works: Candidates in the order of the index.
    """
    groups = group_versions([work for work in works if agrees(lookup, work)])
    if lookup.title:
        groups = _preferred(groups, lambda work: _is_titled(lookup, work))
    if lookup.year is not None:
        groups = _preferred(groups, lambda work: work.year == lookup.year)
    return groups


def has_abstract(work: Work) -> bool:
    """Tells whether the abstract is long enough to count (spec/support, section 3)."""
    return len(work.abstract) >= MIN_ABSTRACT_CHARS


def _agrees_by_title(lookup: Lookup, work: Work) -> bool:
    similarity = title_similarity(lookup.title, work.title)
    if similarity < CLOSE_TITLE:
        return False
    year = _same_year(lookup, work)
    surname = _same_first_surname(lookup, work)
    if similarity < SAME_TITLE:
        return year is True and surname is True
    if year is False or surname is False:
        return False
    words = len(normalise_title(lookup.title).split())
    return year is True or surname is True or words >= _TELLING_TITLE_WORDS


def _is_titled(lookup: Lookup, work: Work) -> bool:
    return title_similarity(lookup.title, work.title) >= SAME_TITLE


def _same_year(lookup: Lookup, work: Work) -> bool | None:
    """Tells whether the years agree; None if either is unknown."""
    if lookup.year is None or work.year is None:
        return None
    return abs(lookup.year - work.year) <= _MAX_YEARS_APART


def _same_first_surname(lookup: Lookup, work: Work) -> bool | None:
    """Tells whether the first surnames agree; None if either is unknown."""
    if not lookup.surnames or not work.authors:
        return None
    return same_surname(lookup.surnames[0], work.authors[0])


def _same_authors(lookup: Lookup, authors: Sequence[str]) -> bool:
    """Tells whether names and number of authors fit those that are cited."""
    cited = lookup.surnames[:_COMPARED_AUTHORS]
    if not cited or len(authors) < len(cited):
        return False
    pairs = zip(cited, authors, strict=False)
    if not all(same_surname(surname, author) for surname, author in pairs):
        return False
    if len(cited) == _COMPARED_AUTHORS:
        return True
    # Two authors pass for "A et al.": some styles shorten from two on.
    return len(authors) > len(cited) if lookup.et_al else len(authors) == len(cited)


def _has_other_identifier(lookup: Lookup, work: Work) -> bool:
    pairs = (
        (lookup.doi, work.doi),
        (lookup.arxiv_id, work.arxiv_id),
        (lookup.pmid, work.pmid),
        (lookup.pmcid, work.pmcid),
    )
    return any(ours and theirs and ours != theirs for ours, theirs in pairs)


def _preferred(
    groups: list[list[Work]], is_better: Callable[[Work], bool]
) -> list[list[Work]]:
    """Returns the groups that hold a better work, or all if none does."""
    return [group for group in groups if any(map(is_better, group))] or groups
