"""Finds what in a sentence speaks of one citation.  Pure."""

from __future__ import annotations

import dataclasses
import re

from transforms.records import Citation

_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
# Figures, versions and the other citations of a sentence.
_ASIDE = re.compile(r"\s*[(\[（［][^()\[\]（）［］]{0,300}[)\]）］]")
_OPENING = "([（［"
_CLOSING = ")]）］"
# Farther from the citation than this, no word is about it.
_BEFORE_CHARS = 400
_AFTER_CHARS = 300
_BRACKET_CHARS = 400
# A shorter clause goes on with a list: "We ran A (x), B (y) and C (z)."
_MIN_OWN_WORDS = 5
_CONTRAST = re.compile(r"\b(?:but|while|whereas|yet)\s*$")


@dataclasses.dataclass(frozen=True, slots=True)
class CitationContext:
    """A sentence with the citation in it that is asked about.

    Attributes:
      claim: The sentence as printed, markers and all.
      marker_start: Offset in ``claim`` of the marker's first character.
      marker_end: Offset one past its last character.
      clause_start: Offset in ``claim`` of the clause that the citation closes.
      clause_end: Offset one past the clause's end; None for the rest of the claim.
      section: Heading of the section, or ``""``.
      cited_title: Title of the cited work, or ``""``.
      is_own_work: Whether the work is by an author of the citing document; None
        where that is not known.
    """

    claim: str
    marker_start: int
    marker_end: int
    clause_start: int = 0
    clause_end: int | None = None
    section: str = ""
    cited_title: str = ""
    is_own_work: bool | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class Passage:
    """A part of a sentence, in two forms with the same offsets.

    Attributes:
      printed: As printed.
      lower: In lower case, in which cues are looked for.
    """

    printed: str
    lower: str

    def cue(self, found: re.Match[str]) -> str:
        """Returns as printed what group 1 of a match in ``lower`` covers."""
        return self.printed[found.start(1) : found.end(1)]


@dataclasses.dataclass(frozen=True, slots=True)
class Scope:
    """The words around a citation, without asides.

    Attributes:
      before: What stands before the citation and its bracket.
      lead: What stands before it within its bracket; may be empty.
      after: What stands behind it and its bracket, to the end of the clause.
      words: The words of ``before``, in order, as printed.
      lower_words: The same in lower case.
      phrase_start: Index of the first word behind the last comma, semicolon or colon.
      clause: The clause as printed, asides and all, without the marker.
    """

    before: Passage
    lead: Passage
    after: Passage
    words: tuple[str, ...]
    lower_words: tuple[str, ...]
    phrase_start: int
    clause: str


def context_of(
    citation: Citation, cited_title: str = "", *, is_own_work: bool | None = None
) -> CitationContext:
    """Returns the context of an extracted citation.

    Args:
      citation: The citation with its claim and clause.
      cited_title: Title of the work that it cites, or ``""``.
      is_own_work: Whether the citing authors wrote it; None if unknown.
    """
    start = citation.claim_start
    has_clause = citation.clause_start < citation.clause_end
    return CitationContext(
        claim=citation.claim,
        marker_start=citation.marker_start - start,
        marker_end=citation.marker_end - start,
        clause_start=citation.clause_start - start if has_clause else 0,
        clause_end=citation.clause_end - start if has_clause else None,
        section=citation.section,
        cited_title=cited_title,
        is_own_work=is_own_work,
    )


def scope_of(context: CitationContext) -> Scope:
    """Returns what speaks of the citation of ``context``.

    A clause that only goes on with a list is led by what stands before it in the
    sentence: there is the verb.
    """
    claim, at = context.claim, context.marker_start
    start = max(min(context.clause_start, at), at - _BEFORE_CHARS)
    end = len(claim) if context.clause_end is None else context.clause_end
    end = max(context.marker_end, min(end, context.marker_end + _AFTER_CHARS))
    ahead, behind = claim[start:at], claim[context.marker_end : end]
    before, lead = _split_bracket(ahead)
    before = _ASIDE.sub("", before)
    earlier = claim[max(0, start - _BEFORE_CHARS) : start]
    is_list = len(_WORD.findall(before)) < _MIN_OWN_WORDS
    if is_list and not _CONTRAST.search(earlier):
        before = f"{_ASIDE.sub('', earlier)} {before}"
    before = before.strip()
    words = tuple(_WORD.findall(before))
    phrase_start = max(before.rfind(mark) for mark in (", ", "; ", ": ")) + 1
    return Scope(
        before=_passage(before),
        lead=_passage(lead),
        after=_passage(_ASIDE.sub("", _behind_bracket(behind))),
        words=words,
        lower_words=tuple(word.lower() for word in words),
        phrase_start=len(_WORD.findall(before, 0, phrase_start)),
        clause=f"{ahead} {behind}",
    )


def _passage(text: str) -> Passage:
    lower = text.lower()
    if len(lower) != len(text):
        # A few letters of other languages take two places in lower case.
        lower = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    return Passage(text, lower)


def _split_bracket(text: str) -> tuple[str, str]:
    """Parts ``text`` at the bracket that it leaves open, if there is one."""
    depth = 0
    for i in range(len(text) - 1, max(-1, len(text) - _BRACKET_CHARS), -1):
        if text[i] in _CLOSING:
            depth += 1
        elif text[i] in _OPENING:
            if not depth:
                return text[:i], text[i + 1 :]
            depth -= 1
    return text, ""


def _behind_bracket(text: str) -> str:
    """Cuts what is still within the bracket around the citation."""
    depth = 0
    for i, character in enumerate(text):
        if character in _OPENING:
            depth += 1
        elif character in _CLOSING:
            if not depth:
                return text[i + 1 :]
            depth -= 1
    return text
