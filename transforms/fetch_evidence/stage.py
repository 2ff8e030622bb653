"""The evidence stage."""

from __future__ import annotations

import contextlib
import dataclasses
import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

import apache_beam as beam
from apache_beam.metrics import Metrics
from apache_beam.pvalue import PCollection

from transforms.failures import to_failure
from transforms.fetch_evidence.costs import Stats
from transforms.fetch_evidence.lookup import merge
from transforms.fetch_evidence.resolver import Resolver
from transforms.records import Evidence, EvidenceStatus, Failure, Lookup

_STAGE = "fetch_evidence"

_Lane: TypeAlias = tuple[str, Iterable[Lookup]]
_Outputs: TypeAlias = tuple[PCollection[Evidence], PCollection[Failure]]


class FetchEvidence(beam.PTransform[PCollection[Lookup], _Outputs]):
    """Looks up each distinct work once.

    Input: ``PCollection[Lookup]``; keys may repeat, and what lookups of one key know
    is put together.
    Output: a pair ``(evidence, failures)``.  There is one ``Evidence`` for each
    distinct key, whatever the outcome, so that it joins to the input without loss.
    An error inside a lookup is evidence too (``fetch_failed``); only a lane that
    breaks as a whole is a failure, and what it did not get to has no evidence.

    A retried lane asks again, which the cache makes cheap.

    Args:
      open_resolver: Opens the resolver on a worker; must be picklable.
      lanes: How many groups the lookups are asked in, >= 1.  One lane keeps the
        rate limit of a network index on any runner; a local index takes as many
        as there are workers.

    Raises:
      ValueError: If ``lanes`` is below 1.
    """

    def __init__(
        self, open_resolver: Callable[[], Resolver], *, lanes: int = 1
    ) -> None:
        super().__init__()
        if lanes < 1:
            raise ValueError(f"lanes must be at least 1, got {lanes}")
        self._open_resolver = open_resolver
        self._lanes = lanes

    def expand(self, lookups: PCollection[Lookup]) -> _Outputs:
        """Merges lookups by key, groups them into lanes and resolves each lane."""
        evidence, bad = (
            lookups
            | "KeyByWork" >> beam.Map(_by_work).with_output_types(tuple[str, Lookup])
            | "MergeByWork" >> beam.CombinePerKey(merge)
            | "KeyByLane"
            >> beam.Map(_by_lane, lanes=self._lanes).with_output_types(
                tuple[str, Lookup]
            )
            | "GroupByLane" >> beam.GroupByKey()
            # Whole lanes must not pile up in memory, nor be lost to a late error.
            | "Resolve"
            >> beam.ParDo(_ResolveFn(self._open_resolver)).with_exception_handling(
                partial=True
            )
        )
        failures = bad | "ToFailures" >> beam.Map(
            to_failure, stage=_STAGE, element_id=_lane_id
        ).with_output_types(Failure)
        return evidence, failures


class _ResolveFn(beam.DoFn):
    """Resolves the lookups of a lane and counts what they come to."""

    def __init__(self, open_resolver: Callable[[], Resolver]) -> None:
        self._open_resolver = open_resolver
        self._outcomes = {s: Metrics.counter(_STAGE, s) for s in EvidenceStatus}
        self._costs = {
            field.name: Metrics.counter(_STAGE, field.name)
            for field in dataclasses.fields(Stats)
        }

    def setup(self) -> None:
        self._resolver = self._open_resolver()

    def process(self, lane: _Lane) -> Iterator[Evidence]:
        try:
            for evidence in self._resolver.resolve(lane[1]):
                self._outcomes[evidence.status].inc()
                yield evidence
        finally:
            # Here, because Beam drops what other threads count.
            # What asking cost must not cost what was found.
            with contextlib.suppress(Exception):
                stats = dataclasses.asdict(self._resolver.take_stats())
                for name, cost in stats.items():
                    self._costs[name].inc(cost)

    def teardown(self) -> None:
        # An error here would fail a run whose results are right.
        with contextlib.suppress(Exception):
            self._resolver.close()


def _by_work(lookup: Lookup) -> tuple[str, Lookup]:
    return lookup.key, lookup


def _by_lane(work: tuple[str, Lookup], lanes: int) -> tuple[str, Lookup]:
    key, lookup = work
    return f"lane-{zlib.crc32(key.encode()) % lanes}", lookup


def _lane_id(lane: _Lane) -> str:
    return lane[0]
