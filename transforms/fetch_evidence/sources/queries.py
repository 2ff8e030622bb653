"""Makes queries of titles and names, and sorts out what a full-text search returns.

Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rapidfuzz import fuzz

from transforms.fetch_evidence.match import CLOSE_TITLE, has_abstract
from transforms.names import fold, same_surname
from transforms.records import Work
from transforms.titles import normalise_title

# Shorter words are mostly in every title.
_TELLING_CHARS = 4
_MAX_WORDS = 12
# A title of fewer words begins many others.
_MAIN_TITLE_WORDS = 2


def telling_words(text: str) -> list[str]:
    """Returns up to a dozen words that say most of ``text``, folded, each once.

    Args:
      text: A title, or words of a claim.

    Returns:
      The longest words of at least four letters, in order of appearance; all
      words if there is none so long.
    """
    words = list(dict.fromkeys(fold(text).split()))
    telling = [word for word in words if len(word) >= _TELLING_CHARS] or words
    longest = sorted(telling, key=len, reverse=True)[:_MAX_WORDS]
    return [word for word in telling if word in longest]


def any_of(field: str, words: Iterable[str]) -> str:
    """Returns a clause that asks for any of ``words`` in a field, or anywhere.

    One garbled word then costs rank, not the find.

    Args:
      field: The index's own name of the field, or ``""``.
      words: Folded words; at least one.
    """
    prefix = f"{field}:" if field else ""
    return f"({' OR '.join(prefix + word for word in words)})"


def batches(
    values: Iterable[str], *, most: int, most_chars: int
) -> Iterator[list[str]]:
    """Yields groups of values that fit into one address.

    Args:
      values: Identifiers.
      most: How many a group may hold, >= 1.
      most_chars: How long they may be together; a single one may be longer.
    """
    batch: list[str] = []
    chars = 0
    for value in values:
        if batch and (len(batch) == most or chars + len(value) > most_chars):
            yield batch
            batch, chars = [], 0
        batch.append(value)
        chars += len(value)
    if batch:
        yield batch


def like_titled(title: str, works: Iterable[Work]) -> list[Work]:
    """Returns the works with a title much like ``title``: others share a word.

    An index may have the title without its subtitle, and a reference may.
    """
    return [work for work in works if _is_like(title, work.title)]


def _is_like(first: str, second: str) -> bool:
    first, second = normalise_title(first), normalise_title(second)
    if not first or not second:
        return False
    shorter, longer = sorted((first, second), key=len)
    is_part = longer.startswith(f"{shorter} ") or longer.endswith(f" {shorter}")
    if is_part and len(shorter.split()) >= _MAIN_TITLE_WORDS:
        return True
    return fuzz.ratio(first, second) >= 100 * CLOSE_TITLE


def of_author_and_year(surname: str, year: int, works: Iterable[Work]) -> list[Work]:
    """Returns the works that have an author of that surname, a year either way."""
    return [
        work
        for work in works
        if work.year is not None
        and abs(work.year - year) <= 1
        and any(same_surname(surname, author) for author in work.authors)
    ]


def by_identifier(works: Sequence[Work]) -> dict[str, Work]:
    """Returns works by each of their keys; of several, one with an abstract."""
    found: dict[str, Work] = {}
    for work in sorted(works, key=has_abstract, reverse=True):
        for kind, value in (
            ("doi", work.doi),
            ("arxiv", work.arxiv_id),
            ("pmid", work.pmid),
            ("pmcid", work.pmcid),
        ):
            if value:
                found.setdefault(f"{kind}:{value}", work)
    return found
