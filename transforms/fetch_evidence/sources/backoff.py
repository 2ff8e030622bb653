"""How long to pause before another try.  Pure but for the jitter."""

from __future__ import annotations

import datetime
import email.utils
import random

_MAX_SECONDS = 120.0
_MAX_RETRY_AFTER_SECONDS = 600.0
# Tells clients apart that failed together.
_JITTER = 0.25


def backoff_seconds(failures: int, first_seconds: float) -> float:
    """Returns a pause that doubles with each failure, up to two minutes and jitter.

    Args:
      failures: Failures so far, >= 1.
      first_seconds: Pause after the first.
    """
    doubled = first_seconds * 2.0 ** (failures - 1)
    return min(doubled, _MAX_SECONDS) * random.uniform(1.0, 1.0 + _JITTER)


def retry_after_seconds(written: str, now: float) -> float:
    """Returns the pause that a ``Retry-After`` header asks for, in [0, 600].

    Args:
      written: Seconds or an HTTP date; anything else asks for nothing.
      now: Wall-clock time in seconds.
    """
    try:
        seconds = float(written)
    except ValueError:
        try:
            date = email.utils.parsedate_to_datetime(written)
        except ValueError:
            return 0.0
        if date.tzinfo is None:
            date = date.replace(tzinfo=datetime.UTC)
        seconds = date.timestamp() - now
    # Written this way round, "nan" asks for nothing.
    return min(seconds, _MAX_RETRY_AFTER_SECONDS) if seconds > 0 else 0.0
