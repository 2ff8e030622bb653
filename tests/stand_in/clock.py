"""Time that passes only when somebody sleeps."""

from __future__ import annotations


class FakeTime:
    """A clock and the sleep that moves it.

    Attributes:
      now: Seconds since the epoch.
      slept: What was slept, in order, in seconds.
    """

    def __init__(self, now: float = 1_700_000_000.0) -> None:
        self.now = now
        self.slept: list[float] = []

    def clock(self) -> float:
        """Returns the time."""
        return self.now

    def sleep(self, seconds: float) -> None:
        """Lets time pass."""
        self.slept.append(seconds)
        self.now += seconds
