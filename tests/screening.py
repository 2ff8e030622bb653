"""Runs the command in tests and reads what it wrote."""

from __future__ import annotations

import json
import pathlib

import pyarrow.dataset as ds
import pytest

from pipeline.cli import main
from pipeline.output import TABLES

REPOSITORY = pathlib.Path(__file__).parent.parent
SAMPLE = REPOSITORY / "sample_corpus"
GOLDEN = pathlib.Path(__file__).parent / "golden"
# What differs from one machine to the next, or says the same twice.
_NOT_GOLDEN = {"path"}


def run(*arguments: object) -> int:
    """Runs the command in this process; returns its exit code."""
    with pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    return int(ended.value.code or 0)


def screen_sample(output: pathlib.Path, *arguments: object) -> int:
    """Screens the sample corpus as ``make run`` does."""
    return run(
        *("screen", SAMPLE / "manuscripts", "--output", output, "--offline"),
        *("--papers", SAMPLE / "papers.parquet", "--cache", output.parent / "cache"),
        *arguments,
    )


def rows(output: pathlib.Path, table: str) -> list[dict]:
    """Returns the rows of a table in a fixed order."""
    found = ds.dataset(output / table, format="parquet").to_table().to_pylist()
    return sorted(found, key=lambda row: json.dumps(row, default=str, sort_keys=True))


def manifest(output: pathlib.Path) -> dict:
    """Returns the manifest of a run."""
    return json.loads((output / "manifest.json").read_text(encoding="utf-8"))


def golden_lines(output: pathlib.Path, table: str) -> list[str]:
    """Returns the rows of a table as lines of JSON, without what may differ."""
    return [
        json.dumps(
            {name: value for name, value in row.items() if name not in _NOT_GOLDEN},
            ensure_ascii=False,
            default=str,
        )
        for row in rows(output, table)
    ]


if __name__ == "__main__":
    # After an intended change: python -m tests.screening, then read the diff.
    import tempfile

    folder = pathlib.Path(tempfile.mkdtemp()) / "run"
    screen_sample(folder, "--workers", "1")
    for name in TABLES:
        text = "\n".join(golden_lines(folder, name)) + "\n"
        (GOLDEN / f"{name}.jsonl").write_text(text, encoding="utf-8")
