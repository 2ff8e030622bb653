"""The contract that every source of works keeps."""

import dataclasses
import threading

import pytest

from tests.network_sources import NETWORKS, open_client
from tests.stand_in import StandIn
from tests.stand_in.clock import FakeTime
from tests.stand_in.works import EVERYWHERE, write_json_lines
from transforms.fetch_evidence.sources.papers import Papers
from transforms.names import family_name

QUILLS, LANTERNS, SNAILS, BARE = EVERYWHERE
_FIELDS = {"doi": "doi", "arxiv": "arxiv_id", "pmid": "pmid", "pmcid": "pmcid"}


@pytest.fixture(params=["papers", *NETWORKS])
def source(request, tmp_path):
    if request.param == "papers":
        file = write_json_lines(tmp_path / "works.jsonl", EVERYWHERE)
        made = Papers([file], tmp_path / "state")
        yield made
        made.close()
        return
    network = NETWORKS[request.param]
    with StandIn(network.stand_in(EVERYWHERE)) as stand_in:
        client = open_client(request.param, tmp_path, FakeTime())
        made = network.open(client, f"{stand_in.url}{network.path}/")
        yield made
        made.close()


def asks(source):
    return NETWORKS[source.name].asks if source.is_remote else tuple(_FIELDS)


def gives(source):
    return NETWORKS[source.name].gives if source.is_remote else tuple(_FIELDS)


def of(source, *works):
    """Returns works as a source gives them, but for its ids and ways with names."""
    hidden = {
        field: None for kind, field in _FIELDS.items() if kind not in gives(source)
    }
    return [
        plain(dataclasses.replace(work, source=source.name, **hidden)) for work in works
    ]


def plain(work):
    if work is None:
        return None
    assert work.paper_id
    names = tuple(family_name(author) for author in work.authors)
    return dataclasses.replace(work, paper_id="", authors=names)


def by_ids(source, keys):
    return [plain(work) for work in source.by_ids(keys)]


def a_key(source, work):
    kind = asks(source)[-1]
    return f"{kind}:{getattr(work, _FIELDS[kind])}"


def test_answers_each_id_in_order(source):
    keys = [
        f"pmcid:{LANTERNS.pmcid}",
        "doi:10.99999/unknown",
        f"arxiv:{SNAILS.arxiv_id}",
        f"pmid:{QUILLS.pmid}",
        "arxiv:2101.00001",
        f"doi:{QUILLS.doi}",
        f"doi:{SNAILS.doi}",
        "pmid:1",
        "pmcid:PMC1",
    ]
    works = [LANTERNS, None, SNAILS, QUILLS, None, QUILLS, SNAILS, None, None]
    assert by_ids(source, keys) == [
        of(source, work)[0] if work and key.split(":")[0] in asks(source) else None
        for key, work in zip(keys, works, strict=True)
    ]


@pytest.mark.parametrize("kind", _FIELDS)
def test_asks_for_nothing_that_it_cannot_know(source, kind):
    keys = [f"{kind}:{getattr(work, _FIELDS[kind])}" for work in EVERYWHERE]
    if kind in asks(source):
        assert by_ids(source, keys) == of(source, *EVERYWHERE)
    else:
        assert source.by_ids(keys) == [None] * len(keys)
        assert source.requests_made == 0


def test_answers_when_all_ids_are_unknown(source):
    keys = ["doi:10.99999/no", "pmid:1", "arxiv:2101.00001"]
    assert source.by_ids(keys) == [None] * 3


def test_answers_no_ids(source):
    assert source.by_ids([]) == []
    assert source.requests_made == 0


def test_answers_a_whole_batch(source):
    kind = asks(source)[0]
    unknown = "2101.{:05}" if kind == "arxiv" else "10.99999/no.{}"
    keys = [f"{kind}:{unknown.format(n)}" for n in range(source.batch_size - 1)]
    keys.insert(7, f"{kind}:{getattr(BARE, _FIELDS[kind])}")
    answers = by_ids(source, keys)
    assert answers[7:8] == of(source, BARE)
    assert answers.count(None) == len(keys) - 1
    assert source.requests_made == (1 if source.is_remote else 0)


def test_a_missing_abstract_is_empty_text(source):
    assert by_ids(source, [a_key(source, BARE)]) == of(source, BARE)
    assert BARE.abstract == ""


@pytest.mark.parametrize(
    ("title", "surname", "year"),
    [
        ("Lantern Drift Under β-Waves: Part 2.", "van der Prell", 2015),
        ("Lantern drift under beta-waves, part 2", "", None),
        # One word garbled.
        ("Lantern drifts under β-waves: part 2", "Prell", 2016),
    ],
)
def test_finds_a_title(source, title, surname, year):
    found = source.by_title(title, surname, year)
    assert list(map(plain, found)) == of(source, LANTERNS)


@pytest.mark.parametrize("title", ["Of whales and their wakes", "", "— ?!"])
def test_finds_no_title(source, title):
    assert source.by_title(title, "Ode", 2014) == []


@pytest.mark.parametrize("year", [2013, 2014, 2015])
def test_finds_authors_of_a_year(source, year):
    found = source.by_author_year(("Ode",), year, ("depth-first", "quills"))
    assert of(source, QUILLS)[0] in map(plain, found)
    assert not any(work.doi == LANTERNS.doi for work in found)


@pytest.mark.parametrize(
    ("surname", "work"),
    [("Sjostrand", SNAILS), ("van der Prell", LANTERNS), ("Prell", LANTERNS)],
)
def test_folds_names(source, surname, work):
    assert work.year is not None
    found = source.by_author_year((surname,), work.year, ("migration", "drift"))
    assert list(map(plain, found)) == of(source, work)


@pytest.mark.parametrize(("surname", "year"), [("Ode", 2011), ("Quux", 2014)])
def test_finds_no_authors(source, surname, year):
    assert source.by_author_year((surname,), year, ("quills",)) == []


def test_finds_authors_without_words(source):
    found = source.by_author_year(("Sjøstrand",), 2016, ())
    # OpenAlex has no search by name.
    expected = [] if source.name == "openalex" else of(source, SNAILS)
    assert list(map(plain, found)) == expected


def test_serves_threads(source):
    answers = []
    key = a_key(source, QUILLS)

    def ask():
        for _ in range(10):
            answers.append(by_ids(source, [key])[0])

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == of(source, QUILLS) * 40


def test_counts_requests_only_if_remote(source):
    source.by_ids([a_key(source, QUILLS)])
    source.by_title("Snail migration", "", None)
    assert source.requests_made == (2 if source.is_remote else 0)


# What the services tell of where a work came out, and of its retraction.
_PLACED = dataclasses.replace(QUILLS, venue="Wool", volume="3", pages="14")
_RETRACTED = dataclasses.replace(
    _PLACED, title=f"RETRACTED: {QUILLS.title}", notices=("retraction",)
)
_UNSAID = {"semantic-scholar": {"volume": "", "pages": ""}}
_NOWHERE = {"venue": "", "volume": "", "pages": "", "notices": ()}


@pytest.mark.parametrize("work", [_PLACED, _RETRACTED])
@pytest.mark.parametrize("name", NETWORKS)
def test_says_where_a_work_came_out(name, work, tmp_path):
    network = NETWORKS[name]
    with StandIn(network.stand_in([work])) as stand_in:
        client = open_client(name, tmp_path, FakeTime())
        made = network.open(client, f"{stand_in.url}{network.path}/")
        key = f"{network.asks[-1]}:{getattr(work, _FIELDS[network.asks[-1]])}"
        (found,) = made.by_ids([key])
        made.close()
    unsaid = _NOWHERE if name == "arxiv" else _UNSAID.get(name, {})
    expected = dataclasses.replace(work, **unsaid)
    for field in _NOWHERE:
        assert getattr(found, field) == getattr(expected, field)


def test_papers_say_where_a_work_came_out(tmp_path):
    file = write_json_lines(tmp_path / "works.jsonl", [_PLACED, _RETRACTED])
    made = Papers([file], tmp_path / "state")
    found = made.by_title(_RETRACTED.title, "", None)
    made.close()
    assert [(w.venue, w.volume, w.pages) for w in found] == [("Wool", "3", "14")] * 2
    assert [w.notices for w in found] == [(), ("retraction",)]
