"""The little of a search engine that the stand-ins have in common."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from transforms.names import family_name
from transforms.records import Work
from transforms.titles import normalise_title


def words(text: str) -> set[str]:
    """Returns the words of a text, folded, plurals cut."""
    return {word.removesuffix("s") for word in normalise_title(text).split()}


def ranked(
    query: Iterable[str], works: Sequence[Work], *, everywhere: bool
) -> list[Work]:
    """Returns the works that share words with a query, most first.

    Args:
      query: Words.
      works: What is searched.
      everywhere: Whether abstracts and names are searched too, not titles alone.
    """
    wanted = words(" ".join(query))
    scored = []
    for number, work in enumerate(works):
        text = work.title
        if everywhere:
            text = " ".join((work.title, work.abstract, *work.authors))
        scored.append((-len(wanted & words(text)), number))
    return [works[number] for score, number in sorted(scored) if score]


def split_name(name: str) -> tuple[str, str]:
    """Returns family and given name."""
    family = family_name(name)
    given = name.replace(family, "", 1).strip(" ,")
    return family, given
