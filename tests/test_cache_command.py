"""Tests of the ``cache`` command."""

from __future__ import annotations

import datetime

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.screening import run
from transforms.fetch_evidence import cache_file
from transforms.fetch_evidence.cache import Answer, EvidenceCache
from transforms.fetch_evidence.store import Store
from transforms.records import Work

_NOW = datetime.datetime(2026, 5, 1, tzinfo=datetime.UTC)
_WORK = Work(
    "semantic-scholar", "p1", "Kelp", "An abstract of kelp.", ("T. Ode",), 2014
)


def _answer(days_ago, *works):
    then = _NOW - datetime.timedelta(days=days_ago)
    return Answer(works, bool(works), then.isoformat(timespec="seconds"))


def _fill(path, answers):
    cache = EvidenceCache(path, clock=_NOW.timestamp)
    assert cache.put_many({f"semantic-scholar|{k}": a for k, a in answers.items()})
    cache.close()


def _read(path, *keys):
    cache = EvidenceCache(path, clock=_NOW.timestamp)
    found = cache.get_many([f"semantic-scholar|{key}" for key in keys])
    cache.close()
    return {key.partition("|")[2]: answer for key, answer in found.items()}


@pytest.fixture
def cache(tmp_path):
    """A cache with two finds, a miss, and an answer of another version."""
    path = tmp_path / "cache.sqlite"
    _fill(
        path,
        {
            "doi:10.5555/new": _answer(1, _WORK),
            "doi:10.5555/old": _answer(89, _WORK),
            "title:none||": _answer(0.5),
        },
    )
    store = Store(path)
    store.write({"semantic-scholar|doi:10.5555/odd": {"version": 0}})
    store.close()
    return path


def test_info_says_what_is_there(cache, capfd):
    assert run("cache", "info", "--cache", cache) == 0
    out = capfd.readouterr().out
    assert "4 answers" in out and "semantic-scholar doi: 3" in out
    assert "with the work: 2, without: 2" in out and "another version: 1" in out


def test_a_team_shares_answers(cache, tmp_path, capfd):
    copy, other = tmp_path / "copy.parquet", tmp_path / "other" / "cache.sqlite"
    _fill(
        other, {"doi:10.5555/new": _answer(0.1), "doi:10.5555/own": _answer(2, _WORK)}
    )
    assert run("cache", "export", copy, "--cache", cache) == 0
    assert pq.read_table(copy).num_rows == 4
    assert run("cache", "import", copy, "--cache", other) == 0
    assert "2 answers taken, 2 left" in capfd.readouterr().out
    found = _read(other, "doi:10.5555/new", "doi:10.5555/old", "doi:10.5555/own")
    assert found["doi:10.5555/old"] == _answer(89, _WORK)
    assert not found["doi:10.5555/new"].works  # The newer answer stays.
    assert "doi:10.5555/own" in found


def test_import_makes_a_cache(cache, tmp_path):
    copy, fresh = tmp_path / "copy.parquet", tmp_path / "fresh.sqlite"
    cache_file.export(cache, copy)
    assert cache_file.merge(fresh, copy) == (3, 1)
    assert cache_file.merge(fresh, copy) == (0, 4)
    assert _read(fresh, "doi:10.5555/new") == {"doi:10.5555/new": _answer(1, _WORK)}


@pytest.mark.parametrize(
    ("find_days", "removed", "left"),
    [(90, 1, {"doi:10.5555/new", "doi:10.5555/old"}), (30, 2, {"doi:10.5555/new"})],
)
def test_prune_removes_what_is_out_of_date(cache, find_days, removed, left):
    number = cache_file.prune(cache, find_days=find_days, miss_days=1, now=_NOW)
    assert number == removed
    assert set(_read(cache, "doi:10.5555/new", "doi:10.5555/old")) == left
    assert run("cache", "prune", "--cache", cache) == 0


@pytest.mark.parametrize("action", ["info", "export", "import", "prune"])
def test_says_what_is_no_cache(tmp_path, capfd, action):
    text = tmp_path / "notes.txt"
    text.write_text("no cache")
    pq.write_table(pa.table({"key": ["a"]}), tmp_path / "other.parquet")
    files = {
        "export": [tmp_path / "out.parquet"],
        "import": [tmp_path / "other.parquet"],
    }
    assert run("cache", action, *files.get(action, ()), "--cache", text) == 2
    error = capfd.readouterr().err
    assert error.count("\n") == 1 and ("notes.txt" in error or "other" in error)
    if action != "import":
        missing = tmp_path / "none.sqlite"
        assert run("cache", action, *files.get(action, ()), "--cache", missing) == 2
    assert not (tmp_path / "out.parquet").exists()
