"""The citations of one document, as a table for a terminal."""

from __future__ import annotations

import pathlib
from typing import Any

import pyarrow.dataset as ds
from rich.table import Table
from rich.text import Text

_COLUMNS = ("ordinal", "marker", "status", "grade", "coverage", "paper_title")
# Shown where the run has it.
_TRIAGE = "triage"


def citations_table(folder: pathlib.Path) -> Table:
    """Returns the citations of a run over one document, in reading order.

    Args:
      folder: The folder of the run.
    """
    citations = ds.dataset(folder / "citations", format="parquet")
    has_triage = _TRIAGE in citations.schema.names
    columns = [*_COLUMNS, *([_TRIAGE] if has_triage else [])]
    rows = citations.to_table(columns=columns).sort_by("ordinal").to_pylist()
    table = Table(show_edge=False, pad_edge=False)
    table.add_column("#", justify="right")
    table.add_column("cited as", overflow="fold")
    table.add_column("grade or reason", no_wrap=True)
    table.add_column("coverage", justify="right")
    if has_triage:
        table.add_column("triage", no_wrap=True)
    table.add_column("cited work", overflow="fold")
    for row in rows:
        table.add_row(*map(_plain, _cells(row, has_triage)))
    return table


def _cells(row: dict[str, Any], has_triage: bool) -> list[str]:
    coverage = row["coverage"]
    return [
        str(row["ordinal"]),
        row["marker"],
        row["grade"] or row["status"],
        "" if coverage is None else f"{coverage:.0%}",
        *([row[_TRIAGE] or ""] if has_triage else []),
        row["paper_title"] or "",
    ]


def _plain(text: str) -> Text:
    """Returns text that is not read as markup, on one line."""
    return Text(" ".join(text.split()))
