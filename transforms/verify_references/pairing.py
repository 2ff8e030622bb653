"""Pairs the authors of an entry with those of a record.  Pure."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Iterator, Sequence

from rapidfuzz.distance import Levenshtein

from transforms.verify_references.people import Person

_MIN_SHARED_LETTERS = 4
_MIN_ANAGRAM_LETTERS = 6
# Letters that a family name of one misprint, and of two, has at least.
_ONE_MISPRINT, _TWO_MISPRINTS = 5, 8
# What is left of long lists is compared with each other: bound it.
_MAX_LEFT = 40
_UMLAUTS = (("ae", "a"), ("oe", "o"), ("ue", "u"))
_NICKNAMES = frozenset(
    [
        *("william bill", "robert bob", "richard dick", "edward ted", "theodore ted"),
        *("margaret peggy", "elizabeth betty", "elizabeth liz", "anthony tony"),
        *("alexander sasha", "alexander xander", "henry hank", "charles chuck"),
        *("john jack", "catherine kate", "katherine cathy", "eugene gene"),
        *("elizabeth beth", "alexandra sandy", "alexander sandy", "antonio toni"),
    ]
)
_INITIALS_OF_NICKNAMES = frozenset(
    frozenset(name[0] for name in pair.split()) for pair in _NICKNAMES
)

SAME, LIKE, MISPRINT = 1.0, 0.8, 0.6
AGREES, UNKNOWN, DISAGREES = 2, 1, 0


@dataclasses.dataclass(frozen=True, slots=True)
class Pair:
    """A cited author and the author of a record that it is taken for.

    Attributes:
      cited: Position in the cited list, from 0.
      record: Position in the record's list, from 0.
      quality: How well the family names agree: ``SAME``, ``LIKE`` or ``MISPRINT``.
      given: How well the given names do: ``AGREES``, ``UNKNOWN`` or ``DISAGREES``.
    """

    cited: int
    record: int
    quality: float
    given: int


def pair_authors(cited: Sequence[Person], record: Sequence[Person]) -> list[Pair]:
    """Pairs authors one to one, the best pair first, and returns them as cited.

    One assignment for all: author by author, the first of two of one family name
    would take the place of the second.
    """
    pairs = _best(_alike(cited, record))
    taken = {pair.cited for pair in pairs}, {pair.record for pair in pairs}
    ours = [i for i in range(len(cited)) if i not in taken[0]][:_MAX_LEFT]
    theirs = [i for i in range(len(record)) if i not in taken[1]][:_MAX_LEFT]
    rest = (
        Pair(i, j, quality, given_agreement(cited[i], record[j]))
        for i in ours
        for j in theirs
        if (quality := _loose_quality(cited[i], record[j], is_in_place=i == j))
    )
    return sorted([*pairs, *_best(rest)], key=lambda pair: pair.cited)


def family_quality(cited: Person, record: Person) -> float:
    """Returns how well two family names agree, 0 if not at all."""
    ours, theirs = "".join(cited.family), "".join(record.family)
    if not ours or not theirs:
        return 0.0
    if ours == theirs or "".join(cited.bare) == "".join(record.bare):
        return SAME
    if _without_umlauts(ours) == _without_umlauts(theirs):
        return SAME
    if _shares_word(cited.bare, record.bare) or _is_swapped(cited, record):
        return LIKE
    return 0.0


def given_agreement(cited: Person, record: Person) -> int:
    """Returns whether the given names of a pair agree, judged by their initials."""
    ours, theirs = cited.given, record.given
    if not ours or not theirs:
        return UNKNOWN
    if ours[0][0] == theirs[0][0]:
        return AGREES
    if _has_crossed_initials(cited, record):
        return UNKNOWN
    if {w[0] for w in ours} & {w[0] for w in theirs} or _is_swapped(cited, record):
        return UNKNOWN
    # What one print takes for a part of the family name.
    if {w[0] for w in ours} & {w[0] for w in record.family[:-1]}:
        return UNKNOWN
    if {w[0] for w in theirs} & {w[0] for w in cited.family[:-1]}:
        return UNKNOWN
    if f"{ours[0]} {theirs[0]}" in _NICKNAMES or f"{theirs[0]} {ours[0]}" in _NICKNAMES:
        return UNKNOWN
    return DISAGREES


def _alike(cited: Sequence[Person], record: Sequence[Person]) -> Iterator[Pair]:
    """Yields pairs that share a word; lists of thousands are compared by words."""
    by_word: dict[str, set[int]] = defaultdict(set)
    for j, person in enumerate(record):
        for word in _keys(person):
            by_word[word].add(j)
    for i, person in enumerate(cited):
        others = set().union(*(by_word.get(word, set()) for word in _keys(person)))
        for j in others:
            if quality := family_quality(person, record[j]):
                yield Pair(i, j, quality, given_agreement(person, record[j]))


def _best(pairs: Iterator[Pair]) -> list[Pair]:
    """Takes pairs one to one in order of how well they agree, then of how near."""
    ours: set[int] = set()
    theirs: set[int] = set()
    taken = []
    for pair in sorted(pairs, key=_rank):
        if pair.cited not in ours and pair.record not in theirs:
            ours.add(pair.cited)
            theirs.add(pair.record)
            taken.append(pair)
    return taken


def _rank(pair: Pair) -> tuple[float, int, int, int, int]:
    distance = abs(pair.cited - pair.record)
    return -pair.quality, -pair.given, distance, pair.cited, pair.record


def _keys(person: Person) -> set[str]:
    """Returns the words by which a name may be found."""
    words = {word for word in person.words if len(word) > 1}
    whole = {"".join(person.family), "".join(person.bare)}
    return words | whole | {_without_umlauts(word) for word in words | whole}


def _loose_quality(cited: Person, record: Person, *, is_in_place: bool) -> float:
    """Returns the quality of a pair whose names are misprinted.

    More is allowed where both have the same place in their lists.
    """
    ours, theirs = "".join(cited.family), "".join(record.family)
    whole, other = "".join(cited.words), "".join(record.words)
    is_long = len(whole) >= _MIN_ANAGRAM_LETTERS
    if is_long and sorted(whole) == sorted(other):
        return LIKE
    shorter = min(len(ours), len(theirs))
    allowed = 0
    if shorter >= _ONE_MISPRINT:
        allowed = 2 if shorter >= _TWO_MISPRINTS else 1
    elif is_in_place and shorter > 2 and given_agreement(cited, record) == AGREES:
        allowed = 1
    if allowed and Levenshtein.distance(ours, theirs, score_cutoff=allowed) <= allowed:
        return MISPRINT
    return MISPRINT if is_in_place and _has_crossed_initials(cited, record) else 0.0


def _has_crossed_initials(cited: Person, record: Person) -> bool:
    """Tells whether one has the names the other way: ``Ode, T``, ``Tamsin, O``."""
    if not all((cited.given, record.given, cited.family, record.family)):
        return False
    return (
        cited.family[0][0] == record.given[0][0]
        and record.family[0][0] == cited.given[0][0]
        and all(len(w) == 1 for w in (*cited.given, *record.given))
        and max(len(cited.family[0]), len(record.family[0])) > 1
    )


def _without_umlauts(word: str) -> str:
    for written, letter in _UMLAUTS:
        word = word.replace(written, letter)
    return word


def _shares_word(first: Sequence[str], second: Sequence[str]) -> bool:
    if len(first) == len(second) == 1:
        return False
    shared = set(first) & set(second)
    return first[-1] == second[-1] or any(
        len(word) >= _MIN_SHARED_LETTERS for word in shared
    )


def _is_swapped(cited: Person, record: Person) -> bool:
    """Tells whether one print takes the given name for the family name."""
    ours, theirs = set(cited.words), set(record.words)
    return (
        cited.bare != record.bare
        and all(len(word) > 1 for word in cited.bare)
        and set(cited.bare) <= theirs
        and (set(record.bare) <= ours or len(cited.words) < len(record.words))
    )
