"""Compares a claim with the evidence of the work that it cites.  Pure.

What is compared, and why these four measures: a term that the evidence has speaks for
its topic the more, the less likely unrelated evidence would have it.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence, Set

from transforms.records import TermPoints
from transforms.score_coverage.triage.asides import without_asides
from transforms.score_coverage.triage.background import Background
from transforms.score_coverage.triage.evidence import (
    EvidenceWords,
    Passage,
    beginning,
)
from transforms.score_coverage.triage.words import claim_words

# The clause that the citation closes counts whole, its surroundings half.
_CLAUSE_WEIGHT = 1.0
_CONTEXT_WEIGHT = 0.5
# A word that only begins as one of the evidence does counts half.
_RELATED = 0.5
_MIN_RELATED_CHARS = 6
# Share of a claim's words that the abstract has, where it is the source of the claim.
_COVERED_IF_SOURCE = 0.35


@dataclasses.dataclass(frozen=True, slots=True)
class ClaimTerm:
    """One word of a claim or of the sentence before it.

    Attributes:
      stem: What is compared.
      shown: The word as printed, for people.
      weight: 1 in the clause that the citation closes, else 0.5.
      is_context: Whether only the sentence before the claim has it.
    """

    stem: str
    shown: str
    weight: float
    is_context: bool = False


@dataclasses.dataclass(frozen=True, slots=True)
class Comparison:
    """What a claim and its evidence have in common.

    Attributes:
      weight_of_evidence: Sum of the points of all terms over the square root of their
        summed weight + 1; natural logarithms, 0 is neutral.
      rare_coverage: Share of the claim's words that the evidence has, by weight and
        rarity, in [0, 1].
      title_share: Share of the title's telling words that the claim or the sentence
        before it has, by rarity, in [0, 1].
      passage_coverage: The best ``rare_coverage`` by one passage, or the title alone.
      rarest_covered: Inverse document frequency of the rarest word that the evidence
        has, 0 without any.
      missing_names: Logarithm of 1 + the number of capitalised words of the claim that
        the evidence lacks: constructs and strains that abstracts rarely spell out.
      covered: Points of the terms that the evidence has, in order of appearance.
      missing: Points of the other terms, all negative.
      passage: The passage that covers most of the claim; None if none covers any.
    """

    weight_of_evidence: float
    rare_coverage: float
    title_share: float
    passage_coverage: float
    rarest_covered: float
    missing_names: float
    covered: tuple[TermPoints, ...]
    missing: tuple[TermPoints, ...]
    passage: Passage | None


def claim_terms(
    claim: str, clause: str, before: str, names: Set[str]
) -> tuple[ClaimTerm, ...]:
    """Returns the terms of a claim and of the sentence before it.

    Args:
      claim: The claim without citation markers.
      clause: The part of it that the citation closes, with or without markers;
        ``""`` for all of it.
      before: The sentence before the claim, without markers, or ``""``.
      names: Folded surnames that are no terms.

    Returns:
      Each stem once: the claim's in order of appearance, then those that only the
      sentence before has.
    """
    words = claim_words(without_asides(claim), names)
    own = claim_words(without_asides(clause), names) if clause else words
    terms = [
        ClaimTerm(stem, shown, _CLAUSE_WEIGHT if stem in own else _CONTEXT_WEIGHT)
        for stem, shown in words.items()
    ]
    context = claim_words(without_asides(before), names)
    terms.extend(
        ClaimTerm(stem, shown, _CONTEXT_WEIGHT, is_context=True)
        for stem, shown in context.items()
        if stem not in words
    )
    return tuple(terms)


def compare(
    terms: Sequence[ClaimTerm], evidence: EvidenceWords, background: Background
) -> Comparison:
    """Compares the terms of a claim with evidence.

    Args:
      terms: What ``claim_terms`` returns.
      evidence: What ``prepare`` returns.
      background: How common words are.

    Returns:
      The measures; all 0 for a claim without terms.
    """
    found = {term.stem: _presence(term.stem, evidence) for term in terms}
    points = [
        _points(term, found[term.stem], len(evidence.words), background)
        for term in terms
    ]
    claimed = {
        term.stem: term.weight * background.idf(term.stem)
        for term in terms
        if not term.is_context
    }
    topic = {stem: background.idf(stem) for stem in evidence.topic}
    common = evidence.words & found.keys()
    passage, best = _best_passage(claimed, evidence.passages)
    shown = [TermPoints(t.shown, p) for t, p in zip(terms, points, strict=True)]
    return Comparison(
        weight_of_evidence=_damped(points, terms),
        rare_coverage=_share(claimed, found.__getitem__),
        title_share=_share(topic, lambda stem: float(stem in found)),
        passage_coverage=max(best, _share(claimed, _is_in(evidence.title))),
        rarest_covered=max(map(background.idf, common), default=0.0),
        missing_names=math.log1p(sum(_is_missing_name(t, evidence) for t in terms)),
        covered=tuple(item for item in shown if item.points >= 0.0),
        missing=tuple(item for item in shown if item.points < 0.0),
        passage=passage,
    )


def weight_of_evidence(
    terms: Sequence[ClaimTerm], evidence: EvidenceWords, background: Background
) -> float:
    """Returns ``Comparison.weight_of_evidence`` alone, at a fifth of the cost."""
    size = len(evidence.words)
    return _damped(
        [_points(t, _presence(t.stem, evidence), size, background) for t in terms],
        terms,
    )


def _damped(points: Sequence[float], terms: Sequence[ClaimTerm]) -> float:
    # Exact sums, because plain ones differ by version of Python and by order.
    weight = math.fsum(term.weight for term in terms)
    return math.fsum(points) / math.sqrt(weight + 1.0)


def _presence(stem: str, evidence: EvidenceWords) -> float:
    """Returns 1 for a stem of the evidence, a half for a related one, else 0."""
    if stem in evidence.words:
        return 1.0
    is_related = len(stem) >= _MIN_RELATED_CHARS and (
        beginning(stem) in evidence.beginnings
    )
    return _RELATED if is_related and stem.isalpha() else 0.0


def _points(
    term: ClaimTerm, presence: float, evidence_words: int, background: Background
) -> float:
    """Returns the log likelihood ratio of source against unrelated evidence."""
    chance = background.chance(term.stem, evidence_words)
    if_source = _COVERED_IF_SOURCE + (1.0 - _COVERED_IF_SOURCE) * chance
    if presence:
        return term.weight * presence * math.log(if_source / chance)
    return term.weight * math.log(1.0 - _COVERED_IF_SOURCE)


def _is_missing_name(term: ClaimTerm, evidence: EvidenceWords) -> bool:
    shown = term.shown
    is_name = not shown[0].isdigit() and shown != shown.lower()
    return is_name and not term.is_context and term.stem not in evidence.words


def _share(weights: Mapping[str, float], presence: Callable[[str], float]) -> float:
    """Returns the weighted mean presence of some stems, 0 without any."""
    total = math.fsum(weights.values())
    if not total:
        return 0.0
    return (
        math.fsum(weight * presence(stem) for stem, weight in weights.items()) / total
    )


def _is_in(words: Set[str]) -> Callable[[str], float]:
    return lambda stem: float(stem in words)


def _best_passage(
    claimed: Mapping[str, float], passages: Sequence[Passage]
) -> tuple[Passage | None, float]:
    """Returns the first of the passages that cover most, and how much it covers."""
    best, most = None, 0.0
    for passage in passages:
        covered = _share(claimed, _is_in(passage.words))
        if covered > most:
            best, most = passage, covered
    return best, most
