"""The ``evaluate-references`` command."""

from __future__ import annotations

import argparse
import json
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from pipeline.evaluation.references import (
    Counts,
    Labelled,
    Measurement,
    Plain,
    measure,
)
from pipeline.exits import EXIT_DONE, UsageError
from transforms.reference_records import ReferenceLabel
from transforms.verify_references.venue_table import read_venues

_DESCRIPTION = """
Measure the reference check against references of known labels, in a closed world:
an index of real records, so that what it lacks does not exist.
""".strip()


def add_to(commands: argparse._SubParsersAction[Any]) -> None:
    """Adds the command to a parser."""
    command = commands.add_parser(
        "evaluate-references",
        help="measure the reference check on references of known labels",
        description=_DESCRIPTION,
        allow_abbrev=False,
    )
    command.add_argument(
        "data", type=pathlib.Path, metavar="DATA",
        help="folder with records.jsonl.gz and references of known labels",
    )  # fmt: skip
    command.add_argument(
        "--json", type=pathlib.Path, metavar="OUT",
        help="write what was measured as JSON as well",
    )  # fmt: skip
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Prints the tables; returns the exit code.

    Raises:
      UsageError: If the data cannot be read or hold nothing to measure.
    """
    try:
        measured = measure(given.data, read_venues())
    except (OSError, ValueError, KeyError) as error:
        raise UsageError(f"{given.data}: {error}; is it the right folder?") from error
    if not measured.records or not (measured.hallmark or measured.pairs):
        raise UsageError(
            f"{given.data} lacks records.jsonl.gz, or references: name a folder that"
            " has both"
        )
    _print(measured)
    if given.json:
        text = json.dumps(as_json(measured), indent=2, sort_keys=True)
        given.json.write_text(text + "\n", encoding="utf-8")
    return EXIT_DONE


def as_json(measured: Measurement) -> dict[str, Any]:
    """Returns a measurement as JSON values; parts that were not measured are null."""
    return {
        "records": measured.records,
        "milliseconds_per_reference": round(measured.milliseconds, 3),
        "hallmark": _labelled(measured.hallmark),
        "hallmark_all": _labelled(measured.hallmark_all),
        "injected_errors": _labelled(measured.injected),
        "real_pairs": _plain(measured.pairs),
        "absent_works": _plain(measured.absent),
    }


def _labelled(part: Labelled | None) -> dict[str, Any] | None:
    if part is None:
        return None
    return {
        "references": len(part.pairs),
        "left_out": part.left_out,
        "macro_f1": part.macro_f1,
        "f1": {label.value: part.f1(label) for label in _three()},
        "detection": part.detection,
        "binary_f1": part.binary_f1,
        "kinds": {kind: dict(labels) for kind, labels in part.kinds.items()},
    }


def _plain(part: Plain | None) -> dict[str, Any] | None:
    if part is None:
        return None
    return {
        "references": sum(part.labels.values()),
        "labels": dict(part.labels),
        "flagged": part.share("minor", "major"),
        "causes": dict(part.causes),
    }


def _print(measured: Measurement) -> None:
    console = Console(soft_wrap=True, highlight=False)
    console.print(
        f"{measured.records:,} records; {measured.milliseconds:.1f} ms of processor"
        " time a reference\n"
    )
    console.print(_summary(measured))
    if measured.pairs:
        console.print("\nReal references that are flagged, by fields:")
        console.print(_counted(measured.pairs.causes))
    for name, part in (
        ("Known errors", measured.hallmark),
        ("Injected errors", measured.injected),
    ):
        if part:
            console.print(f"\n{name} by kind:")
            console.print(_kinds(part.kinds))
    if measured.hallmark and measured.hallmark.left_out:
        console.print(
            f"\n{measured.hallmark.left_out} references with an error are of works that"
            " the index lacks: they are left out of the first line and are in the"
            " second. Caught: false references that are flagged. True references"
            " there are their own records, so they say"
            " nothing of false alarms: the real references do."
        )


def _summary(measured: Measurement) -> Table:
    table = Table(show_edge=False, pad_edge=False)
    table.add_column("references", no_wrap=True)
    for name in ("n", "macro-F1", "exact", "minor", "major", "caught", "F1"):
        table.add_column(name, justify="right")
    for name, part in (
        ("known errors", measured.hallmark),
        ("with unknown works", measured.hallmark_all),
        ("injected errors", measured.injected),
    ):
        if part:
            figures = (
                part.macro_f1,
                *map(part.f1, _three()),
                part.detection,
                part.binary_f1,
            )
            table.add_row(name, str(len(part.pairs)), *(f"{f:.3f}" for f in figures))
    for name, plain in (
        ("real, share", measured.pairs),
        ("absent, share", measured.absent),
    ):
        if plain:
            shares = (f"{plain.share(label):.2%}" for label in _three())
            table.add_row(name, str(sum(plain.labels.values())), "", *shares, "", "")
    return table


def _kinds(kinds: Counts) -> Table:
    table = Table(show_edge=False, pad_edge=False)
    table.add_column("kind")
    for label in _three():
        table.add_column(label.value, justify="right")
    for kind in sorted(kinds):
        table.add_row(kind, *(str(kinds[kind].get(label, 0)) for label in _three()))
    return table


def _counted(counts: Mapping[str, int]) -> Table:
    table = Table(show_edge=False, pad_edge=False)
    table.add_column("fields")
    table.add_column("references", justify="right")
    for name, number in sorted(counts.items(), key=lambda c: (-c[1], c[0])):
        table.add_row(name, str(number))
    return table


def _three() -> Sequence[ReferenceLabel]:
    return ReferenceLabel.EXACT, ReferenceLabel.MINOR, ReferenceLabel.MAJOR
