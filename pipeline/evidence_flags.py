"""The flags that say where evidence comes from, for all commands that look works up."""

from __future__ import annotations

import argparse
import pathlib
from collections.abc import Container
from typing import Any

from transforms.fetch_evidence.settings import INDEXES

KEYS = """
The key of Semantic Scholar is read from SEMANTIC_SCHOLAR_API_KEY or S2_API_KEY.
""".strip()


def add_to(command: argparse.ArgumentParser) -> None:
    """Adds the flags to a parser; what is not given is None."""
    _add_evidence_flags(command.add_argument_group("where evidence comes from"))
    _add_network_flags(command.add_argument_group("asking network indexes"))


def add_index_url(group: argparse._ActionsContainer) -> None:
    """Adds the flag that names another server of an index."""
    group.add_argument(
        "--index-url", action="append", type=_index_url, dest="index_urls",
        metavar="NAME=URL", help="another base URL of an index; may be repeated",
    )  # fmt: skip


def values(given: argparse.Namespace, names: Container[str]) -> dict[str, Any]:
    """Returns the options that were given, by name, for an options class.

    Args:
      given: The command line.
      names: Names of its options.
    """
    found = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in vars(given).items()
        if name in names and value is not None
    }
    if given.index is not None:
        listed = map(str.strip, given.index.split(","))
        found["index"] = tuple(filter(None, listed))
    return found


def _add_evidence_flags(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--papers", nargs="+", action="extend", type=pathlib.Path, metavar="FILE",
        help="local index: Parquet or JSON Lines of titles, abstracts",
    )  # fmt: skip
    group.add_argument(
        "--index", metavar="NAMES",
        help=f"indexes to ask, in order, comma separated: {', '.join(INDEXES)} "
        "(default: papers if given, else semantic-scholar)",
    )  # fmt: skip
    group.add_argument(
        "--offline", action=argparse.BooleanOptionalAction,
        help="ask no network index; answer from --papers and the cache",
    )  # fmt: skip
    group.add_argument(
        "--cache", type=pathlib.Path, metavar="FILE",
        help="evidence cache (default: in the user's cache folder)",
    )  # fmt: skip
    group.add_argument(
        "--cache-ttl", type=float, metavar="DAYS",
        help="days that a work stays in the cache (default: 90); a miss stays one day",
    )  # fmt: skip


def _add_network_flags(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--rate", type=float, metavar="PER_SECOND",
        help="requests a second to Semantic Scholar (default: 1); the other indexes "
        "are asked at the rates that they allow",
    )  # fmt: skip
    group.add_argument(
        "--concurrency", type=int, metavar="N",
        help="requests in flight at once, fewer where an index says so (default: 4)",
    )  # fmt: skip
    group.add_argument(
        "--mailto", metavar="ADDRESS",
        help="your e-mail address, sent to the indexes; some then allow more",
    )  # fmt: skip
    add_index_url(group)
    group.add_argument(
        "--semantic-scholar-url", metavar="URL",
        help="another base URL of the Semantic Scholar Graph API",
    )  # fmt: skip


def _index_url(written: str) -> tuple[str, str]:
    name, equals, url = written.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{written!r} is not NAME=URL")
    return name.strip(), url.strip()
