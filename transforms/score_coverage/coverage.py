"""Measures how much of a claim some evidence covers.  Pure."""

from __future__ import annotations

from collections.abc import Mapping, Set

from transforms.records import Coverage


def cover(claim_terms: Mapping[str, float], evidence_terms: Set[str]) -> Coverage:
    """Compares the terms of a claim with those of its evidence.

    The denominator is the claim alone, so that a long abstract does not dilute the
    coverage (support specification, section 5).  Weights are multiples of 0.5, so
    their sums are exact and do not depend on the order of terms.

    Args:
      claim_terms: Term to weight, weights > 0, in order of appearance; not empty.
      evidence_terms: Terms of title and abstract together.

    Returns:
      The coverage in [0, 1], with every claim term either covered or missing.

    Raises:
      ValueError: If the claim has no term; its coverage is undefined.
    """
    if not claim_terms:
        raise ValueError("a claim without terms has no coverage")
    covered = tuple(term for term in claim_terms if term in evidence_terms)
    missing = tuple(term for term in claim_terms if term not in evidence_terms)
    covered_weight = sum(claim_terms[term] for term in covered)
    return Coverage(covered_weight / sum(claim_terms.values()), covered, missing)
