"""Tests of what a run says when it ends."""

from __future__ import annotations

import json
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline.report.reading_list import Lead, reading_list
from tests.screening import SAMPLE, manifest, run, screen_sample


@pytest.fixture
def documents(tmp_path):
    """Writes a documents table; returns the folder of the run."""

    def write(**columns):
        (tmp_path / "documents").mkdir()
        number = len(columns["doc_id"])
        rest = {"band": [None] * number, "checked": [8] * number, "low": [2] * number}
        pq.write_table(pa.table(rest | columns), tmp_path / "documents" / "a.parquet")
        return tmp_path

    return write


def test_the_worst_score_is_read_first(documents):
    folder = documents(doc_id=["b", "a", "c", "d"], score=[1.4, 1.4, 5.0, 0.0])
    assert [lead.doc_id for lead in reading_list(folder, 10)] == ["c", "a", "b"]
    assert reading_list(folder, 1) == [Lead("c", 5.0, None, 8, 2)]


def test_priority_goes_before_score(documents):
    folder = documents(
        doc_id=["a", "b", "c", "d", "e"],
        score=[5.0, 0.7, 1.4, 0.0, None],
        priority=[0.0, 2.0, 2.0, 0.5, 0.0],
        flagged=[0, 2, 3, 1, 0],
    )
    found = reading_list(folder, 10)
    assert [lead.doc_id for lead in found] == ["c", "b", "d", "a"]
    assert found[0] == Lead("c", 1.4, None, 8, 2, 2.0, 3)


def test_json_is_all_that_goes_to_stdout(tmp_path, capfd):
    output = tmp_path / "run"
    assert screen_sample(output, "--workers", 1, "--json") == 0
    told = json.loads(capfd.readouterr().out)
    assert told["output"] == str(output)
    assert told["read_first"][0]["doc_id"] == "estuary-misattributed.md"
    assert {name: told[name] for name in manifest(output) if name != "program"} == {
        name: value for name, value in manifest(output).items() if name != "program"
    }


def test_quiet_says_nothing_but_what_went_wrong(tmp_path, capfd):
    arguments = ("--workers", 1, "--quiet")
    assert screen_sample(tmp_path / "run", *arguments) == 0
    assert capfd.readouterr() == ("", "")
    assert screen_sample(tmp_path / "bad", *arguments, "--max-failed-share", 0) == 3
    out, error = capfd.readouterr()
    assert out == ""
    assert error.startswith("citation-support: incomplete: 6.2% of documents failed")


@pytest.fixture
def papers(tmp_path):
    """A local index of one work."""
    work = {
        "title": "Rinsing kelp",
        "abstract": "Vinegar rinsing reduced frond rot of kelp in cold basins.",
        "year": 2014,
        "authors": ["Ode, T."],
    }
    (tmp_path / "papers.jsonl").write_text(json.dumps(work))
    return tmp_path / "papers.jsonl"


def _screen(papers, *arguments):
    flags = ("--papers", papers, "--cache", papers.parent / "cache", "--workers", 1)
    return run("screen", *arguments, *flags, "--no-report")


def _write_manuscript(path):
    text = "Tides rise and fall along the coast in the cold. " * 50
    claim = "Quartz lamps dim violet glass (Ode, 2014)."
    entry = "Ode, T. (2014). Rinsing kelp. Tides, 3, 1."
    path.write_text(f"{text}\n\n{claim}\n\nReferences\n\n{entry}\n")


def test_tables_show_what_to_read_first_and_take_no_name_for_markup(
    tmp_path, papers, capfd
):
    names = ("[red]a.txt", "b.txt")
    for name in names:
        _write_manuscript(tmp_path / name)
    inputs = [tmp_path / name for name in names]
    assert _screen(papers, *inputs, "--output", tmp_path / "run") == 0
    assert "[red]a.txt" in capfd.readouterr().out.split("read first")[1]


def test_one_file_needs_no_output_and_shows_its_citations(
    tmp_path, papers, capfd, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    _write_manuscript(tmp_path / "paper.txt")
    assert _screen(papers, "paper.txt") == 0
    out = capfd.readouterr().out
    assert "Tables: paper-citations\n" in out
    assert "Ode, 2014" in out and "Rinsing kelp" in out
    first = (tmp_path / "paper-citations" / "manifest.json").read_text()
    assert _screen(papers, "paper.txt") == 0
    assert "Tables: paper-citations-2\n" in capfd.readouterr().out
    assert (tmp_path / "paper-citations" / "manifest.json").read_text() == first
    assert _screen(papers, "paper.txt", "--overwrite") == 0
    assert "Tables: paper-citations\n" in capfd.readouterr().out


@pytest.mark.parametrize("inputs", [["."], ["a.txt", "b.txt"], ["*.txt"]])
def test_more_than_one_file_needs_an_output(tmp_path, papers, inputs, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("a.txt", "b.txt"):
        _write_manuscript(tmp_path / name)
    assert _screen(papers, *inputs) == 2


@pytest.mark.parametrize(("level", "is_told"), [("info", True), ("warning", False)])
def test_log_level_says_more_or_less(tmp_path, level, is_told):
    (tmp_path / "in").mkdir()
    papers = SAMPLE / "papers.parquet"
    arguments = (
        *("screen", tmp_path / "in", "--papers", papers, "--output", tmp_path / "run"),
        *("--cache", tmp_path / "cache", "--quiet", "--log-level", level),
    )
    done = subprocess.run(
        [sys.executable, "-m", "pipeline", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == ""
    assert ("citation-support: run: " in done.stderr) == is_told
