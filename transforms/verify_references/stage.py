"""The reference-checking stage."""

from __future__ import annotations

import contextlib
import dataclasses
import pathlib
import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

import apache_beam as beam
from apache_beam.metrics import Metrics
from apache_beam.pvalue import PCollection

from transforms.failures import to_failure
from transforms.packing import pack, unpack
from transforms.records import Failure, Reference
from transforms.reference_records import (
    Findings,
    ListedReference,
    ReferenceCheck,
    ReferenceLabel,
    ReferenceNote,
)
from transforms.verify_references import keys
from transforms.verify_references.decide import verify
from transforms.verify_references.fields import Setting
from transforms.verify_references.finder import Finder
from transforms.verify_references.venue_table import read_venues

_STAGE = "verify_references"

_Lane: TypeAlias = tuple[str, Iterable[tuple[str, Reference]]]
# References and findings, packed.
_Group: TypeAlias = tuple[str, tuple[Iterable[bytes], Iterable[bytes]]]
_Outputs: TypeAlias = tuple[
    PCollection[ReferenceCheck],
    PCollection[tuple[str, ReferenceNote]],
    PCollection[Failure],
]


class VerifyReferences(beam.PTransform[PCollection[ListedReference], _Outputs]):
    """Tells whether each reference exists, and is what it says it is.

    Input: ``PCollection[ListedReference]``.
    Output: ``(checks, notes, failures)``: for each reference one check, and one note of
    what it means for its document, by document id.  Each distinct reference is asked
    about once.  A lane that breaks as a whole is a failure, and what it did not get to
    is ``not_verifiable``.

    A retried lane asks again, which the cache makes cheap.

    Args:
      open_finder: Opens the indexes on a worker; must be picklable.
      current_year: The year it is.
      venues: Further tables of venues.
      lanes: How many groups the references are asked in, >= 1; one keeps the rate
        limit of a network index on any runner.

    Raises:
      ValueError: If ``lanes`` is below 1.
    """

    def __init__(
        self,
        open_finder: Callable[[], Finder],
        *,
        current_year: int,
        venues: tuple[pathlib.Path, ...] = (),
        lanes: int = 1,
    ) -> None:
        super().__init__()
        if lanes < 1:
            raise ValueError(f"lanes must be at least 1, got {lanes}")
        self._open_finder = open_finder
        self._judge = _Judge(current_year, venues)
        self._lanes = lanes

    def expand(self, references: PCollection[ListedReference]) -> _Outputs:
        """Asks about distinct references, and judges each."""
        keyed = references | "KeyByReference" >> beam.Map(_by_key).with_output_types(
            tuple[str, ListedReference]
        )
        packed = keyed | "Pack" >> beam.MapTuple(
            lambda key, item: (key, pack(item))
        ).with_output_types(tuple[str, bytes])
        findings, unfound = self._find(keyed)
        checks, bad = (
            (packed, findings)
            | "JoinFindings" >> beam.CoGroupByKey()
            | "Verify" >> beam.ParDo(_VerifyFn(self._judge)).with_exception_handling()
        )
        unchecked = bad | "DescribeUnchecked" >> beam.Map(
            to_failure, stage=_STAGE, element_id=_first
        ).with_output_types(Failure)
        notes = checks | "NoteForDocument" >> beam.Map(_by_document).with_output_types(
            tuple[str, ReferenceNote]
        )
        failures = (unfound, unchecked) | "MergeFailures" >> beam.Flatten()
        return checks, notes, failures

    def _find(
        self, keyed: PCollection[tuple[str, ListedReference]]
    ) -> tuple[PCollection[tuple[str, bytes]], PCollection[Failure]]:
        """Asks about each distinct reference once."""
        found, bad = (
            keyed
            | "TakeReference" >> beam.MapTuple(lambda key, item: (key, item.reference))
            | "MergeByReference" >> beam.CombinePerKey(keys.least)
            | "KeyByLane" >> beam.Map(_by_lane, lanes=self._lanes)
            | "GroupByLane" >> beam.GroupByKey()
            # What a lane has found must not be lost to a late error.
            | "Find"
            >> beam.ParDo(
                _FindFn(self._open_finder, self._judge)
            ).with_exception_handling(partial=True)
        )
        failures = bad | "DescribeUnfound" >> beam.Map(
            to_failure, stage=_STAGE, element_id=_first
        ).with_output_types(Failure)
        return found, failures


class _Judge:
    """Judges references; reads the tables of venues where it is first used."""

    def __init__(self, current_year: int, venues: tuple[pathlib.Path, ...]) -> None:
        self._current_year = current_year
        self._venues = venues

    def setting(self) -> Setting:
        return Setting(read_venues(*self._venues), self._current_year)

    def is_settled(self, reference: Reference, findings: Findings) -> bool:
        verdict = verify(reference, findings, self.setting())
        return verdict.label is ReferenceLabel.EXACT


class _FindFn(beam.DoFn):
    """Asks about the references of a lane."""

    def __init__(self, open_finder: Callable[[], Finder], judge: _Judge) -> None:
        self._open_finder = open_finder
        self._judge = judge

    def setup(self) -> None:
        self._finder = self._open_finder()

    def process(self, lane: _Lane) -> Iterator[tuple[str, bytes]]:
        try:
            for findings in self._finder.find(lane[1], self._judge.is_settled):
                yield findings.key, pack(keys.without_abstracts(findings))
        finally:
            for name, cost in dataclasses.asdict(self._finder.take_stats()).items():
                Metrics.counter(_STAGE, name).inc(cost)

    def teardown(self) -> None:
        # An error here would fail a run whose results are right.
        with contextlib.suppress(Exception):
            self._finder.close()


class _VerifyFn(beam.DoFn):
    """Judges the references of one key, and counts the labels."""

    def __init__(self, judge: _Judge) -> None:
        self._judge = judge
        self._labels = {s: Metrics.counter(_STAGE, s.value) for s in ReferenceLabel}

    def process(self, group: _Group) -> Iterator[ReferenceCheck]:
        key, (listed, found) = group
        lost = Findings(key, unasked=("the look-up broke off",))
        findings: Findings = next(map(unpack, found), lost)
        for item in map(unpack, listed):
            verdict = verify(item.reference, findings, self._judge.setting())
            self._labels[verdict.label].inc()
            yield ReferenceCheck(item, key, verdict, findings.asked, findings.unasked)


def _by_document(check: ReferenceCheck) -> tuple[str, ReferenceNote]:
    return check.listed.doc_id, keys.note_of(check)


def _by_key(listed: ListedReference) -> tuple[str, ListedReference]:
    return keys.key_of(listed.reference), listed


def _by_lane(
    keyed: tuple[str, Reference], lanes: int
) -> tuple[str, tuple[str, Reference]]:
    return f"lane-{zlib.crc32(keyed[0].encode()) % lanes}", keyed


def _first(element: tuple[str, object]) -> str:
    return element[0]
