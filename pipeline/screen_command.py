"""The ``screen`` command: from command line to options to exit code."""

from __future__ import annotations

import argparse
import pathlib
from typing import Any

from apache_beam.options.pipeline_options import PipelineOptions

from pipeline import logs
from pipeline.options import ScreenOptions
from pipeline.run import screen
from transforms.fetch_evidence.settings import INDEXES

_SCREEN = """
Screen manuscripts: find their citations, look up each cited work's title and
abstract, and measure how much of the citing sentence they cover.
""".strip()

# What the parser itself keeps beside the flags.
_NO_FLAGS = ("command", "run")
# How the command talks, which no result depends on.
_TALK = ("quiet", "json", "log_level")

_SCREEN_EPILOG = """
exit codes:
  0  done
  1  failed
  2  bad usage, nothing started
  3  done but incomplete: too many lookups or documents failed, or works unknown

The key of Semantic Scholar is read from SEMANTIC_SCHOLAR_API_KEY or S2_API_KEY.
Flags of Apache Beam (--runner, --temp_location ...) are taken as well.
""".strip()


def add_to(commands: argparse._SubParsersAction[Any]) -> argparse.ArgumentParser:
    """Adds the command to a parser; returns its own, with its flags and Beam's."""
    command: argparse.ArgumentParser = commands.add_parser(
        "screen",
        help="check the citations of manuscripts",
        description=_SCREEN,
        epilog=_SCREEN_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
        conflict_handler="resolve",
    )
    _add_beam_flags(command)
    _add_input_flags(command)
    _add_evidence_flags(command)
    _add_network_flags(command)
    _add_checking_flags(command)
    _add_talk_flags(command)
    command.set_defaults(run=run)
    return command


def run(given: argparse.Namespace) -> int:
    """Screens what the command line asks for; returns the exit code.

    Raises:
      UsageError: If the request cannot be run as given.
      RunFailed: If the run broke off.
    """
    logs.set_level(given.log_level)
    return screen(_screen_options(given), quiet=given.quiet, as_json=given.json)


def _add_input_flags(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "inputs",
        nargs="+",
        metavar="INPUT",
        help="file, folder (with all below it) or glob: plain text, Markdown, "
        "JATS XML, TEI, LaTeX, HTML, DOCX, PDF, or Parquet or JSON Lines of texts",
    )
    command.add_argument(
        "--output", required=True, type=pathlib.Path, metavar="DIR",
        help="folder for the result tables",
    )  # fmt: skip
    command.add_argument(
        "--overwrite", action="store_true",
        help="replace an earlier run in --output",
    )  # fmt: skip
    command.add_argument(
        "--no-report", action="store_false", dest="report",
        help="write tables only, without the report for people",
    )  # fmt: skip
    command.add_argument(
        "--id-column", default="doc_id", metavar="NAME",
        help="column with document ids (default: doc_id)",
    )  # fmt: skip
    command.add_argument(
        "--text-column", default="text", metavar="NAME",
        help="column with texts (default: text)",
    )  # fmt: skip


def _add_evidence_flags(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--papers", nargs="+", action="extend", default=[], type=pathlib.Path,
        metavar="FILE",
        help="local index: Parquet or JSON Lines of titles, abstracts",
    )  # fmt: skip
    command.add_argument(
        "--index", default="", metavar="NAMES",
        help=f"indexes to ask, in order, comma separated: {','.join(INDEXES)} "
        "(default: papers if given, else semantic-scholar)",
    )  # fmt: skip
    command.add_argument(
        "--offline", action="store_true",
        help="ask no network index; answer from --papers and the cache",
    )  # fmt: skip
    command.add_argument(
        "--cache", type=pathlib.Path, metavar="FILE",
        help="evidence cache (default: in the user's cache folder)",
    )  # fmt: skip
    command.add_argument(
        "--cache-ttl", type=float, default=90.0, metavar="DAYS",
        help="days that a work stays in the cache (default: 90); a miss stays one day",
    )  # fmt: skip


def _add_network_flags(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--rate", type=float, default=1.0, metavar="PER_SECOND",
        help="requests a second to Semantic Scholar (default: 1); the other indexes "
        "are asked at the rates that they allow",
    )  # fmt: skip
    command.add_argument(
        "--concurrency", type=int, default=4, metavar="N",
        help="requests in flight at once, fewer where an index says so (default: 4)",
    )  # fmt: skip
    command.add_argument(
        "--mailto", default="", metavar="ADDRESS",
        help="your e-mail address, sent to the indexes; some then allow more",
    )  # fmt: skip
    command.add_argument(
        "--index-url", action="append", default=[], type=_index_url, dest="index_urls",
        metavar="NAME=URL", help="another base URL of an index; may be repeated",
    )  # fmt: skip
    command.add_argument(
        "--semantic-scholar-url", metavar="URL",
        help="another base URL of the Semantic Scholar Graph API",
    )  # fmt: skip


def _index_url(written: str) -> tuple[str, str]:
    name, equals, url = written.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{written!r} is not NAME=URL")
    return name.strip(), url.strip()


def _add_checking_flags(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--max-citations", type=int, default=8, metavar="N",
        help="citations checked per document, in reading order; 0 = all (default: 8)",
    )  # fmt: skip
    command.add_argument(
        "--min-words", type=int, default=200, metavar="N",
        help="words below which a document is not scored (default: 200)",
    )  # fmt: skip
    command.add_argument(
        "--numbered-citations", choices=("skip", "check"), default="skip",
        help="what to do with [12] (default: skip)",
    )  # fmt: skip
    command.add_argument(
        "--document-timeout", type=float, default=120.0, metavar="SECONDS",
        help="time that reading or extracting a document may take; 0 = any "
        "(default: 120)",
    )  # fmt: skip
    command.add_argument(
        "--workers", type=int, metavar="N", help="processes (default: cores)"
    )
    command.add_argument(
        "--max-failed-share", type=float, default=0.2, metavar="SHARE",
        help="share of lookups or documents that may fail (default: 0.2)",
    )  # fmt: skip


def _add_talk_flags(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--quiet", action="store_true",
        help="print nothing but what went wrong",
    )  # fmt: skip
    command.add_argument(
        "--json", action="store_true",
        help="print the outcome as one JSON object instead of tables",
    )  # fmt: skip
    command.add_argument(
        "--log-level", choices=logs.LEVELS, default=logs.DEFAULT_LEVEL,
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
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in vars(given).items()
        if name in own and value is not None
    }
    values["index"] = tuple(filter(None, map(str.strip, given.index.split(","))))
    beam = {k: v for k, v in vars(given).items() if k not in (*own, *_NO_FLAGS, *_TALK)}
    return ScreenOptions(**values, beam=tuple(sorted(beam.items())))
