"""Scores pairs as a run would, by the literal method and by triage."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping, Sequence

import numpy as np

from pipeline.evaluation.support.metrics import Sample
from pipeline.evaluation.support.pairs import Pair
from transforms.records import Grade, Judgement, Triage
from transforms.score_coverage.coverage import cover
from transforms.score_coverage.function import citation_function, is_methods_section
from transforms.score_coverage.grades import grade
from transforms.score_coverage.scope import CitationContext
from transforms.score_coverage.terms import claim_terms, evidence_terms
from transforms.score_coverage.triage.evidence import EvidenceWords, prepare
from transforms.score_coverage.triage.judge import (
    Claim,
    Judge,
    concern,
    names_author,
    surnames,
)

# The literal coverage; the topic probability by the claim and its evidence alone; the
# same as a run computes it, in view of the document's other references; and the order
# in which citations are read, where attributions come later.
METHODS = ("literal", "alone", "triage", "order")
# Evidence of one data set stays prepared.
_CACHE = 1 << 14


@dataclasses.dataclass(frozen=True, slots=True)
class Scored:
    """One claim held against one work, scored.

    Attributes:
      pair: The pair with the claim.
      coverage: Literal coverage, 0 for a claim without terms.
      grade: Literal grade.
      alone: The judgement without the document's other references.
      triage: The judgement with them.
    """

    pair: Pair
    coverage: float
    grade: Grade
    alone: Judgement
    triage: Judgement


def score(
    judge: Judge,
    claimed: Pair,
    cited: Pair,
    siblings: Mapping[str, Pair],
) -> Scored:
    """Scores the claim of one pair against the work of another.

    Args:
      judge: The judge.
      claimed: The pair with the claim.
      cited: The pair with the work; the same one, or another for a swap.
      siblings: Pairs with the other works of the citing document, by work.
    """
    evidence = prepared(cited.title, cited.abstract)
    claim = claim_of(claimed, cited)
    others = {
        work: prepared(pair.title, pair.abstract)
        for work, pair in siblings.items()
        if work != cited.work
    }
    coverage = _coverage(claimed.claim_unmarked, cited.title, cited.abstract)
    return Scored(
        pair=claimed,
        coverage=coverage,
        grade=grade(coverage),
        alone=judge.judge(claim, evidence),
        triage=judge.judge(claim, evidence, others),
    )


def sample(scored: Sequence[Scored]) -> Sample:
    """Returns the scores by method, in the order of ``METHODS``; higher is better."""
    columns = (
        [item.coverage for item in scored],
        [item.alone.topic_probability for item in scored],
        [item.triage.topic_probability for item in scored],
        [1.0 - concern(item.triage) for item in scored],
    )
    scores = {
        method: np.array(column, dtype=float)
        for method, column in zip(METHODS, columns, strict=True)
    }
    return Sample(scores, tuple(item.pair.group for item in scored))


def is_flagged(scored: Scored) -> bool:
    """Tells whether triage would put a pair on the reading list."""
    return scored.triage.triage is Triage.OFF_TOPIC


@functools.lru_cache(maxsize=_CACHE)
def prepared(title: str, abstract: str) -> EvidenceWords:
    """Returns the prepared evidence of a work."""
    return prepare(title, abstract)


@functools.lru_cache(maxsize=_CACHE)
def _evidence_terms(title: str, abstract: str) -> frozenset[str]:
    return evidence_terms(title) | evidence_terms(abstract)


def _coverage(claim: str, title: str, abstract: str) -> float:
    terms = claim_terms(claim)
    return cover(terms, _evidence_terms(title, abstract)).value if terms else 0.0


def claim_of(claimed: Pair, cited: Pair) -> Claim:
    """Returns the claim of one pair as it is held against the work of another."""
    context = CitationContext(
        claim=claimed.claim,
        marker_start=claimed.target[0],
        marker_end=claimed.target[1],
        clause_start=claimed.clause[0],
        clause_end=claimed.clause[1],
        section=claimed.section,
        cited_title=cited.title,
    )
    authors = surnames(cited.authors)
    return Claim(
        text=claimed.claim_unmarked,
        clause=claimed.claim[slice(*claimed.clause)],
        before=claimed.previous,
        names=authors,
        attribution_cue=citation_function(context).attribution_cue,
        is_method=is_methods_section(claimed.section),
        names_cited_author=names_author(claimed.claim_unmarked, authors),
    )
