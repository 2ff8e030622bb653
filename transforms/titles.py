"""Normalises and compares titles of scholarly works.  Pure."""

from __future__ import annotations

import functools
import html
import re
import unicodedata
from collections import Counter

from rapidfuzz import fuzz

from transforms.names import fold

_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,200}>")
_GREEK = re.compile(r"[\u0370-\u03ff]")
# Markup of TeX titles; it may sit inside a word, as in "{D}NA".
# The micro sign is a Greek letter to whoever prints it.
_TEX = str.maketrans("\u00b5", "\u03bc", "{}$")
# Where a subtitle begins, or a section label ends.
BREAK = re.compile(r"\s*(?:[:;?!]|\.(?=\s)|\s[-–—]+\s|—)\s*")
_RETRACTED = re.compile(r"^retracted (?:article )?(?=\w)")
# A notice repeats the title of the work that it is about.
_NOTICE = re.compile(
    r"(?:(?:author|publisher) )?(?:correction|corrigendum|erratum|addendum|retraction"
    r"|expression of concern|data from|reply|response|comment|commentary)\b"
)
_ROMAN = frozenset(["ii", "iii", "iv", "vi", "vii", "viii", "ix", "xi", "xii"])


@functools.lru_cache(maxsize=1 << 13)
def normalise_title(title: str) -> str:
    """Returns ``title`` for comparison, or ``""`` if it holds no word.

    Markup, case, accents and punctuation go, Greek letters are spelt out, and a
    leading ``RETRACTED`` is dropped: it is the same work.
    """
    plain = _TAG.sub("", html.unescape(title)).translate(_TEX)
    spelt = _GREEK.sub(_spell, unicodedata.normalize("NFC", plain))
    return _RETRACTED.sub("", fold(spelt))


def title_similarity(first: str, second: str) -> float:
    """Returns how alike two titles are, in [0, 1].

    It is the normalised indel similarity of the characters, with three exceptions
    for titles that look alike and name different works.  A title that continues
    another is only as like it as it is short.  Titles that differ in a number
    (part 1 and part 2), or of which only one is a notice (``Correction to: ...``),
    are not alike at all.

    Args:
      first: A title as printed.
      second: Another.

    Returns:
      1 for titles that are equal once normalised; 0 if either is empty.
    """
    first, second = normalise_title(first), normalise_title(second)
    if not first or not second:
        return 0.0
    if first == second:
        return 1.0
    if _numbers(first) != _numbers(second):
        return 0.0
    if is_notice(first) != is_notice(second):
        return 0.0
    shorter, longer = sorted((first, second), key=len)
    if longer.startswith(f"{shorter} ") or longer.endswith(f" {shorter}"):
        return len(shorter) / len(longer)
    return fuzz.ratio(first, second) / 100.0


def main_title(title: str) -> str:
    """Returns a title up to where its subtitle begins."""
    found = BREAK.search(title)
    return title[: found.start()] if found else title


def is_notice(title: str) -> bool:
    """Tells whether a title is of a notice on another work, or a reply to it."""
    return _NOTICE.match(normalise_title(title)) is not None


def _numbers(normalised: str) -> tuple[str, Counter[str]]:
    """Returns digits in order, which spacing does not change, and Roman numerals."""
    digits = re.sub(r"\D", "", normalised)
    return digits, Counter(word for word in normalised.split() if word in _ROMAN)


def _spell(letter: re.Match[str]) -> str:
    name = unicodedata.name(letter.group(), "")
    return name.partition(" LETTER ")[2].partition(" WITH ")[0].split(" ")[-1].lower()
