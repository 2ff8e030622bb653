"""What it costs to ask."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True, slots=True)
class Stats:
    """What asking has cost.

    Attributes:
      questions: Distinct questions put to remote sources and the cache.
      cache_hits: Those of them that the cache answered.
      requests: Requests sent, repeats included.
      floor: Fewest requests that would answer the questions with nothing in the
        cache: full batches of identifiers, and one for each title and search.
      network_lookups: Lookups that a network index has answered, now or once.
      network_misses: Those of them that came to nothing.
      unsaved_answers: Answers that could not be put into the cache.
    """

    questions: int = 0
    cache_hits: int = 0
    requests: int = 0
    floor: int = 0
    network_lookups: int = 0
    network_misses: int = 0
    unsaved_answers: int = 0

    def __add__(self, other: Stats) -> Stats:
        mine, theirs = dataclasses.astuple(self), dataclasses.astuple(other)
        return Stats(*map(sum, zip(mine, theirs, strict=True)))

    def __sub__(self, other: Stats) -> Stats:
        return self + Stats(*(-count for count in dataclasses.astuple(other)))
