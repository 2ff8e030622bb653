"""Compares author names across the ways that texts and indexes write them.

Gates follow what scholarly indexes do to names: one string per author, given
name first or last, initials, lost accents, particles inside or outside the
family name.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from typing import TypeAlias

# Letters that NFKD leaves whole.
_ATOMIC = str.maketrans(
    {
        "ß": "ss", "ẞ": "ss", "ø": "o", "Ø": "o", "ł": "l", "Ł": "l", "æ": "ae",
        "Æ": "ae", "œ": "oe", "Œ": "oe", "đ": "d", "Đ": "d", "ð": "d", "Ð": "d",
        "þ": "th", "Þ": "th", "ı": "i", "ħ": "h", "ŋ": "n", "ə": "e",
    }
)  # fmt: skip
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff\x00"))
_HYPHENS = re.compile(r"[\u2010-\u2015\u2212\ufe63\uff0d]")
_APOSTROPHES = re.compile(r"[’‘ʼ`´′ʹ]")
_SUFFIX = re.compile(r",?\s+(?:jr|sr|ii|iii|iv|vi|2nd|3rd)\.?$", re.IGNORECASE)
# "AB", "A.B.", "A. B.", "J-P": given names cut down to capitals.
_INITIALS = re.compile(r"(?:[^\W\d_]\.?[-\s]?){1,4}$")
# Small words that begin a family name, and that many indexes drop.
PARTICLES = frozenset(
    [
        *("van", "von", "der", "den", "de", "del", "della", "di", "da", "dos", "das"),
        *("du", "la", "le", "lo", "ten", "ter", "te", "zu", "zur", "zum", "af", "av"),
        *("el", "al", "bin", "ibn", "abu", "ben", "st", "san", "santa", "'t", "'s"),
    ]
)

_REMEMBERED = 1 << 14

_Words: TypeAlias = tuple[str, ...]


def clean(text: str) -> str:
    """Returns ``text`` in NFKC with plain hyphens, apostrophes and spaces.

    Soft hyphens, zero-width characters and NULs are dropped, and a hyphen at a
    line break is joined.
    """
    text = unicodedata.normalize("NFKC", text).translate(_INVISIBLE)
    text = _APOSTROPHES.sub("'", _HYPHENS.sub("-", text))
    return " ".join(re.sub(r"-\s*\n\s*", "-", text).split())


@functools.lru_cache(maxsize=1 << 15)
def fold(text: str) -> str:
    """Returns ``text`` for comparison: no case, accents, apostrophes or joins.

    Hyphens and white space become single spaces: ``Kahneman-Sjøstrand`` and
    ``KAHNEMAN SJOSTRAND`` are one.
    """
    plain = unicodedata.normalize("NFKD", clean(text).translate(_ATOMIC))
    kept = "".join(c for c in plain if not unicodedata.combining(c)).casefold()
    return " ".join(re.sub(r"[^\w\s]|_", " ", kept.replace("'", "")).split())


def family_name(name: str) -> str:
    """Returns the family name of an author written in any usual order.

    ``Ode, Tamsin``, ``Tamsin Ode``, ``Ode T``, ``T. Ode`` and ``Ode`` all give
    ``Ode``; particles stay with the family name (``van der Prell``).
    """
    name = _SUFFIX.sub("", clean(name))
    if "," in name:
        return name.split(",", 1)[0].strip()
    tokens = name.split()
    if len(tokens) < 2:
        return name
    if _is_initials(tokens[-1]):
        while len(tokens) > 1 and _is_initials(tokens[-1]):
            tokens.pop()
        return " ".join(tokens)
    start = len(tokens) - 1
    while start > 1 and tokens[start - 1].casefold() in PARTICLES:
        start -= 1
    if start == 1 and tokens[0].casefold() in PARTICLES:
        start = 0
    return " ".join(tokens[start:])


def same_surname(cited: str, author: str) -> bool:
    """Tells whether ``author`` can be the one that is cited as ``cited``.

    Args:
      cited: A surname as a text prints it.
      author: A full name as an index or reference entry gives it.

    Returns:
      True when the folded surname equals the family name, or is the last part
      of the whole name, with or without particles; False for empty names.
    """
    wanted = _cited_words(cited)
    family, whole = _written_words(author)
    if not wanted or not family:
        return False
    bare = _without_particles(wanted)
    return (
        wanted == family
        or (bool(bare) and bare == _without_particles(family))
        or "".join(wanted) == "".join(family)
        or ("," not in author and whole[-len(wanted) :] == wanted)
    )


# A name is compared with many others.
@functools.lru_cache(_REMEMBERED)
def _cited_words(surname: str) -> _Words:
    return _without_article(tuple(fold(surname).split()))


@functools.lru_cache(_REMEMBERED)
def _written_words(author: str) -> tuple[_Words, _Words]:
    """Returns the words of the family name, and of the whole name."""
    family = tuple(fold(family_name(author)).split())
    whole = tuple(fold(author.replace(",", " ")).split())
    return _without_article(family), _without_article(whole)


def _is_initials(token: str) -> bool:
    return (
        token == token.upper()
        and len(token.replace(".", "").replace("-", "")) <= 3
        and _INITIALS.match(token) is not None
    )


def _without_article(tokens: _Words) -> _Words:
    """Drops ``The`` of an organisation's name."""
    return tokens[1:] if len(tokens) > 2 and tokens[0] == "the" else tokens


def _without_particles(tokens: _Words) -> _Words:
    start = 0
    while start < len(tokens) - 1 and tokens[start] in PARTICLES:
        start += 1
    return tokens[start:]
