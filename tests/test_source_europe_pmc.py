"""Tests of the Europe PMC client against what only Europe PMC does."""

import json

import pytest

from tests.network_sources import open_client
from tests.stand_in import EuropePmcService, Fault, StandIn
from tests.stand_in.clock import FakeTime
from tests.stand_in.works import EVERYWHERE
from transforms.fetch_evidence.sources.europe_pmc import EuropePmc

_DOIS = [f"doi:{work.doi}" for work in EVERYWHERE]


@pytest.fixture
def stand_in():
    with StandIn(EuropePmcService(EVERYWHERE)) as server:
        yield server


@pytest.fixture
def source(stand_in, tmp_path):
    client = open_client("europe-pmc", tmp_path, FakeTime())
    yield EuropePmc(client, stand_in.url + EuropePmcService.prefix)
    client.close()


def answer(*records):
    body = {"hitCount": len(records), "resultList": {"result": list(records)}}
    return Fault(200, json.dumps(body).encode())


def test_sends_what_the_service_expects(stand_in, source):
    source.by_ids(["doi:10.9999/a(b)", "pmid:7", "pmcid:PMC77", "arxiv:2101.00001"])
    source.by_title("Limits of one’s tidal-quills", "Ode", 2014)
    source.by_title("Quills", "", None)
    source.by_author_year(("Al\u2010Aly", 'N"g'), 2014, ("depth", "quills"))
    ids, title, bare, names = (request.query["query"] for request in stand_in.requests)
    assert ids == 'DOI:"10.9999/a(b)" OR (EXT_ID:7 AND SRC:MED) OR PMCID:PMC77'
    assert title == (
        "(TITLE:limits OR TITLE:ones OR TITLE:tidal OR TITLE:quills)"
        " AND PUB_YEAR:[2013 TO 2015]"
    )
    assert bare == "(TITLE:quills)"
    assert names == (
        'AUTH:"Al-Aly" AND AUTH:"Ng" AND PUB_YEAR:[2013 TO 2015] AND (depth OR quills)'
    )
    for request in stand_in.requests:
        assert request.path == "/europepmc/webservices/rest/search"
        assert request.query["resultType"] == "core"
        assert request.query["format"] == "json"
        assert int(request.query["pageSize"]) <= 1000


def test_long_dois_are_parted(stand_in, source):
    keys = [*_DOIS, *(f"doi:10.9999/{'x' * 300}{n}" for n in range(30))]
    assert [work and work.doi for work in source.by_ids(keys)[:5]] == [
        *(work.doi for work in EVERYWHERE),
        None,
    ]
    assert len(stand_in.requests) == 4


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({}, ("", "", (), None)),
        ({"title": "Ice &amp; <i>fog</i>."}, ("Ice & fog", "", (), None)),
        ({"title": "Does ice float?"}, ("Does ice float?", "", (), None)),
        ({"pubYear": "2014"}, ("", "", (), 2014)),
        ({"pubYear": "in press"}, ("", "", (), None)),
        (
            {"abstractText": "<h4>Background</h4>Ice floats. <h4>Aims </h4>x<y."},
            ("", "Background: Ice floats. Aims: x<y.", (), None),
        ),
        (
            {"authorString": "Schoenfeld JD, van der Prell M."},
            ("", "", ("Schoenfeld JD", "van der Prell M"), None),
        ),
        (
            {
                "authorString": "Other X.",
                "authorList": {
                    "author": [
                        {"lastName": "Ode", "firstName": "Tamsin", "fullName": "Ode T"},
                        {"lastName": "Ng", "initials": "A"},
                        *({"fullName": "Lim P"}, {"collectiveName": "Kelp Group"}),
                        *({}, None, "x"),
                    ]
                },
            },
            ("", "", ("Ode, Tamsin", "Ng, A", "Lim P", "Kelp Group"), None),
        ),
        ({"authorString": None, "authorList": None}, ("", "", (), None)),
    ],
    ids=str,
)
def test_reads_records(stand_in, source, record, expected):
    stand_in.fail(answer({"id": "7", "source": "MED", "pmid": "7", **record}))
    (work,) = source.by_ids(["pmid:7"])
    assert (work.title, work.abstract, work.authors, work.year) == expected
    assert work.paper_id == "MED/7"


@pytest.mark.parametrize("record", [None, "7", {}, {"id": ""}])
def test_what_is_no_record_is_asked_again(stand_in, source, record):
    stand_in.fail(answer(record))
    assert None not in source.by_ids(_DOIS)
    assert len(stand_in.requests) == 2


def test_no_hit_is_an_answer(stand_in, source):
    assert source.by_ids(["pmid:5"]) == [None]
    assert len(stand_in.requests) == 1


def test_of_two_records_one_with_an_abstract_counts(stand_in, source):
    text = "Ice floats on water, and nobody knows it better."
    preprint = {"id": "PPR1", "source": "PPR", "doi": "10.9999/A"}
    article = {"id": "7", "source": "MED", "doi": "10.9999/a", "abstractText": text}
    stand_in.fail(answer(preprint, article))
    assert source.by_ids(["doi:10.9999/a"])[0].paper_id == "MED/7"
