"""Repairs ligatures as PDF files leave them.  Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from transforms.read_documents.hyphens import Hyphens

# Ligatures, and letters of mathematical alphabets; no superscript is touched.
_PRESENTATION = re.compile(r"[\ufb00-\ufb4f\U0001d400-\U0001d7cb]")
_LONE = re.compile(
    r"(?<![\w-])(?P<before>[^\W\d_]{1,30}) (?P<ligature>ffi|ffl|ff|fi|fl)"
    r"(?: (?P<after>[a-zß-öø-ÿ]{1,30}))?(?![\w])"
)
_MIN_LONE = 2
_BEGINNERS = frozenset(["fi", "fl"])
_LETTER_WORDS = frozenset(["a", "I"])
# What is left of frequent words when the glyph of a ligature is lost.
_REMAINS = re.compile(
    r"\b(?:signi cant(?:ly)?|di er(?:ent|ence|ences|ed)|speci c(?:ally)?|e ects?"
    r"|su cient(?:ly)?|identi ed|classi cation|di cult|e cient|con rm(?:ed)?"
    r"|in uence[ds]?|re ects?|\ufffd?nding|de ned|modi ed|o ce)\b"
)
_MIN_REMAINS = 3
_MIN_REPLACED_SHARE = 0.0005


def expand(text: str) -> str:
    """Returns ``text`` with ligatures and styled letters as plain letters."""
    if text.isascii():
        return text
    return _PRESENTATION.sub(lambda m: unicodedata.normalize("NFKC", m[0]), text)


def mend(texts: Sequence[str]) -> list[str]:
    """Returns the parts of a document with the words joined that ligatures split.

    Args:
      texts: Text in which ``specific`` may stand as ``speci fi c``.
    """
    whole = "\n".join(texts)
    if sum(1 for _ in _LONE.finditer(whole)) < _MIN_LONE:
        return list(texts)
    # The parts of split words are no words.
    words = Hyphens(_LONE.sub(" ", whole))
    return [_LONE.sub(lambda match: _joined(match, words), text) for text in texts]


def are_lost(text: str) -> bool:
    """Tells whether glyphs of ligatures have no character in ``text``."""
    remains = sum(1 for _ in _REMAINS.finditer(text))
    replaced = text.count("\ufffd")
    return remains >= _MIN_REMAINS or replaced > _MIN_REPLACED_SHARE * len(text)


def _joined(match: re.Match[str], words: Hyphens) -> str:
    """Returns the most likely reading of a ligature between spaces."""
    before, ligature, after = match["before"], match["ligature"], match["after"] or ""
    whole = f"{before}{ligature}{after}"
    left = f"{before}{ligature} {after}".rstrip()
    right = f"{before} {ligature}{after}"
    # No word begins with a double letter.
    begins = ligature in _BEGINNERS and _is_word(before, words)
    ends = not after or _is_word(after, words)
    if words.count(whole):
        return whole
    if begins and after and words.count(ligature + after):
        return right
    if ends and words.count(before + ligature):
        return left
    if begins and ends:
        return match[0]
    if begins:
        return right
    return left if ends else whole


def _is_word(part: str, words: Hyphens) -> bool:
    return part in _LETTER_WORDS or (len(part) > 1 and words.count(part) > 0)
