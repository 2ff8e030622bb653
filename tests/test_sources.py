"""The contract that every source of works keeps."""

import dataclasses
import threading

import pytest
import requests

from tests.stand_in import SemanticScholarService, StandIn
from tests.stand_in.works import (
    BARE,
    LANTERNS,
    QUILLS,
    SNAILS,
    WORKS,
    write_json_lines,
)
from transforms.fetch_evidence.rate_limit import RateLimit
from transforms.fetch_evidence.sources.http import HttpClient
from transforms.fetch_evidence.sources.papers import Papers
from transforms.fetch_evidence.sources.papers_index import prepare
from transforms.fetch_evidence.sources.semantic_scholar import SemanticScholar


@pytest.fixture(params=["papers", "semantic-scholar"])
def source(request, tmp_path):
    if request.param == "papers":
        file = write_json_lines(tmp_path / "works.jsonl", WORKS)
        made = Papers(prepare([file], tmp_path / "state"))
        yield made
        made.close()
        return
    with StandIn(SemanticScholarService(WORKS)) as stand_in:
        limit = RateLimit(tmp_path / "limit.sqlite", "stand-in", 1e6)
        client = HttpClient("semantic-scholar", requests.Session(), limit)
        made = SemanticScholar(client, f"{stand_in.url}/graph/v1/")
        yield made
        made.close()


def of(source, *works):
    return [dataclasses.replace(work, source=source.name) for work in works]


def test_answers_each_id_in_order(source):
    keys = [
        "pmcid:PMC4100002",
        "doi:10.99999/unknown",
        "arxiv:2199.01234",
        "pmid:41000001",
        "doi:10.99999/quills.1",
    ]
    lanterns, snails, quills = of(source, LANTERNS, SNAILS, QUILLS)
    assert source.by_ids(keys) == [lanterns, None, snails, quills, quills]


def test_answers_when_all_ids_are_unknown(source):
    assert source.by_ids(["doi:10.99999/no", "pmid:1"]) == [None, None]


def test_answers_no_ids(source):
    assert source.by_ids([]) == []


def test_a_missing_abstract_is_empty_text(source):
    assert source.by_ids(["doi:10.99999/primer"]) == of(source, BARE)


@pytest.mark.parametrize(
    ("title", "surname", "year"),
    [
        ("Lantern Drift Under β-Waves: Part 2.", "van der Prell", 2015),
        ("Lantern drift under beta-waves, part 2", "", None),
        # One word garbled.
        ("Lantern drifts under β-waves: part 2", "Prell", 2016),
    ],
)
def test_finds_a_title(source, title, surname, year):
    assert source.by_title(title, surname, year) == of(source, LANTERNS)


@pytest.mark.parametrize("title", ["Of whales and their wakes", "", "— ?!"])
def test_finds_no_title(source, title):
    assert source.by_title(title, "Ode", 2014) == []


@pytest.mark.parametrize("year", [2013, 2014, 2015])
def test_finds_authors_of_a_year(source, year):
    found = source.by_author_year(("Ode",), year, ("depth-first", "quills"))
    assert of(source, QUILLS)[0] in found
    assert not any(work.doi == LANTERNS.doi for work in found)


@pytest.mark.parametrize(
    ("surname", "work"),
    [("Sjostrand", SNAILS), ("van der Prell", LANTERNS), ("Prell", LANTERNS)],
)
def test_folds_names(source, surname, work):
    assert work.year is not None
    found = source.by_author_year((surname,), work.year, ("migration", "drift"))
    assert found == of(source, work)


@pytest.mark.parametrize(("surname", "year"), [("Ode", 2011), ("Quux", 2014)])
def test_finds_no_authors(source, surname, year):
    assert source.by_author_year((surname,), year, ("quills",)) == []


def test_serves_threads(source):
    answers = []

    def ask():
        for _ in range(10):
            answers.append(source.by_ids(["pmid:41000001"])[0])

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == of(source, QUILLS) * 40


def test_counts_requests_only_if_remote(source):
    source.by_ids(["pmid:41000001"])
    source.by_title("Snail migration", "", None)
    assert source.requests_made == (2 if source.is_remote else 0)
