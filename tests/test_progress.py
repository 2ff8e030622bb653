"""Tests of how a run tells how far it is."""

from __future__ import annotations

import os
import pathlib
import pickle
import pty
import subprocess
import sys
import time

import pytest

from pipeline import graph
from pipeline.progress import Pace, Stage, clock, in_words, stages
from pipeline.progress_display import shown
from pipeline.runner import make_pipeline
from tests.screening import SAMPLE
from tests.stand_in.semantic_scholar import SemanticScholarService
from tests.stand_in.server import Fault, StandIn
from tests.stand_in.works import LANTERNS, QUILLS
from transforms.extract_citations.extract import ExtractSettings
from transforms.fetch_evidence.opening import open_resolver
from transforms.fetch_evidence.settings import FetchSettings
from transforms.progress import NO_PROGRESS, ProgressFolder, Step
from transforms.read_documents.inputs import expand
from transforms.records import Lookup
from transforms.score_coverage.triage.files import load_judge


@pytest.mark.parametrize("make", [lambda path: NO_PROGRESS, ProgressFolder])
def test_every_progress_counts_wherever_it_goes(tmp_path, make):
    progress = pickle.loads(pickle.dumps(make(tmp_path)))
    progress.add(Step.READ)
    progress.add(Step.WAITING, -1)
    make(tmp_path / "nowhere").add(Step.READ)


def test_counts_of_all_processes_add_up(tmp_path):
    folder = ProgressFolder(tmp_path)
    folder.add(Step.READ, 2)
    count = (
        "import pathlib, sys; from transforms.progress import ProgressFolder, Step\n"
        "ProgressFolder(pathlib.Path(sys.argv[1])).add(Step.READ, 5)"
    )
    subprocess.run([sys.executable, "-c", count, tmp_path], check=True)
    pickle.loads(pickle.dumps(folder)).add(Step.ASKED)
    (tmp_path / "torn").write_bytes(b"12")
    assert +folder.totals() == {Step.READ: 7, Step.ASKED: 1}
    assert not ProgressFolder(tmp_path / "nowhere").totals()


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ({}, [(0, 10, ""), (0, 10, ""), (0, 0, ""), (0, 0, "")]),
        (
            {Step.READ: 6, Step.UNREADABLE: 1, Step.EXTRACTED: 5, Step.SELECTED: 40},
            [
                (7, 10, "1 unreadable"),
                (5, 9, "40 citations to check"),
                (0, 0, ""),
                (0, 40, ""),
            ],
        ),
        # A retried bundle counts twice.
        (
            {Step.READ: 14, Step.ASKED: 9, Step.FROM_CACHE: 3, Step.FROM_INDEX: 2}
            | {Step.UNANSWERED: 1, Step.WAITING: 4},
            [
                (10, 10, ""),
                (0, 10, ""),
                (
                    *(6, 9),
                    "3 from the cache, 2 from indexes, 1 unanswered, "
                    "waiting for the rate limit",
                ),
                (0, 0, ""),
            ],
        ),
    ],
)
def test_stages_tell_done_and_total(counts, expected):
    found = stages(counts, 10)
    assert [stage.name for stage in found] == [
        *("read", "extracted", "looked up", "scored")
    ]
    assert [(stage.done, stage.total, stage.note) for stage in found] == expected


def test_pace_follows_the_last_minute_and_forgets_the_wait_before():
    pace = Pace()
    assert pace.seconds_left(Stage("read", 0, 10)) is None
    for now, done in ((0.0, 0), (50.0, 0), (52.0, 4)):
        pace.note(now, [Stage("read", done, 10)])
    assert pace.per_second("read") == 2.0
    assert pace.seconds_left(Stage("read", 4, 10)) == 3.0
    assert pace.seconds_left(Stage("read", 10, 10)) is None
    pace.note(120.0, [Stage("read", 4, 10)])
    assert pace.seconds_left(Stage("read", 4, 10)) is None


def test_progress_in_words():
    pace = Pace()
    found = [Stage("read", 0, 2_000), Stage("looked up", 0, 0)]
    assert in_words([Stage("scored", 0, 0)], pace) == "starting"
    pace.note(0.0, found)
    found[0] = Stage("read", 1_000, 2_000, "2 unreadable")
    pace.note(10.0, found)
    assert in_words(found, pace) == "read 1,000 of 2,000 (2 unreadable, 0:10 left)"
    assert [clock(s) for s in (0.4, 61, 3_725)] == ["0:00", "1:01", "1:02:05"]


def test_questions_are_counted_by_who_answered_them(tmp_path):
    (tmp_path / "counts").mkdir()
    folder = ProgressFolder(tmp_path / "counts")
    lookups = [Lookup(f"doi:{work.doi}", doi=work.doi) for work in (QUILLS, LANTERNS)]
    with StandIn(SemanticScholarService([QUILLS, LANTERNS])) as index:
        settings = FetchSettings(
            index=("semantic-scholar",),
            cache_path=tmp_path / "cache",
            state_folder=tmp_path,
            semantic_scholar_url=index.url + SemanticScholarService.prefix,
            rate_per_second=50.0,
            first_delay_seconds=0.0,
        )
        for wanted in (lookups[:1], lookups):
            resolver = open_resolver(settings, folder)
            assert len(list(resolver.resolve(wanted))) == len(wanted)
            resolver.close()
        index.fail(Fault(status=404), times=9)
        resolver = open_resolver(settings, folder)
        list(resolver.resolve([Lookup("doi:10.99999/x", doi="10.99999/x")]))
        resolver.close()
    assert +folder.totals() == {
        Step.ASKED: 4,
        Step.FROM_CACHE: 1,
        Step.FROM_INDEX: 2,
        Step.UNANSWERED: 1,
    }


@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_counts_whatever_its_processes_do(tmp_path, workers):
    for name in ("counts", "tables"):
        (tmp_path / name).mkdir()
    folder = ProgressFolder(tmp_path / "counts")
    columns = {"id_column": "doc_id", "text_column": "text"}
    inputs = expand([SAMPLE / "manuscripts"], **columns)
    plan = graph.Plan(
        sources=inputs.sources,
        **columns,
        extract=ExtractSettings(),
        fetch=FetchSettings(
            index=("papers",),
            cache_path=tmp_path / "cache",
            state_folder=tmp_path,
            papers=(SAMPLE / "papers.parquet",),
        ),
        judge=load_judge(None, None),
        lanes=1,
        tables=tmp_path / "tables",
        progress=folder,
    )
    pipeline = make_pipeline(workers, {})
    graph.build(pipeline, plan)
    pipeline.run().wait_until_finish()
    found = {stage.name: stage for stage in stages(folder.totals(), inputs.documents)}
    assert (found["read"].done, found["read"].total) == (16, 16)
    assert (found["scored"].done, found["scored"].total) == (96, 96)
    assert found["references"].done == found["references"].total > 100
    assert found["looked up"].done == found["looked up"].total > 0


def test_lines_without_a_terminal(tmp_path, capfd):
    folder = ProgressFolder(tmp_path)
    folder.add(Step.READ, 3)
    with shown(folder, 4, line_seconds=0.01):
        while not (error := capfd.readouterr().err):
            time.sleep(0.01)
    assert error.startswith("citation-support: read 3 of 4; extracted 0 of 4\n")


def test_no_error_of_progress_reaches_the_run():
    class Broken:
        def totals(self):
            raise RuntimeError

    with shown(Broken(), 4, line_seconds=0.01):
        pass


def test_a_terminal_shows_stages_and_gets_its_cursor_back(tmp_path):
    ours, theirs = pty.openpty()
    papers = SAMPLE / "papers.parquet"
    arguments = (
        *("screen", SAMPLE / "manuscripts", "--papers", papers, "--offline"),
        *("--output", tmp_path / "run", "--cache", tmp_path / "cache"),
        *("--workers", 1),
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "pipeline", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "120"},
    )
    os.close(theirs)
    shown = _read_all(ours)
    out, _ = process.communicate()
    assert process.returncode == 0
    assert b"\x1b" not in out and b"support rate" in out
    assert b"read " in shown and b"/16" in shown and b"looked up" in shown
    assert shown.rindex(b"\x1b[?25h") > shown.rindex(b"\x1b[?25l")
    assert not list(pathlib.Path(tmp_path / "run").glob(".partial"))


def _read_all(terminal):
    parts = []
    try:
        while part := os.read(terminal, 65_536):
            parts.append(part)
    except OSError:  # How Linux says that the other end is closed.
        pass
    return b"".join(parts)
