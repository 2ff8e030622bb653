"""Tests of the ``evaluate-references`` command."""

from __future__ import annotations

import gzip
import json

import pytest

from pipeline.evaluation.closed_world import ClosedWorld, read_records, reference_of
from pipeline.evaluation.references import measure
from tests.screening import run
from transforms.verify_references.venue_table import read_venues

_OYSTER = {
    "title": "Oysters breathe less in warm and still bays",
    "authors": ["Ode, T", "Ng, L"],
    "year": "2011",
    "venue": "Journal of Tides",
    "doi": "10.1000/oyster",
    "arxiv_id": "",
}
_SNAIL = {
    **_OYSTER,
    "title": "Snails graze the upper shore at night",
    "authors": ["Quist, A", "Tam, B"],
    "doi": "10.1000/snail",
}
_FREE = {"doi": "", "subtests": {"doi_resolves": None}, "truth": None}


def _item(name, label, **changes):
    return {**_OYSTER, "id": name, "label": label, **changes}


@pytest.fixture
def folder(tmp_path):
    records = [
        {**record, "record_id": f"r{n}", "volume": "3", "first_page": "14"}
        for n, record in enumerate((_OYSTER, _SNAIL))
    ]
    hallmark = [
        _item("valid", "EXACT", **_FREE, label_raw="VALID"),
        _item("year", "MINOR", **_FREE, year="2019", label_raw="year"),
        _item("lost", "MINOR", **_FREE, title="Kelp dies", label_raw="lost"),
        _item("made up", "MAJOR", **_FREE, title="Kelp sings", label_raw="made up"),
    ]
    pairs = [_item("p1", "EXACT"), _item("p2", "EXACT", venue="Shore Notes")]
    injected = [
        _item("i1", "MINOR", kind="doi", doi="10.1000/snail", remove_from_index=[]),
        _item("i2", "MAJOR", kind="gone", remove_from_index=["10.1000/oyster"]),
    ]
    with gzip.open(tmp_path / "records.jsonl.gz", "wt") as lines:
        lines.writelines(json.dumps(record) + "\n" for record in records)
    for name, items in (
        ("hallmark_dev", hallmark),
        ("jats_pairs", pairs),
        ("injected_errors", injected),
    ):
        text = "".join(json.dumps(item) + "\n" for item in items)
        (tmp_path / f"{name}.jsonl").write_text(text)
    return tmp_path


def test_labels_are_counted(folder):
    measured = measure(folder, read_venues())
    assert measured.records == 2
    assert (len(measured.hallmark.pairs), measured.hallmark.left_out) == (3, 1)
    assert measured.hallmark.macro_f1 == 1.0
    assert measured.hallmark_all.macro_f1 < 1.0
    assert measured.hallmark_all.detection == 1.0
    assert measured.injected.macro_f1 == pytest.approx(2 / 3 + 1 / 3)
    assert measured.pairs.labels == {"exact": 1, "minor": 1}
    assert measured.pairs.causes == {"venue": 1}
    assert measured.absent.labels == {"major": 2}


def test_what_is_hidden_is_not_found(folder):
    world = ClosedWorld(read_records(folder / "records.jsonl.gz"))
    reference = reference_of(_item("x", "EXACT"))
    assert [w.doi for w in world.find(reference).works] == ["10.1000/oyster"]
    assert not world.find(reference, hidden=["10.1000/oyster"]).works


def test_the_command_prints_and_saves(folder, tmp_path, capsys):
    out = tmp_path / "out.json"
    assert run("evaluate-references", folder, "--json", out) == 0
    printed = capsys.readouterr().out
    assert "known errors" in printed
    assert "false alarm rate" not in printed
    saved = json.loads(out.read_text())
    assert saved["hallmark"]["references"] == 3
    assert saved["real_pairs"]["flagged"] == 0.5
    assert saved["absent_works"]["labels"] == {"major": 2}


def test_a_folder_without_data_is_named(tmp_path, capfd):
    assert run("evaluate-references", tmp_path) == 2
    assert "records.jsonl.gz" in capfd.readouterr().err
    (tmp_path / "records.jsonl").write_text("{}\n")
    assert run("evaluate-references", tmp_path) == 2
    assert "not a record" in capfd.readouterr().err
