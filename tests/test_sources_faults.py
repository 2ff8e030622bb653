"""Tests that every network index is asked politely, whatever it does."""

import logging

import pytest

from tests.network_sources import NETWORKS, open_client
from tests.stand_in import Fault, StandIn
from tests.stand_in.clock import FakeTime
from tests.stand_in.works import EVERYWHERE
from transforms.fetch_evidence.sources.base import SourceUnavailable

_NEW = [name for name in NETWORKS if name != "semantic-scholar"]
_HTML = b"<html>Please log in</html>"
_TRANSIENT = {
    "429": Fault(429),
    "429 that says how long": Fault(429, headers={"Retry-After": "7"}),
    "500": Fault(500, b'{"message":"Internal Server Error"}'),
    "502": Fault(502, _HTML, content_type="text/html"),
    "503": Fault(503),
    "504": Fault(504),
    "reset": Fault(closes=True),
    "cut": Fault(is_cut=True),
    "page": Fault(200, _HTML, content_type="text/html"),
    "empty": Fault(200, b""),
    "null": Fault(200, b"null"),
    "list": Fault(200, b"[]"),
    "object": Fault(200, b"{}"),
    "another feed": Fault(200, b"<feed><entry/></feed>"),
    "deep": Fault(200, b"[" * 100_000),
}
_IDS = {"arxiv": "arxiv_id"}


@pytest.fixture(params=_NEW)
def name(request):
    return request.param


@pytest.fixture
def stand_in(name):
    with StandIn(NETWORKS[name].stand_in(EVERYWHERE)) as server:
        yield server


@pytest.fixture
def open_source(name, stand_in, tmp_path):
    opened = []

    def open_(fake=None, mailto=""):
        client = open_client(name, tmp_path, fake or FakeTime(), mailto)
        opened.append(client)
        return NETWORKS[name].open(client, stand_in.url + NETWORKS[name].path)

    yield open_
    for client in opened:
        client.close()


def keys(name, count=2):
    kind = NETWORKS[name].asks[0]
    return [f"{kind}:{getattr(w, _IDS.get(kind, kind))}" for w in EVERYWHERE[:count]]


@pytest.mark.parametrize("fault", _TRANSIENT.values(), ids=_TRANSIENT)
@pytest.mark.parametrize("count", [1, 2])
def test_tries_again_after_a_transient_fault(name, stand_in, open_source, fault, count):
    stand_in.fail(fault, times=2)
    found = open_source().by_ids(keys(name, count))
    assert [work.title for work in found] == [w.title for w in EVERYWHERE[:count]]
    assert len(stand_in.requests) == 3


def test_gives_up_after_six_tries(name, stand_in, open_source):
    stand_in.fail(Fault(500), times=99)
    source = open_source()
    with pytest.raises(SourceUnavailable, match="HTTP 500, 6 tries"):
        source.by_title("Snail migration", "Ode", 2014)
    assert source.requests_made == len(stand_in.requests) == 6


@pytest.mark.parametrize("status", [400, 401, 404, 410, 414])
def test_does_not_repeat_what_no_try_can_cure(name, stand_in, open_source, status):
    stand_in.fail(Fault(status, _HTML, content_type="text/html"), times=9)
    source = open_source()
    for ask in (
        lambda: source.by_ids(keys(name)),
        lambda: source.by_title("Snail migration", "", None),
        lambda: source.by_author_year(("Ode",), 2014, ("quills",)),
    ):
        with pytest.raises(SourceUnavailable, match=f"HTTP {status}"):
            ask()
    assert len(stand_in.requests) == 3


def test_leaves_an_index_alone_that_blocks_it(name, stand_in, open_source, caplog):
    stand_in.fail(Fault(403))
    source = open_source()
    for _ in range(3):
        with pytest.raises(SourceUnavailable, match="HTTP 403, asked no more"):
            source.by_ids(keys(name))
    assert len(stand_in.requests) == 1
    warnings = [r for r in caplog.records if r.levelno >= logging.WARNING]
    assert len(warnings) == 1
    assert f"{name} will answer nothing more" in warnings[0].getMessage()


def test_keeps_to_the_rate_of_the_index(name, open_source):
    fake = FakeTime()
    source = open_source(fake)
    start = fake.now
    for _ in range(4):
        source.by_title("Snail migration", "", None)
    per_second = {"openalex": 10, "crossref": 1, "europe-pmc": 5, "arxiv": 1 / 3}
    assert fake.now - start == pytest.approx(3 / per_second[name])


@pytest.mark.parametrize("mailto", ["", "ode@example.org"])
def test_says_who_asks(name, stand_in, open_source, mailto):
    open_source(mailto=mailto).by_title("Snail migration", "", None)
    agent = stand_in.requests[0].headers["user-agent"]
    contact = f" (mailto:{mailto})" if mailto else ""
    assert agent == f"citation-support{contact}"
    assert "x-api-key" not in stand_in.requests[0].headers


def test_neither_errors_nor_logs_hold_text(name, stand_in, open_source, caplog):
    stand_in.fail(Fault(500), Fault(400, b"Unpublished title"), Fault(403))
    source = open_source()
    with caplog.at_level(logging.DEBUG):
        for _ in range(2):
            with pytest.raises(SourceUnavailable) as error:
                source.by_title("Unpublished title", "Ode", 2014)
            assert "npublished" not in str(error.value) + caplog.text
    assert len(stand_in.requests) == 3


def test_a_misread_title_is_cut(stand_in, open_source):
    open_source().by_title("word " * 3000, "", None)
    open_source().by_title(" ".join(f"word{n}" for n in range(3000)), "", None)
    for request in stand_in.requests:
        assert sum(map(len, request.query.values())) < 1200
