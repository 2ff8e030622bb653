"""Measures of how well a score tells right from wrong citations.  Pure.

Scores are such that a higher one speaks for the citation.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

BOOTSTRAPS = 300
Floats: TypeAlias = npt.NDArray[np.float64]
# From scores and weights of right and wrong citations to one number.
Statistic: TypeAlias = Callable[[Floats, Floats, Floats, Floats], float]


@dataclasses.dataclass(frozen=True, slots=True)
class Sample:
    """Scores of some citations by one or more methods.

    Attributes:
      scores: By method, one score a citation.
      clusters: The citing document of each citation.
    """

    scores: dict[str, Floats]
    clusters: tuple[str, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Interval:
    """A number with its 95 % bootstrap interval."""

    value: float
    low: float
    high: float


def auroc(right: Floats, wrong: Floats, right_w: Floats, wrong_w: Floats) -> float:
    """Returns the weighted chance that a right citation outscores a wrong one.

    Ties count half.  NaN where either side has no weight.
    """
    values = np.concatenate([right, wrong])
    levels, index = np.unique(values, return_inverse=True)
    rights = np.bincount(index[: len(right)], right_w, len(levels))
    wrongs = np.bincount(index[len(right) :], wrong_w, len(levels))
    below = np.cumsum(wrongs) - wrongs
    total = rights.sum() * wrongs.sum()
    return float((rights * (below + wrongs / 2)).sum() / total) if total else np.nan


def false_low_rate(share: float) -> Statistic:
    """Returns FL of a share: false alarms where that share of the wrong is caught.

    FL90 is the share of right citations at or below the score under which 90 % of the
    wrong ones fall.
    """

    def rate(right: Floats, wrong: Floats, right_w: Floats, wrong_w: Floats) -> float:
        if not right_w.sum() or not wrong_w.sum():
            return np.nan
        order = np.argsort(wrong, kind="stable")
        reached = np.cumsum(wrong_w[order]) >= share * wrong_w.sum()
        threshold = wrong[order][np.argmax(reached)]
        return float(right_w[right <= threshold].sum() / right_w.sum())

    return rate


def with_intervals(
    statistic: Statistic, right: Sample, wrong: Sample, seed: int
) -> dict[str, Interval]:
    """Measures every method, and what each gains over the first.

    Args:
      statistic: What to measure.
      right: Rightly cited works.
      wrong: Others, scored by the same methods.
      seed: Seed of the bootstrap, which draws citing documents.

    Returns:
      By method; ``<method> - <first>`` is the paired difference.
    """
    methods = list(right.scores)
    ones = np.ones(len(right.clusters)), np.ones(len(wrong.clusters))
    points = [_of(statistic, right, wrong, method, ones) for method in methods]
    draws = np.array(
        [
            [_of(statistic, right, wrong, method, weights) for method in methods]
            for weights in _draws(right.clusters, wrong.clusters, seed)
        ]
    )
    measured = {
        method: _interval(points[i], draws[:, i]) for i, method in enumerate(methods)
    }
    for i, method in enumerate(methods[1:], start=1):
        measured[f"{method} - {methods[0]}"] = _interval(
            points[i] - points[0], draws[:, i] - draws[:, 0]
        )
    return measured


def _of(
    statistic: Statistic,
    right: Sample,
    wrong: Sample,
    method: str,
    weights: tuple[Floats, Floats],
) -> float:
    return statistic(right.scores[method], wrong.scores[method], *weights)


def _interval(value: float, draws: Floats) -> Interval:
    known = draws[np.isfinite(draws)]
    if not len(known):
        return Interval(value, np.nan, np.nan)
    low, high = np.quantile(known, [0.025, 0.975])
    return Interval(value, float(low), float(high))


def _draws(
    right: Sequence[str], wrong: Sequence[str], seed: int
) -> list[tuple[Floats, Floats]]:
    """Returns weights of the citations for each draw of documents with return."""
    names = sorted({*right, *wrong})
    index = {name: i for i, name in enumerate(names)}
    rights = np.array([index[name] for name in right], dtype=int)
    wrongs = np.array([index[name] for name in wrong], dtype=int)
    # Of Python's generator, only ``random()`` is the same in every version.
    generator = random.Random(seed)
    weights = []
    for _ in range(BOOTSTRAPS):
        drawn = [int(generator.random() * len(names)) for _ in names]
        counts = np.bincount(drawn, minlength=len(names)).astype(float)
        weights.append((counts[rights], counts[wrongs]))
    return weights
