"""Tests of the resolver: what is asked where, and what comes of it."""

import dataclasses
import threading
import time

import pytest

from tests.stand_in import Fault, SemanticScholarService, StandIn
from tests.stand_in.clock import FakeTime
from tests.stand_in.works import (
    BARE,
    LANTERNS,
    QUILLS,
    SNAILS,
    WORKS,
    write_json_lines,
)
from transforms.fetch_evidence import resolver as resolver_module
from transforms.fetch_evidence.cache import EvidenceCache
from transforms.fetch_evidence.costs import Stats
from transforms.fetch_evidence.rate_limit import RateLimit
from transforms.fetch_evidence.resolver import Resolver
from transforms.fetch_evidence.sources.base import SourceUnavailable
from transforms.fetch_evidence.sources.http import HttpClient
from transforms.fetch_evidence.sources.papers import Papers
from transforms.fetch_evidence.sources.semantic_scholar import SemanticScholar
from transforms.fetch_evidence.sources.session import open_session
from transforms.records import EvidenceStatus, Lookup, MatchMethod

_NOW = "2023-11-14T22:13:20+00:00"  # What FakeTime begins with.
_DAY = 86_400.0
_ABSTRACT = "An abstract that only Semantic Scholar has, at some length."

BY_ID = Lookup("doi:10.99999/quills.1", doi="10.99999/quills.1")
BY_TITLE = Lookup(
    "title:snails",
    title="Snail migration on tidal clocks",
    surnames=("Sjøstrand",),
    et_al=True,
    year=2016,
)
BY_AUTHORS = Lookup(
    "author-year:lanterns",
    surnames=("van der Prell", "Ng"),
    year=2015,
    terms=("lanterns", "drift"),
)
UNKNOWN_ID = Lookup("doi:10.99999/none", doi="10.99999/none")
UNKNOWN_TITLE = Lookup("title:whales", title="Of whales and their wakes in winter")


@pytest.fixture
def fake():
    return FakeTime()


@pytest.fixture
def stand_in():
    with StandIn(SemanticScholarService(WORKS)) as server:
        yield server


@pytest.fixture
def open_remote(tmp_path, fake):
    """Opens resolvers that ask a stand-in; all share one cache."""
    opened = []

    def open_(server, *before, **settings):
        limit = RateLimit(
            tmp_path / "limit.sqlite", "s", 1e6, clock=fake.clock, sleep=fake.sleep
        )
        client = HttpClient(
            "semantic-scholar",
            open_session(4),
            limit,
            sleep=fake.sleep,
            clock=fake.clock,
        )
        source = SemanticScholar(client, f"{server.url}/graph/v1")
        cache = EvidenceCache(tmp_path / "cache.sqlite", clock=fake.clock)
        made = Resolver([*before, source], cache, clock=fake.clock, **settings)
        opened.append(made)
        return made

    yield open_
    for made in opened:
        made.close()


@pytest.fixture
def open_papers(tmp_path):
    def open_(*works):
        file = write_json_lines(tmp_path / "papers.jsonl", works)
        return Papers([file], tmp_path / "state")

    return open_


@pytest.fixture
def open_local(tmp_path):
    """Opens resolvers over local sources, which leave the cache alone."""
    return lambda *sources, **settings: Resolver(
        sources, EvidenceCache(tmp_path / "unused.sqlite"), **settings
    )


class Stub:
    """A source that answers nothing, for tests to override."""

    name = "stub"
    is_remote = False
    batch_size = 2
    requests_made = 0

    def by_ids(self, keys):
        """Knows none."""
        return [None] * len(keys)

    def by_title(self, title, surname, year):
        """Knows none."""
        return []

    def by_author_year(self, surnames, year, terms):
        """Knows none."""
        return []

    def close(self):
        """Holds nothing."""


def statuses(evidence):
    return [piece.status.value for piece in evidence]


def remote(work):
    return dataclasses.replace(work, source="semantic-scholar")


def paths(server):
    return [
        request.path.removeprefix("/graph/v1/paper/") for request in server.requests
    ]


def test_goes_from_identifier_to_title_to_search(stand_in, open_remote):
    lookups = [BY_AUTHORS, BY_TITLE, BY_ID, UNKNOWN_ID, UNKNOWN_TITLE]
    resolver = open_remote(stand_in)
    evidence = list(resolver.resolve(lookups))
    assert [piece.key for piece in evidence] == [lookup.key for lookup in lookups]
    assert [piece.work for piece in evidence] == [
        remote(LANTERNS),
        remote(SNAILS),
        remote(QUILLS),
        None,
        None,
    ]
    assert statuses(evidence) == ["found"] * 3 + ["not_found"] * 2
    assert [piece.retrieved_at for piece in evidence] == [_NOW] * 3 + [""] * 2
    assert evidence[3].detail == "semantic-scholar: identifier unknown"
    assert evidence[4].detail == "semantic-scholar: no candidate"
    assert sorted(paths(stand_in)) == ["batch", "search", *["search/match"] * 2]
    assert resolver.take_stats() == Stats(
        questions=5, requests=4, floor=4, network_lookups=5, network_misses=2
    )
    assert resolver.take_stats() == Stats()


def test_a_title_is_asked_where_the_identifier_is_unknown(stand_in, open_remote):
    lookup = dataclasses.replace(BY_TITLE, doi="10.99999/none")
    (piece,) = open_remote(stand_in).resolve([lookup])
    assert piece.work == remote(SNAILS)
    assert paths(stand_in) == ["batch", "search/match"]


def test_a_known_title_is_not_searched_by_authors(stand_in, open_remote):
    lookup = dataclasses.replace(BY_AUTHORS, title=UNKNOWN_TITLE.title)
    assert statuses(open_remote(stand_in).resolve([lookup])) == ["not_found"]
    assert paths(stand_in) == ["search/match"]


def test_authors_are_searched_where_identifier_is_all_else(stand_in, open_remote):
    lookup = dataclasses.replace(BY_AUTHORS, pmid="1")
    (piece,) = open_remote(stand_in).resolve([lookup])
    assert piece.work == remote(LANTERNS)
    assert paths(stand_in) == ["batch", "search"]


def test_nothing_known_asks_nothing(stand_in, open_remote):
    lookups = [Lookup("a"), Lookup("b", surnames=("Ode",)), Lookup("c", year=2014)]
    evidence = list(open_remote(stand_in).resolve(lookups))
    assert statuses(evidence) == ["not_found"] * 3
    assert evidence[0].detail == "nothing to look up by"
    assert stand_in.requests == []


def test_identifiers_of_all_lookups_share_batches(stand_in, open_remote):
    lookups = [Lookup(f"pmid:{n}", pmid=str(n)) for n in range(1, 1204)]
    lookups[700] = BY_ID
    evidence = list(open_remote(stand_in).resolve(lookups))
    assert statuses(evidence).count("found") == 1
    assert evidence[700].work == remote(QUILLS)
    assert [len(request.body["ids"]) for request in stand_in.requests] == [
        500,
        500,
        203,
    ]


def test_the_next_identifier_is_asked_only_where_need_be(stand_in, open_remote):
    both = dataclasses.replace(BY_ID, pmid="41000001")
    wrong = Lookup("doi:10.99999/none", doi="10.99999/none", pmid="41000001")
    evidence = list(open_remote(stand_in).resolve([both, wrong]))
    assert [piece.work for piece in evidence] == [remote(QUILLS)] * 2
    # The first answer carries the second identifier of the other lookup.
    assert [request.body["ids"] for request in stand_in.requests] == [
        ["DOI:10.99999/quills.1", "DOI:10.99999/none"]
    ]


def test_one_question_of_two_lookups_is_asked_once(stand_in, open_remote):
    lookups = [BY_TITLE, dataclasses.replace(BY_TITLE, key="other", doi="10.9/none")]
    assert statuses(open_remote(stand_in).resolve(lookups)) == ["found"] * 2
    assert paths(stand_in) == ["batch", "search/match"]


def test_a_second_run_makes_no_request(stand_in, open_remote, fake):
    lookups = [BY_ID, BY_TITLE, BY_AUTHORS, UNKNOWN_ID, UNKNOWN_TITLE]
    first = list(open_remote(stand_in).resolve(lookups))
    requests = len(stand_in.requests)
    fake.now += _DAY / 2
    resolver = open_remote(stand_in)
    assert list(resolver.resolve(lookups)) == first
    assert len(stand_in.requests) == requests
    assert resolver.take_stats() == Stats(
        questions=5, cache_hits=5, floor=4, network_lookups=5, network_misses=2
    )


def test_a_miss_is_asked_again_the_next_day(stand_in, open_remote, fake):
    lookups = [BY_ID, UNKNOWN_ID, UNKNOWN_TITLE]
    list(open_remote(stand_in).resolve(lookups))
    stand_in.requests.clear()
    fake.now += 1.01 * _DAY
    list(open_remote(stand_in).resolve(lookups))
    assert paths(stand_in) == ["batch", "search/match"]
    assert stand_in.requests[0].body == {"ids": ["DOI:10.99999/none"]}


def test_candidates_of_which_none_agrees_are_a_miss(stand_in, open_remote, fake):
    lookup = dataclasses.replace(BY_TITLE, year=2004)
    (piece,) = open_remote(stand_in).resolve([lookup])
    assert piece.status is EvidenceStatus.NOT_FOUND
    assert piece.detail == "semantic-scholar: none of 1 candidates agrees"
    fake.now += 1.01 * _DAY
    list(open_remote(stand_in).resolve([lookup]))
    assert len(stand_in.requests) == 2


@pytest.mark.parametrize("lookup", [BY_ID, BY_TITLE, BY_AUTHORS])
def test_a_transient_failure_is_never_cached(stand_in, open_remote, lookup):
    stand_in.fail(Fault(429), times=6)
    (piece,) = open_remote(stand_in).resolve([lookup])
    assert piece.status is EvidenceStatus.FETCH_FAILED
    assert piece.detail == "semantic-scholar: HTTP 429, 6 tries"
    assert statuses(open_remote(stand_in).resolve([lookup])) == ["found"]
    assert len(stand_in.requests) == 7


def test_a_failing_source_is_not_asked_for_titles(stand_in, open_remote):
    stand_in.fail(Fault(500), times=6, path="batch")
    lookup = dataclasses.replace(BY_TITLE, doi="10.99999/none")
    assert statuses(open_remote(stand_in).resolve([lookup])) == ["fetch_failed"]
    assert set(paths(stand_in)) == {"batch"}


def test_a_dead_source_is_left_alone(stand_in, open_remote):
    stand_in.fail(Fault(503), times=999)
    lookups = [Lookup(str(n), title=f"Whale number {n} of all") for n in range(50)]
    resolver = open_remote(stand_in, failures_in_a_row=3, concurrency=1)
    evidence = list(resolver.resolve(lookups))
    assert statuses(evidence) == ["fetch_failed"] * 50
    assert len(stand_in.requests) == 3 * 6
    details = [piece.detail for piece in evidence]
    dead = "semantic-scholar: not asked: failed 3 times in a row"
    assert details == ["semantic-scholar: HTTP 503, 6 tries"] * 3 + [dead] * 47


def test_failures_now_and_then_do_not_end_the_asking(stand_in, open_remote):
    lookups = [Lookup(str(n), title=f"Whale number {n} of all") for n in range(5)]
    for _ in range(2):
        stand_in.fail(*[Fault(503)] * 6, Fault())
    resolver = open_remote(stand_in, failures_in_a_row=2, concurrency=1)
    evidence = statuses(resolver.resolve(lookups))
    assert evidence == ["fetch_failed", "not_found"] * 2 + ["not_found"]


def test_offline_asks_the_cache_alone(stand_in, open_remote):
    list(open_remote(stand_in).resolve([BY_ID, BY_TITLE, UNKNOWN_ID]))
    stand_in.requests.clear()
    lookups = [BY_ID, BY_TITLE, UNKNOWN_ID, BY_AUTHORS]
    # Cached under its title, though not under this identifier.
    lookups.append(dataclasses.replace(BY_TITLE, key="new", doi="10.99999/new"))
    evidence = list(open_remote(stand_in, offline=True).resolve(lookups))
    assert statuses(evidence) == [
        *("found", "found", "not_found", "fetch_failed", "found")
    ]
    assert evidence[3].detail == "semantic-scholar: offline"
    assert stand_in.requests == []


def test_offline_still_asks_local_files(stand_in, open_remote, open_papers):
    resolver = open_remote(stand_in, open_papers(QUILLS), offline=True)
    evidence = list(resolver.resolve([BY_ID, BY_TITLE]))
    assert statuses(evidence) == ["found", "fetch_failed"]
    assert evidence[0].work == QUILLS
    assert evidence[0].retrieved_at == ""


def test_the_second_source_is_asked_for_what_the_first_lacks(
    stand_in, open_remote, open_papers
):
    resolver = open_remote(stand_in, open_papers(QUILLS))
    evidence = list(resolver.resolve([BY_ID, BY_TITLE]))
    assert [piece.work for piece in evidence] == [QUILLS, remote(SNAILS)]
    assert paths(stand_in) == ["search/match"]


def test_an_abstract_is_sought_in_the_next_source(open_remote, open_papers):
    known = dataclasses.replace(BARE, abstract="Too short.")
    full = dataclasses.replace(BARE, abstract=_ABSTRACT)
    # The first source knows the title and tells the identifier.
    lookup = Lookup("title:primer", title=BARE.title, surnames=("Ode",), year=1991)
    with StandIn(SemanticScholarService([full])) as server:
        (piece,) = open_remote(server, open_papers(known)).resolve([lookup])
        assert piece.status is EvidenceStatus.FOUND
        # The record of the first, with the abstract of the second.
        assert piece.work == dataclasses.replace(known, abstract=_ABSTRACT)
        assert (piece.match_method, piece.match_score) == (MatchMethod.TITLE, 1.0)
        assert piece.abstract_source == "semantic-scholar"
        assert paths(server) == ["batch"]


def test_a_work_without_abstract_is_kept(stand_in, open_remote, open_papers):
    lookup = Lookup("doi:10.99999/primer", doi="10.99999/primer")
    (piece,) = open_remote(stand_in, open_papers(BARE)).resolve([lookup])
    assert piece.status is EvidenceStatus.NO_ABSTRACT
    assert piece.work == BARE
    assert piece.detail == ""


def test_a_work_without_abstract_outlives_a_failure(stand_in, open_remote, open_papers):
    stand_in.fail(Fault(403))
    lookup = Lookup("doi:10.99999/primer", doi="10.99999/primer")
    (piece,) = open_remote(stand_in, open_papers(BARE)).resolve([lookup])
    assert piece.status is EvidenceStatus.NO_ABSTRACT
    assert piece.detail == "semantic-scholar: HTTP 403"


def test_a_failure_is_forgiven_if_another_source_finds(open_local, open_papers):
    class Broken(Stub):
        def by_ids(self, keys):
            raise SourceUnavailable("HTTP 500, 6 tries")

    resolver = open_local(Broken(), open_papers(QUILLS))
    evidence = list(resolver.resolve([BY_ID, UNKNOWN_ID]))
    assert statuses(evidence) == ["found", "fetch_failed"]
    assert evidence[0].detail == ""
    assert evidence[1].detail == "stub: HTTP 500, 6 tries"


@pytest.mark.parametrize(
    ("chars", "status"), [(29, "no_abstract"), (30, "found"), (0, "no_abstract")]
)
def test_a_short_abstract_counts_as_missing(open_local, open_papers, chars, status):
    work = dataclasses.replace(QUILLS, abstract="x" * chars)
    resolver = open_local(open_papers(work))
    assert statuses(resolver.resolve([BY_ID])) == [status]


def test_another_identifier_may_have_the_abstract(open_local, open_papers):
    bare = dataclasses.replace(QUILLS, paper_id="dup", abstract="", pmid=None)
    full = dataclasses.replace(QUILLS, doi=None)
    lookup = dataclasses.replace(BY_ID, pmid="41000001")
    (piece,) = open_local(open_papers(bare, full)).resolve([lookup])
    assert piece.work == full


def test_several_works_are_ambiguous(open_local, open_papers):
    twin = dataclasses.replace(
        LANTERNS, paper_id="q0", title="Other lanterns", doi="10.9/b", pmcid=None
    )
    (piece,) = open_local(open_papers(LANTERNS, twin)).resolve([BY_AUTHORS])
    assert piece.status is EvidenceStatus.AMBIGUOUS
    assert piece.work is None
    assert piece.detail == "2 candidates: q0 (0.90), q2 (0.95)"


def test_several_entries_are_ambiguous_and_nothing_is_asked(stand_in, open_remote):
    lookup = Lookup("entries:d|r2+r5", rivals=("r2", "r5"))
    (evidence,) = open_remote(stand_in).resolve([lookup])
    assert evidence.status is EvidenceStatus.AMBIGUOUS
    assert evidence.detail == "2 candidates: r2, r5"
    assert not stand_in.requests


def test_another_source_is_no_way_out_of_ambiguity(stand_in, open_remote, open_papers):
    twin = dataclasses.replace(LANTERNS, paper_id="q0", title="Other", doi="10.9/b")
    papers = open_papers(LANTERNS, twin)
    (piece,) = open_remote(stand_in, papers).resolve([BY_AUTHORS])
    assert piece.status is EvidenceStatus.AMBIGUOUS
    assert stand_in.requests == []


def test_an_identifier_is_a_way_out_of_ambiguity(stand_in, open_remote, open_papers):
    known = [
        dataclasses.replace(LANTERNS, paper_id=name, title=name, doi=None, pmcid=None)
        for name in ("Lamps at sea", "Fires on shore")
    ]
    lookup = dataclasses.replace(BY_AUTHORS, pmcid="PMC4100002")
    (piece,) = open_remote(stand_in, open_papers(*known)).resolve([lookup])
    assert piece.work == remote(LANTERNS)


def test_an_unforeseen_error_stays_with_its_lookup(open_local):
    class Odd(Stub):
        def by_title(self, title, surname, year):
            if title.startswith("Bad"):
                raise KeyError("the text of a document")
            return [dataclasses.replace(SNAILS, title=title)]

    titles = ["Good title of four", "Bad title of four", "Good title of five"]
    lookups = [Lookup(title, title=title) for title in titles]
    evidence = list(open_local(Odd()).resolve(lookups))
    assert statuses(evidence) == ["found", "fetch_failed", "found"]
    assert "KeyError at test_fetch_evidence_resolver.py:" in evidence[1].detail
    assert "document" not in evidence[1].detail


def test_an_odd_lookup_stays_alone(open_local, open_papers):
    odd = Lookup("odd", title=7, surnames=("Ode",))
    evidence = list(open_local(open_papers(QUILLS)).resolve([odd, BY_ID]))
    assert statuses(evidence) == ["fetch_failed", "found"]


def test_a_source_that_breaks_its_contract_is_a_failure(open_local):
    class Short(Stub):
        def by_ids(self, keys):
            return [None]

    lookups = [Lookup(f"pmid:{n}", pmid=str(n)) for n in range(1, 4)]
    evidence = statuses(open_local(Short()).resolve(lookups))
    assert evidence == ["fetch_failed", "fetch_failed", "not_found"]


def test_searches_run_at_once_within_bounds(tmp_path):
    class Slow(Stub):
        is_remote = True
        running = most = 0
        lock = threading.Lock()

        def by_title(self, title, surname, year):
            with self.lock:
                self.running += 1
                self.most = max(self.most, self.running)
            time.sleep(0.01)
            with self.lock:
                self.running -= 1
            return []

    source = Slow()
    cache = EvidenceCache(tmp_path / "cache.sqlite")
    resolver = Resolver([source], cache, concurrency=3)
    lookups = [Lookup(str(n), title=f"Whale number {n} of all") for n in range(12)]
    assert statuses(resolver.resolve(lookups)) == ["not_found"] * 12
    assert source.most == 3


def test_answers_are_kept_as_they_come(stand_in, open_remote):
    stand_in.fail(Fault(500), times=6, path="match")
    resolver = open_remote(stand_in)
    # Nobody waits for the end of the run: the first answer is enough to keep it.
    assert statuses(resolver.resolve([BY_ID, BY_TITLE])) == ["found", "fetch_failed"]
    stand_in.requests.clear()
    assert statuses(open_remote(stand_in).resolve([BY_ID])) == ["found"]
    assert stand_in.requests == []


def test_lookups_are_taken_window_by_window(open_local, open_papers, monkeypatch):
    monkeypatch.setattr(resolver_module, "_WINDOW", 2)
    read = []

    def lookups():
        for number in range(5):
            read.append(number)
            yield dataclasses.replace(BY_ID, key=str(number))

    evidence = open_local(open_papers(QUILLS)).resolve(lookups())
    assert next(evidence).key == "0"
    assert read == [0, 1]
    assert [piece.key for piece in evidence] == ["1", "2", "3", "4"]


def test_a_lost_cache_is_counted(stand_in, tmp_path, open_remote):
    (tmp_path / "cache.sqlite").mkdir()
    resolver = open_remote(stand_in)
    assert statuses(resolver.resolve([BY_ID])) == ["found"]
    assert resolver.take_stats().unsaved_answers == 1


@pytest.mark.parametrize("number", ["concurrency", "failures_in_a_row"])
def test_rejects_bad_numbers(open_local, number):
    with pytest.raises(ValueError, match=number):
        open_local(Stub(), **{number: 0})


def test_rejects_no_sources(open_local):
    with pytest.raises(ValueError, match="source"):
        open_local()
