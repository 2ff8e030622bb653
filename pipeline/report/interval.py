"""The confidence interval of a share over documents.  Pure."""

from __future__ import annotations

import dataclasses
import math

# Two-sided 95 % of the normal distribution.
_Z = 1.959964


@dataclasses.dataclass(slots=True)
class Share:
    """A share of citations, taken document by document.

    Attributes:
      documents: Documents with at least one citation counted.
      hits: Citations that count for the share.
      total: Citations in all.
    """

    documents: int = 0
    hits: int = 0
    total: int = 0
    _hits_squared: int = 0
    _total_squared: int = 0
    _products: int = 0

    def add(self, hits: int, total: int) -> None:
        """Adds one document.

        Args:
          hits: Its citations that count for the share.
          total: Its citations in all; a document with none changes nothing.
        """
        if not total:
            return
        self.documents += 1
        self.hits += hits
        self.total += total
        self._hits_squared += hits * hits
        self._total_squared += total * total
        self._products += hits * total

    @property
    def value(self) -> float | None:
        """The share, in [0, 1]; None of nothing."""
        return self.hits / self.total if self.total else None

    @property
    def design_effect(self) -> float:
        """How much the variance grows since citations of one document are alike.

        The variance of a ratio over documents (Cochran, Sampling Techniques, 1977,
        section 6.3) over that of a simple random sample; 1 at least, and 1 where
        nothing can be told: with one document, or where all citations agree.
        """
        if self.documents < 2 or self.hits in (0, self.total):
            return 1.0
        share = self.hits / self.total
        squares = (
            self._hits_squared
            - 2 * share * self._products
            + share * share * self._total_squared
        )
        clustered = squares * self.documents / (self.documents - 1) / self.total**2
        return max(1.0, clustered / (share * (1 - share) / self.total))

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval; None of nothing.

        Wilson's score interval on the effective number of citations: the number
        divided by the design effect (Korn and Graubard, Survey Methodology 24, 1998).
        """
        if not self.total:
            return None
        return wilson(self.hits / self.total, self.total / self.design_effect)


def wilson(share: float, number: float) -> tuple[float, float]:
    """Returns Wilson's 95 % score interval.

    Args:
      share: The share observed, in [0, 1].
      number: The number of independent trials, > 0; need not be whole.

    Returns:
      Lower and upper bound, in [0, 1] (Wilson, JASA 22, 1927).
    """
    square = _Z * _Z / number
    middle = (share + square / 2) / (1 + square)
    spread = math.sqrt(share * (1 - share) * square + square * square / 4)
    half = spread / (1 + square)
    return max(0.0, middle - half), min(1.0, middle + half)
