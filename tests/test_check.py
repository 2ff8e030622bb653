"""Tests of the ``check`` command."""

from __future__ import annotations

import json

import pytest

from pipeline.check import Term, claim_citation, explain
from tests.screening import run
from tests.stand_in.semantic_scholar import SemanticScholarService
from tests.stand_in.server import StandIn
from tests.stand_in.works import BARE, QUILLS, SNAILS, write_json_lines

_CLAIM = "Quills of cold estuaries grow in 12.5% of BRCA1 kelp (Ode, 2014)."


@pytest.fixture
def evidence(tmp_path):
    """A file with the title and the abstract of a work."""
    path = tmp_path / "work.txt"
    path.write_text(f"{QUILLS.title}\n\n{QUILLS.abstract}\n", encoding="utf-8")
    return path


def test_every_term_has_its_weight_and_its_place():
    citation = claim_citation(_CLAIM)
    assert citation.claim_unmarked == (
        "Quills of cold estuaries grow in 12.5% of BRCA1 kelp."
    )
    assert explain(citation, QUILLS) == [
        Term("quills", 1.0, "title, abstract"),
        Term("cold", 1.0, "title, abstract"),
        Term("estuaries", 1.5, "title"),
        Term("grow", 1.0, "abstract"),
        Term("12.5%", 1.5, ""),
        Term("brca1", 2.0, ""),
        Term("kelp", 1.0, ""),
    ]


def test_a_claim_is_checked_against_a_file(evidence, capfd):
    assert run("check", "--claim", _CLAIM, "--evidence", evidence) == 0
    out = capfd.readouterr().out
    assert out.startswith("grade: strong (50% of the claim's weight is covered)\n")
    assert "work: Depth-first quills in cold estuaries" in out
    assert "12.5%" in out and "not a finding" in out


@pytest.mark.parametrize(
    ("claim", "triage", "words"),
    [
        (_CLAIM, "on_topic", "topic: seems on topic (probability 0.85 or more)"),
        (
            "Vinegar rinsing of red lamps halves the rot of fronds in warm basins.",
            "off_topic",
            "topic: seems off topic (probability 0.",
        ),
    ],
)
def test_a_claim_is_judged_by_its_topic(evidence, capfd, claim, triage, words):
    arguments = ("check", "--claim", claim, "--evidence", evidence)
    assert run(*arguments) == 0
    out = capfd.readouterr().out
    assert words in out
    assert "against the topic: " in out
    assert ("best passage: Quills of the estuary" in out) == (triage == "on_topic")
    assert run(*arguments, "--json") == 0
    assert json.loads(capfd.readouterr().out)["judgement"]["triage"] == triage


def test_json_tells_the_same(evidence, capfd):
    assert run("check", "--claim", _CLAIM, "--evidence", evidence, "--json") == 0
    told = json.loads(capfd.readouterr().out)
    assert (told["status"], told["grade"], told["coverage"]) == (
        "checked",
        "strong",
        0.5,
    )
    assert told["terms"][0] == {
        "term": "quills",
        "weight": 1.0,
        "found_in": "title, abstract",
    }
    assert told["work"]["title"] == QUILLS.title


@pytest.mark.parametrize(
    ("work", "code", "begins"),
    [
        (("--title", "Snail migration on tidal clocks"), 0, "grade: low"),
        (("--doi", f"https://doi.org/{QUILLS.doi.upper()}"), 0, "grade: strong"),
        (("--doi", BARE.doi), 3, "not graded: no_abstract"),
        (("--doi", "10.99999/nowhere"), 3, "not graded: not_found"),
    ],
)
def test_a_work_is_looked_up(tmp_path, capfd, work, code, begins):
    papers = write_json_lines(tmp_path / "papers.jsonl", [QUILLS, SNAILS, BARE])
    flags = ("--papers", papers, "--cache", tmp_path / "cache")
    assert run("check", "--claim", _CLAIM, *work, *flags) == code
    assert capfd.readouterr().out.startswith(begins)


def test_a_network_index_is_asked(tmp_path, capfd):
    with StandIn(SemanticScholarService([QUILLS])) as index:
        url = index.url + SemanticScholarService.prefix
        flags = ("--semantic-scholar-url", url, "--cache", tmp_path / "cache")
        assert run("check", "--claim", _CLAIM, "--doi", QUILLS.doi, *flags) == 0
        assert run("check", "--claim", _CLAIM, "--doi", QUILLS.doi, *flags) == 0
        assert len(index.requests) == 1


def test_a_claim_that_says_nothing_is_not_graded(evidence, capfd):
    assert run("check", "--claim", "(Ode, 2014)", "--evidence", evidence) == 3
    assert capfd.readouterr().out.startswith("not graded: no_claim_terms")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--claim", " ", "--doi", "10.1000/x"], "--claim"),
        (["--claim", "Snails.", "--doi", "x"], "--doi 'x'"),
        (["--claim", "Snails.", "--arxiv", "x"], "--arxiv 'x'"),
        (["--claim", "Snails.", "--title", ""], "--title"),
        (["--claim", "Snails."], "--evidence"),
        (["--claim", "Snails.", "--doi", "10.1000/x", "--title", "T"], "--title"),
        (["--claim", "Snails.", "--evidence", "nowhere.txt"], "nowhere.txt"),
        (["--claim", "S.", "--doi", "10.1000/x", "--papers", "no.jsonl"], "no.jsonl"),
        (["--claim", "S.", "--doi", "10.1000/x", "--rate", "0"], "--rate"),
        (["--claim", "S.", "--doi", "10.1000/x", "--mailto", "x"], "--mailto"),
    ],
)
def test_bad_usage_is_said_in_one_line(arguments, named, capfd):
    assert run("check", *arguments) == 2
    out, error = capfd.readouterr()
    assert (out, error.count("\n")) == ("", 1)
    assert named in error
