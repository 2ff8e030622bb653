"""Measures the reference check against references of known labels.

The world is closed: an index of real records, so that what it lacks does not exist.
That measures comparison and decision, not how much a live index holds.
"""

from __future__ import annotations

import dataclasses
import datetime
import json
import pathlib
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rapidfuzz import fuzz

from pipeline.evaluation.closed_world import ClosedWorld, read_records, reference_of
from transforms.records import Reference
from transforms.reference_records import FieldState, ReferenceLabel, Verdict
from transforms.titles import normalise_title
from transforms.verify_references.decide import verify
from transforms.verify_references.fields import Setting
from transforms.verify_references.venue_table import VenueTable

# A record with a title this like an item's may be the one that it was made from.
_LIKE_TITLE = 85.0
_LABELS = (ReferenceLabel.EXACT, ReferenceLabel.MINOR, ReferenceLabel.MAJOR)
_WRONG = (FieldState.DIFFERS, FieldState.CONFLICT)

Counts = Mapping[str, Mapping[str, int]]


@dataclasses.dataclass(frozen=True, slots=True)
class Labelled:
    """What a set of references with known labels came to.

    Attributes:
      pairs: The known and the given label of each reference.
      kinds: Kind of reference to how many got each label.
      left_out: References of works that the index lacks, which are not in ``pairs``.
    """

    pairs: tuple[tuple[str, str], ...]
    kinds: Counts
    left_out: int = 0

    def f1(self, label: str) -> float:
        """Returns F1 of one label, in [0, 1]; 1 where it does not occur."""
        right = sum(known == given == label for known, given in self.pairs)
        named = sum((known == label) + (given == label) for known, given in self.pairs)
        return 2 * right / named if named else 1.0

    @property
    def macro_f1(self) -> float:
        """The mean of F1 over exact, minor and major."""
        return sum(map(self.f1, _LABELS)) / len(_LABELS)

    @property
    def detection(self) -> float:
        """Share of the false references that are flagged, minor or major."""
        flagged = [
            given != _LABELS[0] for known, given in self.pairs if _is_false(known)
        ]
        return sum(flagged) / len(flagged) if flagged else 1.0

    @property
    def binary_f1(self) -> float:
        """F1 of telling false references from true ones."""
        both = [(_is_false(known), _is_false(given)) for known, given in self.pairs]
        right = sum(known and given for known, given in both)
        named = sum(known + given for known, given in both)
        return 2 * right / named if named else 1.0


@dataclasses.dataclass(frozen=True, slots=True)
class Plain:
    """How many references got each label, and why those not exact did not.

    Attributes:
      labels: Label to number.
      causes: The fields that were called wrong, joined by ``+``, to number.
    """

    labels: Mapping[str, int]
    causes: Mapping[str, int]

    def share(self, *labels: str) -> float:
        """Returns the share of references that got one of ``labels``."""
        total = sum(self.labels.values())
        return sum(self.labels.get(label, 0) for label in labels) / max(1, total)


@dataclasses.dataclass(frozen=True, slots=True)
class Measurement:
    """Everything that was measured; a part is None where the data lack it.

    Attributes:
      records: Records in the index.
      hallmark: References with known errors, those of works that the index lacks
        left out.
      hallmark_all: The same references, without exception.
      pairs: Real references against the same work as another article prints it.
      absent: The same references, their works hidden.
      injected: Real references with one error each.
      milliseconds: Processor time for a reference, look-up included.
    """

    records: int
    hallmark: Labelled | None
    hallmark_all: Labelled | None
    pairs: Plain | None
    absent: Plain | None
    injected: Labelled | None
    milliseconds: float


def measure(folder: pathlib.Path, table: VenueTable) -> Measurement:
    """Measures on a folder of data.

    Args:
      folder: Holds ``records.jsonl.gz`` and any of ``hallmark*.jsonl``,
        ``jats_pairs.jsonl`` and ``injected_errors.jsonl``.
      table: Which names are of one venue.

    Raises:
      OSError: If a file cannot be read.
      ValueError: If a line of one is not of the form.
    """
    works = [work for path in _files(folder, "records*") for work in read_records(path)]
    newest = max((work.year or 0 for work in works), default=0)
    year = max(newest, datetime.date.today().year)
    judge = _Judge(ClosedWorld(works), Setting(table, year))
    hallmark = list(_items(folder, "hallmark*"))
    pairs = list(_items(folder, "jats_pairs*"))
    injected = list(_items(folder, "injected_errors*"))
    known = [item for item in hallmark if judge.holds(item)]
    return Measurement(
        records=len(works),
        hallmark=_labelled(judge, known, len(hallmark) - len(known)),
        hallmark_all=_labelled(judge, hallmark),
        pairs=_plain(judge.label(item) for item in pairs),
        absent=_plain(judge.label(item, is_hidden=True) for item in pairs),
        injected=_labelled(judge, injected),
        milliseconds=judge.milliseconds,
    )


class _Judge:
    """Labels items, each once, and takes the time."""

    def __init__(self, world: ClosedWorld, setting: Setting) -> None:
        self._world = world
        self._setting = setting
        self._seconds = 0.0
        self._verdicts: dict[tuple[str, bool], Verdict] = {}

    @property
    def milliseconds(self) -> float:
        return 1000.0 * self._seconds / max(1, len(self._verdicts))

    def label(self, item: Mapping[str, Any], *, is_hidden: bool = False) -> Verdict:
        key = item["id"], is_hidden
        if key not in self._verdicts:
            reference = reference_of(item)
            started = time.process_time()
            self._verdicts[key] = self._judged(item, reference, is_hidden)
            self._seconds += time.process_time() - started
        return self._verdicts[key]

    def holds(self, item: Mapping[str, Any]) -> bool:
        """Tells whether the index can hold the work that an item was made from.

        What is said to have no such work, and what names it, always can be judged.
        """
        if _label(item) != ReferenceLabel.MINOR or item.get("truth"):
            return True
        reference = reference_of(item)
        findings = self._world.find(reference)
        title = normalise_title(reference.title)
        return any(led.work for led in findings.led) or any(
            fuzz.ratio(title, normalise_title(work.title)) >= _LIKE_TITLE
            for work in findings.works
        )

    def _judged(
        self, item: Mapping[str, Any], reference: Reference, is_hidden: bool
    ) -> Verdict:
        hidden = [reference.doi] if is_hidden and reference.doi else []
        findings = self._world.find(
            reference,
            hidden=[*hidden, *item.get("remove_from_index", ())],
            resolves=item.get("subtests", {}).get("doi_resolves"),
        )
        return verify(reference, findings, self._setting)


def _labelled(
    judge: _Judge, items: Sequence[Mapping[str, Any]], left_out: int = 0
) -> Labelled | None:
    if not items:
        return None
    pairs = []
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    for item in items:
        given = judge.label(item).label.value
        pairs.append((_label(item), given))
        kinds[item.get("label_raw") or item.get("kind") or ""][given] += 1
    return Labelled(tuple(pairs), kinds, left_out)


def _plain(verdicts: Iterable[Verdict]) -> Plain | None:
    labels: Counter[str] = Counter()
    causes: Counter[str] = Counter()
    for verdict in verdicts:
        labels[verdict.label.value] += 1
        if verdict.label is not ReferenceLabel.EXACT:
            wrong = [c.field.value for c in verdict.fields if c.state in _WRONG]
            causes["+".join(wrong) or "no record"] += 1
    return Plain(labels, causes) if labels else None


def _files(folder: pathlib.Path, pattern: str) -> list[pathlib.Path]:
    return sorted(p for s in (".jsonl", ".jsonl.gz") for p in folder.glob(pattern + s))


def _items(folder: pathlib.Path, pattern: str) -> Iterator[dict[str, Any]]:
    for path in _files(folder, pattern):
        with open(path, encoding="utf-8") as lines:
            yield from (json.loads(line) for line in lines if line.strip())


def _label(item: Mapping[str, Any]) -> str:
    return str(item["label"]).lower()


def _is_false(label: str) -> bool:
    return label != ReferenceLabel.EXACT
