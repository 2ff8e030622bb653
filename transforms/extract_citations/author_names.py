"""Tokens and names of author lists in running text.  Pure."""

from __future__ import annotations

import dataclasses
import functools
import re
import unicodedata
from typing import NamedTuple

from transforms.extract_citations import lexicon

# A word may hold apostrophes, hyphens, inner full stops (initials) and a
# line-break hyphen, each only between letters.
_TOKEN = re.compile(
    r"(?P<word>['’][ts](?=\s+[^\W\d_])|[^\W\d_](?:[^\W\d_]|[\u00ad\u200b\ufeff\u0300-\u036f]"
    r"|(?:[’'ʼ‘.‐-―-]|-[ \t]*\n[ \t]*)(?=[^\W\d_]))*)"
    r"|(?P<number>\d+)|(?P<mark>\S)"
)
_LINE_BREAK = re.compile(r"-\s+(?=[^\W\d_])")
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\ufeff"))
_HYPHENS = re.compile("[‐-―]")
POSSESSIVE = re.compile(r"(?:['’]s|(?<=s)['’])$")


class Token(NamedTuple):
    """A piece of text: a ``word``, a ``number`` or a ``mark``, and its offset."""

    kind: str
    text: str
    start: int


NOTHING = Token("", "", -1)
# Empty tokens before the first, for whoever looks back.
LOOK_BACK = 4


def tokens_of(text: str, start: int, end: int) -> list[Token]:
    """Returns the tokens of ``text[start:end]`` behind some empty ones.

    The empty ones let the reader look back without asking whether it may.
    """
    tokens = [
        Token(match.lastgroup or "", match.group(), match.start())
        for match in _TOKEN.finditer(text, start, end)
    ]
    return [NOTHING] * LOOK_BACK + tokens


@dataclasses.dataclass(frozen=True, slots=True)
class Name:
    """An author's surname, the offset of the name, and whether it may be none."""

    surname: str
    start: int
    doubtful: bool


def as_name(
    words: list[Token], start: int, sure: bool, after_preposition: bool
) -> Name | None:
    """Reads a run of words as one name, or returns None if it can be none.

    Args:
      words: The words in order, particles and joints of organisations among them.
      start: Offset of the name, initials before it included.
      sure: Whether a name is due here, so that ``He`` or ``Das`` is one.
      after_preposition: Whether ``in`` or ``from`` stands before, as before a place.
    """
    written = [as_written(token.text) for token in words]
    if all(word.islower() for word in written):
        return None
    if not sure and _is_common(written[-1]):
        return None
    if len(written) > 1 and written[0].casefold() in lexicon.PARTICLES:
        # "Van der Hoorn" at the start of a sentence is "van der Hoorn" elsewhere.
        if written[1].islower():
            written[0] = written[0].lower()
    else:
        written = _without_given_names(written)
    folded = " ".join(written).casefold()
    doubtful = folded in lexicon.DOUBTFUL or (
        after_preposition and folded in lexicon.PLACES
    )
    if len(written) == 1 and len(written[0]) < 2 and written[0].isascii():
        return None
    return Name(" ".join(written), start, doubtful)


def is_lead(word: str, words_left: int) -> bool:
    """Tells whether ``word`` can begin a sentence or bracket but not a name."""
    if word == "The" and words_left > 3:
        return False  # "The Tidal Quill Consortium"
    folded = word.casefold()
    return (
        folded in lexicon.NEVER_NAMES
        or folded in lexicon.LEAD_WORDS
        or word in lexicon.ORGANISATION_JOINTS
    )


def _is_common(word: str) -> bool:
    folded = word.casefold()
    listed = folded in lexicon.NEVER_NAMES or folded in lexicon.LEAD_WORDS
    return listed and word not in lexicon.ACRONYMS


def is_gloss(name: Name, last: Name | None) -> bool:
    """Tells whether an acronym stands before the list: ``EMBOSS, Ode and Ng``."""
    return name.surname.isupper() and last is not None and not last.surname.isupper()


def _without_given_names(written: list[str]) -> list[str]:
    """Drops ``Edric`` of ``Edric von Talm``: a particle begins the family name."""
    for index, word in enumerate(written[1:-1], start=1):
        if word in lexicon.PARTICLES and word.islower() and word not in lexicon.OF:
            return written[index:]
    return written


@functools.lru_cache(maxsize=4096)
def as_written(word: str) -> str:
    """Returns a name's word with plain letters, hyphens and no possessive ending."""
    joined = _LINE_BREAK.sub(
        lambda match: "" if word[match.end()].islower() else "-", word
    )
    plain = unicodedata.normalize("NFKC", joined).translate(_INVISIBLE)
    return POSSESSIVE.sub("", _HYPHENS.sub("-", plain))


def is_initial(word: str) -> bool:
    """Tells whether ``word`` is given names cut to capitals: ``J``, ``A.B``."""
    letters = word.replace(".", "").replace("-", "")
    dotted = len(letters) <= 1 or "." in word or "-" in word
    return bool(letters) and len(letters) <= 3 and letters.isupper() and dotted


def has_inner_capital(word: str) -> bool:
    """Tells whether a lower-case start hides a name: ``d'Arcelin``, ``al-Hakimi``."""
    return any(character.isupper() for character in word[1:])
