"""Compares the venue of an entry with that of a record.  Pure."""

from __future__ import annotations

import enum
import functools
import re
from collections.abc import Sequence

from transforms.names import fold
from transforms.verify_references.venue_table import Venue, VenueKind, VenueTable

# Longer "venues" are misread entries.
MAX_CHARS = 300

_SMALL_WORDS = frozenset(
    [
        *("the", "of", "and", "in", "on", "for", "de", "et", "a", "an", "und", "der"),
        *("la", "le", "les", "des", "du", "to", "series", "section", "part", "amp"),
        *("proceedings", "proc", "conference", "conf", "symposium"),
    ]
)
_ORDINAL = re.compile(
    r"\b(?:\d+(?:st|nd|rd|th)?|first|second|third|fourth|fifth|sixth|seventh|eighth"
    r"|ninth|tenth|[a-z]*teenth|twent\w*|thirt\w*|fort(?:y|ieth)\w*|fift(?:y|ieth)\w*)\b"
)
_STATES = re.compile(r"\b(?:united states(?: of)? america|u s a|usa)\b")
# What follows is a series, a place or an abbreviation of the same name.
_HEAD = re.compile(r"\s*[(:;,\[/]|\.\s")
_MIN_WORDS = 3
_ENOUGH = 0.75
_ACRONYM = re.compile(r"[A-Z][A-Za-z]*[A-Z]|[A-Z]{2,}")
# Short names of journals that begin the names of others.
_WHOLE = frozenset(["gene", "cell", "brain", "blood", "nature", "science", "plant"])


class VenueMatch(enum.StrEnum):
    """What comparing two venues came to."""

    SAME = "same"
    CONFLICT = "conflict"
    OTHER = "other"
    UNKNOWN = "unknown"


def compare_venues(cited: str, record: str, table: VenueTable) -> VenueMatch:
    """Compares a cited venue with that of a record.

    Args:
      cited: The venue as printed.
      record: The venue as the index gives it.
      table: Which names are of one venue.

    Returns:
      ``CONFLICT`` if the table has both and they are two; ``OTHER`` if the names
      cannot be of one; ``UNKNOWN`` if that cannot be told.
    """
    cited, record = cited[:MAX_CHARS], record[:MAX_CHARS]
    ours, theirs = find_venue(cited, table), find_venue(record, table)
    kinds = [venue.kind for venue in (ours, theirs) if venue]
    if not fold(cited) or not fold(record) or VenueKind.UNCLEAR in kinds:
        return VenueMatch.UNKNOWN
    if ours and theirs:
        if ours.name == theirs.name:
            return VenueMatch.SAME
        if VenueKind.ALIAS not in kinds:
            return VenueMatch.CONFLICT
    if _alike(cited, record):
        return VenueMatch.SAME
    # An acronym that the table lacks may stand for anything.
    is_open = (not ours and _is_acronym(cited)) or (not theirs and _is_acronym(record))
    return VenueMatch.UNKNOWN if is_open else VenueMatch.OTHER


@functools.lru_cache(maxsize=50_000)
def find_venue(written: str, table: VenueTable) -> Venue | None:
    """Returns the venue of the table that a text is or names, or None."""
    return table.find(written[:MAX_CHARS])


@functools.lru_cache(maxsize=50_000)
def _alike(cited: str, record: str) -> bool:
    """Tells whether one name can be the other, abbreviated or cut."""
    ours, theirs = _words(cited), _words(record)
    if not ours or not theirs:
        return True
    if "".join(ours) == "".join(theirs) or _aligned(ours, theirs):
        return True
    heads = [_words(_HEAD.split(written, maxsplit=1)[0]) for written in (cited, record)]
    if (heads[0] and _aligned(heads[0], theirs)) or (
        heads[1] and _aligned(ours, heads[1])
    ):
        return True
    return _spells(ours, record) or _spells(theirs, cited)


@functools.lru_cache(maxsize=50_000)
def _words(written: str) -> tuple[str, ...]:
    """Returns the words of a name that tell it from others."""
    folded = _STATES.sub(" ", fold(written))
    words = _ORDINAL.sub(" ", folded).split()
    return tuple(word for word in words if word not in _SMALL_WORDS)


def _aligned(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Tells whether two names agree word by word, in order, as far as need be."""
    most = max(len(ours), len(theirs))
    if most == 1 and ours != theirs and {*ours, *theirs} & _WHOLE:
        return False
    agreeing = _common(ours, theirs)
    if agreeing == most:
        return True
    return most >= _MIN_WORDS and agreeing >= _ENOUGH * most


def _common(ours: Sequence[str], theirs: Sequence[str]) -> int:
    """Returns the length of the longest common subsequence of words."""
    before = [0] * (len(theirs) + 1)
    for word in ours:
        row = [0]
        for at, other in enumerate(theirs):
            if _abbreviates(word, other):
                row.append(before[at] + 1)
            else:
                row.append(max(row[at], before[at + 1]))
        before = row
    return before[-1]


def _abbreviates(first: str, second: str) -> bool:
    """Tells whether one word is the other, or short for it."""
    shorter, longer = sorted((first, second), key=len)
    if shorter == longer or f"{shorter}s" == longer:
        return True
    if shorter[0] != longer[0]:
        return False
    if longer.startswith(shorter):
        return True
    # "natl" for "national": letters in order.
    letters = iter(longer)
    return 2 < len(shorter) < len(longer) and all(c in letters for c in shorter)


def _is_acronym(written: str) -> bool:
    return _ACRONYM.fullmatch(written.strip(" .")) is not None


def _spells(words: Sequence[str], written: str) -> bool:
    """Tells whether a name is the initials of other words."""
    if len(words) != 1:
        return False
    every = fold(written).split()
    telling = [word for word in every if word not in _SMALL_WORDS - {"proceedings"}]
    spelt = {"".join(w[0] for w in some) for some in (every, telling) if len(some) > 1}
    return words[0] in spelt
