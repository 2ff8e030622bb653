"""Tests of the evidence stage and its settings."""

import dataclasses
import functools
import logging
import pathlib
import pickle

import apache_beam as beam
import pytest
from apache_beam.metrics import MetricsFilter
from apache_beam.testing.util import assert_that, equal_to

from tests.stand_in import Fault, SemanticScholarService, StandIn
from tests.stand_in.works import BARE, QUILLS, SNAILS, WORKS, write_json_lines
from transforms.fetch_evidence.costs import Stats
from transforms.fetch_evidence.opening import open_resolver
from transforms.fetch_evidence.settings import FetchSettings, api_key
from transforms.fetch_evidence.stage import FetchEvidence
from transforms.records import (
    Evidence,
    EvidenceStatus,
    Failure,
    Lookup,
    MatchMethod,
)

_QUILLS = Lookup("doi:10.99999/quills.1", doi="10.99999/quills.1")
_BARE = Lookup("doi:10.99999/primer", doi="10.99999/primer")
_NONE = Lookup("doi:10.99999/none", doi="10.99999/none")
_SNAILS = Lookup("title:snails", title=SNAILS.title, year=2016)
_SECRET = "s3cret-key"


@pytest.fixture
def settings(tmp_path):
    return FetchSettings(
        index=("papers",),
        papers=(write_json_lines(tmp_path / "papers.jsonl", WORKS),),
        cache_path=tmp_path / "cache.sqlite",
        state_folder=tmp_path / "state",
        rate_per_second=1e6,
        first_delay_seconds=0.0,
    )


def counts(result):
    counters = result.metrics().query(MetricsFilter().with_namespace("fetch_evidence"))[
        "counters"
    ]
    return {c.key.metric.name: c.result for c in counters if c.result}


@pytest.mark.parametrize("lanes", [1, 3])
def test_gives_one_piece_of_evidence_a_work(make_pipeline, settings, lanes):
    # What two documents know of one work is put together.
    halves = [Lookup("k", title=SNAILS.title), Lookup("k", surnames=("Sjostrand",))]
    with make_pipeline() as p:
        evidence, failures = (
            p
            | beam.Create([_QUILLS, _BARE, _NONE, _QUILLS, *halves])
            | FetchEvidence(functools.partial(open_resolver, settings), lanes=lanes)
        )
        assert_that(
            evidence,
            equal_to(
                [
                    _found(_QUILLS.key, QUILLS),
                    dataclasses.replace(
                        _found(_BARE.key, BARE),
                        status=EvidenceStatus.NO_ABSTRACT,
                        abstract_source="",
                    ),
                    Evidence(
                        _NONE.key,
                        EvidenceStatus.NOT_FOUND,
                        detail="papers: identifier unknown",
                    ),
                    dataclasses.replace(
                        _found("k", SNAILS), match_method=MatchMethod.TITLE
                    ),
                ]
            ),
            label="evidence",
        )
        assert_that(failures, equal_to([]), label="failures")


def _found(key, work):
    return Evidence(
        key,
        EvidenceStatus.FOUND,
        work,
        match_method=MatchMethod.IDENTIFIER,
        match_score=1.0,
        abstract_source="papers",
    )


def test_no_lookups_are_no_evidence(make_pipeline, settings):
    with make_pipeline() as p:
        evidence, failures = (
            p
            | beam.Create([]).with_output_types(Lookup)
            | FetchEvidence(functools.partial(open_resolver, settings))
        )
        assert_that(evidence, equal_to([]), label="evidence")
        assert_that(failures, equal_to([]), label="failures")


def test_asks_the_network_once_and_counts(make_pipeline, settings, monkeypatch, caplog):
    monkeypatch.setenv("SEMANTIC_SCHOLAR_API_KEY", f" {_SECRET} ")
    with StandIn(SemanticScholarService(WORKS)) as server:
        settings = dataclasses.replace(
            settings,
            index=("semantic-scholar",),
            papers=(),
            semantic_scholar_url=f"{server.url}/graph/v1",
        )
        server.fail(Fault(503), path="match")
        run = functools.partial(_run, make_pipeline, settings)
        with caplog.at_level(logging.DEBUG):
            first, second = run(), run()
    assert first == {
        "found": 2,
        "no_abstract": 1,
        "not_found": 1,
        "questions": 4,
        "requests": 3,
        "floor": 2,
        "network_lookups": 4,
        "network_misses": 1,
    }
    del first["requests"]
    assert second == {**first, "cache_hits": 4}
    assert [request.path for request in server.requests] == [
        "/graph/v1/paper/batch",
        *["/graph/v1/paper/search/match"] * 2,
    ]
    assert all(request.headers["x-api-key"] == _SECRET for request in server.requests)
    assert _SECRET not in caplog.text + repr(settings)


def _run(make_pipeline, settings):
    p = make_pipeline()
    _ = (
        p
        | beam.Create([_QUILLS, _BARE, _NONE, _SNAILS])
        | FetchEvidence(functools.partial(open_resolver, settings))
    )
    result = p.run()
    result.wait_until_finish()
    return counts(result)


class _Broken:
    """A resolver that breaks as a whole, and breaks again when it is closed."""

    def resolve(self, lookups):
        yield Evidence(_QUILLS.key, EvidenceStatus.FOUND, QUILLS)
        raise RuntimeError("boom")

    def take_stats(self):
        return Stats()

    def close(self):
        raise RuntimeError("boom again")


def test_a_broken_lane_is_a_failure(make_pipeline):
    with make_pipeline() as p:
        evidence, failures = p | beam.Create([_QUILLS, _NONE]) | FetchEvidence(_Broken)
        assert_that(
            evidence,
            equal_to([Evidence(_QUILLS.key, EvidenceStatus.FOUND, QUILLS)]),
            label="evidence",
        )
        assert_that(
            failures | beam.Map(_without_message),
            equal_to([Failure("fetch_evidence", "lane-0", "RuntimeError", "")]),
            label="failures",
        )


def _without_message(failure):
    return dataclasses.replace(failure, message="")


def test_rejects_bad_lanes():
    with pytest.raises(ValueError, match="lanes"):
        FetchEvidence(_Broken, lanes=0)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"index": ()}, "at least one"),
        ({"index": ("papers", "scopus")}, "'scopus'"),
        ({"index": ("papers", "papers")}, "twice"),
        ({"papers": ()}, "needs at least one file"),
        ({"index": ("semantic-scholar",)}, "add papers to it"),
        ({"semantic_scholar_url": "api.example.org"}, "'api.example.org'"),
        ({"rate_per_second": 0}, "rate_per_second must be positive, got 0"),
        ({"rate_per_second": float("nan")}, "rate_per_second"),
        ({"timeout_seconds": -1}, "timeout_seconds"),
        ({"concurrency": 0}, "concurrency"),
        ({"failures_in_a_row": 0}, "failures_in_a_row"),
        ({"first_delay_seconds": -1}, "first_delay_seconds"),
        ({"find_days": 0}, "find_days"),
        ({"miss_days": -1}, "miss_days"),
    ],
)
def test_rejects_bad_settings(settings, changes, message):
    with pytest.raises(ValueError, match=message):
        dataclasses.replace(settings, **changes)


def test_settings_pickle(settings):
    assert pickle.loads(pickle.dumps(settings)) == settings


@pytest.mark.parametrize(
    ("index", "offline", "expected"),
    [
        (("papers",), False, False),
        (("papers", "semantic-scholar"), False, True),
        (("papers", "semantic-scholar"), True, False),
    ],
)
def test_knows_whether_it_asks_the_network(settings, index, offline, expected):
    settings = dataclasses.replace(settings, index=index, offline=offline)
    assert settings.asks_network is expected


@pytest.mark.parametrize(
    ("environment", "key"),
    [
        ({}, ""),
        ({"S2_API_KEY": " a\n"}, "a"),
        ({"SEMANTIC_SCHOLAR_API_KEY": "b", "S2_API_KEY": "a"}, "b"),
        ({"SEMANTIC_SCHOLAR_API_KEY": " ", "S2_API_KEY": "a"}, "a"),
    ],
)
def test_takes_the_key_from_the_environment(environment, key):
    assert api_key(environment) == key


def test_only_the_stage_knows_beam_and_only_sources_know_http():
    package = pathlib.Path(open_resolver.__code__.co_filename).parent
    for module in package.rglob("*.py"):
        text = module.read_text(encoding="utf-8")
        assert ("apache_beam" in text) == (module.name == "stage.py"), module
        assert "import requests" not in text or module.parent.name == "sources"
