"""Tests of the evidence cache and the file behind it."""

import json
import logging
import multiprocessing
import os
import pickle
import sqlite3

import pytest

from tests.damage import DAMAGES, damage
from tests.stand_in.clock import FakeTime
from tests.stand_in.works import QUILLS, SNAILS
from transforms.fetch_evidence import cache as cache_module
from transforms.fetch_evidence import store as store_module
from transforms.fetch_evidence.cache import Answer, EvidenceCache

_DAY = 86_400.0
_THEN = "2023-11-14T22:13:20+00:00"  # What FakeTime begins with.
_FIND = Answer((QUILLS, SNAILS), True, _THEN)
_MISS = Answer((), False, _THEN)
_NO_MATCH = Answer((QUILLS,), False, _THEN)


@pytest.fixture
def fake():
    return FakeTime()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "folder" / "cache.sqlite"


@pytest.fixture
def open_cache(path, fake):
    return lambda **settings: EvidenceCache(path, clock=fake.clock, **settings)


def test_returns_what_was_stored_after_reopening(open_cache):
    cache = open_cache()
    assert cache.put_many({"a": _FIND, "b": _MISS})
    cache.close()
    assert open_cache().get_many(["a", "b", "c"]) == {"a": _FIND, "b": _MISS}


def test_reads_more_keys_than_one_statement_takes(open_cache):
    cache = open_cache()
    answers = {str(number): _FIND for number in range(1203)}
    cache.put_many(answers)
    assert cache.get_many(list(answers)) == answers


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("year", 10**30),
        ("year", True),
        ("year", "2014"),
        ("title", 5),
        ("abstract", None),
        ("authors", [7]),
        ("doi", 3),
    ],
)
def test_a_work_with_fields_of_other_types_is_a_miss(open_cache, path, field, value):
    cache = open_cache()
    cache.put_many({"a": _FIND})
    cache.close()
    with sqlite3.connect(path) as connection:
        stored = json.loads(
            connection.execute("SELECT value FROM answers").fetchone()[0]
        )
        stored["works"][0][field] = value
        connection.execute("UPDATE answers SET value = ?", (json.dumps(stored),))
    assert open_cache().get_many(["a"]) == {}


@pytest.mark.parametrize(
    ("answer", "days", "is_fresh"),
    [
        (_FIND, 89.9, True),
        (_FIND, 90.1, False),
        (_MISS, 0.9, True),
        (_MISS, 1.1, False),
        # Candidates of which none is the work are a miss as well.
        (_NO_MATCH, 1.1, False),
    ],
)
def test_answers_expire(open_cache, fake, answer, days, is_fresh):
    cache = open_cache()
    cache.put_many({"a": answer})
    fake.now += days * _DAY
    assert ("a" in cache.get_many(["a"])) is is_fresh


def test_ages_are_settings(open_cache, fake):
    cache = open_cache(find_days=1, miss_days=0)
    cache.put_many({"a": _FIND, "b": _MISS})
    assert set(cache.get_many(["a", "b"])) == {"a"}
    fake.now += 2 * _DAY
    assert cache.get_many(["a", "b"]) == {}


@pytest.mark.parametrize(
    "days", [{"find_days": 0}, {"find_days": -1}, {"miss_days": -0.1}]
)
def test_rejects_bad_ages(open_cache, days):
    with pytest.raises(ValueError, match="_days"):
        open_cache(**days)


def test_another_version_is_a_miss(open_cache, monkeypatch):
    open_cache().put_many({"a": _FIND})
    monkeypatch.setattr(cache_module, "FIELDS_VERSION", 1_000)
    assert open_cache().get_many(["a"]) == {}


@pytest.mark.parametrize(
    "value",
    [
        "not json",
        json.dumps([]),
        json.dumps({"version": 1}),
        json.dumps({"version": 1, "works": [], "is_find": True, "retrieved_at": "?"}),
        json.dumps({"version": 1, "works": [{"x": 1}], "is_find": True}),
    ],
)
def test_an_entry_of_another_program_is_a_miss(open_cache, path, value):
    open_cache().put_many({"a": _FIND, "b": _FIND})
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE answers SET value = ? WHERE key = 'a'", (value,))
    assert open_cache().get_many(["a", "b"]) == {"b": _FIND}


def test_stores_json_and_no_pickle(open_cache, path):
    open_cache().put_many({"a": _FIND})
    with sqlite3.connect(path) as connection:
        (value,) = connection.execute("SELECT value FROM answers").fetchone()
    assert json.loads(value)["works"][0]["doi"] == QUILLS.doi


def test_pickles_while_open(open_cache):
    cache = open_cache()
    cache.put_many({"a": _FIND})
    cache = EvidenceCache(cache._store._path)
    cache.put_many({"a": Answer((QUILLS,), True, "2999-01-01T00:00:00+00:00")})
    assert set(pickle.loads(pickle.dumps(cache)).get_many(["a"])) == {"a"}


def test_a_forked_child_opens_its_own(open_cache):
    cache = open_cache()
    cache.put_many({"a": _FIND})
    child = os.fork()
    if child == 0:
        os._exit(0 if cache.get_many(["a"]) == {"a": _FIND} else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert cache.put_many({"b": _FIND})


@pytest.mark.parametrize("kind", DAMAGES)
def test_a_damaged_file_is_moved_aside(open_cache, path, caplog, kind):
    cache = open_cache()
    answers = {str(number): _FIND for number in range(300)}
    cache.put_many(answers)
    cache.close()
    damage(path, kind)
    with caplog.at_level(logging.WARNING):
        assert open_cache().get_many(list(answers)) == {}
        cache = open_cache()
        assert cache.put_many({"a": _FIND})
        assert cache.get_many(["a"]) == {"a": _FIND}
    assert [r.message for r in caplog.records if "damaged" in r.message]
    assert list(path.parent.glob("cache.sqlite.damaged-*"))


def test_damage_is_noticed_when_writing(open_cache, path):
    path.parent.mkdir()
    path.write_bytes(b"no database " * 500)
    cache = open_cache()
    assert cache.put_many({"a": _FIND})
    assert cache.get_many(["a"]) == {"a": _FIND}


def test_a_lock_that_stays_costs_the_storing_only(
    open_cache, path, caplog, monkeypatch
):
    monkeypatch.setattr(store_module, "_LOCK_TRIES", 1)
    cache = open_cache()
    cache.put_many({"a": _FIND})
    with sqlite3.connect(path, isolation_level=None) as other:
        # Waiting five seconds is sqlitedict's; a test need not.
        cache._store._writer.conn.select_one("PRAGMA busy_timeout = 10")
        other.execute("BEGIN IMMEDIATE")
        with caplog.at_level(logging.WARNING):
            assert not cache.put_many({"b": _FIND})
        other.execute("COMMIT")
    assert "goes on without it" in caplog.text
    assert not cache.put_many({"c": _FIND})
    assert set(open_cache().get_many(["a", "b", "c"])) == {"a"}


def test_a_lock_that_comes_free_costs_nothing(open_cache, path):
    cache = open_cache()
    cache.put_many({"a": _FIND})
    cache._store._writer.conn.select_one("PRAGMA busy_timeout = 10")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    real_run = cache._store._run
    calls = []

    def run(statement):
        calls.append(statement)
        if len(calls) == 3:
            other.execute("COMMIT")
        real_run(statement)

    cache._store._run = run
    assert cache.put_many({"b": _FIND})
    assert calls == ["BEGIN IMMEDIATE"] * 3 + ["COMMIT"]
    assert set(open_cache().get_many(["a", "b"])) == {"a", "b"}


def test_an_impossible_folder_does_not_stop_the_run(tmp_path, caplog):
    (tmp_path / "file").write_text("")
    cache = EvidenceCache(tmp_path / "file" / "cache.sqlite")
    assert not cache.put_many({"a": _FIND})
    assert cache.get_many(["a"]) == {}
    assert len(caplog.records) == 1


def test_two_processes_write_at_once(path):
    context = multiprocessing.get_context("spawn")
    with context.Pool(2) as pool:
        pool.starmap(_write_often, [(path, "x"), (path, "y")], chunksize=1)
    keys = [f"{name}{number}" for name in "xy" for number in range(200)]
    cache = EvidenceCache(path, clock=FakeTime().clock)
    assert set(cache.get_many(keys)) == set(keys)


def test_a_killed_process_loses_nothing_that_was_stored(open_cache):
    child = os.fork()
    if child == 0:
        cache = open_cache()
        cache.put_many({"a": _FIND})
        os.kill(os.getpid(), 9)
    os.waitpid(child, 0)
    assert set(open_cache().get_many(["a"])) == {"a"}


def _write_often(path, name):
    cache = EvidenceCache(path)
    for number in range(200):
        assert cache.put_many({f"{name}{number}": _FIND})


def test_read_only_makes_no_file_and_stores_nothing(open_cache, path):
    cache = open_cache(is_read_only=True)
    assert cache.get_many(["a"]) == {}
    assert not cache.put_many({"a": _FIND})
    assert not path.parent.exists()
    cache = open_cache()
    cache.put_many({"a": _FIND})
    cache.close()
    content = path.read_bytes()
    cache = open_cache(is_read_only=True)
    assert not cache.put_many({"b": _FIND})
    assert cache.get_many(["a", "b"]) == {"a": _FIND}
    assert path.read_bytes() == content


def test_read_only_reads_where_nothing_can_be_written(open_cache, path, caplog):
    cache = open_cache()
    cache.put_many({"a": _FIND})
    cache.close()
    # SQLite cannot keep its files beside the cache, as in a folder that is read-only.
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).mkdir()
    assert open_cache(is_read_only=True).get_many(["a"]) == {"a": _FIND}
    assert not caplog.records


def test_read_only_leaves_a_damaged_file_alone(open_cache, path, caplog):
    path.parent.mkdir()
    path.write_bytes(b"no database " * 500)
    cache = open_cache(is_read_only=True)
    assert [cache.get_many(["a"]), cache.get_many(["a"])] == [{}, {}]
    assert len(caplog.records) == 1
    assert list(path.parent.iterdir()) == [path]
