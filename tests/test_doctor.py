"""Tests of the ``doctor`` command."""

from __future__ import annotations

import json
from importlib import metadata

import pytest
from packaging.requirements import Requirement

from pipeline.doctor import State, cache_state, folder, package
from tests.screening import run
from tests.stand_in.semantic_scholar import SemanticScholarService
from tests.stand_in.server import Fault, StandIn
from tests.stand_in.works import QUILLS
from transforms.fetch_evidence.cache import Answer, EvidenceCache
from transforms.fetch_evidence.settings import NETWORK_INDEXES
from transforms.fetch_evidence.sources.reach import reach

_KEY = "key-that-nobody-may-see"


@pytest.mark.parametrize(
    ("requirement", "state", "begins"),
    [
        ("rich>=13.7", State.GOOD, ""),
        ("rich>=999", State.BROKEN, ""),
        ("no-such-package>=1", State.BROKEN, "not installed: pip install 'no-such-p"),
    ],
)
def test_packages_are_held_against_their_lower_bounds(requirement, state, begins):
    finding = package(Requirement(requirement))
    assert finding.state is state
    assert finding.text.startswith(begins)


@pytest.mark.parametrize(
    ("fault", "key", "begins"),
    [
        (Fault(), "", "answers in "),
        (Fault(status=404), "", "answers in "),
        (Fault(status=403), _KEY, "refuses the API key: HTTP 403"),
        (Fault(status=403), "", "refuses this client: HTTP 403"),
        (Fault(status=429), "", "is throttling: HTTP 429"),
        (Fault(status=503), "", "is out of order: HTTP 503"),
        (Fault(delay_seconds=2), "", "cannot be reached"),
        (Fault(), "no header\n", "cannot be reached ("),
    ],
)
def test_an_index_is_asked_once(fault, key, begins):
    with StandIn(SemanticScholarService([QUILLS])) as index:
        index.fail(fault, times=9)
        url = index.url + SemanticScholarService.prefix
        found = reach("semantic-scholar", url, key=key, timeout_seconds=0.5)
        assert found.startswith(begins)
        assert _KEY not in found
        assert len(index.requests) == (0 if "\n" in key else 1)


def test_a_cache_that_is_missing_sound_or_damaged(tmp_path):
    path = tmp_path / "cache.sqlite"
    assert cache_state(path).state is State.NOTE
    cache = EvidenceCache(path)
    cache.put_many({"a|doi:x": Answer((QUILLS,), True, "2026-05-01T00:00:00+00:00")})
    cache.close()
    sound = cache_state(path)
    assert sound.state is State.GOOD
    assert sound.text.startswith(f"{path}: 1 answers, 0.0 MB")
    path.write_bytes(b"no database" * 999)
    damaged = cache_state(path)
    assert damaged.state is State.BROKEN
    assert "delete it" in damaged.text


def test_a_folder_that_cannot_be_written(tmp_path):
    assert folder("x", tmp_path / "new" / "one").state is State.GOOD
    (tmp_path / "file").touch()
    finding = folder("x", tmp_path / "file" / "below")
    assert finding.state is State.BROKEN
    assert str(tmp_path / "file" / "below") in finding.text


def test_what_is_broken_decides_the_exit_code(tmp_path, capfd, monkeypatch):
    monkeypatch.setenv("S2_API_KEY", _KEY)
    cache = tmp_path / "cache" / "c.sqlite"
    assert run("doctor", "--offline", "--cache", cache) == 0
    out = capfd.readouterr().out
    assert "apache-beam" in out and "semantic-scholar  ok" in out
    assert _KEY not in out
    cache.write_bytes(b"no database" * 999)
    assert run("doctor", "--offline", "--cache", cache, "--json") == 1
    told = json.loads(capfd.readouterr().out)
    assert told["broken"]
    assert [f["part"] for f in told["findings"] if f["state"] == "BROKEN"] == ["cache"]


def test_a_program_that_is_not_installed_is_no_crash(tmp_path, capfd, monkeypatch):
    def unknown(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "requires", unknown)
    assert run("doctor", "--offline", "--cache", tmp_path / "c") == 1
    assert "pip install it" in capfd.readouterr().out


def test_no_network_breaks_nothing(tmp_path, capfd):
    urls = [f"--index-url={name}=http://127.0.0.1:9" for name in NETWORK_INDEXES]
    assert run("doctor", "--cache", tmp_path / "c", "--timeout", 1, *urls) == 0
    assert capfd.readouterr().out.count("cannot be reached") == len(NETWORK_INDEXES)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--timeout", "0"], "--timeout"),
        (["--timeout", "nan"], "--timeout"),
        (["--index-url", "scopus=http://localhost"], "scopus"),
        (["--index-url", "arxiv=ftp://localhost"], "--index-url"),
    ],
)
def test_bad_usage_is_said_in_one_line(arguments, named, capfd):
    assert run("doctor", *arguments) == 2
    error = capfd.readouterr().err
    assert error.count("\n") == 1 and named in error
