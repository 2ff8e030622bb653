"""Measures the literal method and triage on one data set of labelled pairs."""

from __future__ import annotations

import dataclasses
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from pipeline.evaluation.support.judging import Scored, sample, score
from pipeline.evaluation.support.metrics import (
    Interval,
    Sample,
    Statistic,
    auroc,
    false_low_rate,
    with_intervals,
)
from pipeline.evaluation.support.pairs import Pair
from pipeline.evaluation.support.swaps import random_swaps, same_document_swaps
from transforms.records import Grade, Triage
from transforms.score_coverage.triage.judge import Judge

# A contrast of fewer pairs on either side measures nothing.
_MIN_PAIRS = 10
_BINS = 10
OWN, RANDOM, SAME_DOCUMENT = "own", "random swap", "same-document swap"


@dataclasses.dataclass(frozen=True, slots=True)
class Measured:
    """What one data set came to; all of it is plain data but ``items``.

    Attributes:
      pairs: Pairs measured.
      contrasts: By name ("own | random swap"), by measure (AUROC, FL90, FL95), by
        method or difference of two, the value with its interval.
      grades: By kind of pair (own, swaps, each label), the share of each literal
        grade and of each triage value.
      flags: Where readers said what is worth a minute: by triage value, how many of
        each label, precision and recall.
      reliability: By tenth of topic probability: pairs, mean probability, and the
        share of own citations, if there were as many swaps as own citations.
      items: Every pair of the data set as scored, by id.
    """

    pairs: int
    contrasts: dict[str, dict[str, dict[str, Interval]]]
    grades: dict[str, dict[str, float]]
    flags: dict[str, Any]
    reliability: list[dict[str, float]]
    items: dict[str, Scored]


def measure(
    pairs: Sequence[Pair], judge: Judge, seed: int, chosen: Callable[[Pair], bool]
) -> Measured:
    """Measures one data set.

    Args:
      pairs: All its pairs.
      judge: The judge to measure.
      seed: Seed of swaps and bootstraps.
      chosen: Which pairs count, by their cited work; the others still are the
        references of their documents.
    """
    works = _works_of(pairs)
    counted = [pair for pair in pairs if chosen(pair)]
    right = [pair for pair in counted if pair.is_right]
    given = [score(judge, pair, pair, works[pair.group]) for pair in counted]
    own = [item for item in given if item.pair.is_right]
    # A swap hides the work that its claim really cites: the reading list must not
    # live off the right paper being in the list as well.
    swapped = {
        RANDOM: [
            score(judge, pair, other, _without(works[pair.group], pair.work))
            for pair, other in random_swaps(right, seed)
        ],
        SAME_DOCUMENT: [
            score(judge, pair, other, _without(works[pair.group], pair.work))
            for pair, other in same_document_swaps(right)
        ],
    }
    made: dict[str, list[Scored]] = {OWN: own, **swapped}
    # A label of one of these names is of other pairs.
    kinds = {**made, **_by_label(given), **made}
    return Measured(
        pairs=len(counted),
        contrasts=_contrasts(kinds, given, seed),
        grades={kind: _shares(items) for kind, items in kinds.items() if items},
        flags=_flags(given),
        reliability=_reliability(own, swapped[RANDOM]),
        items={item.pair.pair_id: item for item in given},
    )


def _works_of(pairs: Iterable[Pair]) -> dict[str, dict[str, Pair]]:
    """Returns what each document cites, by work."""
    works: dict[str, dict[str, Pair]] = defaultdict(dict)
    for pair in pairs:
        works[pair.group].setdefault(pair.work, pair)
    return works


def _without(works: Mapping[str, Pair], work: str) -> dict[str, Pair]:
    return {key: pair for key, pair in works.items() if key != work}


def _by_label(items: Iterable[Scored]) -> dict[str, list[Scored]]:
    kinds: dict[str, list[Scored]] = defaultdict(list)
    for item in items:
        kinds[item.pair.label].append(item)
    return dict(sorted(kinds.items()))


def _contrasts(
    kinds: Mapping[str, Sequence[Scored]], given: Sequence[Scored], seed: int
) -> dict[str, dict[str, dict[str, Interval]]]:
    """Measures own citations against swaps, and the labels against each other."""
    contrasts = {}
    for wrong in (RANDOM, SAME_DOCUMENT):
        contrasts[f"{OWN} | {wrong}"] = _measures(
            kinds[OWN], kinds[wrong], seed, with_rates=wrong == RANDOM
        )
    for label in ("not_supported", "irrelevant", "not_enough_info", "contradicted"):
        contrasts[f"supported | {label}"] = _measures(
            kinds.get("supported", ()), kinds.get(label, ()), seed, with_rates=False
        )
    judged = [item for item in given if item.pair.worth is not None]
    contrasts["not worth a minute | worth a minute"] = _measures(
        [item for item in judged if not item.pair.worth],
        [item for item in judged if item.pair.worth],
        seed,
        with_rates=False,
    )
    return {name: measures for name, measures in contrasts.items() if measures}


def _measures(
    right: Sequence[Scored], wrong: Sequence[Scored], seed: int, *, with_rates: bool
) -> dict[str, dict[str, Interval]]:
    if min(len(right), len(wrong)) < _MIN_PAIRS:
        return {}
    samples: tuple[Sample, Sample] = sample(right), sample(wrong)
    statistics: dict[str, Statistic] = {"AUROC": auroc}
    if with_rates:
        statistics |= {"FL90": false_low_rate(0.90), "FL95": false_low_rate(0.95)}
    return {
        name: with_intervals(statistic, *samples, seed)
        for name, statistic in statistics.items()
    }


def _shares(items: Sequence[Scored]) -> dict[str, float]:
    grades = Counter(item.grade for item in items)
    triages = Counter(item.triage.triage for item in items)
    return {
        "pairs": len(items),
        **{grade.value: grades[grade] / len(items) for grade in Grade},
        **{triage.value: triages[triage] / len(items) for triage in Triage},
    }


def _flags(given: Sequence[Scored]) -> dict[str, Any]:
    """Counts triage values by what readers said."""
    judged = [item for item in given if item.pair.worth is not None]
    worth = sum(bool(item.pair.worth) for item in judged)
    if not worth:
        return {}
    labels = Counter(item.pair.label for item in judged)
    flags: dict[str, Any] = {"worth a minute": worth, "labels": dict(labels)}
    for triage in Triage:
        chosen = [item for item in judged if item.triage.triage is triage]
        found = sum(bool(item.pair.worth) for item in chosen)
        flags[triage.value] = {
            "pairs": len(chosen),
            "precision": found / len(chosen) if chosen else math.nan,
            "recall": found / worth,
            "share of label": {
                label: sum(item.pair.label == label for item in chosen) / number
                for label, number in sorted(labels.items())
            },
        }
    return flags


def _reliability(
    own: Sequence[Scored], swapped: Sequence[Scored]
) -> list[dict[str, float]]:
    """Compares probabilities with how often citations are own, at even odds."""
    if not own or not swapped:
        return []
    rows = []
    for number in range(_BINS):
        owns, swaps = (
            [p for item in items if _bin(p := item.triage.topic_probability) == number]
            for items in (own, swapped)
        )
        weight = len(owns) / len(own) + len(swaps) / len(swapped)
        if weight:
            mean = sum(owns) / len(own) + sum(swaps) / len(swapped)
            rows.append(
                {
                    "from": number / _BINS,
                    "to": (number + 1) / _BINS,
                    "pairs": len(owns) + len(swaps),
                    "mean": mean / weight,
                    "own": len(owns) / len(own) / weight,
                }
            )
    return rows


def _bin(probability: float) -> int:
    return min(_BINS - 1, int(probability * _BINS))
