"""Tests of the Semantic Scholar client against everything the service does."""

import email.utils
import gzip
import json
import logging
import pickle

import pytest

from tests.stand_in import Fault, SemanticScholarService, StandIn
from tests.stand_in.clock import FakeTime
from tests.stand_in.works import LANTERNS, QUILLS, SNAILS, WORKS
from transforms.fetch_evidence.rate_limit import RateLimit
from transforms.fetch_evidence.sources.backoff import retry_after_seconds
from transforms.fetch_evidence.sources.base import BatchRefused, SourceUnavailable
from transforms.fetch_evidence.sources.http import HttpClient
from transforms.fetch_evidence.sources.semantic_scholar import SemanticScholar
from transforms.fetch_evidence.sources.session import open_session

_KEYS = ["doi:10.99999/quills.1", "arxiv:2199.01234"]
_SECRET = "s3cret-key"
_THROTTLED = Fault(429, b'{"message":"Too Many Requests.","code":"429"}')


@pytest.fixture
def fake():
    return FakeTime()


@pytest.fixture
def stand_in():
    with StandIn(SemanticScholarService(WORKS)) as server:
        yield server


@pytest.fixture
def open_source(stand_in, tmp_path, fake):
    opened = []

    def open_(key="", timeout_seconds=5.0, url=stand_in.url, **bounds):
        limit = RateLimit(
            tmp_path / "limit.sqlite", "s", 10.0, clock=fake.clock, sleep=fake.sleep
        )
        client = HttpClient(
            "semantic-scholar",
            open_session(4),
            limit,
            key=key,
            timeout_seconds=timeout_seconds,
            sleep=fake.sleep,
            clock=fake.clock,
            **bounds,
        )
        opened.append(client)
        return SemanticScholar(client, f"{url}/graph/v1")

    yield open_
    for client in opened:
        client.close()


def dois(works):
    return [work and work.paper_id for work in works]


def test_sends_what_the_service_expects(stand_in, open_source):
    source = open_source(key=f" {_SECRET}\n")
    source.by_ids(["doi:10.99999/a(b)<c>#1", "arxiv:hep-th/9901001", "pmid:7"])
    source.by_ids(["pmcid:PMC77001"])
    source.by_title("Limits of one’s tidal\u2010quills", "Ode", 2014)
    source.by_author_year(("Al-Aly", "Ng"), 2014, ("depth-first",))
    batch, pmcid, match, search = stand_in.requests
    assert batch.method == "POST"
    assert batch.path == "/graph/v1/paper/batch"
    assert batch.body == {
        "ids": ["DOI:10.99999/a(b)<c>#1", "ARXIV:hep-th/9901001", "PMID:7"]
    }
    assert pmcid.body == {"ids": ["PMCID:77001"]}
    assert match.path == "/graph/v1/paper/search/match"
    assert match.query["query"] == "Limits of one's tidal quills"
    assert search.path == "/graph/v1/paper/search"
    assert search.query["query"] == "Al Aly Ng depth first"
    assert search.query["year"] == "2013-2015"
    for request in stand_in.requests:
        fields = request.query["fields"].split(",")
        assert {"title", "abstract", "externalIds", "openAccessPdf"} <= set(fields)
        assert request.headers["x-api-key"] == _SECRET
        assert request.headers["user-agent"] == "citation-support"


def test_sends_no_key_if_there_is_none(stand_in, open_source):
    open_source().by_ids(_KEYS)
    assert "x-api-key" not in stand_in.requests[0].headers


@pytest.mark.parametrize("key", ["two\nlines", "schlüssel"])
def test_a_key_that_cannot_be_sent_is_an_error_without_it(open_source, key):
    with pytest.raises(ValueError, match="API key") as error:
        open_source(key=key)
    assert key not in str(error.value)


def test_maps_answers_by_position(stand_in, open_source):
    # Merged records come back under an id that nobody asked for.
    record = {"paperId": "merged", "title": "T", "externalIds": {"DOI": "10.9/OTHER"}}
    stand_in.fail(Fault(200, json.dumps([None, record]).encode()))
    assert dois(open_source().by_ids(_KEYS)) == [None, "merged"]


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({"paperId": None}, None),
        ({}, None),
        (
            {
                "paperId": "p",
                "title": None,
                "abstract": None,
                "year": None,
                "authors": None,
                "externalIds": None,
            },
            ("", "", None, (), None),
        ),
        (
            {
                "paperId": "p",
                "title": " T ",
                "abstract": 5.5,
                "year": "2014",
                "authors": [{"name": "A"}, {"name": None}, "B", {}],
                "externalIds": {"CorpusId": 7, "PubMed": 12},
            },
            # A year in digits is a year, as in every other index.
            ("T", "", 2014, ("A",), "12"),
        ),
        *(
            ({"paperId": "p", "title": "T", "year": year}, ("T", "", None, (), None))
            for year in (10**30, 2**63, True, 0, "soon")
        ),
        (
            {"paperId": "p", "title": "T", "externalIds": [], "authors": {}},
            ("T", "", None, (), None),
        ),
    ],
)
def test_reads_sparse_and_odd_records(stand_in, open_source, record, expected):
    stand_in.fail(Fault(200, json.dumps([record]).encode()))
    (work,) = open_source().by_ids(_KEYS[:1])
    if work is not None:
        work = (work.title, work.abstract, work.year, work.authors, work.pmid)
    assert work == expected


def test_reads_every_identifier(open_source):
    works = open_source().by_ids(["doi:10.99999/quills.1", "pmcid:PMC4100002"])
    assert [(w.doi, w.pmid, w.pmcid) for w in works] == [
        (w.doi, w.pmid, w.pmcid) for w in (QUILLS, LANTERNS)
    ]
    assert open_source().by_ids(_KEYS)[1].arxiv_id == SNAILS.arxiv_id


def test_a_withheld_abstract_is_no_abstract(open_source):
    with StandIn(SemanticScholarService(WORKS, elided=["q1"])) as withholding:
        works = open_source(url=withholding.url).by_ids(_KEYS)
    assert [work.abstract for work in works] == ["", SNAILS.abstract]
    assert [work.is_withheld for work in works] == [True, False]


@pytest.mark.parametrize(
    ("disclaimer", "expected"),
    [
        ("Notice: ... elided by the publisher: {'abstract'}. Paper at ...", True),
        ("elided by the publisher: {'references', 'abstract'}. Or", True),
        ("elided by the publisher: {'references'}. The 'abstract' is here", False),
        ("", False),
        (None, False),
        (7, False),
    ],
)
def test_reads_what_is_withheld(stand_in, open_source, disclaimer, expected):
    record = {"paperId": "p", "openAccessPdf": {"disclaimer": disclaimer}}
    stand_in.fail(Fault(200, json.dumps([record]).encode()))
    (work,) = open_source().by_ids(_KEYS[:1])
    assert work.is_withheld is expected


@pytest.mark.parametrize("access", [None, "", [], {}])
def test_reads_records_that_do_not_say_what_is_withheld(stand_in, open_source, access):
    record = {"paperId": "p", "openAccessPdf": access}
    stand_in.fail(Fault(200, json.dumps([record]).encode()))
    (work,) = open_source().by_ids(_KEYS[:1])
    assert not work.is_withheld


@pytest.mark.parametrize(
    "fault",
    [
        _THROTTLED,
        Fault(429, headers={"Retry-After": "7"}),
        Fault(500, b'{"message":"Internal Server Error"}'),
        Fault(502, b"<html>bad gateway</html>", content_type="text/html"),
        Fault(503),
        Fault(504, b'{"message":"Endpoint request timed out"}'),
        Fault(closes=True),
        Fault(is_cut=True),
        Fault(200, b"<html>Please log in</html>", content_type="text/html"),
        Fault(200, b'[{"paperId":"q1","tit'),
        Fault(200, b""),
        Fault(200, b"[null]"),
        Fault(200, b"[null, null, null]"),
        Fault(200, b'{"data": []}'),
        Fault(200, b'["q1", "q3"]'),
        Fault(200, b"\xff\xfe\x00"),
    ],
    ids=lambda fault: f"{fault.status}-{fault.body}"[:40],
)
def test_tries_again_after_a_transient_fault(stand_in, open_source, fake, fault):
    stand_in.fail(fault, times=2)
    source = open_source()
    assert dois(source.by_ids(_KEYS)) == ["q1", "q3"]
    assert source.requests_made == len(stand_in.requests) == 3


def test_tries_again_after_a_time_out(stand_in, open_source):
    stand_in.fail(Fault(delay_seconds=0.2))
    assert dois(open_source(timeout_seconds=0.05).by_ids(_KEYS)) == ["q1", "q3"]
    assert len(stand_in.requests) == 2


@pytest.mark.parametrize(
    "fault",
    [
        Fault(drips="body"),
        Fault(drips="headers"),
        # Without a length, an answer that is cut short looks whole.
        Fault(drips="body", headers={"Connection": "close"}, has_length=False),
    ],
    ids=["body", "headers", "body without length"],
)
def test_tries_again_where_an_answer_drips(stand_in, open_source, fault):
    stand_in.fail(fault)
    source = open_source(answer_seconds=0.3)
    assert dois(source.by_ids(_KEYS)) == ["q1", "q3"]
    assert len(stand_in.requests) == 2


def test_an_index_whose_answers_drip_is_unavailable(stand_in, open_source):
    stand_in.fail(Fault(drips="body"), times=6)
    with pytest.raises(SourceUnavailable, match="^AnswerTooSlow, 6 tries$"):
        open_source(answer_seconds=0.1).by_ids(_KEYS)
    assert len(stand_in.requests) == 6


@pytest.mark.parametrize("packed", [False, True])
def test_a_body_that_is_too_large_is_not_read(stand_in, open_source, packed):
    body = b"[" + b" " * 200_000 + b"]"
    headers = {"Content-Encoding": "gzip"} if packed else {}
    body = gzip.compress(body) if packed else body
    stand_in.fail(Fault(200, body, headers=headers), times=6)
    with pytest.raises(SourceUnavailable, match="^BodyTooLarge, 6 tries$"):
        open_source(max_body_bytes=200_000).by_ids(_KEYS)


def test_a_body_may_be_as_large_as_the_bound(stand_in, open_source):
    body = json.dumps([{"paperId": "q1"}, None]).encode()
    stand_in.fail(Fault(200, body))
    source = open_source(max_body_bytes=len(body))
    assert dois(source.by_ids(_KEYS)) == ["q1", None]


def test_gives_up_after_six_tries(stand_in, open_source, fake):
    stand_in.fail(Fault(500), times=99)
    with pytest.raises(SourceUnavailable, match="HTTP 500, 6 tries"):
        open_source().by_ids(_KEYS)
    assert len(stand_in.requests) == 6
    pauses = [pause for pause in fake.slept if pause >= 1.0]
    for pause, least in zip(pauses, [2, 4, 8, 16, 32], strict=True):
        assert least <= pause <= least * 1.25


@pytest.mark.parametrize(
    ("faults", "count", "is_too_large", "requests"),
    [
        ([Fault(500), Fault(504)], 51, True, 2),
        ([Fault(502), Fault(503), Fault(500)], 51, True, 3),
        ([Fault(400, b'{"error":"Response would exceed maximum size."}')], 2, True, 1),
        ([Fault(400, b'{"error":"Invalid paper id"}')], 2, False, 1),
    ],
)
def test_a_batch_may_be_answered_in_parts(
    stand_in, open_source, faults, count, is_too_large, requests
):
    stand_in.fail(*faults)
    with pytest.raises(BatchRefused) as error:
        open_source().by_ids([f"pmid:{n}" for n in range(1, count + 1)])
    assert error.value.is_too_large is is_too_large
    assert len(stand_in.requests) == requests


def test_a_small_batch_is_not_taken_for_too_large(stand_in, open_source):
    stand_in.fail(Fault(504), times=5)
    assert open_source().by_ids([f"pmid:{n}" for n in range(1, 51)]) == [None] * 50
    assert len(stand_in.requests) == 6


def test_gives_up_when_nobody_is_there(open_source):
    with pytest.raises(SourceUnavailable, match="ConnectionError, 6 tries"):
        open_source(url="http://127.0.0.1:9").by_title("Secret title", "Ode", 2014)


@pytest.mark.parametrize(
    ("header", "least", "most"),
    [
        ({}, 2.0, 2.5),
        ({"Retry-After": "45"}, 45.0, 45.0),
        ({"Retry-After": "86400"}, 600.0, 600.0),
        ({"Retry-After": "soon"}, 2.0, 2.5),
        ({"Retry-After": "-5"}, 2.0, 2.5),
        ({"Retry-After": email.utils.formatdate(1_700_000_030)}, 30.0, 30.0),
    ],
)
def test_throttling_makes_everybody_pause(
    stand_in, open_source, fake, header, least, most
):
    stand_in.fail(Fault(429, headers=header))
    start = fake.now
    assert dois(open_source().by_ids(_KEYS)) == ["q1", "q3"]
    assert least <= fake.now - start <= most + 0.01
    # The pause is not paid twice: once in line, once in the back-off.
    assert len([pause for pause in fake.slept if pause > 1]) == 1


@pytest.mark.parametrize(
    ("written", "seconds"),
    [
        ("", 0.0),
        ("0", 0.0),
        ("1.5", 1.5),
        ("nan", 0.0),
        ("inf", 600.0),
        ("Tue, 14 Nov 2023 22:14:00 GMT", 40.0),
        ("Tue, 14 Nov 2023 22:14:00 -0000", 40.0),
        ("Mon, 13 Nov 2023 22:14:00 GMT", 0.0),
        ("14 Nov", 0.0),
    ],
)
def test_reads_retry_after(written, seconds):
    assert retry_after_seconds(written, 1_700_000_000.0) == seconds


def test_every_try_waits_for_the_rate_limit(stand_in, open_source, fake):
    stand_in.fail(Fault(200, b"no"), times=3)
    source = open_source()
    source.by_ids(_KEYS)
    source.by_ids(_KEYS)
    # The second question comes in the slot after the last try.
    assert fake.slept[-1] == pytest.approx(0.1)


def test_unknown_ids_are_an_answer(stand_in, open_source):
    assert open_source().by_ids(["doi:10.99999/no", "pmid:1"]) == [None, None]
    assert len(stand_in.requests) == 1


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, b'{"error":"Unrecognized or unsupported fields: [x]"}'),
        (400, b"<html>bad request</html>"),
        (403, b'{"message":"Forbidden"}'),
        (404, b'{"message":"Not Found"}'),
        (404, b"<html>no such page</html>"),
        (301, b""),
        (410, b""),
    ],
)
def test_does_not_repeat_what_no_try_can_cure(
    stand_in, open_source, fake, status, body
):
    stand_in.fail(Fault(status, body), times=9)
    source = open_source()
    for ask in (
        lambda: source.by_ids(_KEYS),
        lambda: source.by_title("Snail migration", "", None),
        lambda: source.by_author_year(("Ode",), 2014, ()),
    ):
        with pytest.raises(SourceUnavailable, match=f"HTTP {status}"):
            ask()
    assert len(stand_in.requests) == 3


def test_no_title_match_is_an_answer(stand_in, open_source):
    assert open_source().by_title("Of whales and their wakes", "", None) == []
    assert len(stand_in.requests) == 1


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b'{"data": []}', []),
        (b'{"total": 0, "offset": 0}', []),
        (b'{"paperId": "bare", "title": "T"}', ["bare"]),
        (b'{"data": [{"paperId": "a"}, null, {"paperId": "b"}]}', ["a", "b"]),
    ],
)
def test_reads_every_form_of_a_match(stand_in, open_source, body, expected):
    stand_in.fail(Fault(200, body))
    assert dois(open_source().by_title("T", "", None)) == expected


@pytest.mark.parametrize(
    "body", [b'{"total": 3}', b'{"data": null}', b"[]", b'{"data": ["x"]}']
)
def test_tries_a_malformed_search_again(stand_in, open_source, body):
    stand_in.fail(Fault(200, body))
    found = open_source().by_author_year(("Ode",), 2014, ("quills",))
    assert dois(found) == ["q1"]
    assert len(stand_in.requests) == 2


def test_no_hit_has_no_data(stand_in, open_source):
    assert open_source().by_author_year(("Quux",), 2014, ("whales",)) == []
    assert len(stand_in.requests) == 1


def test_a_refused_key_is_dropped_once_and_loudly(tmp_path, stand_in, fake, caplog):
    service = SemanticScholarService(WORKS, keys={"another"})
    with StandIn(service) as strict, caplog.at_level(logging.DEBUG):
        limit = RateLimit(
            tmp_path / "l.sqlite", "s", 10.0, clock=fake.clock, sleep=fake.sleep
        )
        client = HttpClient(
            "semantic-scholar",
            open_session(1),
            limit,
            key=_SECRET,
            sleep=fake.sleep,
            clock=fake.clock,
        )
        source = SemanticScholar(client, f"{strict.url}/graph/v1")
        assert dois(source.by_ids(_KEYS)) == ["q1", "q3"]
        assert dois(source.by_ids(_KEYS)) == ["q1", "q3"]
        client.close()
    sent = ["x-api-key" in request.headers for request in strict.requests]
    assert sent == [True, True, False, False]
    warnings = [r for r in caplog.records if r.levelno >= logging.WARNING]
    assert len(warnings) == 1
    assert "refuses the API key (HTTP 403)" in warnings[0].getMessage()
    assert _SECRET not in caplog.text + repr(client) + repr(source)
    # Nothing is to be gained by waiting.
    assert max(fake.slept) < 1.0


def test_a_key_refused_once_is_kept(stand_in, open_source, caplog):
    stand_in.fail(Fault(401, b'{"error":"A valid API key is required"}'))
    source = open_source(key=_SECRET)
    source.by_ids(_KEYS)
    stand_in.fail(Fault(403))
    source.by_ids(_KEYS)
    assert all("x-api-key" in request.headers for request in stand_in.requests)
    assert not caplog.records


def test_never_follows_a_redirect_with_the_key(stand_in, open_source):
    with StandIn() as elsewhere:
        stand_in.fail(Fault(302, headers={"Location": f"{elsewhere.url}/steal"}))
        with pytest.raises(SourceUnavailable, match="HTTP 302"):
            open_source(key=_SECRET).by_ids(_KEYS)
        assert elsewhere.requests == []


def test_errors_hold_neither_key_nor_text(stand_in, open_source):
    stand_in.fail(Fault(closes=True), times=99)
    with pytest.raises(SourceUnavailable) as error:
        open_source(key=_SECRET).by_title("Secret title", "Ode", 2014)
    copy = pickle.loads(pickle.dumps(error.value))
    assert copy.reason == error.value.reason == "ConnectionError, 6 tries"
    assert error.value.__suppress_context__


def test_logs_hold_neither_key_nor_text(stand_in, open_source, caplog):
    with caplog.at_level(logging.DEBUG):
        stand_in.fail(Fault(500))
        open_source(key=_SECRET).by_title("Unpublished title", "Ode", 2014)
    assert _SECRET not in caplog.text
    assert "Unpublished" not in caplog.text


def test_a_misread_title_is_cut(stand_in, open_source):
    open_source().by_title("word " * 3000, "", None)
    assert len(stand_in.requests[0].query["query"]) <= 500
