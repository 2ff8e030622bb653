"""The fitted numbers of triage: coefficients, thresholds and where they are from.

All of them live in one data file, written by ``citation-support fit``.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib.resources
import json
import math
import operator
from collections.abc import Mapping
from typing import Any

from transforms.score_coverage.triage.compare import Comparison

FEATURES = (
    "weight_of_evidence",
    "rare_coverage",
    "title_share",
    "passage_coverage",
    "rarest_covered",
    "missing_names",
)


_THRESHOLDS = ("off_topic", "on_topic", "on_topic_with_cue")
_FEATURES_OF = operator.attrgetter(*FEATURES)
# Beyond, a probability would be rounded to 0 or 1.
_MAX_LOG_ODDS = 36.0
# A reference that fits better by more than this says no more for it.
_MAX_SIBLING_MARGIN = 4.0


class ModelError(ValueError):
    """A model file that cannot be used; says what is wrong."""


@dataclasses.dataclass(frozen=True, slots=True)
class Model:
    """A logistic model of the topic, with its thresholds.

    Attributes:
      intercept: Log odds where all features are 0.
      coefficients: Log odds of one unit of each feature, in the order of ``FEATURES``.
      sibling_weight: How much of the log odds by which another reference of the same
        document fits better counts against the cited one, >= 0.
      off_topic: Probability up to which a work is off topic.
      on_topic: Probability above which it is on topic.
      on_topic_with_cue: The same for a claim with an attribution cue.
      provenance: What it was fitted on, for people.

    Raises:
      ModelError: If a number is missing or not finite, or the thresholds are not
        0 < off_topic < on_topic <= on_topic_with_cue < 1.
    """

    intercept: float
    coefficients: tuple[float, ...]
    sibling_weight: float
    off_topic: float
    on_topic: float
    on_topic_with_cue: float
    provenance: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        """Validates the numbers."""
        if len(self.coefficients) != len(FEATURES):
            raise ModelError(f"{len(self.coefficients)} coefficients for {FEATURES}")
        if not all(map(math.isfinite, (self.intercept, *self.coefficients))):
            raise ModelError("a coefficient is not a finite number")
        if not 0.0 <= self.sibling_weight < math.inf:
            raise ModelError(f"sibling_weight must be >= 0, got {self.sibling_weight}")
        thresholds = (self.off_topic, self.on_topic, self.on_topic_with_cue)
        if not 0.0 < self.off_topic < self.on_topic <= self.on_topic_with_cue < 1.0:
            raise ModelError(f"thresholds must rise between 0 and 1, got {thresholds}")

    def log_odds(self, comparison: Comparison) -> float:
        """Returns the log odds that the evidence is on the claim's topic."""
        log_odds = self.intercept
        for weight, feature in zip(
            self.coefficients, features(comparison), strict=True
        ):
            log_odds += weight * feature
        return log_odds

    def among_siblings(self, log_odds: float, best_sibling: float) -> float:
        """Returns the log odds in view of the document's other references.

        Args:
          log_odds: Log odds of the cited work.
          best_sibling: Log odds of the same claim against the reference that fits
            best of the others; minus infinity without others.
        """
        margin = min(max(best_sibling - log_odds, 0.0), _MAX_SIBLING_MARGIN)
        return log_odds - self.sibling_weight * margin


def features(comparison: Comparison) -> tuple[float, ...]:
    """Returns the features of a comparison, in the order of ``FEATURES``."""
    return tuple(map(float, _FEATURES_OF(comparison)))


def probability(log_odds: float) -> float:
    """Returns the probability of log odds, in (0, 1)."""
    log_odds = max(-_MAX_LOG_ODDS, min(log_odds, _MAX_LOG_ODDS))
    # Of two forms, the one whose exponential is small is the more exact.
    if log_odds >= 0:
        return 1.0 / (1.0 + math.exp(-log_odds))
    return math.exp(log_odds) / (1.0 + math.exp(log_odds))


def write_model(model: Model) -> str:
    """Returns a model as JSON with a line for each number."""
    written = {
        "intercept": model.intercept,
        "coefficients": dict(zip(FEATURES, model.coefficients, strict=True)),
        "sibling_weight": model.sibling_weight,
        "thresholds": {name: getattr(model, name) for name in _THRESHOLDS},
        "provenance": dict(model.provenance),
    }
    return json.dumps(written, indent=2, ensure_ascii=False) + "\n"


def read_model(text: str) -> Model:
    """Reads what ``write_model`` writes.

    Raises:
      ModelError: If it is not such a file.
    """
    try:
        written = json.loads(text)
        return Model(
            intercept=float(written["intercept"]),
            coefficients=tuple(float(written["coefficients"][n]) for n in FEATURES),
            sibling_weight=float(written["sibling_weight"]),
            **{name: float(written["thresholds"][name]) for name in _THRESHOLDS},
            provenance=dict(written.get("provenance", {})),
        )
    except (json.JSONDecodeError, RecursionError) as error:
        raise ModelError(f"not JSON: {error}") from error
    except KeyError as error:
        raise ModelError(f"no {error} in the model") from error
    except ModelError:
        raise
    except (TypeError, AttributeError, ValueError, OverflowError) as error:
        raise ModelError(f"not a model of triage: {error}") from error


@functools.cache
def shipped_model() -> Model:
    """Loads the model that ships with the package."""
    folder = importlib.resources.files("transforms.score_coverage") / "data"
    return read_model((folder / "triage.json").read_text(encoding="utf-8"))
