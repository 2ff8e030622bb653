"""Tests of the ``check-references`` command."""

from __future__ import annotations

import json
import re

import pytest

from pipeline.references.fixes import to_bibtex
from tests.sample_records import CHECK
from tests.screening import SAMPLE, run
from tests.stand_in import SemanticScholarService, StandIn
from tests.stand_in.works import LANTERNS, QUILLS, WORKS, write_json_lines
from transforms.read_documents.bibtex import read_bibtex

_BIB = f"""
@article{{good, author={{Ode, Tamsin}}, title={{{QUILLS.title}}}, year=2014,
  doi={{{QUILLS.doi}}}}}
@article{{year, author={{Ode, T.}}, title={{{QUILLS.title}}}, year=2001}}
@article{{doi, author={{Ode, T.}}, title={{{QUILLS.title}}}, year=2014,
  journal={{Tides & Quills}}, doi={{{LANTERNS.doi}}}}}
@book{{book, author={{Ba, C.}}, title={{All of shears}}, year=2012}}
"""
_MADE_UP = "@article{wakes, author={Voss, E.}, title={Of whale wakes}, year=2011}\n"


@pytest.fixture
def check(tmp_path):
    """Checks a bibliography against local papers."""
    papers = write_json_lines(tmp_path / "papers.jsonl", WORKS)

    def check_(text, *arguments, name="list.bib"):
        file = tmp_path / name
        file.write_text(text, encoding="utf-8")
        local = ("--papers", papers, "--cache", tmp_path / "cache.sqlite")
        return run("check-references", file, *local, *arguments)

    return check_


def test_prints_label_and_reasons(check, capfd):
    assert check(_BIB) == 0
    out = " ".join(capfd.readouterr().out.split())
    assert "4 entries: 1 exact, 2 minor, 0 major, 1 not_verifiable" in out
    assert "year: cited 2001, record 2014" in out


def test_json_has_a_line_for_each_entry(check, capfd):
    assert check(_BIB, "--json") == 0
    rows = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    assert {row["reference_id"]: row["label"] for row in rows} == {
        "good": "exact", "year": "minor", "doi": "minor", "book": "not_verifiable",
    }  # fmt: skip
    assert [row["duplicate_of"] for row in rows] == [None, None, "good", None]
    assert rows[0]["matched"][0]["title"] == QUILLS.title


def test_a_made_up_work_is_major_and_exits_with_1(check, tmp_path, capfd):
    with StandIn(SemanticScholarService(WORKS)) as server:
        asked = ("--index", "papers,semantic-scholar", "--rate", "1000")
        url = ("--semantic-scholar-url", f"{server.url}/graph/v1")
        assert check(_BIB + _MADE_UP, *asked, *url) == 1
    out = capfd.readouterr().out
    assert "1 major" in out
    assert "for 1,000 references" in out


def test_an_index_that_cannot_be_asked_is_incomplete(check, capfd):
    assert check(_MADE_UP, "--index", "papers,crossref", "--offline") == 3
    assert "INCOMPLETE: crossref: offline" in capfd.readouterr().out


def test_fixes_are_a_database_of_the_corrected_entries(check, tmp_path):
    out = tmp_path / "fixed.bib"
    assert check(_BIB, "--fixes", out) == 0
    fixed = read_bibtex(out.read_text(encoding="utf-8"))
    assert list(fixed) == ["year", "doi"]
    assert (fixed["year"].year, fixed["year"].title) == (2014, QUILLS.title)
    assert (fixed["doi"].doi, fixed["doi"].venue) == (QUILLS.doi, "Tides & Quills")
    assert (tmp_path / "list.bib").read_text(encoding="utf-8") == _BIB


def test_the_input_is_never_written(check, tmp_path, capfd):
    assert check(_BIB, "--fixes", tmp_path / "list.bib") == 2
    assert "--fixes" in capfd.readouterr().err
    assert (tmp_path / "list.bib").read_text(encoding="utf-8") == _BIB


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "list.ris",
            f"TY  - JOUR\nAU  - Ode, T\nTI  - {QUILLS.title}\nPY  - 2014\nER  -",
        ),
        ("list.json", json.dumps([{"id": "a", "title": QUILLS.title}])),
        (
            "paper.md",
            f"Rates fell.\n\n# References\n\nOde T. 2014. {QUILLS.title}. Quills.",
        ),
    ],
)
def test_takes_other_formats(check, capfd, name, text):
    assert check(text, name=name) == 0
    assert "1 entries: 1 exact" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ("Nothing is cited here.", "a.txt", "no reference list"),
        ("", "a.txt", "empty"),
    ],
)
def test_says_what_is_wrong_with_the_file(check, capfd, text, name, said):
    assert check(text, name=name) == 2
    assert said in capfd.readouterr().err


def test_says_what_is_wrong_with_a_table_of_venues(check, tmp_path, capfd):
    (tmp_path / "venues.tsv").write_text("magazine\tTides\n")
    assert check(_BIB, "--venues", tmp_path / "venues.tsv") == 2
    assert "magazine" in capfd.readouterr().err


def test_fixes_hold_no_markup_that_tex_would_run():
    entry = to_bibtex([CHECK])
    assert entry.startswith("% year: cited 2016")
    assert "@article{ref-7," in entry


def test_the_sample_bibliography_comes_out_as_it_says(tmp_path, capfd):
    file = SAMPLE / "references.bib"
    expected = re.findall(
        r"^% (exact|minor|major|not_verifiable)", file.read_text("utf-8"), re.MULTILINE
    )
    local = ("--papers", SAMPLE / "papers.parquet", "--cache", tmp_path / "cache")
    assert run("check-references", file, *local, "--offline", "--json") == 1
    rows = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    assert [row["label"] for row in rows] == expected
