"""Turns coverage into grades, and grades into a document score.

Pure.  Thresholds, contributions and bands are those of the support specification,
section 5.
"""

from __future__ import annotations

from transforms.records import Band, Grade, Severity

STRONG_COVERAGE = 0.45
PARTIAL_COVERAGE = 0.22
MAX_SCORE = 5.0

# In hundredths of a point: sums of 0.35 and 0.7 leave a remainder in binary.
_CONTRIBUTION_HUNDREDTHS = {Grade.STRONG: 0, Grade.PARTIAL: 35, Grade.LOW: 70}
_SEVERITY = {
    Grade.STRONG: Severity.NONE,
    Grade.PARTIAL: Severity.INFO,
    Grade.LOW: Severity.WARNING,
}

# The nearest whole number is 2 from 1.5 and 4 from 3.5 on; halves round up.
_SOME_WEAK_SUPPORT_SCORE = 1.5
_SYSTEMATIC_SCORE = 3.5


def grade(coverage: float) -> Grade:
    """Grades a coverage; both thresholds belong to the better grade.

    A ratio of exact sums is rounded once, so that 9/20 is the same float as 0.45 and
    needs no tolerance.

    Args:
      coverage: Covered weight over all weight, in [0, 1].

    Raises:
      ValueError: If ``coverage`` is outside [0, 1].
    """
    if not 0.0 <= coverage <= 1.0:
        raise ValueError(f"coverage must be in [0, 1], got {coverage}")
    if coverage >= STRONG_COVERAGE:
        return Grade.STRONG
    return Grade.PARTIAL if coverage >= PARTIAL_COVERAGE else Grade.LOW


def contribution(grade: Grade) -> float:
    """Returns what one citation adds to its document's score: 0, 0.35 or 0.7."""
    return _CONTRIBUTION_HUNDREDTHS[grade] / 100


def severity(grade: Grade) -> Severity:
    """Returns how much of a reader's attention a grade asks for."""
    return _SEVERITY[grade]


def document_score(partial: int, low: int) -> float:
    """Adds up the contributions of a document's citations.

    Args:
      partial: Citations graded partial.
      low: Citations graded low.

    Returns:
      The score in [0, 5]; citations beyond the cap add nothing.
    """
    hundredths = (
        partial * _CONTRIBUTION_HUNDREDTHS[Grade.PARTIAL]
        + low * _CONTRIBUTION_HUNDREDTHS[Grade.LOW]
    )
    return min(MAX_SCORE, hundredths / 100)


def band(score: float) -> Band:
    """Puts a document score into words by its nearest whole number.

    Args:
      score: Document score in [0, 5].

    Raises:
      ValueError: If ``score`` is outside [0, 5].
    """
    if not 0.0 <= score <= MAX_SCORE:
        raise ValueError(f"score must be in [0, {MAX_SCORE}], got {score}")
    if score < _SOME_WEAK_SUPPORT_SCORE:
        return Band.WELL_SUPPORTED
    if score < _SYSTEMATIC_SCORE:
        return Band.SOME_WEAK_SUPPORT
    return Band.SYSTEMATIC_MISATTRIBUTION
