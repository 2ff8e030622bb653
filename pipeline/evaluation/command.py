"""The ``evaluate-extraction`` command."""

from __future__ import annotations

import argparse
import json
import pathlib
from typing import Any

from rich.console import Console
from rich.table import Table

from pipeline.evaluation.extraction import Measurement, Tally, measure
from pipeline.exits import EXIT_DONE, UsageError

_DESCRIPTION = """
Measure citation extraction on folders of gold data, and against an earlier
measurement: which citations were gained and which were lost.
""".strip()
_SHOWN = 10

_Baseline = dict[str, dict[str, dict[str, list[str]]]]


def add_to(commands: argparse._SubParsersAction[Any]) -> None:
    """Adds the command to a parser."""
    command = commands.add_parser(
        "evaluate-extraction",
        help="measure extraction on gold data",
        description=_DESCRIPTION,
        allow_abbrev=False,
    )
    command.add_argument(
        "data", nargs="+", type=pathlib.Path, metavar="DATA",
        help="folder with gold.jsonl and the documents that it names",
    )  # fmt: skip
    command.add_argument(
        "--baseline", type=pathlib.Path, metavar="FILE",
        help="an earlier measurement, to list gains and losses against",
    )  # fmt: skip
    command.add_argument(
        "--save", type=pathlib.Path, metavar="FILE",
        help="write this measurement, as a later baseline",
    )  # fmt: skip
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Prints the table; returns the exit code.

    Raises:
      UsageError: If gold data or baseline cannot be read.
    """
    before = _load(given.baseline) if given.baseline else {}
    measured = {folder.name: measure(folder) for folder in given.data}
    console = Console(soft_wrap=True)
    console.print(_table(measured))
    if given.baseline:
        for line in _changes(before, measured):
            console.print(line, markup=False, highlight=False)
    if given.save:
        given.save.write_text(json.dumps(_as_baseline(measured)), encoding="utf-8")
    return EXIT_DONE


def _load(path: pathlib.Path) -> _Baseline:
    try:
        loaded: _Baseline = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"--baseline {path}: {error}; make one with --save") from error
    return loaded


def _table(measured: dict[str, Measurement]) -> Table:
    table = Table(show_edge=False, pad_edge=False)
    for name in ("data", "items"):
        table.add_column(name)
    for name in ("precision", "recall", "F1", "found", "missed", "wrong", "MB/s"):
        table.add_column(name, justify="right")
    for folder, measurement in measured.items():
        speed = f"{measurement.megabytes_per_second:.1f}"
        for items, tally in measurement.tallies.items():
            if tally.found or tally.missed:
                table.add_row(folder, items, *_figures(tally), speed)
                speed = ""
    return table


def _figures(tally: Tally) -> list[str]:
    rates = (tally.precision, tally.recall, tally.f1)
    counts = (tally.found, tally.missed, tally.wrong)
    return [f"{rate:.4f}" for rate in rates] + [str(len(items)) for items in counts]


def _as_baseline(measured: dict[str, Measurement]) -> _Baseline:
    return {
        folder: {
            items: {"found": sorted(tally.found), "wrong": sorted(tally.wrong)}
            for items, tally in measurement.tallies.items()
        }
        for folder, measurement in measured.items()
    }


def _changes(before: _Baseline, measured: dict[str, Measurement]) -> list[str]:
    lines = []
    for folder, measurement in measured.items():
        for items, tally in measurement.tallies.items():
            old = before.get(folder, {}).get(items, {})
            found, wrong = set(old.get("found", ())), set(old.get("wrong", ()))
            for change, changed in (
                ("gained", tally.found - found),
                ("lost", found - tally.found),
                ("newly wrong", tally.wrong - wrong),
                ("no longer wrong", wrong - tally.wrong),
            ):
                if changed:
                    lines.append(f"{folder} {items}: {len(changed)} {change}")
                    lines += [f"    {item}" for item in sorted(changed)[:_SHOWN]]
    return lines or ["no change against the baseline"]
