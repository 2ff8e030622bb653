"""Compares the year of an entry with those of a work's records.  Pure."""

from __future__ import annotations

from collections.abc import Iterable

# A preprint comes before the article, and print after online.
_EARLIEST, _LATEST = -1, 2
# A conference is held in one year.
_SERIES_APART = 1


def is_year_of(cited: int, years: Iterable[int]) -> bool:
    """Tells whether a cited year can be that of a work.

    Args:
      cited: The year as cited.
      years: Those of the work's versions; there must be one.
    """
    return any(_EARLIEST <= cited - year <= _LATEST for year in years)


def is_year_of_series(cited: int, years: Iterable[int]) -> bool:
    """Tells whether a cited year can be that of a conference.

    Args:
      cited: The year as cited.
      years: Those of the records that confirm the conference; there must be one.
    """
    return any(abs(cited - year) <= _SERIES_APART for year in years)
