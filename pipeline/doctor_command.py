"""The ``doctor`` command: says whether everything that a run needs is there."""

from __future__ import annotations

import argparse
import dataclasses
import json
import pathlib
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from pipeline import evidence_flags
from pipeline.doctor import Finding, State, examine
from pipeline.evidence_options import default_cache
from pipeline.exits import EXIT_DONE, EXIT_FAILED, UsageError
from transforms.fetch_evidence.addresses import check_address
from transforms.fetch_evidence.settings import NETWORK_INDEXES
from transforms.printable import printable

_EPILOG = """
examples:
  citation-support doctor
  citation-support doctor --offline --json

An index that does not answer is a note, for a run can do without the network.

exit codes:
  0  nothing is broken
  1  something is, and says what to do
  2  bad usage
""".strip()
_TIMEOUT_SECONDS = 5.0


def add_to(commands: argparse._SubParsersAction[Any]) -> None:
    """Adds the command to a parser."""
    command = commands.add_parser(
        "doctor",
        help="say what is installed, reachable, writable, and what is not",
        description="Look at what a run needs: packages and their versions, keys and\n"
        "indexes, cache, cores, memory and folders.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    command.add_argument(
        "--cache", type=pathlib.Path, default=default_cache(), metavar="FILE",
        help="the evidence cache (default: in the user's cache folder)",
    )  # fmt: skip
    command.add_argument("--offline", action="store_true", help="ask no network index")
    command.add_argument(
        "--timeout", type=float, default=_TIMEOUT_SECONDS, metavar="SECONDS",
        help=f"how long to wait for an index (default: {_TIMEOUT_SECONDS:g})",
    )  # fmt: skip
    evidence_flags.add_index_url(command)
    command.add_argument(
        "--json", action="store_true", help="print one JSON object instead"
    )
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Prints what was found; returns the exit code.

    Raises:
      UsageError: If a flag cannot be used.
    """
    if not given.timeout > 0:
        raise UsageError(f"--timeout must be greater than 0, got {given.timeout}")
    findings = examine(
        given.cache,
        _urls(given.index_urls or []),
        offline=given.offline,
        timeout_seconds=given.timeout,
    )
    is_broken = any(finding.state is State.BROKEN for finding in findings)
    if given.json:
        listed = [dataclasses.asdict(finding) for finding in findings]
        print(json.dumps({"broken": is_broken, "findings": listed}, indent=2))
    else:
        _print(findings)
    return EXIT_FAILED if is_broken else EXIT_DONE


def _urls(pairs: list[tuple[str, str]]) -> dict[str, str]:
    for name, url in pairs:
        if name not in NETWORK_INDEXES:
            known = ", ".join(NETWORK_INDEXES)
            raise UsageError(f"--index-url knows {known}; got {name!r}")
        try:
            check_address(name, url)
        except ValueError as error:
            raise UsageError(f"--index-url: {error}") from error
    return dict(pairs)


def _print(findings: list[Finding]) -> None:
    table = Table(show_header=False, box=None, pad_edge=False)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for finding in findings:
        text = Text(printable(finding.text))
        table.add_row(finding.part, finding.state.value, text)
    Console().print(table)
