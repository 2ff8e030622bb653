"""Tells abstracts from what indexes hold in their place.  Pure."""

from __future__ import annotations

import dataclasses
import re

from transforms.names import fold
from transforms.records import Work

# What a publisher, or an index, says where it has no abstract to give.
_NOTICE = re.compile(
    r"(?:\W*(?:"
    r"(?:an |the )?abstracts? (?:(?:is|are|was) )?(?:not|un)[ -]?"
    r"(?:available|provided|supplied|included|required)\b.{0,120}"
    r"|(?:there is )?no abstracts?(?: (?:is|was))?"
    r"(?: (?:available|provided|supplied|given|found|required|present|text))?\b.{0,60}"
    r"|(?:this|the) (?:article|paper|publication|item|document|letter|editorial|review)"
    r" (?:has|does|did) (?:no|not (?:have|contain|include) an) abstract\b.{0,60}"
    r"|(?:this|the) (?:article|paper|publication|manuscript)"
    r" (?:has been|was) (?:temporarily )?(?:retracted|withdrawn|removed)\b.*"
    r"|this (?:corrects|retracts|is an? (?:erratum|correction|corrigendum)).{0,200}"
    r"|(?:copyright|©|\(c\))(?: ?©| ?\(c\))? ?(?:by |the )?.{0,60}?\b(?:1[89]|20)\d\d\b"
    r".{0,160}"
    r"|(?:1[89]|20)\d\d .{0,80}all rights reserved.{0,40}"
    r"|all rights reserved.{0,80}"
    r"|n/?a|none|not available|abstract|summary|\[?no abstract\]?"
    r")\W*)",
    re.IGNORECASE | re.DOTALL,
)
_WITHHELD = re.compile(
    r"\W*(?:(?:the |this )?abstract (?:(?:has been|is|was) )?"
    r"(?:withheld|elided|suppressed)|withheld (?:at|by|on))\b.{0,160}",
    re.IGNORECASE | re.DOTALL,
)
_MIN_TITLE_WORDS = 4
_MIN_ABSTRACT_WORDS = 40
_MIN_WORD_LETTERS = 4
# Beyond it, words differ by their endings.
_STEM_LETTERS = 5
_MIN_LATIN_SHARE = 0.9
# Of four letters and more; shorter words are not looked at.
_FUNCTION_WORDS = """
about above across after again against along also although among another any because
been before being below between both cannot could does doing down during each either
from further have having here into itself like many more most much must near never
nor once only other over same several shall should since some such than that their
them then there these they this those through toward towards under until upon using
very versus were what when where whether which while whose will with within without
would your based case effect effects study studies analysis
"""
_FUNCTION_STEMS = frozenset(word[:_STEM_LETTERS] for word in _FUNCTION_WORDS.split())


def without_notice(work: Work) -> Work:
    """Returns a work without what stands in the place of its abstract.

    A notice that the abstract is withheld makes the work one whose abstract is
    withheld.
    """
    if _WITHHELD.fullmatch(work.abstract):
        return dataclasses.replace(work, abstract="", is_withheld=True)
    if _NOTICE.fullmatch(work.abstract):
        return dataclasses.replace(work, abstract="")
    return work


def is_suspect(work: Work) -> bool:
    """Tells whether an abstract shares no word with its title.

    Only where that means something: both are long enough and in Latin letters.
    Words are compared by their first letters; function words do not count.
    """
    title = _stems(work.title)
    spaced = f" {work.abstract.casefold()}"
    # Nearly always so, and much cheaper to see.
    if any(f" {stem}" in spaced for stem in title):
        return False
    if len(title) < _MIN_TITLE_WORDS or not _is_latin(work.title):
        return False
    if not _is_latin(work.abstract):
        return False
    folded = fold(work.abstract)
    words = folded.split()
    if len(words) < _MIN_ABSTRACT_WORDS:
        return False
    return title.isdisjoint(word[:_STEM_LETTERS] for word in words)


def _stems(text: str) -> set[str]:
    """Returns the beginnings of the content words of a text."""
    return {
        word[:_STEM_LETTERS]
        for word in fold(text).split()
        if len(word) >= _MIN_WORD_LETTERS
    } - _FUNCTION_STEMS


def _is_latin(text: str) -> bool:
    if text.isascii():
        return True
    letters = [character for character in text if character.isalpha()]
    latin = sum(character.isascii() for character in letters)
    return latin >= _MIN_LATIN_SHARE * len(letters)
