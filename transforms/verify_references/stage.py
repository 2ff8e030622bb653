"""The reference-checking stage."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import pathlib
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Literal, TypeAlias

import apache_beam as beam
from apache_beam.metrics import Metrics
from apache_beam.pvalue import PCollection, TaggedOutput

from transforms.failures import failure_of
from transforms.packing import pack, unpack
from transforms.records import Failure, Reference
from transforms.reference_records import (
    CitedReference,
    Findings,
    ListedReference,
    ReferenceCheck,
    ReferenceLabel,
    ReferenceNotes,
    Verdict,
)
from transforms.verify_references import keys
from transforms.verify_references.decide import verify, without_check
from transforms.verify_references.fields import Setting
from transforms.verify_references.finder import Finder
from transforms.verify_references.venue_table import read_venues

_STAGE = "verify_references"
_FAILURES: Literal["failures"] = "failures"
_LOST = "the look-up broke off"

# Listed references by key, packed.
_Lane: TypeAlias = tuple[str, Iterable[tuple[str, bytes]]]
_Found: TypeAlias = ReferenceCheck | TaggedOutput[Literal["failures"], Failure]
# Numbers of labels, and cited references.
_Together: TypeAlias = tuple[list[int], list[CitedReference]]
_Outputs: TypeAlias = tuple[
    PCollection[ReferenceCheck],
    PCollection[tuple[str, ReferenceNotes]],
    PCollection[Failure],
]


class VerifyReferences(beam.PTransform[PCollection[ListedReference], _Outputs]):
    """Tells whether each reference exists, and is what it says it is.

    Input: ``PCollection[ListedReference]``.
    Output: ``(checks, notes, failures)``: one check for each reference, and for each
    document that lists any one note of what they mean for it, by its id.  Each distinct
    reference is asked about and judged once.  A lane that breaks as a whole is a
    failure, and what it did not get to is ``not_verifiable``.

    A retried lane asks again, which the cache makes cheap.  A lane is held in memory,
    at about 400 bytes a reference.

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
        """Groups references into lanes, and asks about and judges them there."""
        verified = (
            references
            | "KeyByLane"
            >> beam.Map(_by_lane, lanes=self._lanes).with_output_types(
                tuple[str, tuple[str, bytes]]
            )
            | "GroupByLane" >> beam.GroupByKey()
            | "Verify"
            >> beam.ParDo(_VerifyFn(self._open_finder, self._judge)).with_outputs(
                _FAILURES, main="checks"
            )
        )
        notes = (
            verified.checks
            | "NoteForDocument"
            >> beam.Map(_by_document).with_output_types(tuple[str, ReferenceNotes])
            | "NotesOfDocument" >> beam.CombinePerKey(_TogetherFn())  # type: ignore[no-untyped-call]
        )
        return verified.checks, notes, verified[_FAILURES]


class _Judge:
    """Judges references; reads the tables of venues where it is first used."""

    def __init__(self, current_year: int, venues: tuple[pathlib.Path, ...]) -> None:
        self._current_year = current_year
        self._venues = venues
        self._judged: dict[str, tuple[Findings, Verdict]] = {}

    def is_settled(self, reference: Reference, findings: Findings) -> bool:
        """Tells whether a reference agrees in every field with what is found so far."""
        verdict = verify(reference, findings, self._setting())
        self._judged[findings.key] = findings, verdict
        return verdict.label is ReferenceLabel.EXACT

    def verdict(self, reference: Reference, findings: Findings) -> Verdict:
        """Returns the verdict; mostly that which settled it."""
        judged = self._judged.pop(findings.key, None)
        if judged and judged[0] == findings:
            return judged[1]
        return verify(reference, findings, self._setting())

    def _setting(self) -> Setting:
        return Setting(read_venues(*self._venues), self._current_year)


class _VerifyFn(beam.DoFn):
    """Asks about the references of a lane, judges each, and counts the labels."""

    def __init__(self, open_finder: Callable[[], Finder], judge: _Judge) -> None:
        self._open_finder = open_finder
        self._judge = judge
        self._labels = {s: Metrics.counter(_STAGE, s.value) for s in ReferenceLabel}

    def setup(self) -> None:
        self._finder = self._open_finder()

    def process(self, lane: _Lane) -> Iterator[_Found]:
        name, entries = lane
        waiting: defaultdict[str, list[bytes]] = defaultdict(list)
        for key, entry in entries:
            waiting[key].append(entry)
        questions = map(_question, list(waiting.items()))
        try:
            for findings in self._finder.find(questions, self._judge.is_settled):
                yield from self._checks(findings, waiting.pop(findings.key))
            if waiting:
                raise RuntimeError(f"{len(waiting)} references were not answered")
        # What the lane has found, and what it did not get to, must not be lost.
        except Exception as error:
            yield TaggedOutput(_FAILURES, failure_of(error, _STAGE, name))
            for key, listed in waiting.items():
                yield from self._checks(Findings(key, unasked=(_LOST,)), listed)
        finally:
            # What asking cost must not cost what was found.
            with contextlib.suppress(Exception):
                stats = dataclasses.asdict(self._finder.take_stats())
                for cost, number in stats.items():
                    Metrics.counter(_STAGE, cost).inc(number)

    def teardown(self) -> None:
        # An error here would fail a run whose results are right.
        with contextlib.suppress(Exception):
            self._finder.close()

    def _checks(self, findings: Findings, listed: list[bytes]) -> Iterator[_Found]:
        """Yields a check for each reference of a group."""
        entries: Iterator[ListedReference] = map(unpack, listed)
        first = next(entries)
        try:
            verdict = self._judge.verdict(first.reference, findings)
        except Exception as error:
            place = f"{first.doc_id}#{first.reference.ref_id}"
            yield TaggedOutput(_FAILURES, failure_of(error, _STAGE, place))
            findings = without_check(findings, error)
            verdict = self._judge.verdict(first.reference, findings)
        for item in (first, *entries):
            self._labels[verdict.label].inc()
            yield ReferenceCheck(
                item, findings.key, verdict, findings.asked, findings.unasked
            )


class _TogetherFn(beam.CombineFn):
    """Puts the notes of a document together."""

    def create_accumulator(self) -> _Together:
        return [0] * len(ReferenceLabel), []

    def add_input(self, accumulator: _Together, element: ReferenceNotes) -> _Together:
        return keys.add(accumulator, (element.labels, element.cited))

    def merge_accumulators(self, accumulators: Iterable[_Together]) -> _Together:
        return functools.reduce(keys.add, accumulators, self.create_accumulator())

    def extract_output(self, accumulator: _Together) -> ReferenceNotes:
        labels, cited = accumulator
        return ReferenceNotes(tuple(labels), tuple(cited))


def _question(equal: tuple[str, list[bytes]]) -> tuple[str, Reference]:
    key, listed = equal
    first: ListedReference = unpack(listed[0])
    return key, first.reference


def _by_lane(listed: ListedReference, lanes: int) -> tuple[str, tuple[str, bytes]]:
    key = keys.key_of(listed.reference)
    return f"lane-{zlib.crc32(key.encode()) % lanes}", (key, pack(listed))


def _by_document(check: ReferenceCheck) -> tuple[str, ReferenceNotes]:
    return check.listed.doc_id, keys.notes_of(check)
