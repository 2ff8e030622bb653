"""Compares two runs, citation by citation."""

from __future__ import annotations

import dataclasses
import enum
import pathlib
from collections import Counter
from collections.abc import Iterator
from typing import Any, TypeAlias

import pyarrow.dataset as ds

from pipeline.output import read_manifest

# What may change; a column that one of the runs does not have is left out.
_COMPARED = ("status", "grade", "coverage", "triage")
_NAMED_BY = ("doc_id", "ordinal", "citation_id", "marker", "claim")

_Row: TypeAlias = dict[str, Any]
_Key: TypeAlias = tuple[str, str, str, int]


class Kind(enum.StrEnum):
    """What became of a citation."""

    NEW = "new"
    GONE = "gone"
    CHANGED = "changed"


@dataclasses.dataclass(frozen=True, slots=True)
class Change:
    """A citation that is not in both runs alike.

    Attributes:
      kind: What became of it.
      citation_id: Its identifier, in the second run where it is there.
      marker: The citation as printed.
      before: What it was in the first run, by column; empty for a new one.
      after: What it is in the second; empty for one that is gone.
    """

    kind: Kind
    citation_id: str
    marker: str
    before: _Row
    after: _Row


@dataclasses.dataclass(frozen=True, slots=True)
class Comparison:
    """What two runs have in common, and what not.

    Attributes:
      same: Citations that are alike in both.
      changes: The others, by document and place.
    """

    same: int
    changes: tuple[Change, ...]

    def counts(self) -> dict[str, int]:
        """Returns how many citations became what, and how many stayed."""
        kinds = Counter(change.kind for change in self.changes)
        return {"same": self.same, **{kind: kinds[kind] for kind in Kind}}


def compare(first: pathlib.Path, second: pathlib.Path) -> Comparison:
    """Compares the citations of two runs.

    A citation is the same if document, sentence and marker are; of several such, the
    first is the first.  Its place in the document and its number may differ.

    Args:
      first: Folder of a finished run.
      second: Folder of another.

    Raises:
      UsageError: If there is no finished run in one of them.
    """
    tables = [_citations(folder) for folder in (first, second)]
    compared = [n for n in _COMPARED if all(n in t.schema.names for t in tables)]
    before, after = (dict(_rows(table, compared)) for table in tables)
    changes = [
        (_place(row), _change(before.get(key), after.get(key), compared))
        for key, row in (before | after).items()
        if _values(before.get(key), compared) != _values(after.get(key), compared)
    ]
    changes.sort(key=lambda change: change[0])
    same = len(before.keys() | after.keys()) - len(changes)
    return Comparison(same, tuple(change for _, change in changes))


def _citations(folder: pathlib.Path) -> ds.Dataset:
    read_manifest(folder)
    return ds.dataset(folder / "citations", format="parquet")


def _rows(table: ds.Dataset, compared: list[str]) -> Iterator[tuple[_Key, _Row]]:
    """Yields the rows by what makes a citation the same."""
    found = table.to_table(columns=[*_NAMED_BY, *compared])
    ordered = found.sort_by([("doc_id", "ascending"), ("ordinal", "ascending")])
    seen: Counter[tuple[str, str, str]] = Counter()
    for batch in ordered.to_batches():
        for row in batch.to_pylist():
            named = row["doc_id"], row["claim"], row["marker"]
            seen[named] += 1
            yield (*named, seen[named]), row


def _change(before: _Row | None, after: _Row | None, compared: list[str]) -> Change:
    row = after or before or {}
    kind = Kind.CHANGED if before and after else Kind.GONE if before else Kind.NEW
    return Change(
        kind,
        row["citation_id"],
        row["marker"],
        _values(before, compared),
        _values(after, compared),
    )


def _values(row: _Row | None, compared: list[str]) -> _Row:
    return {name: row[name] for name in compared} if row else {}


def _place(row: _Row) -> tuple[str, int]:
    return row["doc_id"], row["ordinal"]
