"""Notes where claim and abstract use opposite words of direction.  Pure.

Such a pair is a reason to read both texts, never a verdict: it is found only where the
two are worded much alike, and what contradicts a claim seldom is.
"""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Iterator, Sequence, Set

from transforms.score_coverage import terms
from transforms.score_coverage.stems import stem

# Verbs and comparatives as they state a direction.  Participles that rather name a
# thing ("stimulated genes", "induced by") are left out.
_OPPOSITES = (
    (
        "increase increases increased increasing elevate elevates elevated raise raises"
        " raised enhance enhances enhanced enhancing augment augments augmented boost"
        " boosts boosted upregulate upregulates upregulated higher greater more larger"
        " high",
        "decrease decreases decreased decreasing reduce reduces reduced reducing lower"
        " lowers lowered diminish diminishes diminished attenuate attenuates attenuated"
        " decline declines declined downregulate downregulates downregulated fewer less"
        " smaller low",
    ),
    (
        "promote promotes promoted promoting induce induces stimulate stimulates"
        " activate activates facilitate facilitates enhance"
        " enhances enhanced enhancing",
        "inhibit inhibits inhibited inhibiting suppress suppresses suppressed block"
        " blocks blocked repress represses repressed prevent prevents prevented impair"
        " impairs impaired abolish abolishes abolished",
    ),
    (
        "improve improves improved improving better",
        "worsen worsens worsened worse impair impairs impaired",
    ),
    ("positive positively", "negative negatively inverse inversely"),
    ("longer prolong prolongs prolonged", "shorter shorten shortens shortened"),
    (
        "faster accelerate accelerates accelerated",
        "slower slow slows slowed delay delays delayed",
    ),
    ("stronger strengthen strengthens", "weaker weaken weakens weakened"),
    ("sensitive sensitivity", "resistant resistance"),
)
_NEGATIONS = frozenset(
    [
        *("not", "no", "never", "without", "neither", "nor", "cannot", "lack", "lacks"),
        *("fail", "fails", "failed", "unable", "none", "independent", "unaffected"),
        *("unchanged", "t"),
    ]
)
_MIN_COVERAGE = 0.5
_NEAR_WORDS = 4
_MIN_SHARED = 2
# A longer sentence is none; this bounds the pairs that are compared.
_MAX_WORDS = 400

_WORD = re.compile(r"[^\W_]+")


@dataclasses.dataclass(frozen=True, slots=True)
class _Sentence:
    words: tuple[str, ...]
    stems: tuple[str, ...]


def direction_note(claim: str, sentences: Sequence[str]) -> str:
    """Notes an opposite word of direction in the sentence that covers a claim best.

    Args:
      claim: The claim without citation markers.
      sentences: Title and sentences of the abstract, each by itself, in order.

    Returns:
      A note that names both words, or ``""``.  The claim's word and all of its side
      must be absent from the sentence, the sentence must hold half of the other terms
      of the claim, two of them near both words, and both texts must be negated
      or neither.
    """
    said = _sentence(claim)
    sides = _sides()
    if not any(word in sides for word in said.words):
        return ""
    content = frozenset(
        stem(term) for term in terms.evidence_terms(claim) if term not in sides
    )
    read = max(
        map(_sentence, sentences),
        key=lambda sentence: len(content.intersection(sentence.stems)),
        default=None,
    )
    if not content or read is None:
        return ""
    coverage = len(content.intersection(read.stems)) / len(content)
    if coverage < _MIN_COVERAGE or _is_negated(said) != _is_negated(read):
        return ""
    for mine, theirs in _opposed(said, read):
        shared = _near(said, mine, content) & _near(read, theirs, content)
        if len(shared) >= _MIN_SHARED:
            return (
                f'direction words differ, read both: "{said.words[mine]}" in the '
                f'claim, "{read.words[theirs]}" in the cited work'
            )
    return ""


def _opposed(said: _Sentence, read: _Sentence) -> Iterator[tuple[int, int]]:
    """Yields positions of opposite words whose own side the other text lacks."""
    sides = _sides()
    present = {side for word in read.words for side in sides.get(word, ())}
    for mine, word in enumerate(said.words):
        for axis, is_up in sides.get(word, ()):
            if (axis, is_up) in present or (axis, not is_up) not in present:
                continue
            for theirs, other in enumerate(read.words):
                if (axis, not is_up) in sides.get(other, ()):
                    yield mine, theirs


def _near(sentence: _Sentence, at: int, content: frozenset[str]) -> Set[str]:
    window = sentence.stems[max(0, at - _NEAR_WORDS) : at + _NEAR_WORDS + 1]
    return content.intersection(window)


def _is_negated(sentence: _Sentence) -> bool:
    return not _NEGATIONS.isdisjoint(sentence.words)


def _sentence(text: str) -> _Sentence:
    words = tuple(_WORD.findall(text.casefold())[:_MAX_WORDS])
    return _Sentence(words, tuple(map(stem, words)))


@functools.cache
def _sides() -> dict[str, tuple[tuple[int, bool], ...]]:
    """Returns for each word of direction its axes, and whether it says up."""
    sides: dict[str, tuple[tuple[int, bool], ...]] = {}
    for axis, (up, down) in enumerate(_OPPOSITES):
        for words, is_up in ((up, True), (down, False)):
            for word in words.split():
                sides[word] = (*sides.get(word, ()), (axis, is_up))
    return sides
