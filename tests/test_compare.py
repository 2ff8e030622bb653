"""Tests of the ``compare`` command."""

from __future__ import annotations

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline.compare import Change, Kind, compare
from tests.screening import run, screen_sample

_MANIFEST = {
    "program": "citation-support",
    "started_at": "2026-05-01T00:00:00+00:00",
    "version": "0.1.0",
    "status": "complete",
    "problems": [],
    "options": {},
    "inputs": {"documents": 1},
    "counts": {},
    "requests": {},
}


def _row(ordinal, marker="Ode, 2014", claim="Snails rest.", **values):
    return {
        "doc_id": "a.txt",
        "ordinal": ordinal,
        "citation_id": f"a.txt#{ordinal}",
        "marker": marker,
        "claim": claim,
        "status": "checked",
        "grade": "strong",
        "coverage": 0.5,
        **values,
    }


@pytest.fixture
def write(tmp_path):
    """Writes the citations of a run; returns its folder."""

    def write(name, rows):
        (tmp_path / name / "citations").mkdir(parents=True)
        table = pa.Table.from_pylist(
            rows, pa.schema(_TRIAGED if _has(rows) else _PLAIN)
        )
        pq.write_table(table, tmp_path / name / "citations" / "a.parquet")
        (tmp_path / name / "manifest.json").write_text(json.dumps(_MANIFEST))
        return tmp_path / name

    return write


_PLAIN = [
    ("doc_id", pa.string()),
    ("ordinal", pa.int64()),
    ("citation_id", pa.string()),
    ("marker", pa.string()),
    ("claim", pa.string()),
    ("status", pa.string()),
    ("grade", pa.string()),
    ("coverage", pa.float64()),
]
_TRIAGED = [*_PLAIN, ("triage", pa.string())]


def _has(rows):
    return any("triage" in row for row in rows)


def _values(status="checked", grade="strong", coverage=0.5):
    return {"status": status, "grade": grade, "coverage": coverage}


def test_a_citation_is_known_by_sentence_and_marker_wherever_it_stands(write):
    first = write("a", [_row(1), _row(2, "Ng, 2015"), _row(3, grade="low")])
    second = write("b", [_row(4), _row(5, "Ng, 2015"), _row(6, grade="low")])
    found = compare(first, second)
    assert (found.same, found.changes) == (3, ())


def test_new_gone_and_changed_are_told_apart(write):
    first = write("a", [_row(1), _row(2, "Ng, 2015"), _row(3, "Box, 1976")])
    second = write(
        "b",
        [
            _row(1, grade="low", coverage=0.1),
            _row(2, "Box, 1976"),
            _row(3, "Pike, 1999", status="not_found", grade=None, coverage=None),
        ],
    )
    found = compare(first, second)
    assert found.changes == (
        Change(
            Kind.CHANGED,
            "a.txt#1",
            "Ode, 2014",
            _values(),
            _values("checked", "low", 0.1),
        ),
        Change(Kind.GONE, "a.txt#2", "Ng, 2015", _values(), {}),
        Change(Kind.NEW, "a.txt#3", "Pike, 1999", {}, _values("not_found", None, None)),
    )
    assert found.counts() == {"same": 1, "new": 1, "gone": 1, "changed": 1}


def test_triage_counts_where_both_runs_have_it(write):
    plain = write("plain", [_row(1)])
    on_topic = write("on", [_row(1, triage="on_topic")])
    off_topic = write("off", [_row(1, triage="off_topic")])
    assert not compare(plain, off_topic).changes
    (change,) = compare(on_topic, off_topic).changes
    assert (change.before["triage"], change.after["triage"]) == (
        "on_topic",
        "off_topic",
    )


def test_the_exit_code_says_whether_anything_changed(write, capfd):
    first = write("a", [_row(1), _row(2, "[red]Ng, 2015")])
    second = write("b", [_row(1, grade="low", coverage=0.1)])
    assert run("compare", first, first) == 0
    assert capfd.readouterr().out == "2 same, 0 new, 0 gone, 0 changed\n"
    assert run("compare", first, second) == 4
    out = capfd.readouterr().out
    assert "[red]Ng, 2015" in out
    assert "0 same, 0 new, 1 gone, 1 changed" in out
    assert run("compare", first, second, "--json") == 4
    told = json.loads(capfd.readouterr().out)
    assert told["counts"]["changed"] == 1
    assert told["changes"][0]["after"] == _values("checked", "low", 0.1)


def test_runs_of_the_command_can_be_compared(tmp_path):
    arguments = ("--workers", 1, "--no-report", "--quiet")
    for name, more in (("a", ()), ("b", ()), ("c", ("--max-citations", 7))):
        assert screen_sample(tmp_path / name, *arguments, *more) == 0
    assert run("compare", tmp_path / "a", tmp_path / "b") == 0
    assert run("compare", tmp_path / "a", tmp_path / "c") == 4


def test_a_folder_without_a_run_is_named(write, tmp_path, capfd):
    assert run("compare", write("a", [_row(1)]), tmp_path) == 2
    assert str(tmp_path) in capfd.readouterr().err


def test_damaged_tables_are_said_in_one_line(write, capfd):
    folder = write("a", [_row(1)])
    (folder / "citations" / "a.parquet").write_bytes(b"no Parquet")
    assert run("compare", folder, folder) == 1
    assert capfd.readouterr().err.count("\n") == 1
