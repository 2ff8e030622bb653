"""The ``cache`` command: looks after the evidence cache."""

from __future__ import annotations

import argparse
import datetime
import pathlib
from collections.abc import Callable
from typing import Any

from pipeline.evidence_options import default_cache
from pipeline.exits import EXIT_DONE, UsageError
from transforms.fetch_evidence import cache_file

_Action = Callable[[argparse.Namespace], list[str]]


def add_to(commands: argparse._SubParsersAction[Any]) -> None:
    """Adds the command and its actions to a parser."""
    command = commands.add_parser(
        "cache",
        help="look into the evidence cache, share it, clear it of old answers",
        description="Look after the cache of what network indexes answered.",
        epilog="example: citation-support cache export answers.parquet",
        allow_abbrev=False,
    )
    actions = command.add_subparsers(dest="action", required=True, metavar="ACTION")
    _add(actions, "info", _info, "say what the cache holds")
    export = _add(actions, "export", _export, "write it as Parquet, to share")
    export.add_argument("file", type=pathlib.Path, metavar="FILE", help="the copy")
    merge = _add(actions, "import", _import, "take in what others exported")
    merge.add_argument(
        "files", nargs="+", type=pathlib.Path, metavar="FILE", help="an exported copy"
    )
    prune = _add(actions, "prune", _prune, "remove answers that are out of date")
    prune.add_argument(
        "--cache-ttl", type=float, default=90.0, metavar="DAYS",
        help="days that an answer with the work stays (default: 90)",
    )  # fmt: skip


def _add(
    actions: argparse._SubParsersAction[Any], name: str, action: _Action, help_: str
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = actions.add_parser(
        name,
        help=help_,
        description=f"{help_[0].upper()}{help_[1:]}.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--cache", type=pathlib.Path, default=default_cache(), metavar="FILE",
        help="the cache (default: in the user's cache folder)",
    )  # fmt: skip
    parser.set_defaults(run=run, act=action)
    return parser


def run(given: argparse.Namespace) -> int:
    """Does what is asked and says what came of it; returns the exit code.

    Raises:
      UsageError: If a file is no cache, or no copy of one.
    """
    try:
        lines = given.act(given)
    except cache_file.CacheFileError as error:
        raise UsageError(str(error)) from error
    except OSError as error:
        raise UsageError(
            f"{error.filename}: {error.strerror}; check the path"
        ) from error
    print("\n".join(lines))
    return EXIT_DONE


def _info(given: argparse.Namespace) -> list[str]:
    info = cache_file.inspect(given.cache)
    total = sum(info.answers.values())
    return [
        f"{given.cache}: {total} answers, {info.size_bytes / 1e6:.1f} MB",
        *(f"  {kind}: {number}" for kind, number in sorted(info.answers.items())),
        f"  with the work: {info.finds}, without: {total - info.finds}",
        f"  of another version: {info.outdated}",
        f"  given between {info.oldest or '-'} and {info.newest or '-'}",
    ]


def _export(given: argparse.Namespace) -> list[str]:
    number = cache_file.export(given.cache, given.file)
    return [f"{given.file}: {number} answers"]


def _import(given: argparse.Namespace) -> list[str]:
    lines = []
    for file in given.files:
        taken, left = cache_file.merge(given.cache, file)
        lines.append(
            f"{file}: {taken} answers taken, {left} left (older, or another version)"
        )
    return lines


def _prune(given: argparse.Namespace) -> list[str]:
    if given.cache_ttl <= 0:
        raise UsageError(f"--cache-ttl must be greater than 0, got {given.cache_ttl}")
    number = cache_file.prune(
        given.cache,
        find_days=given.cache_ttl,
        miss_days=1.0,
        now=datetime.datetime.now(datetime.UTC),
    )
    return [f"{given.cache}: {number} answers removed"]
