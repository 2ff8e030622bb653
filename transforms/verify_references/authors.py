"""Compares the authors of an entry with those of a record.  Pure."""

from __future__ import annotations

import dataclasses
import enum
import itertools
from collections.abc import Sequence

from transforms.verify_references.pairing import (
    DISAGREES,
    MISPRINT,
    Pair,
    pair_authors,
)
from transforms.verify_references.people import Person, are_placeholders, read_people

_ENOUGH = 0.5
# In lists this long, one name of ten may be missing from a record.
_LONG_LIST = 5
_TOLERATED_SHARE = 0.1
# Lists cut after so many names need no "et al.".
_CUT_AFTER = 3


class AuthorState(enum.StrEnum):
    """How many of the cited authors are on a record."""

    OK = "ok"
    FEW = "few"
    NONE = "none"
    UNKNOWN = "unknown"


@dataclasses.dataclass(frozen=True, slots=True)
class AuthorMatch:
    """What comparing two lists of authors came to.

    Attributes:
      state: How many of the cited authors are on the record.
      share: Cited authors on the record over all, in [0, 1].
      faults: What is wrong, each as words that a person can act on.
      notes: What differs and is tolerated, likewise.
    """

    state: AuthorState
    share: float = 0.0
    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def compare_authors(
    cited: Sequence[str],
    record: Sequence[str],
    *,
    title_words: Sequence[str] = (),
    has_preprint: bool = False,
    order_may_differ: bool = False,
) -> AuthorMatch:
    """Compares a cited list of authors with that of a record.

    Args:
      cited: Names as printed, in order; ``et al.`` may end them.
      record: Names as the index gives them, in order.
      title_words: Words of the cited title: a name that is one of them is none.
      has_preprint: Whether the work has a preprint, whose authors may be others.
      order_may_differ: Whether the index sorts authors in a way of its own.
    """
    ours, is_truncated = read_people(cited)
    theirs, _ = read_people(record)
    if are_placeholders(ours):
        return AuthorMatch(
            AuthorState.NONE, faults=("the authors are placeholders, not names",)
        )
    ours = tuple(p for p in ours if not _is_title_word(p, title_words))
    ours, theirs = _persons(ours, theirs)
    if not ours or not theirs or _are_incomparable(ours, theirs):
        return AuthorMatch(AuthorState.UNKNOWN)
    return _Comparison(
        ours, theirs, pair_authors(ours, theirs), is_truncated, has_preprint
    ).match(order_may_differ)


@dataclasses.dataclass(frozen=True, slots=True)
class _Comparison:
    """Two lists of authors with the pairs between them."""

    ours: tuple[Person, ...]
    theirs: tuple[Person, ...]
    pairs: list[Pair]
    is_truncated: bool
    has_preprint: bool

    def match(self, order_may_differ: bool) -> AuthorMatch:
        share = self._share()
        state = AuthorState.OK if share >= _ENOUGH else AuthorState.FEW
        if share == 0:
            names = ", ".join(p.printed for p in self.theirs[:3])
            more = " et al." if len(self.theirs) > 3 else ""
            fault = f"none of the cited authors is on the record, by {names}{more}"
            return AuthorMatch(AuthorState.NONE, faults=(fault,))
        faults = [*self._given_names()]
        notes = [*self._misprints()]
        extra, extra_tolerated = self._extra()
        (notes if extra_tolerated else faults).extend(extra)
        missing, missing_tolerated = self._missing()
        (notes if missing_tolerated else faults).extend(missing)
        order, is_first = self._order()
        is_tolerated = order_may_differ or not is_first or self._is_alphabetical()
        (notes if is_tolerated else faults).extend(order)
        return AuthorMatch(state, share, tuple(faults), tuple(notes))

    def _share(self) -> float:
        strong = sum(pair.given != DISAGREES for pair in self.pairs)
        if strong == len(self.theirs) and self._is_prefix():
            return 1.0
        absorbed = any(not p.is_latin for p in self.theirs)
        return min(1.0, (strong + absorbed) / len(self.ours))

    def _is_prefix(self) -> bool:
        """Tells whether the record's list begins the cited one."""
        last = max((pair.cited for pair in self.pairs), default=-1)
        return len(self.pairs) == len(self.theirs) == last + 1 < len(self.ours)

    def _given_names(self) -> list[str]:
        return [
            f"cited {self.ours[pair.cited].printed},"
            f" record {self.theirs[pair.record].printed}"
            for pair in self.pairs
            if pair.given == DISAGREES
        ]

    def _misprints(self) -> list[str]:
        return [
            f"cited {self.ours[pair.cited].printed},"
            f" record {self.theirs[pair.record].printed}"
            for pair in self.pairs
            if pair.quality == MISPRINT and pair.given != DISAGREES
        ]

    def _extra(self) -> tuple[list[str], bool]:
        """Returns cited authors that are not on the record, and if that may be."""
        paired = {pair.cited for pair in self.pairs}
        extra = [n for n in range(len(self.ours)) if n not in paired]
        foreign = sum(not p.is_latin for p in self.theirs)
        extra = extra[:-foreign] if foreign else extra
        said = [f"{self.ours[n].printed} is not on the record" for n in extra]
        allowed = max(1, int(_TOLERATED_SHARE * len(self.ours)))
        is_tolerated = self._is_prefix() or (
            len(self.ours) >= _LONG_LIST
            and len(extra) <= allowed
            and 0 not in extra
            and (not self._left_out() or self.has_preprint)
        )
        return said, is_tolerated

    def _missing(self) -> tuple[list[str], bool]:
        """Returns authors of the record that are not cited, and if that may be."""
        last = max((pair.record for pair in self.pairs), default=-1)
        middle = [n for n in self._left_out() if n < last]
        tail = [n for n in self._left_out() if n > last]
        if middle:
            said = [f"{self.theirs[n].printed} is missing" for n in middle]
            return said, self.is_truncated
        if tail:
            said = [
                f"{len(tail)} more on the record, from {self.theirs[tail[0]].printed}"
            ]
            is_short = len(self.ours) < _CUT_AFTER
            return said, self.is_truncated or not is_short
        return [], True

    def _left_out(self) -> list[int]:
        paired = {pair.record for pair in self.pairs}
        return [
            n
            for n, person in enumerate(self.theirs)
            if n not in paired and person.is_latin and not person.is_group
        ]

    def _order(self) -> tuple[list[str], bool]:
        """Returns what to say of another order, and if it has another first author."""
        positions = [pair.record for pair in self.pairs]
        if positions == sorted(positions):
            return [], False
        first = next((p for p in self.pairs if p.cited == 0), None)
        is_first = first is not None and first.record != 0
        named = self.theirs[0].printed
        said = f"first author on the record is {named}" if is_first else "another order"
        return [said], is_first

    def _is_alphabetical(self) -> bool:
        names = [" ".join(p.bare) for p in self.theirs]
        return len(names) > 3 and all(a <= b for a, b in itertools.pairwise(names))


def _is_title_word(person: Person, title_words: Sequence[str]) -> bool:
    return len(person.words) == 1 and person.words[0] in title_words


def _persons(
    ours: tuple[Person, ...], theirs: tuple[Person, ...]
) -> tuple[tuple[Person, ...], tuple[Person, ...]]:
    """Leaves organisations out where both lists name persons."""
    without = [tuple(p for p in people if not p.is_group) for people in (ours, theirs)]
    return (without[0], without[1]) if all(without) else (ours, theirs)


def _are_incomparable(ours: Sequence[Person], theirs: Sequence[Person]) -> bool:
    """Tells whether only one list names persons, or is in letters that compare."""
    groups = [all(p.is_group for p in people) for people in (ours, theirs)]
    scripts = [any(p.is_latin for p in people) for people in (ours, theirs)]
    return groups[0] != groups[1] or scripts[0] != scripts[1]
