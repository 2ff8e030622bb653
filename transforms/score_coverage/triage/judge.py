"""Judges whether a cited work is on the topic of the claim that cites it.  Pure."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Mapping, Sequence, Set
from types import MappingProxyType

from transforms.names import family_name, fold
from transforms.records import Judgement, Triage
from transforms.score_coverage.direction import direction_note
from transforms.score_coverage.triage.asides import (
    introduces_people,
    names_institution,
    without_asides,
)
from transforms.score_coverage.triage.background import Background
from transforms.score_coverage.triage.compare import (
    ClaimTerm,
    Comparison,
    claim_terms,
    compare,
    weight_of_evidence,
)
from transforms.score_coverage.triage.evidence import EvidenceWords
from transforms.score_coverage.triage.model import Model, probability
from transforms.score_coverage.triage.words import claim_words

# A claim of fewer words says too little to tell one abstract from another.
_MIN_CLAIM_WORDS = 4
# Up to a hyphen or a possessive 's: "O'Brien-Ode's".
_NAME = re.compile(r"[^\W\d_]+(?:['’](?!s\b)[^\W\d_]+)*")


@dataclasses.dataclass(frozen=True, slots=True)
class Claim:
    """What is judged.

    Attributes:
      text: The claim without citation markers.
      clause: The part of it that the citation closes, with or without markers; ``""``
        for all of it.
      before: The sentence before it, without markers, or ``""``.
      names: Folded surnames that are no words of the claim: authors that it names.
      attribution_cue: Words by which the claim attributes something that no abstract
        could show, or ``""``.
      is_method: Whether it stands in a Methods section.
      names_cited_author: Whether it names an author of the cited work in words; None
        where the authors are not known.
    """

    text: str
    clause: str = ""
    before: str = ""
    names: frozenset[str] = frozenset()
    attribution_cue: str = ""
    is_method: bool = False
    names_cited_author: bool | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class Judge:
    """Judges claims by a background and a model.

    Attributes:
      background: How common words are.
      model: Coefficients and thresholds.
    """

    background: Background
    model: Model

    def judge(
        self,
        claim: Claim,
        evidence: EvidenceWords,
        siblings: Mapping[str, EvidenceWords] = MappingProxyType({}),
    ) -> Judgement:
        """Judges one claim.

        Args:
          claim: The claim.
          evidence: Title and abstract of the work that it cites, prepared.
          siblings: Works that the same document cites for other claims, by key.  Where
            one of them fits better, that speaks against the cited one.

        Returns:
          The judgement with all that explains it.
        """
        terms = claim_terms(claim.text, claim.clause, claim.before, claim.names)
        comparison = compare(terms, evidence, self.background)
        alone = self.model.log_odds(comparison)
        sibling, best = self._best_sibling(terms, siblings)
        log_odds = self.model.among_siblings(alone, best)
        chance = probability(log_odds)
        triage = self._triage(chance, claim)
        return _judgement(
            triage,
            chance,
            comparison,
            better_sibling=sibling if best > alone else "",
            sibling_margin=max(0.0, best - alone),
            direction=direction_note(claim.text, evidence.sentences),
        )

    def _triage(self, chance: float, claim: Claim) -> Triage:
        """Returns the verdict, or what becomes of one that no abstract could carry."""
        model = self.model
        if claim.attribution_cue:
            is_on_topic = chance > model.on_topic_with_cue
            return Triage.ON_TOPIC if is_on_topic else Triage.ATTRIBUTION
        if chance > model.on_topic:
            return Triage.ON_TOPIC
        if chance > model.off_topic:
            return Triage.UNCLEAR
        if claim.is_method:
            return Triage.ATTRIBUTION
        return Triage.UNCLEAR if _says_little(claim) else Triage.OFF_TOPIC

    def _best_sibling(
        self, terms: Sequence[ClaimTerm], siblings: Mapping[str, EvidenceWords]
    ) -> tuple[str, float]:
        """Returns the sibling whose words fit best, and its log odds."""
        best, most = "", -math.inf
        for key, evidence in siblings.items():
            weight = weight_of_evidence(terms, evidence, self.background)
            if weight > most:
                best, most = key, weight
        if not best:
            return "", -math.inf
        comparison = compare(terms, siblings[best], self.background)
        return best, self.model.log_odds(comparison)


def surnames(authors: Sequence[str]) -> frozenset[str]:
    """Returns the folded words of authors' family names."""
    return frozenset(
        word for author in authors for word in fold(family_name(author)).split()
    )


def names_author(text: str, authors: Set[str]) -> bool | None:
    """Tells whether ``text`` names one of some authors.

    Args:
      text: A claim without citation markers.
      authors: Their ``surnames``.

    Returns:
      None where no author is known.
    """
    if not authors:
        return None
    words = _NAME.findall(text)
    return any(word[0].isupper() and fold(word) in authors for word in words)


def concern(judgement: Judgement) -> float:
    """Returns how much a judgement asks for a reader, in (0, 1), for ordering.

    It is the probability of being off topic; half of it for an attribution, where
    missing words mean little.
    """
    off_topic = 1.0 - judgement.topic_probability
    is_attribution = judgement.triage is Triage.ATTRIBUTION
    return off_topic / 2.0 if is_attribution else off_topic


def _says_little(claim: Claim) -> bool:
    """Tells whether a claim has few words to be judged by.

    "Now, Tamsin Ode and colleagues at the University of Kelp report why" can only be
    about their own paper, whatever words that paper uses.
    """
    words = claim_words(without_asides(claim.text), claim.names)
    if len(words) < _MIN_CLAIM_WORDS or claim.names_cited_author:
        return True
    is_known = claim.names_cited_author is not None
    return names_institution(claim.text) or (
        introduces_people(claim.text) and not is_known
    )


def _judgement(
    triage: Triage,
    chance: float,
    comparison: Comparison,
    *,
    better_sibling: str,
    sibling_margin: float,
    direction: str,
) -> Judgement:
    passage = comparison.passage
    return Judgement(
        triage=triage,
        topic_probability=chance,
        weight_of_evidence=comparison.weight_of_evidence,
        rare_coverage=comparison.rare_coverage,
        title_share=comparison.title_share,
        passage_coverage=comparison.passage_coverage,
        covered=comparison.covered,
        missing=comparison.missing,
        passage_start=passage.start if passage else None,
        passage_end=passage.end if passage else None,
        better_sibling=better_sibling,
        sibling_margin=sibling_margin,
        direction_note=direction,
    )
