"""Tests of the OpenAlex client against what only OpenAlex does."""

import dataclasses
import json

import pytest

from tests.network_sources import open_client
from tests.stand_in import Fault, OpenAlexService, StandIn
from tests.stand_in.clock import FakeTime
from tests.stand_in.works import EVERYWHERE, QUILLS
from transforms.fetch_evidence.sources.base import SourceUnavailable
from transforms.fetch_evidence.sources.openalex import OpenAlex

_COMMA = dataclasses.replace(QUILLS, doi="10.99999/a,b")
_DOIS = [f"doi:{work.doi}" for work in EVERYWHERE]


@pytest.fixture
def fake():
    return FakeTime()


@pytest.fixture
def stand_in():
    service = OpenAlexService(
        [*EVERYWHERE, _COMMA],
        merged={"pmcid:PMC7": _DOIS[0], "doi:10.9999/old": _DOIS[1]},
    )
    with StandIn(service) as server:
        yield server


@pytest.fixture
def open_source(stand_in, tmp_path, fake):
    opened = []

    def open_(url=stand_in.url, mailto=""):
        client = open_client("openalex", tmp_path, fake)
        opened.append(client)
        return OpenAlex(client, f"{url}/openalex", mailto)

    yield open_
    for client in opened:
        client.close()


def test_sends_what_the_service_expects(stand_in, open_source):
    source = open_source(mailto="ode@example.org")
    source.by_ids(["doi:10.9999/b(1)", "pmid:1", "doi:10.9999/c", "pmid:2"])
    source.by_title("Quills, one’s “limits” AND (more)", "Ode", 2014)
    source.by_author_year(("Ode", "Ng"), 2014, ("depth-first", "quills"))
    dois, pmids, title, names = stand_in.requests
    assert {r.path for r in stand_in.requests} == {"/openalex/works"}
    assert dois.query["filter"] == "doi:10.9999/b(1)|10.9999/c"
    assert dois.query["per_page"] == "100"
    assert pmids.query["filter"] == "pmid:1|2"
    assert title.query["search"] == "quills ones limits and more"
    assert names.query["search"] == "(depth OR first OR quills)"
    assert names.query["filter"] == "publication_year:2013-2015"
    for request in stand_in.requests:
        assert request.query["mailto"] == "ode@example.org"
        fields = request.query["select"].split(",")
        assert {"id", "doi", "ids", "title", "abstract_inverted_index"} <= set(fields)


@pytest.mark.parametrize(
    ("keys", "paths"),
    [
        (["doi:10.9999/a<b>#c"], ["/works/doi:10.9999/a<b>#c"]),
        (["doi:10.99999/a,b", "pmcid:PMC5"], ["/works/doi:10.99999/a,b"]),
        (["pmid:5"], ["/works/pmid:5"]),
        (["pmcid:PMC5", "pmcid:PMC6"], ["/works/pmcid:PMC5", "/works/pmcid:PMC6"]),
    ],
)
def test_asks_for_single_records_where_a_list_cannot(
    stand_in, open_source, keys, paths
):
    open_source().by_ids(keys)
    asked = [request.path.removeprefix("/openalex") for request in stand_in.requests]
    assert asked[: len(paths)] == paths


def test_a_comma_is_part_of_a_doi(open_source):
    (work, other) = open_source().by_ids(["doi:10.99999/a,b", _DOIS[0]])
    assert (work.doi, other.doi) == ("10.99999/a,b", QUILLS.doi)


def test_long_dois_are_parted(stand_in, open_source):
    keys = [f"doi:10.9999/{'x' * 300}{n}" for n in range(30)]
    assert open_source().by_ids(keys) == [None] * 30
    assert len(stand_in.requests) == 4
    assert all(len(request.query["filter"]) < 3100 for request in stand_in.requests)


@pytest.mark.parametrize(
    ("key", "title"),
    [("pmcid:PMC7", EVERYWHERE[0]), ("doi:10.9999/old", EVERYWHERE[1])],
)
def test_follows_a_merged_record(stand_in, open_source, key, title):
    source = open_source()
    assert source.by_ids([key])[0].title == title.title
    moved = stand_in.requests[1]
    assert moved.path.startswith("/openalex/works/W")
    assert "abstract_inverted_index" in moved.query["select"]
    assert source.requests_made == 2


@pytest.mark.parametrize(
    "location", ["http://127.0.0.1:9/works/W1", "", "//elsewhere/W1"]
)
def test_follows_nobody_elsewhere(stand_in, open_source, location):
    stand_in.fail(Fault(301, headers={"Location": location}))
    with pytest.raises(SourceUnavailable, match="HTTP 301"):
        open_source().by_ids(["pmid:5"])
    assert len(stand_in.requests) == 1


def test_follows_only_once(stand_in, open_source):
    stand_in.fail(Fault(301, headers={"Location": "/openalex/works/W1"}), times=9)
    with pytest.raises(SourceUnavailable, match="HTTP 301"):
        open_source().by_ids(["pmid:5"])
    assert len(stand_in.requests) == 2


def test_a_page_that_says_404_is_an_answer(stand_in, open_source):
    assert open_source().by_ids(["pmcid:PMC1"]) == [None]
    assert len(stand_in.requests) == 1


def test_a_list_that_is_not_there_is_none(stand_in, open_source):
    stand_in.fail(Fault(404, b"<html>no such page</html>"))
    with pytest.raises(SourceUnavailable, match="HTTP 404"):
        open_source().by_ids(_DOIS)


@pytest.mark.parametrize(
    ("index", "abstract"),
    [
        (None, ""),
        ({}, ""),
        ([], ""),
        ({"floats": [1, 3], "Ice": [0], "and": [2]}, "Ice floats and floats"),
        ({"Ice": [0], "floats": [7, 90_000_000_000]}, "Ice floats floats"),
        ({"Ice": [0], "x": None, "y": "1", "z": [-1, "2", None, 1.5]}, "Ice"),
        ({"Abstract": [0], "<p>Ice": [1], "floats.</p>": [2]}, "Ice floats."),
        ({"word": list(range(9_000))}, " ".join(["word"] * 5_000)),
    ],
    ids=str,
)
def test_rebuilds_an_abstract(stand_in, open_source, index, abstract):
    record = {"id": "https://openalex.org/W9", "abstract_inverted_index": index}
    stand_in.fail(Fault(200, json.dumps(record).encode()))
    assert open_source().by_ids(["pmid:5"])[0].abstract == abstract


def test_reads_odd_records(stand_in, open_source):
    records = [
        {
            "id": "https://openalex.org/W9",
            "title": None,
            "authorships": None,
            "ids": [],
        },
        {
            "id": "https://openalex.org/W8",
            "doi": "https://doi.org/10.48550/ARXIV.2101.00001",
            "title": "Quills in <i>E. coli</i> &amp; ice",
            "publication_year": 2014,
            "authorships": [
                *({"author": {"display_name": "A B"}}, {"author": None}, "C"),
                {"author": {"display_name": None}},
            ],
        },
    ]
    stand_in.fail(Fault(200, json.dumps({"results": records}).encode()))
    found = open_source().by_author_year(("B",), 2014, ("quills",))
    assert [(w.paper_id, w.title, w.authors, w.year) for w in found] == [
        ("W8", "Quills in E. coli & ice", ("A B",), 2014)
    ]
    assert (found[0].doi, found[0].arxiv_id) == (None, "2101.00001")


@pytest.mark.parametrize("record", [None, "W1", {}, {"id": None}])
def test_what_is_no_record_is_asked_again(stand_in, open_source, record):
    stand_in.fail(Fault(200, json.dumps({"results": [record]}).encode()))
    assert None not in open_source().by_ids(_DOIS)
    assert len(stand_in.requests) == 2


def test_of_two_records_one_with_an_abstract_counts(stand_in, open_source):
    bare = {"id": "https://openalex.org/W1", "doi": "https://doi.org/10.9999/A"}
    words = {"ice that floats on water melts": [0]}
    full = {**bare, "id": "https://openalex.org/W2", "abstract_inverted_index": words}
    stand_in.fail(Fault(200, json.dumps({"results": [bare, full]}).encode()))
    works = open_source().by_ids(["doi:10.9999/a", "doi:10.9999/b"])
    assert [work and work.paper_id for work in works] == ["W2", None]


@pytest.mark.parametrize(
    "headers",
    [
        {"X-RateLimit-Remaining": "0"},
        {"X-RateLimit-Remaining-USD": "0.0000"},
        {"Retry-After": "40000"},
    ],
)
def test_a_spent_budget_ends_the_asking(stand_in, open_source, fake, headers):
    stand_in.fail(Fault(429, headers=headers), times=9)
    source = open_source()
    for _ in range(3):
        with pytest.raises(SourceUnavailable, match="HTTP 429, asked no more"):
            source.by_ids(_DOIS)
    assert len(stand_in.requests) == 1
    assert fake.slept == []


def test_a_budget_runs_out_in_between(open_source):
    with StandIn(OpenAlexService(EVERYWHERE, budget=2)) as poor:
        source = open_source(poor.url)
        for _ in range(2):
            assert None not in source.by_ids(_DOIS)
        with pytest.raises(SourceUnavailable, match="HTTP 429"):
            source.by_ids(_DOIS)
        assert len(poor.requests) == 3


def test_short_throttling_is_waited_for(stand_in, open_source):
    headers = {"X-RateLimit-Remaining": "950", "Retry-After": "1"}
    stand_in.fail(Fault(429, headers=headers))
    assert None not in open_source().by_ids(_DOIS)


def test_without_words_there_is_nothing_to_search(stand_in, open_source):
    assert open_source().by_author_year(("Ode",), 2014, ()) == []
    assert stand_in.requests == []
