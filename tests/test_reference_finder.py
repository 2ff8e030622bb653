"""Tests what indexes are asked about references, and what comes of it."""

from __future__ import annotations

import dataclasses

import pytest

from tests.network_sources import NETWORKS, open_client
from tests.stand_in import CrossrefService, Fault, SemanticScholarService, StandIn
from tests.stand_in.clock import FakeTime
from tests.stand_in.works import LANTERNS, QUILLS, SNAILS, WORKS, write_json_lines
from transforms.fetch_evidence.cache import EvidenceCache
from transforms.fetch_evidence.reference_finder import ReferenceFinder
from transforms.fetch_evidence.sources.papers import Papers
from transforms.records import Reference
from transforms.reference_records import ReferenceLabel
from transforms.verify_references.decide import verify
from transforms.verify_references.fields import Setting
from transforms.verify_references.venue_table import read_venues

_SETTING = Setting(read_venues(), 2026)
_PAPERS, _S2, _CROSSREF = "papers", "semantic-scholar", "crossref"


def _reference(work, **changes):
    entry = Reference(
        ref_id=work.paper_id,
        raw="",
        authors=work.authors,
        year=work.year,
        title=work.title,
        doi=work.doi,
        arxiv_id=work.arxiv_id,
    )
    return dataclasses.replace(entry, **changes)


@pytest.fixture
def fake():
    return FakeTime()


@pytest.fixture
def stand_in():
    services = SemanticScholarService(WORKS), CrossrefService([QUILLS, LANTERNS])
    with StandIn(*services) as server:
        yield server


@pytest.fixture
def open_finder(tmp_path, stand_in, fake):
    opened = []

    def open_(*names, offline=False):
        sources = []
        for name in names:
            if name == _PAPERS:
                file = write_json_lines(tmp_path / "works.jsonl", [QUILLS])
                sources.append(Papers([file], tmp_path / "state"))
                continue
            network = NETWORKS[name]
            client = open_client(name, tmp_path, fake)
            sources.append(network.open(client, f"{stand_in.url}{network.path}"))
        cache = EvidenceCache(tmp_path / "cache.sqlite", clock=fake.clock)
        opened.append(
            ReferenceFinder(sources, cache, offline=offline, clock=fake.clock)
        )
        return opened[-1]

    yield open_
    for finder in opened:
        finder.close()


def _is_settled(reference, findings):
    return verify(reference, findings, _SETTING).label is ReferenceLabel.EXACT


def _find(finder, *references):
    keyed = [(f"k{n}", reference) for n, reference in enumerate(references)]
    return list(finder.find(keyed, _is_settled))


def _labels(finder, *references):
    return [
        verify(reference, findings, _SETTING).label.value
        for reference, findings in zip(
            references, _find(finder, *references), strict=True
        )
    ]


def test_an_identifier_that_leads_to_the_work_is_all_that_is_asked(
    open_finder, stand_in
):
    finder = open_finder(_S2, _CROSSREF)
    (found,) = _find(finder, _reference(QUILLS))
    assert [work.title for work in found.works] == [QUILLS.title]
    assert len(stand_in.requests) == 1


def test_a_title_is_asked_where_there_is_no_identifier(open_finder):
    (found,) = _find(open_finder(_S2), _reference(SNAILS, arxiv_id=None))
    assert (found.asked, found.is_complete) == ((_S2,), True)
    assert [work.title for work in found.works] == [SNAILS.title]


def test_a_second_index_is_asked_before_a_field_is_called_wrong(open_finder, stand_in):
    finder = open_finder(_S2, _CROSSREF)
    (found,) = _find(finder, _reference(QUILLS, year=1999))
    assert {work.source for work in found.works} == {_S2, _CROSSREF}
    assert {request.path.split("/")[1] for request in stand_in.requests} == {
        "graph", "crossref",
    }  # fmt: skip


def test_each_title_is_asked_once(open_finder, stand_in):
    unknown = _reference(SNAILS, arxiv_id=None, title="Of whales and their wakes")
    _find(open_finder(_S2), unknown, dataclasses.replace(unknown, volume="3"))
    assert len(stand_in.requests) == 1


def test_a_second_run_asks_nothing(open_finder, stand_in):
    references = [_reference(work, year=1990) for work in WORKS]
    first = _find(open_finder(_S2, _CROSSREF), *references)
    asked = len(stand_in.requests)
    finder = open_finder(_S2, _CROSSREF)
    assert _find(finder, *references) == first
    assert len(stand_in.requests) == asked
    stats = finder.take_stats()
    assert (stats.requests, stats.cache_hits) == (0, stats.questions)


@pytest.mark.parametrize(
    ("names", "label"),
    [
        ((_PAPERS,), "not_verifiable"),
        ((_S2,), "major"),
        ((_PAPERS, _S2), "major"),
        ((_CROSSREF,), "not_verifiable"),
    ],
)
def test_what_no_index_has(open_finder, names, label):
    absent = Reference("r", "", ("Voss, E",), 2011, title="Of whales and their wakes")
    assert _labels(open_finder(*names), absent) == [label]


def test_crossref_holds_every_article(open_finder):
    absent = Reference(
        "r", "", ("Voss, E",), 2011, title="Of whales and their wakes", volume="3"
    )
    assert _labels(open_finder(_CROSSREF), absent) == ["major"]


@pytest.mark.parametrize("is_offline", [True, False])
def test_what_could_not_be_asked_is_not_verifiable(open_finder, stand_in, is_offline):
    stand_in.fail(Fault(status=503), times=20)
    absent = Reference("r", "", ("Voss, E",), 2011, title="Of whales and their wakes")
    finder = open_finder(_S2, offline=is_offline)
    (found,) = _find(finder, absent)
    assert found.unasked
    assert verify(absent, found, _SETTING).label is ReferenceLabel.NOT_VERIFIABLE


def test_a_doi_is_unknown_if_two_indexes_lack_it(open_finder):
    wrong = _reference(QUILLS, doi="10.99999/nothing")
    for names, is_unknown in (((_S2,), False), ((_S2, _CROSSREF), True)):
        (found,) = _find(open_finder(*names), wrong)
        assert [led.is_unknown for led in found.led] == [is_unknown]
    assert _labels(open_finder(_S2, _CROSSREF), wrong) == ["minor"]


def test_a_doi_of_another_work(open_finder):
    wrong = _reference(QUILLS, doi=LANTERNS.doi)
    (found,) = _find(open_finder(_S2), wrong)
    assert found.led[0].work.title == LANTERNS.title
    assert {work.title for work in found.works} == {QUILLS.title, LANTERNS.title}


def test_an_error_of_one_is_not_the_others(open_finder):
    def fail(reference, findings):
        raise ZeroDivisionError

    finder = open_finder(_PAPERS)
    (found,) = finder.find([("k", _reference(QUILLS))], fail)
    assert any("ZeroDivisionError" in reason for reason in found.unasked)


_LONG = "Tides of the far bay: what the wrack line says of winter storms and wind"
_SUBTITLED = dataclasses.replace(QUILLS, title=_LONG, doi="10.99999/tides.9")


@pytest.mark.parametrize(
    ("cited", "recorded"),
    [(_LONG, "Tides of the far bay"), ("Tides of the far bay", _LONG), (_LONG, _LONG)],
)
def test_a_subtitle_may_be_left_out(tmp_path, fake, cited, recorded):
    work = dataclasses.replace(_SUBTITLED, title=recorded)
    file = write_json_lines(tmp_path / "works.jsonl", [work])
    with StandIn(CrossrefService([work])) as server:
        client = open_client(_CROSSREF, tmp_path, fake)
        for source in (
            Papers([file], tmp_path / "state"),
            NETWORKS[_CROSSREF].open(client, f"{server.url}/crossref"),
        ):
            (found,) = source.by_title(cited, "Ode", 2014)
            assert found.title == recorded
            source.close()
