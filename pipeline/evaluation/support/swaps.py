"""Makes misattributions: claims held against works that they do not cite.  Pure.

Which works is decided by hashes of the ids, so that it depends on nothing but the data
and the seed.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Sequence

from pipeline.evaluation.support.pairs import Pair

RANDOM_ROUNDS = 5
_TRIES = 20


def random_swaps(
    pairs: Sequence[Pair], seed: int, rounds: int = RANDOM_ROUNDS
) -> Iterator[tuple[Pair, Pair]]:
    """Yields each pair with others of another document and another work.

    Args:
      pairs: Pairs that are rightly cited.
      seed: Any number; another one gives other swaps.
      rounds: Swaps a pair.

    Yields:
      The pair with the claim, and the one with the work.
    """
    for pair in pairs:
        for turn in range(rounds):
            for attempt in range(_TRIES):
                key = f"{seed}|{turn}|{attempt}|{pair.pair_id}"
                other = pairs[_number(key) % len(pairs)]
                if other.work != pair.work and other.group != pair.group:
                    yield pair, other
                    break


def same_document_swaps(pairs: Sequence[Pair]) -> Iterator[tuple[Pair, Pair]]:
    """Yields each pair with every other work that its document cites elsewhere.

    A work that the same sentence cites as well is left out: it is no misattribution.
    """
    works: dict[str, dict[str, Pair]] = defaultdict(dict)
    cited_for: dict[tuple[str, str], set[str]] = defaultdict(set)
    for pair in pairs:
        works[pair.group].setdefault(pair.work, pair)
        cited_for[pair.group, pair.claim_unmarked].add(pair.work)
    for pair in pairs:
        same = cited_for[pair.group, pair.claim_unmarked]
        for work, other in works[pair.group].items():
            if work not in same:
                yield pair, other


def is_training(pair: Pair) -> bool:
    """Tells whether a pair is of the half that is fitted on, by its cited work."""
    return not _number(pair.work) % 2


def _number(key: str) -> int:
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big")
