"""Tests of the Crossref client against what only Crossref does."""

import dataclasses
import json

import pytest

from tests.network_sources import open_client
from tests.stand_in import CrossrefService, Fault, StandIn
from tests.stand_in.clock import FakeTime
from tests.stand_in.works import EVERYWHERE, LANTERNS, QUILLS
from transforms.fetch_evidence.sources.base import SourceUnavailable
from transforms.fetch_evidence.sources.crossref import POLITE, SERVICE, Crossref

_COMMA = dataclasses.replace(QUILLS, doi="10.99999/a,b")
_DOIS = [f"doi:{work.doi}" for work in EVERYWHERE]


@pytest.fixture
def stand_in():
    with StandIn(CrossrefService([*EVERYWHERE, _COMMA])) as server:
        yield server


@pytest.fixture
def open_source(stand_in, tmp_path):
    opened = []

    def open_(mailto=""):
        client = open_client("crossref", tmp_path, FakeTime())
        opened.append(client)
        return Crossref(client, f"{stand_in.url}/crossref", mailto)

    yield open_
    for client in opened:
        client.close()


def answer(*records):
    message = {"items": list(records)}
    return Fault(200, json.dumps({"status": "ok", "message": message}).encode())


def test_sends_what_the_service_expects(stand_in, open_source):
    source = open_source("ode@example.org")
    source.by_ids(["doi:10.9999/a(1)", "doi:10.9999/b"])
    source.by_title("Limits of one’s quills", "Ode", 2014)
    source.by_author_year(("Ode", "Ng"), 2014, ("depth", "quills"))
    dois, title, names = stand_in.requests
    assert {r.path for r in stand_in.requests} == {"/crossref/works"}
    assert dois.query["filter"] == "doi:10.9999/a(1),doi:10.9999/b"
    # The service's own default would cut longer lists.
    assert int(dois.query["rows"]) >= source.batch_size
    assert title.query["query.bibliographic"] == "Limits of one's quills Ode 2014"
    assert names.query["query.author"] == "Ode Ng"
    assert names.query["query.bibliographic"] == "depth quills"
    assert names.query["filter"] == "from-pub-date:2013,until-pub-date:2015"
    for request in stand_in.requests:
        assert request.query["mailto"] == "ode@example.org"
        fields = request.query["select"].split(",")
        assert {"DOI", "title", "author", "issued", "abstract"} <= set(fields)


def test_sends_no_address_if_there_is_none(stand_in, open_source):
    open_source().by_ids(_DOIS)
    assert "mailto" not in stand_in.requests[0].query


def test_an_address_allows_more():
    assert (SERVICE.per_second, SERVICE.in_flight) == (1.0, 1)
    assert (POLITE.per_second, POLITE.in_flight) == (3.0, 3)


@pytest.mark.parametrize("doi", ["10.99999/a,b", "10.99999/(a)<1:b>2.0;#c?d%2f+e"])
def test_asks_for_a_single_record(stand_in, open_source, doi):
    (work,) = open_source().by_ids([f"doi:{doi}"])
    assert (work and work.doi) == (doi if doi == _COMMA.doi else None)
    (request,) = stand_in.requests
    assert request.path == f"/crossref/works/{doi}"
    assert not request.query


def test_a_comma_is_asked_for_by_itself(stand_in, open_source):
    works = open_source().by_ids([*_DOIS, "doi:10.99999/a,b"])
    assert [work.doi for work in works] == [*(w.doi for w in EVERYWHERE), _COMMA.doi]
    assert len(stand_in.requests) == 2


def test_never_asks_for_arxiv(stand_in, open_source):
    keys = ["doi:10.48550/arxiv.2101.00001", "arxiv:2101.00001", "pmid:1"]
    assert open_source().by_ids(keys) == [None] * 3
    assert stand_in.requests == []


def test_an_unknown_doi_is_an_answer(stand_in, open_source):
    assert open_source().by_ids(["doi:10.99999/no"]) == [None]
    assert len(stand_in.requests) == 1


@pytest.mark.parametrize("body", [b"", b"<html>no such page</html>", b"Not found"])
def test_a_wrong_address_is_no_answer(stand_in, open_source, body):
    stand_in.fail(Fault(404, body, content_type="text/plain"))
    with pytest.raises(SourceUnavailable, match="HTTP 404"):
        open_source().by_ids(["doi:10.99999/no"])


def test_a_refused_request_is_not_repeated(stand_in, open_source):
    fault = {"type": "parameter-not-allowed", "value": "x", "message": "no"}
    body = {
        "status": "failed",
        "message-type": "validation-failure",
        "message": [fault],
    }
    stand_in.fail(Fault(400, json.dumps(body).encode()))
    with pytest.raises(SourceUnavailable, match="HTTP 400"):
        open_source().by_ids(_DOIS)
    assert len(stand_in.requests) == 1


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({}, ("", "", (), None)),
        ({"title": [], "author": [], "issued": None}, ("", "", (), None)),
        (
            {"title": ["", "Ice &amp; <i>fog</i>\n now", "Other"]},
            ("Ice & fog now", "", (), None),
        ),
        (
            {
                "author": [
                    *({"family": "Ode", "given": "T."}, {"family": "Ng"}, None),
                    *({"name": "The Kelp Group", "sequence": "first"}, {}, "x"),
                    {"given": "Mono"},
                ]
            },
            ("", "", ("Ode, T.", "Ng", "The Kelp Group", "Mono"), None),
        ),
        ({"issued": {"date-parts": [[2014, 3]]}}, ("", "", (), 2014)),
        ({"issued": {"date-parts": [[None]]}}, ("", "", (), None)),
        ({"issued": {"date-parts": []}}, ("", "", (), None)),
        ({"issued": {"date-parts": "2014"}}, ("", "", (), 2014)),
        (
            {"abstract": "<jats:title>Abstract</jats:title><jats:p>x&lt;y.</jats:p>"},
            ("", "x<y.", (), None),
        ),
        ({"abstract": "<p>Ice floats.</p>"}, ("", "Ice floats.", (), None)),
        ({"abstract": 5.5, "title": "Bare"}, ("Bare", "", (), None)),
    ],
    ids=str,
)
def test_reads_records(stand_in, open_source, record, expected):
    stand_in.fail(answer({"DOI": "10.9999/A", **record}))
    work, _ = open_source().by_ids(["doi:10.9999/a", "doi:10.9999/b"])
    assert (work.title, work.abstract, work.authors, work.year) == expected


@pytest.mark.parametrize("record", [None, "10.9999/a", {}, {"DOI": ""}])
def test_what_is_no_record_is_asked_again(stand_in, open_source, record):
    stand_in.fail(answer(record))
    assert None not in open_source().by_ids(_DOIS)
    assert len(stand_in.requests) == 2


def test_drops_what_only_shares_a_word(stand_in, open_source):
    # Three works of the stand-in have "quills" or "drift" in them.
    found = open_source().by_title(LANTERNS.title, "Prell", 2015)
    assert [work.doi for work in found] == [LANTERNS.doi]
