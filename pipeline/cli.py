"""The ``citation-support`` command."""

from __future__ import annotations

import argparse
import difflib
import os
import re
import sys
from collections.abc import Sequence
from typing import NoReturn

from pipeline import __version__, logs, memory, streams
from pipeline.exits import EXIT_FAILED, EXIT_USAGE, RunFailed, UsageError
from pipeline.interrupts import INTERRUPTED

_DESCRIPTION = """
Does the cited paper say what the citing sentence claims?  Measures how much of
each citing sentence the title and abstract of the cited work cover, and points
a reader at the citations most worth checking by hand.
""".strip()
_EPILOG = """
examples:
  citation-support screen paper.docx
  citation-support screen submissions/ --output results/tonight
  citation-support check --claim "Snails keep time by the tide." --doi 10.1000/x
  citation-support doctor

citation-support COMMAND --help says more.
A low grade is a lead to check, not a finding.
""".strip()

# How argparse tells of a word that is none of several, in all versions.
_CHOICE = re.compile(r"(?<=invalid choice: )'?([\w-]+)'? \(choose from (.*)\)")


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Runs the command and exits with its code.

    Args:
      arguments: Command line without the program name; default ``sys.argv``.
    """
    streams.forgive()
    logs.configure()
    memory.return_early()
    if arguments is None:
        memory.leave_out_pandas()
    given = _parser().parse_args(arguments)
    try:
        code = given.run(given)
    except UsageError as error:
        _fail(error, EXIT_USAGE)
    except RunFailed as error:
        _fail(error, EXIT_FAILED)
    except KeyboardInterrupt:
        _say("error", INTERRUPTED)
        if arguments is None:
            # Threads of Beam would be waited for, some of them for ever.
            streams.flush()
            os._exit(EXIT_FAILED)
        sys.exit(EXIT_FAILED)
    if reason := streams.lost_output():
        _say("warning", f"not all could be printed: {reason}")
    sys.exit(code)


class _Parser(argparse.ArgumentParser):
    """Says in one line what is wrong with the command line."""

    def error(self, message: str) -> NoReturn:
        """Exits with the usage code."""
        if (choice := _CHOICE.search(message)) and (near := _nearest(*choice.groups())):
            message = f"{message[: choice.start()]}{choice[1]}; did you mean {near}?"
        _fail(f"{message} (see {self.prog} --help)", EXIT_USAGE)


def _nearest(written: str, known: str) -> str:
    near = difflib.get_close_matches(written, re.findall(r"[\w-]+", known), n=1)
    return near[0] if near else ""


def _parser() -> argparse.ArgumentParser:
    # Beam warns while it is imported, and must be quiet by then.
    from pipeline import (
        background_command,
        cache_command,
        check_command,
        compare_command,
        completion_command,
        doctor_command,
        report_command,
        screen_command,
        text_command,
    )
    from pipeline.evaluation import command as evaluation_command
    from pipeline.evaluation import references_command
    from pipeline.evaluation.support import command as support_command
    from pipeline.references import command as check_references_command

    parser = _Parser(
        prog="citation-support",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    version = f"%(prog)s {__version__}"
    parser.add_argument("--version", action="version", version=version)
    commands = parser.add_subparsers(
        title="commands",
        dest="command",
        required=True,
        metavar="COMMAND",
        parser_class=_Parser,
    )
    screen_command.add_to(commands)
    check_command.add_to(commands)
    check_references_command.add_to(commands)
    report_command.add_to(commands)
    compare_command.add_to(commands)
    doctor_command.add_to(commands)
    cache_command.add_to(commands)
    text_command.add_to(commands)
    evaluation_command.add_to(commands)
    references_command.add_to(commands)
    support_command.add_to(commands)
    background_command.add_to(commands)
    completion_command.add_to(commands, parser)
    return parser


def _fail(reason: object, code: int) -> NoReturn:
    _say("error", reason)
    sys.exit(code)


def _say(kind: str, message: object) -> None:
    line = " ".join(str(message).split())
    print(f"citation-support: {kind}: {line}", file=sys.stderr)
