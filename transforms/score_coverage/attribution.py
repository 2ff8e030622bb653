"""Finds what a sentence attributes to the work that it cites.  Pure.

A sentence that attributes a method or material, or points to another text, says
nothing that the abstract of the cited work could cover.  A cue counts where it speaks
of the citation judged: in its clause, and near it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Set
from typing import TypeAlias

from transforms.records import Function
from transforms.score_coverage import attribution_cues as cues
from transforms.score_coverage import cue_words as lists
from transforms.score_coverage.scope import Scope

Attributed: TypeAlias = tuple[Function, str]

# A noun names what is cited if it stands this near before the citation.
_NOUN_REACH = 4
# And this near where an idiom ("previously described") already says so.
_IDIOM_REACH = 10
_USE_REACH = 10
_DONE_REACH = 45
_NAME_WORDS = 3
_DOERS = frozenset(["was", "were", "we", "i"])


def attributed(scope: Scope, cited_title: str, *, states: bool) -> Attributed | None:
    """Finds the method, software or resource that a citation is for.

    Args:
      scope: The words around the citation.
      cited_title: Title of the cited work, or ``""``.
      states: Whether the clause reports or compares; then what it says was used was
        used by those it reports on.

    Returns:
      The kind and the words that say so; None without such words.
    """
    return (
        _told_elsewhere(scope)
        or _taken_over(scope)
        or _material(scope)
        or (None if states else _used(scope))
        or _called_after(scope)
        or _used_behind(scope)
        or _titled(scope, cited_title)
        or (None if states else _named(scope))
    )


def pointer(scope: Scope) -> str:
    """Returns the words that send the reader to the cited work, or ``""``."""
    lead, before, after = scope.lead, scope.before, scope.after
    if found := cues.POINTER_LEAD.search(lead.lower):
        return lead.cue(found)
    if not lead.lower and (found := cues.POINTER.search(before.lower)):
        return before.cue(found)
    if found := cues.POINTER_AFTER.match(after.lower):
        return after.cue(found)
    found = cues.NAMED_STUDY.search(before.lower)
    return before.cue(found) if found else ""


def done(scope: Scope) -> str:
    """Returns words like "was purified" and "we computed", or ``""``."""
    before, words = scope.before, scope.lower_words
    if found := cues.DONE_USING.search(before.lower):
        behind = before.lower[found.end() :].replace(",", " ").split()
        if lists.STATING_WORDS.isdisjoint(behind):
            return before.cue(found)
    for i in _back_to_statement(words, 0, _DONE_REACH):
        if words[i] in lists.DOING_WORDS:
            for helper in (i - 1, i - 2):
                if helper >= 0 and words[helper] in _DOERS:
                    return " ".join(scope.words[helper : i + 1])
    return ""


def _told_elsewhere(scope: Scope) -> Attributed | None:
    """Finds "as described" and "previously described"."""
    before = scope.before
    if found := cues.DESCRIBED.search(before.lower):
        if found[1].startswith("as"):
            return Function.METHOD, before.cue(found)
        is_told = cues.TOLD_BEFORE.search(found[1]) or done(scope)
        if is_told or not cues.PHENOMENON.match(found[1]) or _is_of_method(scope):
            return _idiom_kind(scope), before.cue(found)
    if found := cues.PREVIOUSLY_DESCRIBED.search(before.lower):
        if not found[2]:
            return _idiom_kind(scope), before.cue(found)
        if kind := _first_kind(found[2].split(), material=True):
            return kind, before.cue(found)
    return None


def _taken_over(scope: Scope) -> Attributed | None:
    """Finds "adapted from", "followed a previous study", "the method of"."""
    before = scope.before
    found = cues.FOLLOWED_STUDY.search(before.lower)
    if not found and (found := cues.FOLLOWING.search(before.lower)):
        named = found[2].split()
        is_method = any(_is_in(word, lists.PROTOCOL_NOUNS) for word in named)
        if not named:
            is_method = bool(cues.ALWAYS_FOLLOWING.match(found[1]) or done(scope))
        if not is_method:
            found = None
    found = found or cues.METHOD_OF.search(before.lower)
    return (_idiom_kind(scope), before.cue(found)) if found else None


def _material(scope: Scope) -> Attributed | None:
    """Finds nouns and names that need no verb: "plasmid", "toolbox", "anti-Ft"."""
    for word in reversed(scope.words[-2:]):
        if _is_in(word.lower(), lists.STRONG_SOFTWARE_NOUNS):
            return Function.SOFTWARE, word
        if _is_in(word.lower(), lists.STRONG_RESOURCE_NOUNS):
            return Function.RESOURCE, word
    text = scope.before.printed
    found = cues.SOURCE.search(text) or cues.MATERIAL_NAME.search(text)
    return (Function.RESOURCE, found[1]) if found else None


def _used(scope: Scope) -> Attributed | None:
    """Finds what was used and is named right before the citation."""
    words = scope.lower_words
    nouns = range(max(scope.phrase_start, len(words) - _NOUN_REACH), len(words))
    noun = next((i for i in reversed(nouns) if _kind(words[i])), None)
    if noun is None:
        return None
    for i in _back_to_statement(words, scope.phrase_start, _USE_REACH):
        helpers = words[max(scope.phrase_start, i - 2) : i]
        is_use = words[i] in lists.USE_WORDS
        if is_use and not lists.OTHERS_USE.isdisjoint(helpers):
            return None
        is_handled = words[i] in lists.HANDLING_WORDS and any(
            helper in _DOERS for helper in helpers
        )
        if is_use or is_handled:
            cue = f"{scope.words[i]} … {scope.words[noun]}"
            return _kind(words[noun]) or Function.METHOD, cue
    return None


def _called_after(scope: Scope) -> Attributed | None:
    """Finds what is called after the cited work: "the Ng (2001) signature"."""
    if scope.lead.printed or not cues.AS_ADJECTIVE.search(scope.before.lower):
        return None
    name: list[str] = []
    for word in scope.after.printed.split(maxsplit=_NAME_WORDS)[:_NAME_WORDS]:
        bare = word.rstrip(".,;:")
        if not word[0].isalnum() or bare.lower() in lists.ENDS_NAME:
            break
        name.append(bare)
        if bare != word:
            break
    kind = _first_kind(reversed(name), material=True) or Function.RESOURCE
    return (kind, " ".join(name)) if name else None


def _used_behind(scope: Scope) -> Attributed | None:
    """Finds "Ng (2001) was used"."""
    found = cues.USED_AFTER.match(scope.after.lower)
    if not found:
        return None
    kind = _first_kind(reversed(scope.lower_words[-_NOUN_REACH:]))
    return kind or Function.METHOD, scope.after.cue(found)


def _titled(scope: Scope, title: str) -> Attributed | None:
    """Finds a tool by the name that the cited title has for it."""
    name = _name_in_title(scope, title)
    if name and cues.TITLE_RESOURCE.search(title.lower()):
        return Function.RESOURCE, name
    if name and cues.TITLE_SOFTWARE.search(title.lower()):
        return Function.SOFTWARE, name
    return None


def _named(scope: Scope) -> Attributed | None:
    """Finds "tools such as" and names that are written like those of tools."""
    if found := cues.SUCH_AS.search(scope.before.lower):
        return _kind(found[2]) or Function.METHOD, scope.before.cue(found)
    found = cues.NAMED_TOOL.search(scope.before.printed)
    is_use = found and found[2].lower() == "using"
    if found and (is_use or not _DOERS.isdisjoint(scope.lower_words)):
        return Function.SOFTWARE, found[1]
    return None


def _name_in_title(scope: Scope, title: str) -> str:
    """Returns the name that both the cited title and the sentence have for a work."""
    before = scope.before
    if found := cues.TITLE_NAME.match(title):
        name = rf"\b({re.escape(found[1].lower())})(?!\w)"
        if printed := re.search(name, before.lower):
            return before.cue(printed)
    named = cues.NAME_AT.search(before.printed)
    if named and re.search(rf"\b{re.escape(named[1])}(?!\w)", title):
        return named[1]
    return ""


def _is_of_method(scope: Scope) -> bool:
    """Tells whether a clause is about a method that it takes as known."""
    near = scope.lower_words[-_IDIOM_REACH:]
    is_known = lists.INTRODUCING_WORDS.isdisjoint(scope.lower_words)
    return is_known and _first_kind(near) is not None


def _back_to_statement(words: tuple[str, ...], start: int, reach: int) -> Iterator[int]:
    """Yields positions from the last word back to a "that" which states something."""
    for i in range(len(words) - 1, max(start, len(words) - reach) - 1, -1):
        is_pronoun = words[i + 1 : i + 2] == ("of",)
        if words[i] in lists.STATING_WORDS and not is_pronoun:
            return
        yield i


def _idiom_kind(scope: Scope) -> Function:
    """Returns the kind of the noun nearest before the citation, else method."""
    near = reversed(scope.lower_words[-_IDIOM_REACH:])
    return _first_kind(near, material=True) or Function.METHOD


def _first_kind(words: Iterable[str], *, material: bool = False) -> Function | None:
    return next(filter(None, (_kind(word, material) for word in words)), None)


@functools.lru_cache(maxsize=1 << 14)
def _kind(word: str, material: bool = False) -> Function | None:
    """Returns what a noun names; whatever can be material only if ``material``."""
    noun = word.lower()
    if _is_in(noun, lists.SOFTWARE_NOUNS):
        return Function.SOFTWARE
    if _is_in(noun, lists.METHOD_NOUNS):
        return Function.METHOD
    resources = lists.MATERIAL_NOUNS if material else lists.RESOURCE_NOUNS
    return Function.RESOURCE if _is_in(noun, resources) else None


def _is_in(noun: str, nouns: Set[str]) -> bool:
    return noun in nouns or noun.removesuffix("s") in nouns
