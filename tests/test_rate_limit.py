"""Tests of the rate limit."""

import multiprocessing
import pickle
import threading
import time

import pytest

from tests.damage import DAMAGES, damage
from tests.stand_in.clock import FakeTime
from transforms.fetch_evidence.rate_limit import RateLimit


@pytest.fixture
def fake():
    return FakeTime()


@pytest.fixture
def make_limit(tmp_path, fake):
    def make(per_second=1.0, name="service"):
        return RateLimit(
            tmp_path / "state" / "limit.sqlite",
            name,
            per_second,
            clock=fake.clock,
            sleep=fake.sleep,
        )

    return make


def test_spaces_calls_exactly(make_limit, fake):
    limit = make_limit(4.0)
    times = []
    for _ in range(5):
        limit.wait()
        times.append(fake.now - 1_700_000_000.0)
    assert times == [0.0, 0.25, 0.5, 0.75, 1.0]


def test_does_not_save_up_idle_time(make_limit, fake):
    limit = make_limit(1.0)
    limit.wait()
    fake.now += 100
    assert [limit.wait(), limit.wait(), limit.wait()] == [0.0, 1.0, 1.0]


def test_holds_across_objects_and_per_name(make_limit):
    assert make_limit().wait() == 0.0
    assert make_limit().wait() == 1.0
    assert make_limit(name="other").wait() == 0.0


def test_cool_down_holds_for_everybody(make_limit):
    make_limit().cool_down(30.0)
    assert make_limit().wait() == 30.0
    assert make_limit().wait() == 1.0


def test_cool_down_never_shortens_the_queue(make_limit):
    limit = make_limit()
    limit.cool_down(30.0)
    limit.cool_down(5.0)
    assert limit.wait() == 30.0


def test_cool_down_reaches_those_who_wait_already(tmp_path, fake):
    def sleep(seconds):
        fake.sleep(seconds)
        if len(fake.slept) == 1:
            other.cool_down(60.0)

    path = tmp_path / "limit.sqlite"
    other = RateLimit(path, "s", 1.0, clock=fake.clock, sleep=fake.sleep)
    limit = RateLimit(path, "s", 1.0, clock=fake.clock, sleep=sleep)
    limit.wait()
    assert limit.wait() == 61.0


def test_survives_a_clock_that_is_set_back(make_limit, fake):
    limit = make_limit()
    limit.wait()
    fake.now -= 86_400
    assert limit.wait() == 0.0


def test_pickles(tmp_path):
    limit = RateLimit(tmp_path / "limit.sqlite", "service", 1000.0)
    assert pickle.loads(pickle.dumps(limit)).wait() == 0.0


@pytest.mark.parametrize("per_second", [0, -1.0])
def test_rejects_bad_rate(tmp_path, per_second):
    with pytest.raises(ValueError, match="per_second"):
        RateLimit(tmp_path / "limit.sqlite", "service", per_second)


def test_says_what_to_do_with_a_folder_that_cannot_be_used(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(RuntimeError, match="make the folder writable"):
        RateLimit(tmp_path / "file" / "limit.sqlite", "service", 1.0)


@pytest.mark.parametrize("kind", [*DAMAGES, "foreign"])
@pytest.mark.parametrize("is_open", [False, True], ids=["at the start", "later"])
def test_a_damaged_file_is_moved_aside(make_limit, tmp_path, kind, is_open, caplog):
    path = tmp_path / "state" / "limit.sqlite"
    limit = make_limit()
    limit.wait()
    damage(path, kind)
    if not is_open:
        limit = make_limit()
    assert [limit.wait(), limit.wait()] == [0.0, 1.0]
    (warning,) = caplog.records
    assert "limit.sqlite is damaged" in warning.getMessage()
    assert len(list(path.parent.glob("limit.sqlite.damaged-*"))) == 1


def test_two_processes_share_the_rate(tmp_path):
    path = tmp_path / "limit.sqlite"
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        times = sorted(sum(pool.map(_call_often, [path, path], chunksize=1), []))
    rate = (len(times) - 1) / (times[-1] - times[0])
    # A busy machine makes fewer calls; more would be over the limit.
    assert rate <= 110.0


def test_threads_share_the_rate(tmp_path):
    limit = RateLimit(tmp_path / "limit.sqlite", "service", 200.0)
    start = time.monotonic()
    threads = [threading.Thread(target=limit.wait) for _ in range(21)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert time.monotonic() - start >= 0.1


def _call_often(path):
    limit = RateLimit(path, "service", 100.0)
    times = []
    for _ in range(25):
        limit.wait()
        times.append(time.time())
    return times
