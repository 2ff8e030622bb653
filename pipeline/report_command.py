"""The ``report`` command: pages for people from the tables of a run."""

from __future__ import annotations

import argparse
import pathlib
from typing import Any

from pipeline.exits import EXIT_DONE


def add_to(commands: argparse._SubParsersAction[Any]) -> None:
    """Adds the command to a parser."""
    command = commands.add_parser(
        "report",
        help="write the pages of a finished run",
        description="Write pages that show what to read first, and each claim beside "
        "the cited abstract, to RUN_DIR/report/index.html. They need no network.",
        epilog="example: citation-support report results/tonight --by journal",
        allow_abbrev=False,
    )
    command.add_argument(
        "run_dir", type=pathlib.Path, metavar="RUN_DIR",
        help="folder of a finished run: the --output of a screening",
    )  # fmt: skip
    command.add_argument(
        "--by", metavar="COLUMN",
        help="metadata column to chart the support rate by (default: the one with 2 to "
        "12 values that most documents have)",
    )  # fmt: skip
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Writes the report.

    Raises:
      UsageError: If there is no finished run, or no such column.
      RunFailed: If the tables cannot be read, or the pages not written.
    """
    # Drawing takes a while to import, which no other command should wait for.
    from pipeline.report.build import build_report

    print(f"Report: {build_report(given.run_dir, given.by)}")
    return EXIT_DONE
