"""Tests of runs that check references, from command line to tables."""

from __future__ import annotations

import json

import pytest

from tests.screening import SAMPLE, manifest, rows, run
from tests.stand_in import CrossrefService, SemanticScholarService, StandIn
from tests.stand_in.works import LANTERNS, QUILLS, WORKS

_PROSE = "Tides rise and fall along the coast while lamps drift in the cold. " * 20
_TEXT = f"""{_PROSE}

Quills of the estuary grow where the water stays cold (Ode, 2014). Whales leave wakes
behind them that outlast the winter (Voss, 2011). Lanterns drift by waves (Prell, 2015).

References

Ode, T. (2014). {QUILLS.title}. Tides, 3, 1-9. https://doi.org/{QUILLS.doi}

Voss, E. (2011). Of whales and their wakes in winter. Tides, 5, 2-8.

Prell, M. (2015). Tides as a mirror of the moon. Tides, 6, 1-4. doi:{QUILLS.doi}
"""


@pytest.fixture
def screen(tmp_path):
    """Screens a text against stand-ins of two indexes; returns code and server."""
    (tmp_path / "a.txt").write_text(_TEXT, encoding="utf-8")
    services = SemanticScholarService(WORKS), CrossrefService([QUILLS, LANTERNS])
    with StandIn(*services) as server:

        def screen_(output, *arguments):
            return run(
                *("screen", tmp_path / "a.txt", "--output", tmp_path / output),
                *("--index", "semantic-scholar,crossref", "--workers", 1),
                *("--semantic-scholar-url", f"{server.url}/graph/v1", "--rate", 1000),
                *("--index-url", f"crossref={server.url}/crossref"),
                *("--cache", tmp_path / "cache" / "evidence.sqlite", "--no-report"),
                *arguments,
            )

        screen_.server = server
        screen_.folder = tmp_path
        yield screen_


def test_a_citation_of_no_such_work_is_not_graded(screen):
    assert screen("run") == 0
    output = screen.folder / "run"
    references = {row["title"]: row for row in rows(output, "references")}
    assert {title: row["label"] for title, row in references.items()} == {
        QUILLS.title: "exact",
        "Of whales and their wakes in winter": "major",
        "Tides as a mirror of the moon": "major",
    }
    assert sorted(row["cited_in"] for row in references.values()) == [
        ["a.txt#1"], ["a.txt#2"], ["a.txt#3"],
    ]  # fmt: skip
    found = {row["surnames"][0]: row for row in rows(output, "citations")}
    outcome = {n: (row["status"], row["reference_label"]) for n, row in found.items()}
    assert outcome == {
        "Ode": ("checked", "exact"),
        "Voss": ("identity_mismatch", "major"),
        "Prell": ("identity_mismatch", "major"),
    }
    assert found["Voss"]["detail"].startswith(
        "reference major: No work with this title"
    )
    (document,) = rows(output, "documents")
    assert (document["references_total"], document["identity_mismatch"]) == (3, 2)
    assert (document["references_exact"], document["references_major"]) == (1, 2)


def test_a_second_run_asks_nothing(screen):
    assert screen("first") == 0
    asked = len(screen.server.requests)
    assert manifest(screen.folder / "first")["requests"]["requests"] == asked
    assert screen("second") == 0
    assert len(screen.server.requests) == asked
    for table in ("references", "citations"):
        assert rows(screen.folder / "first", table) == rows(
            screen.folder / "second", table
        )


def test_requests_are_told_for_1000_references(screen, capfd):
    assert screen("run", "--checks", "references") == 0
    costs = manifest(screen.folder / "run")["reference_requests"]
    made, floor = costs["requests"], costs["floor"]
    assert costs["per_1000_references"] == pytest.approx(1000 * made / 3, abs=0.1)
    fewest = costs["floor_per_1000_references"]
    assert fewest == pytest.approx(1000 * floor / 3, abs=0.1)
    assert "Requests for 1,000 references" in capfd.readouterr().out


def test_references_alone(screen):
    assert screen("run", "--checks", "references") == 0
    output = screen.folder / "run"
    (document,) = rows(output, "documents")
    assert (document["status"], document["score"]) == ("support_not_checked", None)
    assert (document["citations_total"], document["citations_selected"]) == (3, 0)
    assert len(rows(output, "references")) == 3
    assert rows(output, "citations") == rows(output, "works") == []


def test_support_alone(screen):
    assert screen("run", "--checks", "support") == 0
    output = screen.folder / "run"
    (document,) = rows(output, "documents")
    assert (document["references_total"], document["references_exact"]) == (3, None)
    assert rows(output, "references") == []
    assert {row["reference_label"] for row in rows(output, "citations")} == {None}


def test_numbered_lists_are_checked_whole(tmp_path):
    code = run(
        *("screen", SAMPLE / "manuscripts" / "numbered-review.txt"),
        *("--output", tmp_path / "run", "--papers", SAMPLE / "papers.parquet"),
        *("--cache", tmp_path / "cache", "--checks", "references", "--no-report"),
    )
    assert code == 0
    found = rows(tmp_path / "run", "references")
    assert len(found) == 9
    assert sum(bool(row["cited_in"]) for row in found) == 9


def test_an_index_that_is_down_makes_the_run_incomplete(screen):
    assert screen("run", "--checks", "references", "--offline") == 3
    found = rows(screen.folder / "run", "references")
    assert {row["label"] for row in found} == {"not_verifiable"}
    assert all(row["unasked"] for row in found)
    problems = json.dumps(manifest(screen.folder / "run")["problems"])
    assert "references could not be asked about" in problems


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--checks", "spelling"), "--checks knows support, references"),
        (("--checks", ","), "--checks must name at least one"),
        (("--venues", "no.tsv"), "no.tsv"),
    ],
)
def test_says_what_is_wrong_with_the_flags(screen, capfd, arguments, said):
    assert screen("run", *arguments) == 2
    assert said in capfd.readouterr().err
