"""The ``build-background`` command: how common words are in a folder of text."""

from __future__ import annotations

import argparse
import gzip
import pathlib
from collections.abc import Iterator
from typing import Any

from pipeline.exits import EXIT_DONE, UsageError
from transforms.read_documents.contents import open_source, read_content
from transforms.read_documents.inputs import InputError, expand
from transforms.records import Failure
from transforms.score_coverage.triage.background import (
    PASSAGE_WORDS,
    BackgroundError,
    count_passages,
    write_table,
)

_DESCRIPTION = f"""
Count in how many passages of {PASSAGE_WORDS} words each word of your own archive
occurs, and write the table for screen --background.  A few hundred articles are enough.
""".strip()
_MAX_WORDS = 10_000


def add_to(commands: argparse._SubParsersAction[Any]) -> None:
    """Adds the command to a parser."""
    command = commands.add_parser(
        "build-background",
        help="count words of your own archive for triage",
        description=_DESCRIPTION,
        epilog="example: citation-support build-background archive --output bg.tsv.gz",
        allow_abbrev=False,
    )
    command.add_argument(
        "inputs", nargs="+", metavar="INPUT",
        help="documents as screen takes them, or Parquet or JSON Lines of texts",
    )  # fmt: skip
    command.add_argument(
        "--output", required=True, type=pathlib.Path, metavar="FILE",
        help="table to write; a name in .gz is packed",
    )  # fmt: skip
    command.add_argument(
        "--id-column", default="doc_id", metavar="NAME",
        help="column with document ids (default: doc_id)",
    )  # fmt: skip
    command.add_argument(
        "--text-column", default="text", metavar="NAME",
        help="column with texts (default: text)",
    )  # fmt: skip
    command.add_argument(
        "--max-words", type=int, default=_MAX_WORDS, metavar="N",
        help=f"most frequent words to keep (default: {_MAX_WORDS:,})",
    )  # fmt: skip
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Counts and writes the table; returns the exit code.

    Raises:
      UsageError: If an input cannot be found, none can be read, or the table cannot
        be written.
    """
    if given.max_words < 1:
        raise UsageError(f"--max-words must be at least 1, got {given.max_words}")
    reader = _Reader(given)
    try:
        background = count_passages(reader.texts(), given.max_words)
        origin = (
            f"English Snowball stems, in how many passages of {PASSAGE_WORDS} words "
            f"each occurs.\nCounted over {reader.documents} documents by "
            "citation-support build-background."
        )
        content = write_table(background, origin).encode("utf-8")
        if given.output.suffix == ".gz":
            content = gzip.compress(content, mtime=0)
        given.output.write_bytes(content)
    except InputError as error:
        raise UsageError(str(error)) from error
    except BackgroundError as error:
        raise UsageError(f"{error}: give documents that can be read") from error
    except OSError as error:
        raise UsageError(f"{given.output}: {error.strerror}; check the path") from error
    unread = f"; {reader.unread} could not be read" if reader.unread else ""
    print(
        f"{given.output}: {len(background.counts):,} words of {background.passages:,} "
        f"passages in {reader.documents:,} documents{unread}"
    )
    return EXIT_DONE


class _Reader:
    """Reads documents one after the other and counts them."""

    def __init__(self, given: argparse.Namespace) -> None:
        self._given = given
        self.documents = 0
        self.unread = 0

    def texts(self) -> Iterator[str]:
        columns = self._given.id_column, self._given.text_column
        inputs = expand(
            self._given.inputs,
            exclude=[self._given.output],
            id_column=columns[0],
            text_column=columns[1],
        )
        for source in inputs.sources:
            for content in open_source(source, *columns, {}):
                document = (
                    content if isinstance(content, Failure) else read_content(content)
                )
                if isinstance(document, Failure):
                    self.unread += 1
                else:
                    self.documents += 1
                    yield document.text
