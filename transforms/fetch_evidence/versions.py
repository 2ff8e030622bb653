"""Groups the records that an index holds of one work.  Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from transforms.names import family_name, same_surname
from transforms.records import Work
from transforms.titles import normalise_title

# Between a preprint and the article; works of one title that lie further apart
# are editions or a series.
_MAX_YEARS_APART = 2


def group_versions(works: Sequence[Work]) -> list[list[Work]]:
    """Groups records that share a DOI, an arXiv id or a title.

    A shared title counts only where first author and time allow it.

    Args:
      works: Records, most of them of different works.

    Returns:
      One group for each work; groups and records keep their order.
    """
    parents = list(range(len(works)))
    known: dict[tuple[str, str], list[int]] = defaultdict(list)
    for number, work in enumerate(works):
        for key in _shared_keys(work):
            versions = [
                other
                for other in known[key]
                if key[0] != "title" or _may_be_one(work, works[other])
            ]
            for other in versions:
                parents[_root(parents, number)] = _root(parents, other)
            if not versions:
                # One record stands for its group: thousands may share a title.
                known[key].append(number)
    groups: dict[int, list[Work]] = defaultdict(list)
    for number, work in enumerate(works):
        groups[_root(parents, number)].append(work)
    return list(groups.values())


def _shared_keys(work: Work) -> Iterator[tuple[str, str]]:
    """Yields what another record of the work may have in common with this one."""
    if work.doi:
        yield "doi", work.doi
    if work.arxiv_id:
        yield "arxiv", work.arxiv_id
    if title := normalise_title(work.title):
        yield "title", title


def _root(parents: Sequence[int], number: int) -> int:
    while parents[number] != number:
        number = parents[number]
    return number


def _may_be_one(first: Work, second: Work) -> bool:
    """Tells whether author and year allow two records of one title to be one work."""
    if first.authors and second.authors:
        surname = family_name(first.authors[0])
        if not same_surname(surname, second.authors[0]):
            return False
    if first.year is None or second.year is None:
        return True
    return abs(first.year - second.year) <= _MAX_YEARS_APART
