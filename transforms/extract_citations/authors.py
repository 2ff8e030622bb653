"""Reads the author list that ends right before a year.  Pure.

An author list is read backward, from the year outward: the last name first,
then what joins it to the one before.  Every step looks at one token, so the
work is linear in the part of the text that is a list of names.
"""

from __future__ import annotations

import dataclasses
import re

from transforms.extract_citations import lexicon
from transforms.extract_citations.author_names import (
    LOOK_BACK,
    POSSESSIVE,
    Name,
    Token,
    as_name,
    as_written,
    has_inner_capital,
    is_gloss,
    is_initial,
    is_lead,
    tokens_of,
)

_LOWER_CASE = re.compile(
    r"\s*(?:(?:see|e\.g\.|cf\.)\s*,?\s+){0,2}(?P<first>[^\W\d_][^\W\d_’'‐-―-]+)"
    r"(?:(?P<others>\s+et\s+al\.?)|\s+(?P<joint>&|and)\s+(?P<second>[^\W\d_][^\W\d_’'‐-―-]+))?"
    r"(?P<comma>,)?\s*"
)
_POSSESSIVE_TAIL = re.compile(r"['’]s?\s*$")
_CLOSERS = tuple(")]）］")
_BRACKETED_TAIL = re.compile(r"\s*[\[(（［][^\[\]()（）［］]{1,40}[\])）］]\s*,?\s*$")

# No list of names is longer; keeps the cost of each year constant.
_BRACKET_CHARS = 320
_NARRATIVE_CHARS = (56, 200)
_MAX_NAME_WORDS = 8


@dataclasses.dataclass(frozen=True, slots=True)
class Authors:
    """An author list in running text.

    Attributes:
      start: Offset of its first character.
      surnames: Surnames, first author first.
      et_al: Whether further authors are implied.
      comma: Whether a comma parts the list from what follows it.
      doubtful: Whether the words may as well be no names (months, places).
    """

    start: int
    surnames: tuple[str, ...]
    et_al: bool
    comma: bool
    doubtful: bool


def read_authors(text: str, start: int, end: int, *, narrative: bool) -> Authors | None:
    """Reads the author list that ends at ``end``.

    Args:
      text: The document text.
      start: Offset before which nothing is looked at.
      end: Offset one past the list: where the year or its bracket begins.
      narrative: Whether the list is part of the sentence (``Ng et al. (2015)``),
        where a comma rather ends the list than joins it.

    Returns:
      The list, or None where no author list ends here.
    """
    if not narrative:
        last = _without_acronym(text, start, end)
        low = max(start, last - _BRACKET_CHARS)
        authors = _Reader(tokens_of(text, low, last), narrative).read()
        authors = authors or _read_lower_case(text, start, last)
        if authors and "," in text[last:end]:
            authors = dataclasses.replace(authors, comma=True)
        return authors
    end = _without_possessive(text, start, end)
    # Most lists are short; a second look costs less than many long ones.
    for chars in _NARRATIVE_CHARS:
        low = max(start, end - chars)
        reader = _Reader(tokens_of(text, low, end), narrative)
        authors = reader.read()
        if low == start or not reader.is_at_start:
            break
    return authors


def _read_lower_case(text: str, start: int, end: int) -> Authors | None:
    """Reads a bracket's list whose names lost their capitals: ``(ode & Ng, 2015)``.

    Some texts drawn from PDF are so.  With nothing but one word, or two joined by
    "and", it may be anything, and is doubtful.
    """
    found = _LOWER_CASE.fullmatch(text, start, end) if end - start < 80 else None
    if found is None:
        return None
    names = [found["first"], *filter(None, [found["second"]])]
    common = lexicon.NEVER_NAMES | lexicon.LEAD_WORDS
    if names[0].casefold() in common or not any(name[0].islower() for name in names):
        return None
    return Authors(
        start=found.start("first"),
        surnames=tuple(map(as_written, names)),
        et_al=found["others"] is not None,
        comma=found["comma"] is not None,
        doubtful=not found["others"] and found["joint"] != "&",
    )


def _without_acronym(text: str, start: int, end: int) -> int:
    """Returns where ``World Tide Office [WTO],`` ends without its acronym."""
    if text[max(start, end - 3) : end].rstrip(" ,\n")[-1:] not in _CLOSERS:
        return end
    tail = _BRACKETED_TAIL.search(text, max(start, end - 48), end)
    return tail.start() if tail else end


def _without_possessive(text: str, start: int, end: int) -> int:
    """Returns where ``Ng et al.’s`` ends without its ending."""
    tail = _POSSESSIVE_TAIL.search(text, max(start, end - 4), end)
    return tail.start() if tail else end


class _Reader:
    """Walks a token list backward; ``_at`` is the index after the next token."""

    def __init__(self, tokens: list[Token], narrative: bool) -> None:
        self._tokens = tokens
        self._narrative = narrative
        self._at = len(tokens)
        # "Ode T, Ng AB": names of this kind are listed by commas alone.
        self._has_initials_behind = False

    def read(self) -> Authors | None:
        comma = self._skip(",")
        et_al = self._skip_et_al()
        # "Ode, Ng, et al." is one list; in "FISH, Ng et al." a gloss comes first.
        joined = et_al and self._skip(",")
        names = [self._name(sure=et_al or self._is_second_of_two())]
        if names[0] is None:
            return None
        while (joint := self._joint(joined)) is not None:
            before = self._at
            self._at = joint
            conjunction = self._tokens[joint].text != ","
            name = self._name(sure=conjunction)
            if name is None or (not conjunction and is_gloss(name, names[0])):
                self._at = before
                break
            joined = True
            names.append(name)
        found = [name for name in reversed(names) if name is not None]
        return Authors(
            start=found[0].start,
            surnames=tuple(name.surname for name in found),
            et_al=et_al,
            comma=comma,
            doubtful=not et_al and len(found) == 1 and found[0].doubtful,
        )

    @property
    def is_at_start(self) -> bool:
        """Whether every token was read, so that the list may begin before them."""
        return self._at <= LOOK_BACK

    def _peek(self, back: int = 1) -> Token:
        return self._tokens[self._at - back]

    def _text(self, back: int = 1) -> str:
        return self._tokens[self._at - back].text

    def _skip(self, *marks: str) -> bool:
        if self._text() in marks:
            self._at -= 1
            return True
        return False

    def _skip_et_al(self) -> bool:
        before = self._at
        self._skip(".")
        last = POSSESSIVE.sub("", self._text()).casefold()
        if last in ("al", "alii", "alia"):
            dotted = 3 if self._text(2) == "." else 2
            if self._text(dotted).casefold() == "et":
                self._at -= dotted
                return True
            if self._text(2) == "":
                self._at = before
        elif last == "et.al" or (last in lexicon.AND_OTHERS and self._is_and(2)):
            self._at -= 1 if last == "et.al" else 2
            return True
        self._at = before
        return False

    def _is_second_of_two(self) -> bool:
        """Tells whether ``Das and An`` ends here, so that ``An`` is a name."""
        capital = self._text(3)[:1].isupper()
        label = self._text().casefold() in lexicon.NEVER_NAMES
        return capital and self._is_and(2) and not label

    def _is_and(self, back: int) -> bool:
        return self._text(back).casefold() in lexicon.CONJUNCTIONS

    def _joint(self, joined: bool) -> int | None:
        """Returns the index to go on reading names from, or None."""
        if self._is_and(1):
            return self._at - (2 if self._text(2) == "," else 1)
        if self._text() == "," and (joined or self._has_initials_behind):
            # "However, Ng" is no list; "Ode, Ng and Ruiz" is.
            return self._at - 1
        return None

    def _name(self, *, sure: bool) -> Name | None:
        """Reads one name; ``sure`` that one is due, so that ``He et al.`` is one."""
        before = self._at
        name = self._read_name(sure)
        if name is None:
            self._at = before
        return name

    def _read_name(self, sure: bool) -> Name | None:
        self._skip_generation()
        if not self._skip_initials_after_comma():
            self._skip_trailing_initials()
        words: list[Token] = []
        while len(words) < _MAX_NAME_WORDS:
            token = self._peek()
            if not self._belongs(token, words, sure):
                break
            words.append(token)
            self._at -= 1
        words.reverse()
        self._give_back_lead_words(words)
        start = words[0].start if words else 0
        start = self._skip_leading_initials(start)
        return as_name(words, start, sure, self._preposition_before())

    def _belongs(self, token: Token, words: list[Token], sure: bool) -> bool:
        if token.kind != "word":
            return False
        word = POSSESSIVE.sub("", token.text)
        if is_initial(word) and words:
            # "R Development Core Team", but "N. Orrin" and "N Orrin".
            return len(words) > 1 and words[-1].start == token.start + 2
        if word.casefold() in lexicon.CONJUNCTIONS:
            return False
        if not word[0].islower() or has_inner_capital(word):
            if sure or words or word in lexicon.ACRONYMS:
                return True
            return word.casefold() not in lexicon.NEVER_NAMES
        if not words:
            return False
        if word.casefold() in lexicon.PARTICLES:
            return True
        return word in lexicon.ORGANISATION_JOINTS and self._capital_before()

    def _capital_before(self) -> bool:
        """Tells whether the token before the next one is a capitalised word."""
        word = self._text(2)
        return word[:1].isupper() and len(word) > 1  # not "Figure 4D of Ng"

    def _give_back_lead_words(self, words: list[Token]) -> None:
        """Drops from the front what can begin a sentence but not a name."""
        cut = 0
        while cut < len(words) - 1 and is_lead(words[cut].text, len(words) - cut):
            cut += 1
        self._at += cut
        del words[:cut]

    def _skip_generation(self) -> None:
        back = 2 if self._text() == "." else 1
        if self._text(back).casefold() in lexicon.GENERATIONS and self._text(back + 1):
            self._at -= back
            self._skip(",")

    def _skip_initials_after_comma(self) -> bool:
        """Skips ``, J. P.`` of ``Ode, J. P.``."""
        before = self._at
        while is_initial(self._text(2 if self._text() == "." else 1)):
            self._skip(".")
            self._at -= 1
            self._skip("-")
        if self._at < before and self._text() == ",":
            self._at -= 1
            return True
        self._at = before
        return False

    def _skip_trailing_initials(self) -> None:
        """Skips ``AB`` of ``Ode AB``; an acronym by itself is a name."""
        word, name = self._text(), self._text(2)
        if not word.isupper() or len(word.replace("-", "")) > 3:
            return
        is_name = name[:1].isupper() and name[-1:].islower()
        if is_name and name.casefold() not in lexicon.NEVER_NAMES:
            self._at -= 1
            self._has_initials_behind = True

    def _skip_leading_initials(self, start: int) -> int:
        """Skips ``N.`` of ``N. Orrin``; returns where the name now starts."""
        while True:
            token = self._peek(2)
            if self._text() != "." or not is_initial(token.text):
                return start
            self._at -= 2
            start = token.start
            self._skip("-")

    def _preposition_before(self) -> bool:
        return self._text().casefold() in lexicon.PLACE_PREPOSITIONS
