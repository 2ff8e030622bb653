"""The ``text`` command: the plain text that offsets count in."""

from __future__ import annotations

import argparse
import pathlib
import sys
from typing import Any

from pipeline import streams
from pipeline.exits import EXIT_DONE, RunFailed, UsageError
from transforms.read_documents.errors import UnreadableDocument
from transforms.read_documents.formats import read_document

_SUFFIXES_OF_MANY = (".parquet", ".pq", ".jsonl", ".ndjson")


def add_to(commands: argparse._SubParsersAction[Any]) -> None:
    """Adds the command to a parser."""
    command = commands.add_parser(
        "text",
        help="print the plain text of a document, which offsets count in",
        description="Print the plain text of a document: what the offsets in the "
        "citations table count in.",
        epilog="example: citation-support text paper.docx > paper.txt",
        allow_abbrev=False,
    )
    command.add_argument(
        "file", type=pathlib.Path, metavar="FILE", help="the document, of any format"
    )
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Prints the text as UTF-8 without a line end of its own.

    Raises:
      UsageError: If the file cannot be read as a document.
      RunFailed: If the text cannot be printed.
    """
    path = given.file
    if path.suffix.lower() in _SUFFIXES_OF_MANY:
        raise UsageError(f"{path}: holds a document a row; give a file of one document")
    try:
        document = read_document(path.read_bytes(), doc_id=path.name, path=str(path))
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; check the path") from error
    except UnreadableDocument as error:
        raise UsageError(f"{path}: {error}") from error
    sys.stdout.buffer.write(document.text.encode("utf-8", "surrogatepass"))
    if reason := streams.lost_output():
        raise RunFailed(f"the text cannot be printed: {reason}")
    return EXIT_DONE
