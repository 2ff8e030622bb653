"""End-to-end tests of the ``screen`` command."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline.output import TABLES
from tests.screening import (
    GOLDEN,
    SAMPLE,
    golden_lines,
    manifest,
    rows,
    run,
    screen_sample,
)
from tests.stand_in.semantic_scholar import SemanticScholarService
from tests.stand_in.server import Fault, StandIn
from tests.stand_in.works import write_json_lines
from transforms import tables
from transforms.records import CitationStatus, Work
from transforms.score_coverage import stage as judging

_KEY = "key-that-nobody-may-see"
_PROSE = "Tides rise and fall along the coast while quills drift in the cold. " * 20
_MANUSCRIPT = (
    "Tides and quills\n\n"
    f"{_PROSE}\n\n"
    "Vinegar rinsing reduced frond rot in cold basins (Ode and Ng, 2014). "
    "Stems broke less often (Ode and Ng, 2014; doi:10.5555/unknown).\n\n"
    "References\n\n"
    "Ode, T., & Ng, L. (2014). Vinegar rinsing of kelp. Tides, 3, 1-9. "
    "https://doi.org/10.5555/kelp\n"
)
_WORK = Work(
    source="semantic-scholar",
    paper_id="a" * 40,
    title="Vinegar rinsing of kelp",
    abstract="Vinegar rinsing reduced frond rot of kelp in cold basins by half.",
    authors=("Tamsin Ode", "Lu Ng"),
    year=2014,
    doi="10.5555/kelp",
)


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    """The sample corpus, screened once."""
    output = tmp_path_factory.mktemp("sample") / "run"
    assert screen_sample(output, "--workers", 1) == 0
    return output


@pytest.mark.parametrize("table", TABLES)
def test_sample_corpus_gives_the_golden_rows(sample, table):
    golden = (GOLDEN / f"{table}.jsonl").read_text(encoding="utf-8").splitlines()
    assert golden_lines(sample, table) == golden


def test_two_workers_give_the_same_rows(sample, tmp_path):
    assert screen_sample(tmp_path / "run", "--workers", 2) == 0
    for table in TABLES:
        assert rows(tmp_path / "run", table) == rows(sample, table)


def test_another_runner_gives_the_same_rows(sample, tmp_path):
    assert screen_sample(tmp_path / "run", "--runner", "DirectRunner") == 0
    for table in TABLES:
        assert rows(tmp_path / "run", table) == rows(sample, table)


def test_counts_add_up(sample):
    documents, citations = rows(sample, "documents"), rows(sample, "citations")
    failures = rows(sample, "failures")
    counts = manifest(sample)["counts"]
    assert counts["documents_in"] == len(documents) + len(failures)
    assert counts["citations_selected"] == len(citations)
    reasons = [s.value for s in CitationStatus if s is not CitationStatus.CHECKED]
    for document in documents:
        graded = sum(document[grade] for grade in ("strong", "partial", "low"))
        unchecked = sum(document[reason] for reason in reasons)
        assert document["checked"] == graded
        assert document["citations_selected"] == graded + unchecked
        own = [c for c in citations if c["doc_id"] == document["doc_id"]]
        assert len(own) == document["citations_selected"]
    keys = {work["lookup_key"] for work in rows(sample, "works")}
    assert {citation["lookup_key"] for citation in citations} <= keys


def test_a_document_that_cannot_be_judged_harms_no_other(sample, tmp_path, monkeypatch):
    whole = judging.judge_document

    def judge(assessments, judge):
        if any(a.citation.doc_id == "ward-hygiene-audit.txt" for a in assessments):
            raise ArithmeticError("out of order")
        return whole(assessments, judge)

    monkeypatch.setattr(judging, "judge_document", judge)
    assert screen_sample(tmp_path / "run", "--workers", 1) == 0
    (failure,) = (
        row
        for row in rows(tmp_path / "run", "failures")
        if row["stage"] == "score_coverage"
    )
    assert failure["element_id"] == "ward-hygiene-audit.txt"
    assert failure["error"] == "ArithmeticError"
    others = [
        row
        for row in rows(sample, "documents")
        if row["doc_id"] != "ward-hygiene-audit.txt"
    ]
    assert rows(tmp_path / "run", "documents") == others
    # Its own citations are kept, without a judgement.
    found = rows(tmp_path / "run", "citations")
    assert len(found) == len(rows(sample, "citations"))


def test_planted_misattributions_rise_to_the_top(sample):
    worst = max(rows(sample, "documents"), key=lambda d: d["score"] or 0)
    assert worst["doc_id"] == "estuary-misattributed.md"
    assert (worst["score"], worst["band"]) == (5.0, "systematic_misattribution")


def test_offsets_point_into_the_text(sample):
    for citation in rows(sample, "citations"):
        if citation["doc_id"].endswith(".txt"):
            text = (SAMPLE / "manuscripts" / citation["doc_id"]).read_text("utf-8")
            for part in ("marker", "claim"):
                start, end = citation[f"{part}_start"], citation[f"{part}_end"]
                assert text[start:end] == citation[part]


def test_a_second_run_asks_nothing_and_shows_no_key(tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("S2_API_KEY", f" {_KEY} ")
    (tmp_path / "paper.txt").write_text(_MANUSCRIPT, encoding="utf-8")
    with StandIn(SemanticScholarService([_WORK])) as index:
        first = _screen_online(tmp_path, index, "first")
        asked = len(index.requests)
        second = _screen_online(tmp_path, index, "second")
        assert (first, second) == (0, 0)
        assert 0 < asked == len(index.requests)
        assert {request.headers["x-api-key"] for request in index.requests} == {_KEY}
    assert rows(tmp_path / "first", "citations") == rows(
        tmp_path / "second", "citations"
    )
    assert [c["grade"] or c["status"] for c in rows(tmp_path / "first", "citations")]
    assert manifest(tmp_path / "second")["requests"]["requests"] == 0
    assert _KEY not in "".join(capfd.readouterr())
    for path in tmp_path.rglob("*"):
        assert path.is_dir() or _KEY.encode() not in path.read_bytes()


@pytest.mark.parametrize("workers", [1, 2])
def test_a_killed_run_leaves_no_manifest_and_resumes(tmp_path, workers):
    for name in ("paper.txt", "other.txt"):
        (tmp_path / name).write_text(_MANUSCRIPT, encoding="utf-8")
    with StandIn(SemanticScholarService([_WORK])) as index:
        # The batch is answered; the search after it hangs until the kill.
        index.fail(Fault(delay_seconds=30), path="search")
        screen, first, *flags = _online_arguments(tmp_path, index, "run")
        inputs = (first, tmp_path / "other.txt")
        arguments = (screen, *inputs, *flags, "--workers", workers)
        command = [sys.executable, "-m", "pipeline", *map(str, arguments)]
        process = subprocess.Popen(command, start_new_session=True)
        while not index.asked("search"):
            assert process.poll() is None
            time.sleep(0.05)
        process.kill()
        process.wait()
        _wait_for_end_of_group(process.pid)
        assert not (tmp_path / "run" / "manifest.json").exists()
        index.heal()
        batches = len(index.asked("batch"))
        assert run(*arguments) == 0
        assert len(index.asked("batch")) == batches
    assert manifest(tmp_path / "run")["status"] == "complete"


def test_a_worker_that_dies_ends_the_run(tmp_path):
    for name in ("paper.txt", "other.txt"):
        (tmp_path / name).write_text(_MANUSCRIPT, encoding="utf-8")
    with StandIn(SemanticScholarService([_WORK])) as index:
        index.fail(Fault(delay_seconds=30), path="search")
        screen, first, *flags = _online_arguments(tmp_path, index, "run")
        arguments = (screen, first, tmp_path / "other.txt", *flags, "--workers", 2)
        process = subprocess.Popen(
            [sys.executable, "-m", "pipeline", *map(str, arguments)],
            start_new_session=True,
            stderr=subprocess.PIPE,
        )
        while not index.asked("search"):
            assert process.poll() is None
            time.sleep(0.05)
        os.kill(_worker_of(process.pid), signal.SIGKILL)
        _, error = process.communicate(timeout=30)
        assert process.returncode == 1
        assert b"a worker process died" in error
        _wait_for_end_of_group(process.pid)
    assert not (tmp_path / "run" / "manifest.json").exists()


@pytest.fixture
def heeds_interrupts():
    """Lets children be interrupted, as those of a background job are not."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heeds_interrupts")
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("times", [1, 2])
def test_an_interrupt_ends_the_run_and_says_so(tmp_path, workers, times):
    for name in ("paper.txt", "other.txt"):
        (tmp_path / name).write_text(_MANUSCRIPT, encoding="utf-8")
    with StandIn(SemanticScholarService([_WORK])) as index:
        index.fail(Fault(delay_seconds=5), path="search")
        screen, first, *flags = _online_arguments(tmp_path, index, "run")
        arguments = (screen, first, tmp_path / "other.txt", *flags)
        process = subprocess.Popen(
            [*(sys.executable, "-m", "pipeline"), *map(str, arguments)]
            + ["--workers", str(workers)],
            start_new_session=True,
            stderr=subprocess.PIPE,
        )
        while not index.asked("search"):
            assert process.poll() is None
            time.sleep(0.05)
        for _ in range(times):
            # As a terminal does: to all processes of the run.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGINT)
            time.sleep(0.1)
        _, error = process.communicate(timeout=30)
        assert process.returncode == 1
        said = b"citation-support: error: interrupted; the same command starts over\n"
        assert said in error if times == 2 else error.endswith(said)
        _wait_for_end_of_group(process.pid)
    assert not (tmp_path / "run" / "manifest.json").exists()


def _worker_of(group):
    """Returns the process id of one worker of a run (Linux)."""
    for entry in pathlib.Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            same = os.getpgid(int(entry.name)) == group
            command = (entry / "cmdline").read_bytes().split(b"\0")
            if same and command[1:3] == [b"-m", b"pipeline.worker"]:
                return int(entry.name)
    raise AssertionError("no worker")


def _wait_for_end_of_group(group):
    """Waits until the workers have noticed that the main process is gone."""
    with contextlib.suppress(ProcessLookupError):
        for _ in range(200):
            os.killpg(group, 0)
            time.sleep(0.05)
        pytest.fail("workers outlive the run")


def test_lookups_that_cannot_be_asked_make_the_run_incomplete(tmp_path, monkeypatch):
    for variable in ("SEMANTIC_SCHOLAR_API_KEY", "S2_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    (tmp_path / "paper.txt").write_text(_MANUSCRIPT, encoding="utf-8")
    arguments = (tmp_path / "paper.txt", "--cache", tmp_path / "cache", "--offline")
    output = tmp_path / "run"
    assert run("screen", *arguments, "--output", output, "--workers", 1) == 3
    assert {c["status"] for c in rows(output, "citations")} == {"fetch_failed"}
    assert all(d["score"] == 0 and d["band"] is None for d in rows(output, "documents"))
    found = manifest(output)
    assert found["status"] == "incomplete"
    assert "could not be asked" in found["problems"][0]
    assert "set SEMANTIC_SCHOLAR_API_KEY" in found["problems"][0]
    again = ("--overwrite", "--max-failed-share", 1, "--workers", 1)
    assert run("screen", *arguments, "--output", output, *again) == 0


def test_offline_needs_no_folder_to_write_to(tmp_path):
    (tmp_path / "paper.txt").write_text(_MANUSCRIPT, encoding="utf-8")
    (tmp_path / "file").touch()
    arguments = ("screen", tmp_path / "paper.txt", "--workers", 1)
    cache = ("--cache", tmp_path / "file" / "evidence.sqlite")
    assert run(*arguments, "--output", tmp_path / "online", *cache) == 2
    assert run(*arguments, "--output", tmp_path / "run", *cache, "--offline") == 3
    assert {c["status"] for c in rows(tmp_path / "run", "citations")} == {
        "fetch_failed"
    }


def _bad_inputs(folder):
    """Writes a document for every way to be bad, beside a good one."""
    folder.mkdir()
    (folder / "good.txt").write_text(_MANUSCRIPT, encoding="utf-8")
    (folder / "empty.txt").touch()
    (folder / "truncated.xml").write_text("<article><body><p>Rates fell (O")
    entities = "".join(f'<!ENTITY q{n + 1} "{f"&q{n};" * 10}">' for n in range(9))
    (folder / "laughs.xml").write_text(
        f'<!DOCTYPE article [<!ENTITY q0 "quill">{entities}]>'
        "<article><body><p>&q9;</p></body></article>"
    )
    (folder / "really.txt").write_bytes(b"%PDF-1.7\n\x00\x01binary")
    (folder / "dangling.txt").symlink_to(folder / "nowhere")
    (folder / "large.txt").write_text(_MANUSCRIPT.replace(_PROSE, _PROSE * 37_000))
    table = {
        "doc_id": ["row", "row", "null", None],
        "text": [_MANUSCRIPT, _MANUSCRIPT, None, _MANUSCRIPT],
    }
    pq.write_table(pa.table(table), folder / "rows.parquet")


def test_bad_documents_are_failures_and_harm_no_other(tmp_path, capfd):
    _bad_inputs(tmp_path / "in")
    papers = write_json_lines(tmp_path / "papers.jsonl", [_WORK])
    output = tmp_path / "run"
    code = run(
        *("screen", tmp_path / "in", "--papers", papers, "--output", output),
        *("--cache", tmp_path / "cache", "--max-failed-share", 1),
    )
    assert code == 0
    failed = {row["element_id"]: row for row in rows(output, "failures")}
    documents = {row["doc_id"]: row for row in rows(output, "documents")}
    assert sorted(documents) == ["good.txt", "large.txt", "row"]
    assert all(row["status"] == "scored" for row in documents.values())
    assert (tmp_path / "in" / "large.txt").stat().st_size > 50e6
    named = ["dangling", "empty", "laughs", "null", "really", "row", "truncated"]
    for name in named:
        (message,) = [f["message"] for i, f in failed.items() if name in i][:1]
        assert message and "\n" not in message and "quills drift" not in message
    counts = manifest(output)["counts"]
    assert counts["documents_in"] == 11 == len(documents) + counts["failed_documents"]
    assert "quills drift" not in "".join(capfd.readouterr())
    strict = ("--overwrite", "--max-failed-share", 0.5)
    code = run(
        *("screen", tmp_path / "in", "--papers", papers, "--output", output),
        *("--cache", tmp_path / "cache", *strict),
    )
    assert code == 3


def test_odd_names_and_half_characters_harm_nothing(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    for name in (b"a\nb.txt", b"bad\xff.txt", b"-dash.txt"):
        path = os.path.join(os.fsencode(folder), name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(_MANUSCRIPT)
    table = {"doc_id": ["one", "two"], "text": [_MANUSCRIPT, _MANUSCRIPT]}
    pq.write_table(pa.table(table), folder / "rows.parquet")
    os.rename(
        folder / "rows.parquet", os.path.join(os.fsencode(folder), b"r\xff.parquet")
    )
    line = {"doc_id": "half \ud800", "text": _MANUSCRIPT.replace("Tides", "T\ud800")}
    (folder / "rows.jsonl").write_text(json.dumps(line) + "\n")
    papers = write_json_lines(tmp_path / "papers.jsonl", [_WORK])
    output = tmp_path / "run"
    code = run(
        *("screen", folder, "--papers", papers, "--output", output),
        *("--cache", tmp_path / "cache", "--max-failed-share", 1, "--workers", 1),
    )
    assert code == 0
    ids = {row["doc_id"] for row in rows(output, "documents")}
    failed = {row["element_id"] for row in rows(output, "failures")}
    assert ids == {"a\nb.txt", "bad\\udcff.txt", "-dash.txt", "one", "two"}
    assert len(failed) == 1


def test_rows_of_an_odd_parquet_file_are_failures(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "good.txt").write_text(_MANUSCRIPT, encoding="utf-8")
    names = ["doc_id", "text", "journal", "journal"]
    columns = [["a", "b"], [_MANUSCRIPT] * 2, ["x", "y"], ["x", "y"]]
    table = pa.Table.from_arrays([pa.array(c) for c in columns], names=names)
    pq.write_table(table, folder / "twice.parquet")
    papers = write_json_lines(tmp_path / "papers.jsonl", [_WORK])
    output = tmp_path / "run"
    code = run(
        *("screen", folder, "--papers", papers, "--output", output),
        *("--cache", tmp_path / "cache", "--max-failed-share", 1, "--workers", 1),
    )
    assert code == 0
    counts = manifest(output)["counts"]
    assert counts["documents_in"] == 3
    assert len(rows(output, "documents")) + len(rows(output, "failures")) == 3


def test_an_empty_folder_gives_valid_empty_tables(tmp_path):
    (tmp_path / "in").mkdir()
    papers = write_json_lines(tmp_path / "papers.jsonl", [_WORK])
    output = tmp_path / "run"
    code = run(
        *("screen", tmp_path / "in", "--papers", papers, "--output", output),
        *("--cache", tmp_path / "cache"),
    )
    assert code == 0
    for table in TABLES:
        (shard,) = (output / table).glob("*.parquet")
        expected = getattr(tables, table.upper())
        assert pq.read_table(shard).schema.equals(expected)
        assert pq.read_table(shard).num_rows == 0


def test_metadata_columns_ride_along(sample):
    documents = {row["doc_id"]: row for row in rows(sample, "documents")}
    assert "journal" in json.loads(documents["SUB-0117"]["metadata"])


def _online_arguments(folder, index, output):
    return (
        *("screen", folder / "paper.txt", "--output", folder / output),
        *("--cache", folder / "cache" / "evidence.sqlite", "--rate", 1000),
        *("--semantic-scholar-url", index.url + SemanticScholarService.prefix),
        *("--workers", 1),
    )


def _screen_online(folder, index, output):
    return run(*_online_arguments(folder, index, output))
