"""Tests of the settings that open the network indexes, and of their flags."""

import dataclasses
import pathlib

import pytest

from tests.network_sources import NETWORKS
from tests.screening import manifest, rows, run
from tests.stand_in import Fault, StandIn
from tests.stand_in.works import EVERYWHERE, QUILLS
from transforms.fetch_evidence.opening import open_resolver
from transforms.fetch_evidence.settings import INDEXES, NETWORK_INDEXES, FetchSettings
from transforms.records import EvidenceStatus, Lookup

_BARE = dataclasses.replace(QUILLS, abstract="")
_TEXT = "Quills of the estuary grow depth-first (doi:10.99999/quills.1). " * 30


@pytest.fixture
def stand_in():
    services = [network.stand_in(EVERYWHERE) for network in NETWORKS.values()]
    with StandIn(*services) as server:
        yield server


def urls(stand_in):
    return tuple((name, stand_in.url + NETWORKS[name].path) for name in NETWORKS)


def settings(folder, **changes):
    return FetchSettings(
        **{
            "index": NETWORK_INDEXES,
            "cache_path": folder / "evidence.sqlite",
            "state_folder": folder,
            "first_delay_seconds": 0.0,
            **changes,
        }
    )


def evidence(lookup, folder, **changes):
    resolver = open_resolver(settings(folder, **changes))
    try:
        return next(resolver.resolve([lookup]))
    finally:
        resolver.close()


def test_every_index_has_a_stand_in():
    assert set(NETWORKS) == set(NETWORK_INDEXES) == set(INDEXES) - {"papers"}


@pytest.mark.parametrize("name", NETWORK_INDEXES)
def test_opens_each_index_at_another_address(tmp_path, stand_in, name):
    lookup = Lookup(key="k", arxiv_id="2198.00000", doi=QUILLS.doi)
    found = evidence(lookup, tmp_path, index=(name,), urls=urls(stand_in))
    assert found.status == EvidenceStatus.FOUND
    assert found.work.source == name
    (request,) = stand_in.requests
    assert request.path.startswith(NETWORKS[name].path)


def test_the_next_index_is_asked_for_what_the_first_withholds(tmp_path):
    networks = [
        NETWORKS["semantic-scholar"],
        NETWORKS["openalex"],
        NETWORKS["crossref"],
    ]
    first, second, third = networks
    services = (
        first.stand_in([QUILLS], elided=[QUILLS.paper_id]),
        second.stand_in([_BARE]),
        third.stand_in([QUILLS]),
    )
    with StandIn(*services) as stand_in:
        index = [network.service.name for network in networks]
        found = evidence(
            Lookup(key="k", doi=QUILLS.doi),
            tmp_path,
            index=tuple(index),
            urls=tuple((name, u) for name, u in urls(stand_in) if name in index),
        )
        assert found.status == EvidenceStatus.FOUND
        assert found.work.abstract == QUILLS.abstract
        asked = [request.path.split("/")[1] for request in stand_in.requests]
    assert list(dict.fromkeys(asked)) == ["graph", "openalex", "crossref"]


def test_the_key_goes_to_its_own_index_only(tmp_path, stand_in, monkeypatch):
    monkeypatch.setenv("SEMANTIC_SCHOLAR_API_KEY", "s3cret")
    evidence(Lookup(key="k", pmid="77"), tmp_path, urls=urls(stand_in))
    for request in stand_in.requests:
        is_own = request.path.startswith("/graph")
        assert ("x-api-key" in request.headers) == is_own
    assert len(stand_in.requests) == 3


def test_the_address_goes_to_every_index(tmp_path, stand_in):
    lookup = Lookup(key="k", title="Of whales and their wakes", surnames=("Ode",))
    evidence(lookup, tmp_path, urls=urls(stand_in), mailto="ode@example.org")
    assert len(stand_in.requests) == len(NETWORK_INDEXES)
    for request in stand_in.requests:
        assert "(mailto:ode@example.org)" in request.headers["user-agent"]


def test_one_index_that_blocks_us_leaves_the_others(tmp_path, stand_in):
    stand_in.fail(Fault(403), path="/openalex")
    found = evidence(
        Lookup(key="k", doi=QUILLS.doi),
        tmp_path,
        index=("openalex", "crossref"),
        urls=urls(stand_in),
    )
    assert found.work.source == "crossref"


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"mailto": "nobody"}, "'nobody'"),
        ({"mailto": "a@b\nX-Evil: 1"}, "mailto"),
        ({"mailto": "a)@b"}, "mailto"),
        ({"urls": (("scopus", "http://x"),)}, "'scopus'"),
        ({"urls": (("papers", "http://x"),)}, "'papers'"),
        ({"urls": (("arxiv", "ftp://x"),)}, "'ftp://x'"),
        ({"urls": (("arxiv", "http://x"), ("arxiv", "http://y"))}, "two addresses"),
        ({"index": ("openalex", "openalex")}, "twice"),
    ],
)
def test_bad_settings_are_refused(tmp_path, changes, named):
    with pytest.raises(ValueError, match="index|mailto|address") as error:
        settings(tmp_path, **changes)
    assert named in str(error.value)


_BAD_ADDRESSES = {
    "bracket": "http://[bad",
    "no host": "http://",
    "only a port": "http://:80/x",
    "port": "http://host:port/x",
    "large port": "http://host:70000",
    "port 0": "http://host:0",
    "space": "http://ho st/x",
    "line break": "http://host/\nX-Evil:1",
    "empty label": "http://host..example",
    "long label": f"http://{'x' * 64}.example",
    "scheme": "file:///etc/passwd",
    "no scheme": "host/x",
    "nothing": "",
    "query": "http://host/x?key=1",
    "fragment": "http://host/x#y",
    "password": "http://ode:hush@[bad",
    "slash in password": "http://ode:hu/sh@host",
}


@pytest.mark.parametrize("url", _BAD_ADDRESSES.values(), ids=_BAD_ADDRESSES)
@pytest.mark.parametrize("name", ["crossref", "semantic-scholar"])
def test_bad_addresses_are_refused(tmp_path, name, url):
    with pytest.raises(ValueError, match=f"address of {name} .*give http") as error:
        if name == "crossref":
            settings(tmp_path, urls=((name, url),))
        else:
            settings(tmp_path, semantic_scholar_url=url)
    message = str(error.value)
    assert "\n" not in message
    assert repr(url) in message or ("hu" not in message and "***@" in message)


@pytest.mark.parametrize(
    "url",
    [
        *("http://host", "https://host.example:8443/a/b/", "http://[::1]:80/x"),
        *("http://127.0.0.1:9", "http://b\N{LATIN SMALL LETTER U WITH DIAERESIS}ro"),
        *("http://under_score/x", "http://ode:hu%2Fsh@host/x", "HTTP://host"),
    ],
)
def test_addresses_of_servers_are_taken(tmp_path, url):
    assert settings(tmp_path, urls=(("arxiv", url),)).urls == (("arxiv", url),)


def test_no_secret_is_written_down(tmp_path, stand_in):
    (tmp_path / "paper.txt").write_text(_TEXT)
    base = stand_in.url.replace("//", "//ode:hush@") + NETWORKS["crossref"].path
    code = run(
        *("screen", tmp_path / "paper.txt", "--output", tmp_path / "out"),
        *("--cache", tmp_path / "cache" / "c", "--workers", 1, "--rate", 1000),
        *("--index", "crossref", "--index-url", f"crossref={base}"),
        *("--semantic-scholar-url", "https://ode:hush@host/x"),
        *("--s3_secret_access_key", "hush"),
    )
    assert code == 0
    # The server is told.
    assert stand_in.requests[0].headers["authorization"].startswith("Basic ")
    options = manifest(tmp_path / "out")["options"]
    hidden = base.replace("ode:hush", "***")
    assert options["index_urls"] == [["crossref", hidden]]
    assert options["semantic_scholar_url"] == "https://***@host/x"
    assert options["beam"] == {"s3_secret_access_key": "***"}
    for path in tmp_path.rglob("*"):
        assert path.is_dir() or b"hush" not in path.read_bytes(), path


@pytest.mark.parametrize("name", NETWORK_INDEXES)
def test_every_network_index_takes_one_lane(tmp_path, name):
    assert settings(tmp_path, index=(name,)).asks_network
    assert not settings(tmp_path, index=(name,), offline=True).asks_network
    local = {"index": ("papers",), "papers": (pathlib.Path("p.jsonl"),)}
    assert not settings(tmp_path, **local).asks_network


def test_the_general_address_goes_before_the_old_flag(tmp_path, stand_in):
    found = evidence(
        Lookup(key="k", doi=QUILLS.doi),
        tmp_path,
        index=("semantic-scholar",),
        urls=urls(stand_in),
        semantic_scholar_url="http://127.0.0.1:9",
    )
    assert found.status == EvidenceStatus.FOUND


def test_screens_with_every_index(tmp_path, stand_in):
    (tmp_path / "paper.txt").write_text(_TEXT)
    given = [f"--index-url={name}={url}" for name, url in urls(stand_in)]
    code = run(
        *("screen", tmp_path / "paper.txt", "--output", tmp_path / "out"),
        *("--cache", tmp_path / "cache" / "c", "--workers", 1, "--rate", 1000),
        *("--index", "arxiv,crossref,openalex", "--mailto", "ode@example.org"),
        *given,
    )
    assert code == 0
    (work,) = rows(tmp_path / "out", "works")
    assert (work["status"], work["source"]) == ("found", "crossref")
    (request,) = stand_in.requests
    assert request.query["mailto"] == "ode@example.org"
    options = manifest(tmp_path / "out")["options"]
    assert options["index"] == ["arxiv", "crossref", "openalex"]
    assert dict(options["index_urls"]) == dict(urls(stand_in))


@pytest.mark.parametrize(
    ("flags", "named"),
    [
        (["--index-url", "arxiv"], "NAME=URL"),
        (["--index-url", "scopus=http://x"], "scopus"),
        (["--index-url", "arxiv=x"], "http"),
        (["--index-url", "crossref=http://[bad"], "'http://[bad'"),
        (["--semantic-scholar-url", "http://host:port"], "'http://host:port'"),
        (["--index-url", "arxiv=http://x", "--index-url", "arxiv=http://y"], "two"),
        (["--mailto", "nobody"], "mailto"),
        (["--index", "openalex,scopus"], "europe-pmc"),
    ],
)
def test_bad_flags_start_nothing(tmp_path, capfd, flags, named):
    (tmp_path / "paper.txt").write_text(_TEXT)
    arguments = ("--output", tmp_path / "out", "--cache", tmp_path / "cache" / "c")
    assert run("screen", tmp_path / "paper.txt", *arguments, *flags) == 2
    error = capfd.readouterr().err
    assert named in error
    assert error.count("\n") == 1
