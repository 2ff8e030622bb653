"""Cuts titles into words that compare across spellings.  Pure."""

from __future__ import annotations

import functools
import re

from transforms.titles import normalise_title

# Words that may come and go between two prints of one title.
STOP_WORDS = frozenset(
    [
        *("a", "an", "the", "of", "in", "on", "for", "to", "and", "or", "with", "by"),
        *("from", "at", "as", "is", "are", "be", "its", "their", "via", "into", "de"),
        *("la", "le", "les", "des", "du", "et", "der", "die", "das", "und", "el", "y"),
    ]
)
# Letters that indexes lose with their markup.
GREEK = frozenset(
    [
        *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"),
        *("iota", "kappa", "lambda", "lamda", "mu", "nu", "xi", "omicron", "pi"),
        *("rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega"),
    ]
)
# Longer "titles" are misread entries.
MAX_TITLE_CHARS = 1_000
_NUMBERS = dict(
    zip(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
        map(str, range(1, 11)),
        strict=True,
    )
)
_SPECIAL = {
    "lamda": "lambda", "grey": "gray", "ageing": "aging", "sulph": "sulf",
    "defence": "defense", "offence": "offense", "mice": "mouse", "programme": "program",
    "catalogue": "catalog", "analogue": "analog", "homologue": "homolog",
    "orthologue": "ortholog", "paralogue": "paralog", "dialogue": "dialog",
    "centre": "center", "fibre": "fiber", "litre": "liter", "metre": "meter",
    "artefact": "artifact",
}  # fmt: skip
# British endings and digraphs, and what American print has in their place.
_SPELLINGS = (
    (re.compile(r"is(?=(?:e|ed|es|er|ers|ing|ation|ations|able)$)"), "iz"),
    (re.compile(r"ys(?=(?:e|ed|es|er|ers|ing)$)"), "yz"),
    (re.compile(r"(?<=[a-z]{2})our(?=$|s$|ed$|al$|ing$|ite$|able$|less$)"), "or"),
    (re.compile(r"(?<=[a-z]{2})our(?=ally$|hood)"), "or"),
    (re.compile(r"ll(?=(?:ed|ing|er|ers)$)"), "l"),
    (re.compile(r"re(?=d$)"), "er"),
    (re.compile(r"[ao]e"), "e"),
    (re.compile(r"sulph"), "sulf"),
)
_TEX_COMMAND = re.compile(
    r"\\(?:text|math)?(?:it|bf|rm|sf|tt|sc|sl|cal|up|em|emph|textsuperscript|ensuremath"
    r"|textsubscript|mathit|mathbf|mathrm|mathcal|textit|textbf)\b"
)


# The titles of a few thousand references, which are compared one after another.
@functools.lru_cache(maxsize=1 << 13)
def title_words(title: str) -> tuple[str, ...]:
    """Returns the words of a title, in one spelling.

    Case, accents, markup and punctuation go; British spellings become American,
    plurals singular, number words digits.
    """
    folded = normalise_title(_TEX_COMMAND.sub("", title[:MAX_TITLE_CHARS]))
    return tuple(_canonical(word) for word in folded.split())


def content_words(words: tuple[str, ...]) -> tuple[str, ...]:
    """Returns those of ``words`` that carry a meaning of their own, in order."""
    return tuple(word for word in words if word not in STOP_WORDS and len(word) > 1)


@functools.lru_cache(maxsize=50_000)
def _canonical(word: str) -> str:
    if word in _NUMBERS:
        return _NUMBERS[word]
    word = _SPECIAL.get(word, word)
    if len(word) > 3:
        word = _singular(word)
    if len(word) > 4:
        for british, american in _SPELLINGS:
            word = british.sub(american, word)
    return _SPECIAL.get(word, word)


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith("ys") and word[-3] not in "aeiou":
        return word
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word
