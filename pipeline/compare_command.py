"""The ``compare`` command: what changed from one run to another."""

from __future__ import annotations

import argparse
import dataclasses
import json
import pathlib
from typing import Any

import pyarrow as pa
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pipeline.compare import Change, Comparison, compare
from pipeline.exits import EXIT_DIFFERENT, EXIT_DONE, RunFailed
from transforms.printable import printable

_DESCRIPTION = """
Compare two runs, citation by citation: which are new, which are gone, and which
have another status, grade, coverage or triage.  A citation is the same if its
document, its sentence and its marker are.
""".strip()
_EPILOG = """
example:
  citation-support compare results/2026-11-29 results/2026-11-30

exit codes:
  0  nothing changed
  1  failed
  2  bad usage
  4  something changed
""".strip()
# More than that is for --json, or for a database.
_SHOWN = 100


def add_to(commands: argparse._SubParsersAction[Any]) -> None:
    """Adds the command to a parser."""
    command = commands.add_parser(
        "compare",
        help="say what changed from one run to another",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    for name, which in (("run_a", "the first run"), ("run_b", "the second run")):
        command.add_argument(
            name, type=pathlib.Path, metavar=name.upper(), help=f"folder of {which}"
        )
    command.add_argument(
        "--json", action="store_true", help="print one JSON object instead"
    )
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Prints what changed; returns the exit code.

    Raises:
      UsageError: If there is no finished run in one of the folders.
      RunFailed: If a table cannot be read.
    """
    try:
        found = compare(given.run_a, given.run_b)
    except (OSError, pa.ArrowException) as error:
        raise RunFailed(
            f"the tables in {given.run_a} or {given.run_b} are damaged: {error}; "
            "screen again with --overwrite"
        ) from error
    if given.json:
        print(json.dumps(_as_json(found), indent=2))
    else:
        _print(found)
    return EXIT_DIFFERENT if found.changes else EXIT_DONE


def _as_json(found: Comparison) -> dict[str, Any]:
    changes = [dataclasses.asdict(change) for change in found.changes]
    return {"counts": found.counts(), "changes": changes}


def _print(found: Comparison) -> None:
    console = Console()
    if found.changes:
        table = Table(show_edge=False, pad_edge=False)
        table.add_column("citation", overflow="fold")
        table.add_column("cited as", overflow="fold")
        table.add_column("what changed", overflow="fold")
        for change in found.changes[:_SHOWN]:
            cells = (change.citation_id, change.marker, _in_words(change))
            table.add_row(*(Text(printable(" ".join(cell.split()))) for cell in cells))
        console.print(table)
    if (left := len(found.changes) - _SHOWN) > 0:
        console.print(f"and {left} more: see --json")
    counts = ", ".join(f"{number} {name}" for name, number in found.counts().items())
    console.print(counts, highlight=False)


def _in_words(change: Change) -> str:
    before, after = change.before, change.after
    if not before or not after:
        values = map(_cell, (before or after).values())
        return f"{change.kind}: {', '.join(filter(None, values))}"
    return "; ".join(
        f"{name} {_cell(before[name]) or '-'} -> {_cell(after[name]) or '-'}"
        for name in before
        if before[name] != after[name]
    )


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.2f}"
    return "" if value is None else str(value)
