"""Splits claims and evidence into the terms that are compared.

Pure: text in, terms out.  The terms and weights are those of the support
specification, section 4; nothing is stemmed.
"""

from __future__ import annotations

import functools
import importlib.resources
import re
import unicodedata

PROPER_NOUN_WEIGHT = 2.0
NUMBER_WEIGHT = 1.5
LONG_WORD_WEIGHT = 1.5
WORD_WEIGHT = 1.0

_MIN_TERM_CHARS = 2
_MIN_WORD_LETTERS = 3
_LONG_WORD_LETTERS = 9

# A letter word, which may hold digits (BRCA1) and inner apostrophes but no
# possessive 's, or a number with the unit or sign attached to it.  Whatever else
# stands between two tokens, hyphens and dashes of every kind among it, parts them.
_TOKEN = re.compile(
    r"[^\W\d_][^\W_]*(?:'(?![sS](?![^\W_]))[^\W\d_]+)*"
    r"|(?:(?<![\w.])\.)?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)*"
    r"(?:°?[^\W_]+|[%‰°])?"
)
# A year or a decade as written: "2,000" and "1500m" are measurements.
_YEAR = re.compile(r"(?:1[5-9]|20)[0-9]{2}s?", re.IGNORECASE)

_LINE_BREAK_HYPHEN = re.compile(r"(?<=[^\W\d_])[-\u2010\u00ad][ \t]*\r?\n[ \t]*(?=\w)")
_INVISIBLE = re.compile("[\u0000\u00ad\u200b-\u200d\u2060\ufeff]")
# Compatibility forms lose these to a plain space, which would part the groups.
_THIN_SPACE_IN_NUMBER = re.compile(r"(?<=\d)[\u2009\u202f](?=\d{3}(?!\d))")
_APOSTROPHES = str.maketrans("‘’ʼ", "'''")


def claim_terms(text: str) -> dict[str, float]:
    """Weighs the distinct terms of a claim.

    Args:
      text: The claim, one sentence, without its citation markers.

    Returns:
      Case-folded term to weight (1.0, 1.5 or 2.0), in order of appearance; a term
      that occurs several times has the highest weight that applies.  Empty for a
      claim that says nothing to compare.
    """
    terms: dict[str, float] = {}
    sentence_starts = True
    for token in _TOKEN.findall(normalise(text)):
        if sentence_starts and token[0].isalpha():
            # Every sentence begins with a capital; it marks no proper noun.
            token = token[0].lower() + token[1:]
            sentence_starts = False
        term, weight = _weigh(token)
        if weight > terms.get(term, 0.0):
            terms[term] = weight
    return terms


def evidence_terms(text: str) -> frozenset[str]:
    """Collects the terms of a title or an abstract.

    Args:
      text: Plain text of any length.

    Returns:
      The case-folded terms of every class, with words too short to be a claim's
      content words, since a proper noun of a claim may be as short; no stop words.
    """
    return frozenset(
        term for token in set(_TOKEN.findall(normalise(text))) if (term := _fold(token))
    )


def normalise(text: str) -> str:
    """Returns ``text`` in NFKC with words and numbers whole and apostrophes plain."""
    if "\n" in text:
        text = _LINE_BREAK_HYPHEN.sub(_join_lines, text)
    if not text.isascii():
        text = _THIN_SPACE_IN_NUMBER.sub("", text)
        text = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text))
        return text.translate(_APOSTROPHES)
    return text.replace("\0", "")


@functools.cache
def stop_words() -> frozenset[str]:
    """Loads the function words of English, case-folded."""
    data = importlib.resources.files(__package__) / "data" / "stop_words.txt"
    lines = data.read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if line and not line.startswith("#"))


def _join_lines(match: re.Match[str]) -> str:
    # "anti-\nTNF" is a compound that happens to stand at the end of a line.
    return "" if match.string[match.end()].islower() else match[0]


# The same few words make up most of any text.
@functools.lru_cache(maxsize=1 << 15)
def _weigh(token: str) -> tuple[str, float]:
    """Returns the term that a token stands for and its weight, 0.0 if it has none."""
    term = _fold(token)
    if not term:
        return "", 0.0
    if not token[0].isalpha():
        return term, 0.0 if _YEAR.fullmatch(token) else NUMBER_WEIGHT
    if token[0].isupper() or _has_inner_capital_or_digit(token):
        return term, PROPER_NOUN_WEIGHT
    letters = len(token) - token.count("'")
    if letters < _MIN_WORD_LETTERS:
        return term, 0.0
    return term, LONG_WORD_WEIGHT if letters >= _LONG_WORD_LETTERS else WORD_WEIGHT


def _fold(token: str) -> str:
    """Returns the term that a token stands for, or ``""`` if it can be none."""
    term = token.casefold()
    if term in stop_words() and not _has_inner_capital_or_digit(token):
        return ""
    if not token[0].isalpha():
        term = term.replace(",", "")
    return term if len(token) >= _MIN_TERM_CHARS else ""


def _has_inner_capital_or_digit(word: str) -> bool:
    inner = word[1:]
    return inner != inner.lower() or any(map(str.isdigit, inner))
