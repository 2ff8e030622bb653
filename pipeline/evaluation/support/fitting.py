"""Fits the coefficients and thresholds of triage on labelled pairs."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from pipeline.evaluation.support.judging import claim_of, prepared
from pipeline.evaluation.support.metrics import Floats
from pipeline.evaluation.support.pairs import Pair
from pipeline.evaluation.support.swaps import (
    is_training,
    random_swaps,
    same_document_swaps,
)
from pipeline.exits import UsageError
from transforms.score_coverage.triage.background import Background
from transforms.score_coverage.triage.compare import claim_terms, compare
from transforms.score_coverage.triage.model import (
    FEATURES,
    Model,
    features,
    probability,
)

# A same-document swap is often on the topic: it teaches half as much.
_SAME_DOCUMENT_WEIGHT = 0.5
_SIBLING_WEIGHT = 0.5
_MIN_PAIRS = 20
# Digits that are kept: the rest would only be noise of the solver.
_DECIMALS = 4


@dataclasses.dataclass(frozen=True, slots=True)
class Targets:
    """What the thresholds are to achieve on the random swaps of the first data set.

    Attributes:
      caught: Share that is off topic.
      passed: Share that is on topic.
      passed_with_cue: Share that would be, with an attribution cue in the claim.
    """

    caught: float = 0.92
    passed: float = 0.01
    passed_with_cue: float = 0.002


def fit(
    data: Mapping[str, Sequence[Pair]],
    background: Background,
    seed: int,
    targets: Targets,
) -> Model:
    """Fits a model on the training half of each data set.

    Every data set weighs the same, and its right pairs as much as its swaps.  The
    thresholds are set on the first data set alone.

    Args:
      data: Pairs by name of the data set.
      background: How common words are.
      seed: Seed of the swaps.
      targets: What the thresholds are to achieve.

    Raises:
      UsageError: If a data set has too few right pairs or nothing to swap, or
        scikit-learn is missing.
    """
    examples = {
        name: _examples(name, pairs, background, seed) for name, pairs in data.items()
    }
    parts = [part for found in examples.values() for part in found.weighted()]
    model = _regression(*map(np.concatenate, zip(*parts, strict=True)))
    first = next(iter(examples.values()))
    return _with_thresholds(model, first.random, targets, _provenance(data, seed))


@dataclasses.dataclass(frozen=True, slots=True)
class _Examples:
    """Features of one data set, a row for each claim and work.

    Attributes:
      right: Of claims and the works that they cite.
      random: Of claims and works of other documents.
      near: Of claims and other works of their own document.
    """

    right: Floats
    random: Floats
    near: Floats

    def weighted(self) -> Iterator[tuple[Floats, Floats, Floats]]:
        """Yields features, labels and weights of each part."""
        for rows, label, weight in (
            (self.right, 1.0, 1.0),
            (self.random, 0.0, 1.0),
            (self.near, 0.0, _SAME_DOCUMENT_WEIGHT),
        ):
            number = len(rows)
            yield rows, np.full(number, label), np.full(number, weight / max(1, number))


def _examples(
    name: str, pairs: Sequence[Pair], background: Background, seed: int
) -> _Examples:
    right = [pair for pair in pairs if pair.is_right and is_training(pair)]
    if len(right) < _MIN_PAIRS:
        raise UsageError(
            f"{name}: {len(right)} rightly cited pairs to train on; "
            f"{_MIN_PAIRS} are needed"
        )
    random = _features(random_swaps(right, seed), background)
    if not len(random):
        raise UsageError(
            f"{name}: no swaps to train on; give pairs of several documents "
            "(column group) and works (column work)"
        )
    return _Examples(
        right=_features(zip(right, right, strict=True), background),
        random=random,
        near=_features(same_document_swaps(right), background),
    )


def _features(pairs: Iterable[tuple[Pair, Pair]], background: Background) -> Floats:
    """Returns one row of features for each claim and work."""
    rows = []
    for claimed, cited in pairs:
        claim = claim_of(claimed, cited)
        terms = claim_terms(claim.text, claim.clause, claim.before, claim.names)
        evidence = prepared(cited.title, cited.abstract)
        rows.append(features(compare(terms, evidence, background)))
    return np.array(rows, dtype=float).reshape(-1, len(FEATURES))


def _regression(rows: Floats, labels: Floats, weights: Floats) -> Model:
    """Fits a logistic regression; both labels weigh the same."""
    try:
        from sklearn.linear_model import LogisticRegression
    except ImportError as error:
        raise UsageError(
            "fitting needs scikit-learn: pip install 'citation-support[fit]'"
        ) from error
    for label in (0, 1):
        weights[labels == label] *= len(rows) / 2 / weights[labels == label].sum()
    fitted = LogisticRegression(C=1.0, max_iter=1000, tol=1e-8)
    fitted.fit(rows, labels, sample_weight=weights)
    return Model(
        intercept=round(float(fitted.intercept_[0]), _DECIMALS),
        coefficients=tuple(round(float(c), _DECIMALS) for c in fitted.coef_[0]),
        sibling_weight=_SIBLING_WEIGHT,
        off_topic=0.25,
        on_topic=0.75,
        on_topic_with_cue=0.95,
    )


def _with_thresholds(
    model: Model, swaps: Floats, targets: Targets, provenance: dict[str, Any]
) -> Model:
    log_odds = model.intercept + swaps @ np.array(model.coefficients)
    chances = np.array([probability(float(value)) for value in log_odds])
    shares = targets.caught, 1.0 - targets.passed, 1.0 - targets.passed_with_cue
    off_topic, on_topic, with_cue = np.quantile(chances, shares)
    return dataclasses.replace(
        model,
        off_topic=round(float(off_topic), 2),
        on_topic=round(float(on_topic), 2),
        on_topic_with_cue=round(float(with_cue), 2),
        provenance=provenance | {"targets": dataclasses.asdict(targets)},
    )


def _provenance(data: Mapping[str, Sequence[Pair]], seed: int) -> dict[str, Any]:
    return {
        "written_by": "citation-support fit",
        "seed": seed,
        "training": "pairs whose cited work has an even SHA-256",
        "data": {
            name: {
                "pairs": len(pairs),
                "right_pairs_trained_on": sum(
                    pair.is_right and is_training(pair) for pair in pairs
                ),
            }
            for name, pairs in data.items()
        },
    }
