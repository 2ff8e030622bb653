"""Tests of the arXiv client against what only arXiv does."""

import dataclasses

import pytest

from tests.network_sources import open_client
from tests.stand_in import ArxivService, Fault, StandIn
from tests.stand_in.arxiv import entry, feed
from tests.stand_in.clock import FakeTime
from tests.stand_in.works import EVERYWHERE, SNAILS
from transforms.fetch_evidence.sources.arxiv import SERVICE, Arxiv
from transforms.fetch_evidence.sources.arxiv_feed import decode_feed
from transforms.fetch_evidence.sources.base import MalformedAnswer, SourceUnavailable

_KEYS = [f"arxiv:{work.arxiv_id}" for work in EVERYWHERE]
_OLD = dataclasses.replace(SNAILS, arxiv_id="math/0309136")


@pytest.fixture
def stand_in():
    with StandIn(ArxivService([*EVERYWHERE, _OLD])) as server:
        yield server


@pytest.fixture
def open_source(stand_in, tmp_path):
    opened = []

    def open_(url=stand_in.url):
        client = open_client("arxiv", tmp_path, FakeTime())
        opened.append(client)
        return Arxiv(client, f"{url}/api")

    yield open_
    for client in opened:
        client.close()


def ids(works):
    return [work and work.arxiv_id for work in works]


def test_sends_what_the_service_expects(stand_in, open_source):
    source = open_source()
    source.by_ids(["arxiv:2101.00001", "doi:10.9999/x", "arxiv:hep-th/9901001"])
    source.by_title("Limits of one’s tidal-quills", "Ode", 2014)
    source.by_author_year(("van der Préll", "Ng"), 2014, ("depth", "quills"))
    listed, title, names = (request.query for request in stand_in.requests)
    assert listed == {"id_list": "2101.00001,hep-th/9901001", "max_results": "2"}
    assert title["search_query"] == "(ti:limits OR ti:ones OR ti:tidal OR ti:quills)"
    assert names["search_query"] == (
        'au:"van der prell" AND au:"ng" AND (all:depth OR all:quills)'
        " AND submittedDate:[201301010000 TO 201512312359]"
    )
    assert {request.path for request in stand_in.requests} == {"/api/query"}


def test_asks_once_in_three_seconds_over_one_connection():
    assert 1 / SERVICE.per_second == pytest.approx(3.0)
    assert SERVICE.in_flight == 1


def test_maps_answers_by_id(stand_in, open_source):
    # The stand-in turns the order round and leaves out what it does not know.
    asked = [_KEYS[1], "arxiv:2101.99999", _KEYS[0], _KEYS[3]]
    expected = [EVERYWHERE[1], None, EVERYWHERE[0], EVERYWHERE[3]]
    assert ids(open_source().by_ids(asked)) == ids(expected)
    assert len(stand_in.requests) == 1


def test_a_subject_class_is_no_part_of_an_id(stand_in, open_source):
    works = open_source().by_ids(["arxiv:math.GT/0309136", "arxiv:math/0309136"])
    assert ids(works) == ["math/0309136"] * 2
    assert stand_in.requests[0].query["id_list"] == "math/0309136"


@pytest.mark.parametrize("status", [400, 200])
def test_one_malformed_id_costs_no_other(open_source, status):
    refused = ["2101.00001", "2101.00002"]
    service = ArxivService(EVERYWHERE, error_status=status, refused=refused)
    with StandIn(service) as strict:
        keys = [*_KEYS[:2], *(f"arxiv:{one}" for one in refused), *_KEYS[2:]]
        works = open_source(strict.url).by_ids(keys)
        assert ids(works) == ids([*EVERYWHERE[:2], None, None, *EVERYWHERE[2:]])
        assert len(strict.requests) == 3


@pytest.mark.parametrize("status", [400, 200])
def test_an_id_that_is_malformed_alone_is_unknown(open_source, status):
    service = ArxivService([], error_status=status, refused=["2101.00001"])
    with StandIn(service) as strict:
        assert open_source(strict.url).by_ids(["arxiv:2101.00001"]) == [None]


def test_many_malformed_ids_are_a_failure(open_source):
    refused = [f"2101.{number:05}" for number in range(20)]
    with StandIn(ArxivService(EVERYWHERE, refused=refused)) as strict:
        with pytest.raises(SourceUnavailable, match="the list of ids was refused"):
            open_source(strict.url).by_ids([f"arxiv:{one}" for one in refused])
        assert len(strict.requests) == 10


@pytest.mark.parametrize(
    "address",
    ["http://arxiv.org/api/errors#max_results", "x/errors#incorrect_id_format_for_7"],
)
@pytest.mark.parametrize("status", [400, 200])
def test_another_error_is_a_failure(stand_in, open_source, address, status):
    body = feed([f"<entry><id>{address}</id><title>Error</title></entry>"]).body
    stand_in.fail(Fault(status, body), times=3)
    source = open_source()
    for ask in (
        lambda: source.by_ids(_KEYS),
        lambda: source.by_title("Snail migration", "", None),
        lambda: source.by_author_year(("Ode",), 2014, ("quills",)),
    ):
        with pytest.raises(SourceUnavailable, match="refused"):
            ask()
    assert len(stand_in.requests) == 3


def test_reads_an_entry():
    work = dataclasses.replace(
        SNAILS,
        title="Snails $x<y$ & their clocks",
        abstract="Abstract: We show x<y and z>w for snails.",
        doi="10.99999/snails",
    )
    (read,) = decode_feed(feed([entry(work)]).body).works
    assert read == dataclasses.replace(
        work,
        source="arxiv",
        paper_id="2199.01234",
        abstract="We show x<y and z>w for snails.",
    )


@pytest.mark.parametrize(
    "written",
    [
        "<entry><title>No id</title></entry>",
        "<entry><id>http://arxiv.org/abs/2101.00001v1</id></entry>",
        "<entry><id>http://arxiv.org/abs/what</id><title>T</title></entry>",
    ],
)
def test_leaves_out_empty_entries(written):
    assert decode_feed(feed([written]).body).works == ()


@pytest.mark.parametrize(
    "body", [b"", b"{}", b"<html/>", b"<feed/>", b"\xff\xfe", feed([]).body[:-9]]
)
def test_what_is_no_feed_is_malformed(body):
    with pytest.raises(MalformedAnswer):
        decode_feed(body)


def test_resolves_no_entities(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    written = entry(SNAILS).replace("Snails", "&leak; Snails")
    body = feed([written]).body.decode().partition("?>")
    declared = f'<!DOCTYPE feed [<!ENTITY leak SYSTEM "{secret.as_uri()}">]>'
    feed_ = decode_feed(f"{body[0]}?>{declared}{body[2]}".encode())
    assert "secret" not in repr(feed_)


def test_entities_do_not_grow():
    levels = "".join(f'<!ENTITY e{n + 1} "{f"&e{n};" * 10}">' for n in range(12))
    declared = f'<!DOCTYPE feed [<!ENTITY e0 "x">{levels}]>'
    written = entry(SNAILS).replace("Snails", "&e12; Snails")
    body = feed([written]).body.decode().partition("?>")
    with pytest.raises(MalformedAnswer):
        decode_feed(f"{body[0]}?>{declared}{body[2]}".encode())
