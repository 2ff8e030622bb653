"""The ``check-references`` command."""

from __future__ import annotations

import argparse
import json
import pathlib
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from pipeline import evidence_flags
from pipeline.evidence_options import EvidenceOptions
from pipeline.exits import EXIT_DONE, EXIT_INCOMPLETE, UsageError
from pipeline.references.bibliography import (
    CheckedBibliography,
    check_entries,
    read_entries,
)
from pipeline.references.fixes import to_bibtex
from transforms.fetch_evidence.opening import open_finder
from transforms.fetch_evidence.sources.papers_file import PapersError
from transforms.printable import printable
from transforms.reference_records import ReferenceCheck, ReferenceLabel
from transforms.verify_references.venue_table import VenueTable, read_venues
from transforms.write_results.rows import reference_row

EXIT_MAJOR = 1

_DESCRIPTION = """
Check the entries of one bibliography: does each work exist, and is it what the
entry says?  FILE is a .bib, RIS, CSL-JSON or EndNote XML file, or any document
that screen reads, of which the reference list is taken.
""".strip()

_EPILOG = f"""
examples:
  citation-support check-references references.bib
  citation-support check-references paper.docx --fixes corrected.bib

exit codes:
  0  no entry is major
  1  an entry is major: no such work, or another than it says
  2  bad usage
  3  an index could not be asked, and no entry is major

{evidence_flags.KEYS}
""".strip()


def add_to(commands: argparse._SubParsersAction[Any]) -> argparse.ArgumentParser:
    """Adds the command to a parser; returns its own."""
    command: argparse.ArgumentParser = commands.add_parser(
        "check-references",
        help="check the entries of one bibliography",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    command.add_argument(
        "file", type=pathlib.Path, metavar="FILE", help="what holds the entries"
    )
    command.add_argument(
        "--fixes", type=pathlib.Path, metavar="OUT.bib",
        help="write entries with a wrong field, corrected, as BibTeX",
    )  # fmt: skip
    command.add_argument(
        "--venues", nargs="+", action="extend", default=[], type=pathlib.Path,
        metavar="FILE", help="more names of venues, as for screen",
    )  # fmt: skip
    command.add_argument(
        "--json", action="store_true",
        help="print one JSON object for each entry, a line each, instead of a table",
    )  # fmt: skip
    evidence_flags.add_to(command)
    command.set_defaults(run=run)
    return command


def run(given: argparse.Namespace) -> int:
    """Prints the table; returns the exit code.

    Raises:
      UsageError: If file or options cannot be used.
    """
    _require_other(given.file, given.fixes)
    entries = read_entries(given.file)
    names = EvidenceOptions.__dataclass_fields__
    settings = EvidenceOptions(**evidence_flags.values(given, names)).fetch_settings()
    table = _venues(given.venues)
    try:
        finder = open_finder(settings)
    except (PapersError, RuntimeError, ValueError) as error:
        raise UsageError(str(error)) from error
    except OSError as error:
        raise UsageError(
            f"{error.filename}: {error.strerror}; check the path"
        ) from error
    try:
        checked = check_entries(entries, finder, table, name=given.file.name)
    finally:
        finder.close()
    if given.fixes:
        _write(given.fixes, to_bibtex(checked.checks))
    if given.json:
        for check in checked.checks:
            print(json.dumps(reference_row(check), ensure_ascii=False))
    else:
        _print(checked)
    if checked.number(ReferenceLabel.MAJOR):
        return EXIT_MAJOR
    return EXIT_INCOMPLETE if checked.unasked else EXIT_DONE


def _require_other(file: pathlib.Path, fixes: pathlib.Path | None) -> None:
    """Raises UsageError if the fixes would go into what is checked."""
    if fixes and fixes.exists() and file.exists() and fixes.samefile(file):
        raise UsageError(f"--fixes {fixes} is FILE itself: name another file")


def _venues(paths: list[pathlib.Path]) -> VenueTable:
    try:
        return read_venues(*paths)
    except ValueError as error:
        raise UsageError(f"--venues: {error}; correct the file") from error
    except OSError as error:
        raise UsageError(
            f"--venues {error.filename}: {error.strerror}; check the path"
        ) from error


def _write(path: pathlib.Path, text: str) -> None:
    try:
        path.write_text(printable(text), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"--fixes {path}: {error.strerror}; check the path") from error


def _print(checked: CheckedBibliography) -> None:
    console = Console(soft_wrap=False)
    console.print(_table(checked.checks))
    numbers = ", ".join(f"{checked.number(label)} {label}" for label in ReferenceLabel)
    _line(console, f"{len(checked.checks)} entries: {numbers}")
    costs = checked.costs
    if costs.questions:
        scale = 1000 / len(checked.checks)
        _line(
            console,
            f"Requests: {costs.requests}, for 1,000 references"
            f" {costs.requests * scale:.0f} (fewest without a cache:"
            f" {costs.floor * scale:.0f})",
        )
    for reason in checked.unasked:
        _line(console, f"INCOMPLETE: {reason}")


def _table(checks: tuple[ReferenceCheck, ...]) -> Table:
    table = Table(show_edge=False, pad_edge=False)
    for name in ("entry", "label", "why"):
        table.add_column(name, overflow="fold", no_wrap=name == "label")
    for check in checks:
        table.add_row(
            Text(printable(check.listed.reference.ref_id)),
            check.verdict.label.value,
            Text(printable("\n".join(_reasons(check)))),
        )
    return table


def _reasons(check: ReferenceCheck) -> list[str]:
    reasons = list(check.verdict.reasons)
    reasons += [f"notice: {notice}" for notice in check.verdict.notices]
    if check.listed.same_as:
        reasons.append(f"the same work as {check.listed.same_as}")
    return reasons


def _line(console: Console, line: str) -> None:
    console.print(printable(line), markup=False, highlight=False, soft_wrap=True)
