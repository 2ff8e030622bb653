"""Tests of the ``evaluate-extraction`` command."""

from __future__ import annotations

import json

import pytest

from pipeline.evaluation.extraction import measure
from pipeline.exits import UsageError
from tests.screening import run

_TEXT = "Rates fell (Ode et al., 2001; Ng, 2002). Orr (2003) did not agree."
_JATS = (
    '<article><body><p>Rates fell (<xref ref-type="bibr" rid="b1">Ode et al., 2001'
    "</xref>; Ng, 2002).</p></body><back><ref-list><ref id='b1'><element-citation>"
    "<year>2001</year></element-citation></ref></ref-list></back></article>"
)


def _gold(*texts):
    return [
        {"start": _TEXT.index(t), "end": _TEXT.index(t) + len(t), "text": t, "rid": rid}
        for rid, t in texts
    ]


@pytest.fixture
def folder(tmp_path):
    """Gold data of one document: one citation too few, one too many."""
    (tmp_path / "a.txt").write_text(_TEXT)
    (tmp_path / "a.xml").write_text(_JATS)
    document = {
        "id": "a",
        "text_path": "a.txt",
        "source_path": "a.xml",
        "citations": _gold(("b1", "Ode et al., 2001"), ("b2", "Ng, 2002")),
        "refs": {"b1": {"authors": ["Ode, T."]}, "b2": {"authors": ["Nguyen, L."]}},
    }
    (tmp_path / "gold.jsonl").write_text(json.dumps(document) + "\n")
    return tmp_path


def test_measures_keys_spans_and_anchors(folder):
    tallies = measure(folder).tallies
    assert tallies["keys"].found == {"a|ode 2001"}
    assert tallies["keys"].missed == {"a|nguyen 2002"}
    assert tallies["keys"].wrong == {"a|ng 2002", "a|orr 2003"}
    assert (tallies["spans"].precision, tallies["spans"].recall) == (2 / 3, 1.0)
    assert tallies["anchors"].found == {"a|b1 #1"}
    assert tallies["anchors"].missed == {"a|b2 #1"}


def test_lists_gains_and_losses_against_a_baseline(folder, tmp_path, capfd):
    baseline = tmp_path / "before.json"
    assert run("evaluate-extraction", folder, "--save", baseline) == 0
    before = json.loads(baseline.read_text())
    assert run("evaluate-extraction", folder, "--baseline", baseline) == 0
    assert "no change against the baseline" in capfd.readouterr().out
    before[folder.name]["keys"]["found"] = ["a|voss 1999"]
    baseline.write_text(json.dumps(before))
    assert run("evaluate-extraction", folder, "--baseline", baseline) == 0
    out = capfd.readouterr().out
    assert "keys: 1 gained\n    a|ode 2001" in out
    assert "keys: 1 lost\n    a|voss 1999" in out


def test_says_what_is_wrong_with_gold_data(tmp_path, capfd):
    assert run("evaluate-extraction", tmp_path) == 2
    assert "gold.jsonl" in capfd.readouterr().err
    for line, wrong in (("{}", "line 1: has no id"), ("{", "line 1: not JSON")):
        (tmp_path / "gold.jsonl").write_text(line)
        with pytest.raises(UsageError, match=wrong):
            measure(tmp_path)
    assert run("evaluate-extraction", tmp_path, "--baseline", tmp_path / "no") == 2
