"""Tests of usage: what is wrong is said in one line, before anything starts."""

from __future__ import annotations

import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline.exits import UsageError
from pipeline.options import ScreenOptions
from pipeline.output import RunFolder
from tests.screening import run, screen_sample
from tests.stand_in.works import write_json_lines
from transforms.records import Work

_WORK = Work(source="papers", paper_id="p1", title="Vinegar rinsing of kelp")


@pytest.fixture
def place(tmp_path):
    """A folder with inputs and papers, right and wrong."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "paper.txt").write_text("Rates fell (Ode, 2001).")
    table = pa.table({"key": ["a"], "body": ["Rates fell (Ode, 2001)."]})
    pq.write_table(table, tmp_path / "rows.parquet")
    write_json_lines(tmp_path / "papers.jsonl", [_WORK])
    (tmp_path / "bad.jsonl").write_text('{"title": "Kelp"}\n{"title": \n')
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("mine")
    for table in (".partial", "documents"):
        (tmp_path / "lookalike" / table).mkdir(parents=True)
    (tmp_path / "lookalike" / "documents" / "thesis.txt").write_text("mine")
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign" / "manifest.json").write_text('{"name": "web app"}')
    return tmp_path


# Arguments, and what the message must name.
_BAD = {
    "missing path": (["{}/nowhere"], "nowhere"),
    "glob without match": (["{}/in/*.docx"], "*.docx"),
    "no input": ([], "INPUT"),
    "no e-mail address": (["{}/in", "--mailto", "x"], "--mailto"),
    "almost right": (["{}/in", "--log-level", "eror"], "did you mean error?"),
    "unknown flag": (["{}/in", "--verbosity=3"], "--verbosity"),
    "flag cut short": (["{}/in", "--max-cit", "3"], "--max-cit"),
    "no number": (["{}/in", "--max-citations", "few"], "--max-citations"),
    "negative": (["{}/in", "--max-citations", "-1"], "--max-citations"),
    "no rate": (["{}/in", "--rate", "0"], "--rate"),
    "no workers": (["{}/in", "--workers", "0"], "--workers"),
    "share": (["{}/in", "--max-failed-share", "1.5"], "--max-failed-share"),
    "numbered": (["{}/in", "--numbered-citations", "maybe"], "--numbered-citations"),
    "unknown index": (["{}/in", "--index", "scopus"], "scopus"),
    "index twice": (
        ["{}/in", "--index", "semantic-scholar,semantic-scholar"],
        "twice",
    ),
    "papers without file": (["{}/in", "--index", "papers"], "--papers"),
    "papers left out": (
        ["{}/in", "--papers", "{}/papers.jsonl", "--index", "semantic-scholar"],
        "--index",
    ),
    "papers missing": (["{}/in", "--papers", "{}/none.jsonl"], "none.jsonl"),
    "papers malformed": (["{}/in", "--papers", "{}/bad.jsonl"], "line 2"),
    "papers without title": (["{}/in", "--papers", "{}/rows.parquet"], "title"),
    "url": (["{}/in", "--semantic-scholar-url", "ftp://x"], "http"),
    "id column": (["{}/rows.parquet"], "doc_id"),
    "text column": (["{}/rows.parquet", "--id-column", "key"], "text"),
    "output is a file": (["{}/in", "--output", "{}/papers.jsonl"], "papers.jsonl"),
    "output not empty": (["{}/in", "--output", "{}/full"], "not empty"),
    "output that looks like ours": (["{}/in", "--output", "{}/lookalike"], "no run"),
    "output of others": (
        ["{}/in", "--output", "{}/foreign", "--overwrite"],
        "another program",
    ),
    "no runner": (["{}/in", "--runner", ""], "--runner"),
    "runner without its flags": (["{}/in", "--runner", "DataflowRunner"], "--runner"),
    "unknown hint": (["{}/in", "--resource_hint", "foo=1"], "foo"),
    "no column": (["{}/in", "--id-column", ""], "--id-column"),
    "output too long": (["{}/in", "--output", "{}/" + "x" * 300], "--output"),
    "cache too long": (["{}/in", "--cache", "{}/" + "x" * 300 + "/c"], "xxx"),
    "unknown runner": (["{}/in", "--runner", "NopeRunner"], "NopeRunner"),
    "beam flag": (["{}/in", "--direct_num_workers", "two"], "direct_num_workers"),
}


@pytest.mark.parametrize(("arguments", "named"), _BAD.values(), ids=_BAD)
def test_bad_usage_starts_nothing(place, capfd, arguments, named):
    filled = [argument.format(place) for argument in arguments]
    output = [] if "--output" in filled else ["--output", place / "out"]
    cache = [] if "--cache" in filled else ["--cache", place / "cache" / "c"]
    assert run("screen", *filled, *output, *cache) == 2
    out, error = capfd.readouterr()
    assert out == ""
    assert error.startswith("citation-support: error: ")
    assert error.count("\n") == 1
    assert named in error
    assert not (place / "out" / "documents").exists()
    assert (place / "full" / "thesis.txt").exists()
    assert (place / "lookalike" / "documents" / "thesis.txt").exists()


def test_what_is_mistyped_is_guessed(place, capfd):
    assert run("scren", place / "in") == 2
    assert "'?" not in (error := capfd.readouterr().err)
    assert "did you mean screen?" in error
    # Without --output: it is the path that is wrong.
    assert run("screen", place / "nowhere.txt") == 2
    assert "no such file or folder" in capfd.readouterr().err


def test_an_earlier_run_is_replaced_only_when_asked(tmp_path, capfd):
    output = tmp_path / "run"
    assert screen_sample(output, "--workers", 1) == 0
    before = (output / "manifest.json").read_text()
    (output / "notes.txt").write_text("mine")
    assert screen_sample(output, "--workers", 1) == 2
    assert "--overwrite" in capfd.readouterr().err
    assert (output / "manifest.json").read_text() == before
    assert screen_sample(output, "--workers", 1, "--overwrite") == 0
    assert (output / "notes.txt").read_text() == "mine"


def test_two_runs_do_not_write_to_one_folder(tmp_path):
    hold = (
        "import pathlib, sys; from pipeline.output import RunFolder\n"
        "held = RunFolder(pathlib.Path(sys.argv[1]), overwrite=False)\n"
        "print('held', flush=True); sys.stdin.read()"
    )
    running = subprocess.Popen(
        [sys.executable, "-c", hold, tmp_path / "run"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert running.stdout.readline() == b"held\n"
    with pytest.raises(UsageError, match="another run"):
        RunFolder(tmp_path / "run", overwrite=True)
    running.kill()
    running.communicate()
    RunFolder(tmp_path / "run", overwrite=True).release()


def test_a_folder_that_a_killed_run_left_is_used_again(tmp_path):
    left = RunFolder(tmp_path / "run", overwrite=False)
    left.begin()
    (left.partial / "documents").mkdir()
    left.release()
    (tmp_path / "run" / "works").mkdir()
    again = RunFolder(tmp_path / "run", overwrite=False)
    again.begin()
    assert list(again.partial.iterdir()) == []


def test_papers_and_output_are_not_taken_for_manuscripts(tmp_path):
    (tmp_path / "paper.txt").write_text("Rates fell (Ode, 2001).")
    papers = write_json_lines(tmp_path / "papers.jsonl", [_WORK])
    arguments = (
        *("screen", tmp_path, "--papers", papers, "--output", tmp_path / "run"),
        *("--cache", tmp_path / ".cache" / "c", "--min-words", 0, "--workers", 1),
    )
    assert run(*arguments) == 0
    assert run(*arguments, "--overwrite") == 0


def test_options_default_to_papers_where_there_are_any(tmp_path):
    given = {"inputs": ("x",), "output": tmp_path}
    assert ScreenOptions(**given).indexes == ("semantic-scholar",)
    assert ScreenOptions(**given, papers=(tmp_path,)).indexes == ("papers",)


def test_text_prints_what_offsets_count_in(tmp_path, capfdbinary):
    path = tmp_path / "paper.md"
    path.write_bytes("# Tides\r\n\r\nRates *fell* (Øde, 2001).\r\n".encode())
    assert run("text", path) == 0
    assert capfdbinary.readouterr().out.decode() == "Tides\n\nRates fell (Øde, 2001)."
    assert run("text", tmp_path / "none.md") == 2
    path.write_bytes(b"")
    assert run("text", path) == 2
    assert run("text", tmp_path / "rows.jsonl") == 2


def test_module_and_version_and_help():
    for arguments in (["--version"], ["--help"], ["screen", "--help"]):
        done = subprocess.run(
            [sys.executable, "-m", "pipeline", *arguments],
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout and not done.stderr
    assert "--max-citations" in done.stdout
    assert "exit codes" in done.stdout
