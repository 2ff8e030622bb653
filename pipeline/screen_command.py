"""The ``screen`` command: from command line to options to exit code."""

from __future__ import annotations

import argparse
import functools
import glob
import itertools
import pathlib
from typing import Any

from apache_beam.options.pipeline_options import PipelineOptions

from pipeline import config, evidence_flags, logs
from pipeline.exits import UsageError
from pipeline.options import CHECKS, ScreenOptions
from pipeline.run import screen

_SCREEN = """
Screen manuscripts: find their citations, look up each cited work's title and
abstract, and measure how much of the citing sentence they cover.
""".strip()

# What the parser itself keeps beside the flags.
_NO_FLAGS = ("command", "run", "config")
# How the command talks, which no result depends on.
_TALK = ("quiet", "json", "log_level")

_SCREEN_EPILOG = f"""
examples:
  citation-support screen paper.docx
  citation-support screen submissions/ --output results/tonight
  citation-support screen submissions/ --output results/tonight \\
      --index semantic-scholar,crossref --mailto desk@example.org
  citation-support screen corpus.parquet --papers index.parquet --offline \\
      --output results/corpus
  citation-support screen --config nightly.toml --output "results/$(date +%F)"

exit codes:
  0  done
  1  failed
  2  bad usage, nothing started
  3  done but incomplete: too many lookups or documents failed, or works unknown

{evidence_flags.KEYS}
Flags of Apache Beam (--runner, --temp_location ...) are taken as well.
""".strip()


def add_to(commands: argparse._SubParsersAction[Any]) -> argparse.ArgumentParser:
    """Adds the command to a parser; returns its own, with its flags and Beam's."""
    command: argparse.ArgumentParser = commands.add_parser(
        "screen",
        help="check the citations of manuscripts",
        usage="%(prog)s [INPUT ...] [options]",
        description=_SCREEN,
        epilog=_SCREEN_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
        conflict_handler="resolve",
    )
    _add_beam_flags(command)
    _add_input_flags(command)
    evidence_flags.add_to(command)
    _add_checking_flags(command.add_argument_group("what is checked"))
    _add_run_flags(command.add_argument_group("how it runs and what it says"))
    command.set_defaults(run=functools.partial(run, command))
    return command


def run(command: argparse.ArgumentParser, given: argparse.Namespace) -> int:
    """Screens what the command line asks for; returns the exit code.

    Args:
      command: The parser of the command, which knows its flags.
      given: The command line.

    Raises:
      UsageError: If the request cannot be run as given.
      RunFailed: If the run broke off.
    """
    if given.config:
        given = config.completed(command, given, given.config)
    logs.set_level(given.log_level or logs.DEFAULT_LEVEL)
    options = _screen_options(given)
    return screen(options, quiet=bool(given.quiet), as_json=bool(given.json))


def _add_input_flags(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "inputs",
        nargs="*",
        metavar="INPUT",
        help="file, folder (with all below it) or glob: plain text, Markdown, "
        "JATS XML, TEI, LaTeX, HTML, DOCX, PDF, or Parquet or JSON Lines of texts",
    )
    group = command.add_argument_group("input and output")
    group.add_argument(
        "--output", type=pathlib.Path, metavar="DIR",
        help="folder for the result tables; one single file has a default, a new "
        "folder NAME-citations in the current one",
    )  # fmt: skip
    group.add_argument(
        "--overwrite", action=argparse.BooleanOptionalAction,
        help="replace an earlier run in --output",
    )  # fmt: skip
    group.add_argument(
        "--report", action=argparse.BooleanOptionalAction,
        help="write the report for people beside the tables (default: yes)",
    )  # fmt: skip
    group.add_argument(
        "--id-column", metavar="NAME", help="column with document ids (default: doc_id)"
    )
    group.add_argument(
        "--text-column", metavar="NAME", help="column with texts (default: text)"
    )
    group.add_argument(
        "--config", type=pathlib.Path, metavar="FILE",
        help="TOML file of these flags, without the dashes; flags win over it",
    )  # fmt: skip


def _add_checking_flags(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--max-citations", type=int, metavar="N",
        help="citations checked per document, in reading order; 0 = all (default: 8)",
    )  # fmt: skip
    group.add_argument(
        "--min-words", type=int, metavar="N",
        help="words below which a document is not scored (default: 200)",
    )  # fmt: skip
    group.add_argument(
        "--numbered-citations", choices=("skip", "check"),
        help="what to do with [12] (default: skip)",
    )  # fmt: skip
    group.add_argument(
        "--checks", metavar="NAMES",
        help=f"what to check: {','.join(CHECKS)} (default), or one of them; references "
        "alone also covers documents that cite by number",
    )  # fmt: skip
    group.add_argument(
        "--venues", nargs="+", action="extend", type=pathlib.Path, metavar="FILE",
        dest="venue_tables",
        help="more names of venues: kind, name, other names by |, parted by tabs",
    )  # fmt: skip
    group.add_argument(
        "--background", type=pathlib.Path, metavar="FILE",
        help="word counts of your own archive for triage, by build-background",
    )  # fmt: skip
    group.add_argument(
        "--triage-model", type=pathlib.Path, metavar="FILE",
        help="coefficients and thresholds of triage, by citation-support fit",
    )  # fmt: skip
    group.add_argument(
        "--document-timeout", type=float, metavar="SECONDS",
        help="time that reading or extracting a document may take; 0 = any "
        "(default: 120)",
    )  # fmt: skip
    group.add_argument(
        "--max-failed-share", type=float, metavar="SHARE",
        help="share of lookups or documents that may fail (default: 0.2)",
    )  # fmt: skip


def _add_run_flags(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--workers", type=int, metavar="N", help="processes (default: cores)"
    )
    group.add_argument(
        "--quiet", action=argparse.BooleanOptionalAction,
        help="print nothing but what went wrong",
    )  # fmt: skip
    group.add_argument(
        "--json", action=argparse.BooleanOptionalAction,
        help="print the outcome as one JSON object instead of tables",
    )  # fmt: skip
    group.add_argument(
        "--log-level", choices=logs.LEVELS,
        help=f"what to log (default: {logs.DEFAULT_LEVEL})",
    )  # fmt: skip


class _HiddenFlags:
    """Takes the flags of Beam's option classes and leaves them out of the help."""

    def __init__(self, command: argparse.ArgumentParser) -> None:
        self._command = command

    def add_argument(self, *names: str, **settings: Any) -> None:
        settings.update(help=argparse.SUPPRESS, default=argparse.SUPPRESS)
        self._command.add_argument(*names, **settings)

    def add_value_provider_argument(self, *names: str, **settings: Any) -> None:
        self.add_argument(*names, **settings)


def _add_beam_flags(command: argparse.ArgumentParser) -> None:
    flags: Any = _HiddenFlags(command)
    for options in PipelineOptions.__subclasses__():
        options._add_argparse_args(flags)


def _screen_options(given: argparse.Namespace) -> ScreenOptions:
    own = ScreenOptions.__dataclass_fields__
    values = evidence_flags.values(given, own)
    if given.checks is not None:
        listed = map(str.strip, given.checks.split(","))
        values["checks"] = tuple(dict.fromkeys(filter(None, listed)))
    if not given.output:
        values["output"] = _default_output(given.inputs, bool(given.overwrite))
    no_beam = (*own, *_NO_FLAGS, *_TALK)
    beam = {name: v for name, v in vars(given).items() if name not in no_beam}
    return ScreenOptions(**values, beam=tuple(sorted(beam.items())))


def _default_output(inputs: list[str], overwrite: bool) -> pathlib.Path:
    """Returns a folder for the tables of one file: a new one, unless told otherwise.

    Raises:
      UsageError: If there is more to screen than one file.
    """
    if not inputs:
        raise UsageError("give at least one INPUT")
    only = pathlib.Path(inputs[0])
    # That there is no such file is for the run to say.
    may_be_file = only.is_file() or not (only.exists() or glob.has_magic(inputs[0]))
    if len(inputs) > 1 or not may_be_file:
        raise UsageError("give --output DIR; only one single file has a default")
    name = f"{only.stem}-citations"
    numbered = (pathlib.Path(f"{name}-{number}") for number in itertools.count(2))
    folders = itertools.chain([pathlib.Path(name)], numbered)
    return next(folder for folder in folders if overwrite or not folder.exists())
