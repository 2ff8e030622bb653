"""Tests of the resolver: the right work or none, its abstract or why there is none."""

import dataclasses
import json

import pytest

from tests.network_sources import NETWORKS, open_client
from tests.stand_in import Fault, StandIn
from tests.stand_in.clock import FakeTime
from tests.stand_in.works import LANTERNS, QUILLS, SNAILS, WORKS, write_json_lines
from transforms.fetch_evidence.cache import EvidenceCache
from transforms.fetch_evidence.costs import Stats
from transforms.fetch_evidence.resolver import Resolver
from transforms.fetch_evidence.sources.papers import Papers
from transforms.records import Entry, EvidenceStatus, Lookup, MatchMethod

_TEXT = "An abstract of lanterns and of nothing else, at some length. "
_FOREIGN = (
    "Whales were counted from a cliff in three winters by two observers with one "
    "pair of binoculars between them. Numbers fell in rough seas. Nobody knows "
    "where they go in summer, although some think that they follow herring. More "
    "observers would help, as would a second pair of binoculars and warmer gloves."
)
_TITLE = "Lantern drift under surface waves in calm weather"
_OTHER = Entry("Of whales and their wakes in winter", ("Quux",), 1977)
BY_ID = Lookup("doi:10.99999/quills.1", doi="10.99999/quills.1")


def described(work):
    return Entry(work.title, tuple(a.split(",")[0] for a in work.authors), work.year)


@pytest.fixture
def fake():
    return FakeTime()


@pytest.fixture
def open_papers(tmp_path):
    def open_(*works):
        file = write_json_lines(tmp_path / "papers.jsonl", works)
        return Papers([file], tmp_path / "state")

    return open_


@pytest.fixture
def serve(tmp_path, fake):
    """Opens resolvers over stand-ins of network indexes, which share one cache."""
    opened = []

    def open_(*indexes, before=(), **settings):
        """Takes pairs of an index and the works it has, or a service."""
        sources = list(before)
        servers = []
        for name, held in indexes:
            service = held if hasattr(held, "answer") else NETWORKS[name].stand_in(held)
            server = StandIn(service)
            server.__enter__()
            servers.append(server)
            client = open_client(name, tmp_path, fake)
            url = server.url + NETWORKS[name].path
            sources.append(NETWORKS[name].open(client, url))
        cache = EvidenceCache(tmp_path / "cache.sqlite", clock=fake.clock)
        made = Resolver(sources, cache, clock=fake.clock, **settings)
        opened.append((made, servers))
        return made, *servers

    yield open_
    for made, servers in opened:
        made.close()
        for server in servers:
            server.__exit__(None, None, None)


def semantic_scholar(works=WORKS, **settings):
    return "semantic-scholar", NETWORKS["semantic-scholar"].stand_in(works, **settings)


# The right work or none.


def test_a_record_that_is_described_is_found(serve):
    resolver, _ = serve(semantic_scholar())
    lookup = dataclasses.replace(BY_ID, entries=(described(QUILLS), Entry()))
    (piece,) = resolver.resolve([lookup])
    assert piece.status is EvidenceStatus.FOUND
    assert (piece.match_method, piece.match_score) == (MatchMethod.IDENTIFIER, 1.0)
    assert piece.abstract_source == "semantic-scholar"


def test_a_record_of_another_work_is_a_mismatch(serve):
    resolver, server = serve(semantic_scholar())
    # Neither another identifier nor a title is asked for: both would hide it.
    lookup = dataclasses.replace(
        BY_ID, pmid="41000001", title=SNAILS.title, entries=(_OTHER,)
    )
    (piece,) = resolver.resolve([lookup])
    assert piece.status is EvidenceStatus.IDENTITY_MISMATCH
    assert piece.detail == "title, first author, year"
    assert piece.work and piece.work.title == QUILLS.title
    assert (piece.match_method, piece.match_score) == (None, None)
    assert len(server.requests) == 1


def test_one_of_several_descriptions_is_enough(serve):
    resolver, _ = serve(semantic_scholar())
    lookup = dataclasses.replace(BY_ID, entries=(_OTHER, described(QUILLS)))
    (piece,) = resolver.resolve([lookup])
    assert piece.status is EvidenceStatus.FOUND


def test_the_next_index_may_have_the_right_record(serve):
    wrong = dataclasses.replace(LANTERNS, doi=QUILLS.doi)
    resolver, *_ = serve(semantic_scholar([wrong]), ("crossref", [QUILLS]))
    (piece,) = resolver.resolve(
        [dataclasses.replace(BY_ID, entries=(described(QUILLS),))]
    )
    assert piece.status is EvidenceStatus.FOUND
    assert piece.work and piece.work.source == "crossref"


def test_a_mismatch_is_not_searched_for_elsewhere(serve):
    resolver, _, second = serve(semantic_scholar(), ("crossref", [SNAILS]))
    lookup = dataclasses.replace(BY_ID, title=SNAILS.title, entries=(_OTHER,))
    (piece,) = resolver.resolve([lookup])
    assert piece.status is EvidenceStatus.IDENTITY_MISMATCH
    assert [request.query.get("query.bibliographic") for request in second.requests]
    assert len(second.requests) == 1


def test_the_identifier_in_the_text_is_asked_first(serve):
    resolver, server = serve(semantic_scholar())
    lookup = Lookup("pmcid:PMC4100002", doi="10.99999/none", pmcid="PMC4100002")
    (piece,) = resolver.resolve([lookup])
    assert piece.work and piece.work.title == LANTERNS.title
    assert server.requests[0].body == {"ids": ["PMCID:4100002"]}


def test_a_title_match_has_a_score(serve):
    resolver, _ = serve(semantic_scholar())
    lookup = Lookup(
        "k",
        title="Snail migrations on tidal clocks",
        surnames=("Sjøstrand",),
        year=2017,
    )
    (piece,) = resolver.resolve([lookup])
    assert piece.match_method is MatchMethod.TITLE
    assert piece.match_score and 0.95 < piece.match_score < 1.0


def test_a_search_that_returns_another_year_finds_nothing(serve):
    resolver, server = serve(semantic_scholar())
    record = {"paperId": "p", "year": 1999, "authors": [{"name": "T. Ode"}]}
    server.fail(Fault(200, json.dumps({"total": 1, "data": [record]}).encode()))
    (piece,) = resolver.resolve([Lookup("k", surnames=("Ode",), year=2014)])
    assert piece.status is EvidenceStatus.NOT_FOUND
    assert piece.detail == "semantic-scholar: none of 1 candidates agrees"


def test_a_sole_candidate_without_a_word_of_the_claim_is_not_taken(open_papers, serve):
    resolver, *_ = serve(before=[open_papers(QUILLS)])
    lookup = Lookup("k", surnames=("Ode",), year=2014, terms=("whales", "winter"))
    (piece,) = resolver.resolve([lookup])
    assert piece.status is EvidenceStatus.NOT_FOUND
    assert piece.detail == "papers: one candidate, too little like it: q1 (0.60)"


def test_the_candidate_that_stands_out_is_taken(open_papers, serve):
    twin = dataclasses.replace(QUILLS, paper_id="q0", title="Kelp", doi=None, pmid=None)
    twin = dataclasses.replace(twin, abstract="Kelp rots where nobody rinses it.")
    resolver, *_ = serve(before=[open_papers(twin, QUILLS)])
    lookup = Lookup("k", surnames=("Ode",), year=2014, terms=("estuaries", "quills"))
    (piece,) = resolver.resolve([lookup])
    assert piece.work == QUILLS
    assert piece.match_method is MatchMethod.AUTHOR_YEAR
    assert piece.match_score == 0.95


# Its abstract, or why there is none.


def test_a_withheld_abstract_is_a_status_of_its_own(serve):
    resolver, _ = serve(semantic_scholar(elided=["q1"]))
    (piece,) = resolver.resolve([BY_ID])
    assert piece.status is EvidenceStatus.WITHHELD
    assert piece.work and piece.work.is_withheld
    assert piece.abstract_source == ""


def test_a_withheld_abstract_is_taken_from_elsewhere(serve):
    resolver, *_ = serve(semantic_scholar(elided=["q1"]), ("crossref", [QUILLS]))
    (piece,) = resolver.resolve([BY_ID])
    assert piece.status is EvidenceStatus.FOUND
    assert piece.work and piece.work.source == "semantic-scholar"
    assert piece.work.abstract == QUILLS.abstract
    assert piece.abstract_source == "crossref"


def test_an_index_without_the_abstract_does_not_change_that_it_is_withheld(serve):
    bare = dataclasses.replace(QUILLS, abstract="")
    resolver, *_ = serve(semantic_scholar(elided=["q1"]), ("crossref", [bare]))
    (piece,) = resolver.resolve([BY_ID])
    assert piece.status is EvidenceStatus.WITHHELD


@pytest.mark.parametrize(
    ("notice", "status"),
    [
        ("No abstract is available for this article.", EvidenceStatus.NO_ABSTRACT),
        ("Abstract withheld at the publisher's request.", EvidenceStatus.WITHHELD),
    ],
)
def test_a_notice_is_no_abstract(open_papers, serve, notice, status):
    resolver, *_ = serve(
        before=[open_papers(dataclasses.replace(QUILLS, abstract=notice))]
    )
    (piece,) = resolver.resolve([BY_ID])
    assert piece.status is status
    assert piece.work and piece.work.abstract == ""


def test_the_abstract_of_another_work_is_suspect(open_papers, serve):
    odd = dataclasses.replace(QUILLS, title=_TITLE, abstract=_FOREIGN)
    resolver, *_ = serve(before=[open_papers(odd)])
    (piece,) = resolver.resolve([BY_ID])
    assert piece.status is EvidenceStatus.SUSPECT_ABSTRACT
    assert piece.work == odd


def test_a_suspect_abstract_is_sought_in_the_next_index(open_papers, serve):
    odd = dataclasses.replace(QUILLS, title=_TITLE, abstract=_FOREIGN)
    sound = dataclasses.replace(QUILLS, title=_TITLE, abstract=_TEXT)
    resolver, _ = serve(("crossref", [sound]), before=[open_papers(odd)])
    (piece,) = resolver.resolve([BY_ID])
    assert piece.status is EvidenceStatus.FOUND
    assert piece.work == dataclasses.replace(odd, abstract=_TEXT.strip())
    assert piece.abstract_source == "crossref"


# Few requests.


def test_a_work_is_known_by_each_of_its_identifiers(serve):
    resolver, server = serve(semantic_scholar())
    list(resolver.resolve([BY_ID]))
    (piece,) = resolver.resolve([Lookup("pmid:41000001", pmid="41000001")])
    assert piece.work and piece.work.title == QUILLS.title
    assert len(server.requests) == 1


def test_a_work_found_by_title_is_known_by_its_identifiers(serve):
    resolver, server = serve(semantic_scholar())
    list(resolver.resolve([Lookup("k", title=SNAILS.title, year=2016)]))
    (piece,) = resolver.resolve([Lookup("arxiv:2199.01234", arxiv_id="2199.01234")])
    assert piece.work and piece.work.title == SNAILS.title
    assert len(server.requests) == 1


def test_a_record_without_abstract_stands_for_no_other_identifier(serve):
    # The index may hold a better one under it.
    bare = dataclasses.replace(QUILLS, paper_id="bare", abstract="", pmid="9")
    full = dataclasses.replace(QUILLS, doi=None, pmid="9")
    resolver, server = serve(semantic_scholar([full, bare]))
    list(resolver.resolve([BY_ID]))
    (piece,) = resolver.resolve([Lookup("pmid:9", pmid="9")])
    assert piece.status is EvidenceStatus.FOUND
    assert len(server.requests) == 2


def test_counts_the_fewest_requests_that_would_do(serve):
    resolver, _ = serve(semantic_scholar())
    lookups = [Lookup(f"pmid:{n}", pmid=str(n)) for n in range(1, 602)]
    lookups += [Lookup(str(n), title=f"Whale number {n} of all") for n in range(3)]
    lookups += [Lookup("k", surnames=("Ode",), year=2014)]
    list(resolver.resolve(lookups))
    stats = resolver.take_stats()
    assert (stats.requests, stats.floor) == (2 + 3 + 1, 2 + 3 + 1)
    assert (stats.network_lookups, stats.network_misses) == (605, 604)


def test_a_local_file_costs_no_requests(open_papers, serve):
    resolver, *_ = serve(before=[open_papers(QUILLS)])
    list(resolver.resolve([BY_ID, Lookup("k", title="Of whales and their wakes")]))
    assert resolver.take_stats() == Stats()


# Batches that are refused.


def _ids(count):
    return [Lookup(f"pmid:{n}", pmid=str(n)) for n in range(1, count + 1)]


def test_one_poisonous_id_fails_alone(serve):
    resolver, server = serve(semantic_scholar(poisonous=["PMID:77"]))
    evidence = list(resolver.resolve([*_ids(200), BY_ID]))
    failed = [p.key for p in evidence if p.status is EvidenceStatus.FETCH_FAILED]
    assert failed == ["pmid:77"]
    assert evidence[76].detail == "semantic-scholar: HTTP 400"
    assert evidence[-1].status is EvidenceStatus.FOUND
    assert len(server.requests) == 17
    # What failed is asked again by the next run, and nothing else.
    server.requests.clear()
    again, server = serve(semantic_scholar())
    evidence = list(again.resolve([*_ids(200), BY_ID]))
    assert [request.body["ids"] for request in server.requests] == [["PMID:77"]]
    assert evidence[76].status is EvidenceStatus.NOT_FOUND


def test_an_answer_past_the_size_limit_is_asked_for_in_halves(serve):
    works = [
        dataclasses.replace(QUILLS, paper_id=str(n), doi=None, pmid=str(n))
        for n in range(1, 401)
    ]
    resolver, server = serve(semantic_scholar(works, most_records=100))
    evidence = list(resolver.resolve(_ids(400)))
    assert {piece.status for piece in evidence} == {EvidenceStatus.FOUND}
    assert [piece.work.paper_id for piece in evidence] == [p.key[5:] for p in evidence]
    # 400, 200, and then what has been found to pass.
    assert [len(r.body["ids"]) for r in server.requests] == [400, 200, *[100] * 4]


def test_a_batch_that_takes_too_long_is_asked_for_in_halves(serve):
    resolver, server = serve(semantic_scholar(most_ids=130))
    evidence = list(resolver.resolve([*_ids(399), BY_ID]))
    assert {p.status for p in evidence[:-1]} == {EvidenceStatus.NOT_FOUND}
    assert evidence[-1].status is EvidenceStatus.FOUND
    sizes = [len(request.body["ids"]) for request in server.requests]
    assert sizes == [400, 400, 200, 200, *[100] * 4]


@pytest.mark.parametrize("status", [500, 504])
def test_a_large_batch_that_fails_once_is_sent_again_whole(serve, status):
    resolver, server = serve(semantic_scholar())
    server.fail(Fault(status))
    list(resolver.resolve(_ids(400)))
    assert [len(request.body["ids"]) for request in server.requests] == [400, 400]


def test_a_dead_service_is_not_asked_for_every_part(serve):
    resolver, server = serve(semantic_scholar())
    server.fail(Fault(500), times=9_999)
    evidence = list(resolver.resolve(_ids(1_000)))
    assert {piece.status for piece in evidence} == {EvidenceStatus.FETCH_FAILED}
    assert len(server.requests) < 60


def test_a_request_that_is_wrong_is_not_asked_in_parts(serve):
    resolver, server = serve(semantic_scholar())
    server.fail(Fault(400, b'{"error":"Unrecognized or unsupported fields: [x]"}'))
    evidence = list(resolver.resolve(_ids(400)))
    assert {piece.status for piece in evidence} == {EvidenceStatus.FETCH_FAILED}
    assert len(server.requests) == 1


def test_throttling_now_and_then_ends_in_answers(serve):
    resolver, server = serve(semantic_scholar(), concurrency=1)
    server.fail(Fault(429), Fault(), Fault(429), Fault(429), Fault(), times=10)
    lookups = [Lookup(str(n), title=f"Whale number {n} of all") for n in range(20)]
    evidence = list(resolver.resolve(lookups))
    assert {piece.status for piece in evidence} == {EvidenceStatus.NOT_FOUND}


def test_a_batch_of_the_wrong_length_is_never_an_answer(serve):
    resolver, server = serve(semantic_scholar())
    server.fail(Fault(200, b"[null]"), times=6)
    evidence = list(resolver.resolve(_ids(3)))
    assert {piece.status for piece in evidence} == {EvidenceStatus.FETCH_FAILED}
    evidence = list(resolver.resolve(_ids(3)))
    assert {piece.status for piece in evidence} == {EvidenceStatus.NOT_FOUND}


def test_a_service_that_refuses_everybody_is_a_failure(serve):
    resolver, server = serve(semantic_scholar())
    server.fail(Fault(401, b'{"error":"A valid API key is required"}'), times=99)
    (piece,) = resolver.resolve([BY_ID])
    assert piece.status is EvidenceStatus.FETCH_FAILED
    assert piece.detail == "semantic-scholar: HTTP 401"
    assert len(server.requests) == 1
