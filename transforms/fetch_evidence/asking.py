"""Asks one source: from the cache first, each question once, without hammering."""

from __future__ import annotations

import concurrent.futures
import dataclasses
import datetime
import functools
import itertools
import pathlib
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from transforms.fetch_evidence.cache import Answer, Cache
from transforms.fetch_evidence.sources.base import Source, SourceUnavailable
from transforms.records import Work

_Result = TypeVar("_Result")


@dataclasses.dataclass(frozen=True, slots=True)
class Question:
    """A question that costs a request of its own.

    Attributes:
      ask: Asks it; may raise ``SourceUnavailable``.
      fits: Tells whether a work that is answered is the one that is looked up.
    """

    ask: Callable[[Source], list[Work]]
    fits: Callable[[Work], bool]


@dataclasses.dataclass(frozen=True, slots=True)
class Unasked:
    """Stands for the answer where there is none.

    Attributes:
      reason: Why the source could not be asked; no key, no document text.
    """

    reason: str


@dataclasses.dataclass(frozen=True, slots=True)
class Stats:
    """What asking has cost.

    Attributes:
      questions: Distinct questions put to remote sources and the cache.
      cache_hits: Those of them that the cache answered.
      requests: Requests sent, repeats included.
      unsaved_answers: Answers that could not be put into the cache.
    """

    questions: int = 0
    cache_hits: int = 0
    requests: int = 0
    unsaved_answers: int = 0

    def __add__(self, other: Stats) -> Stats:
        mine, theirs = dataclasses.astuple(self), dataclasses.astuple(other)
        return Stats(*map(sum, zip(mine, theirs, strict=True)))

    def __sub__(self, other: Stats) -> Stats:
        return self + Stats(*(-count for count in dataclasses.astuple(other)))


class Asker:
    """Puts questions to one source.

    Answers of a remote source go into the cache as they come.  After a number of
    failures in a row the source is left alone for as long as this object lives: a
    dead service must not cost hours.

    Args:
      source: The source; this object closes it.
      cache: Where answers of a remote source are kept.
      offline: Whether a remote source is asked through the cache alone.
      concurrency: Requests in flight, >= 1.
      failures_in_a_row: How many end the asking, >= 1.
      clock: Wall-clock time in seconds.
    """

    def __init__(
        self,
        source: Source,
        cache: Cache,
        *,
        offline: bool = False,
        concurrency: int = 4,
        failures_in_a_row: int = 5,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.name = source.name
        self.is_offline = offline and source.is_remote
        self._source = source
        self._cache = cache
        self._concurrency = concurrency
        self._max_failures = failures_in_a_row
        self._clock = clock
        self._lock = threading.Lock()
        self._failures = 0
        self._stats = Stats()

    def by_ids(self, keys: Iterable[str]) -> dict[str, Answer | Unasked]:
        """Returns what the source knows under each identifier key."""
        answers, unknown = self._known(dict.fromkeys(keys))
        if self.is_offline:
            return answers | dict.fromkeys(unknown, Unasked("offline"))
        for batch in _batches(unknown, self._source.batch_size):
            outcome = self._tried(functools.partial(self._batch, batch))
            if isinstance(outcome, Unasked):
                answers |= dict.fromkeys(batch, outcome)
            else:
                self._keep(outcome)
                answers |= outcome
        return answers

    def searches(
        self, questions: Mapping[str, Question]
    ) -> dict[str, Answer | Unasked]:
        """Returns the answer to each question, by its key.

        Args:
          questions: Questions by what they ask, which is what answers are kept under.
        """
        answers, unknown = self._known(questions)
        if self.is_offline:
            return answers | dict.fromkeys(unknown, Unasked("offline"))
        asked = {key: questions[key] for key in unknown}
        if not self._source.is_remote:
            return {key: self._search(question) for key, question in asked.items()}
        for key, outcome in self._in_parallel(asked):
            if isinstance(outcome, Answer):
                self._keep({key: outcome})
            answers[key] = outcome
        return answers

    def stats(self) -> Stats:
        """Returns what asking has cost so far."""
        return self._stats + Stats(requests=self._source.requests_made)

    def close(self) -> None:
        """Closes the source."""
        self._source.close()

    def _known(
        self, keys: Iterable[str]
    ) -> tuple[dict[str, Answer | Unasked], list[str]]:
        """Returns the answers that are in the cache, and the keys of the others."""
        wanted = list(keys)
        if not self._source.is_remote or not wanted:
            return {}, wanted
        cached = self._cache.get_many([self._cache_key(key) for key in wanted])
        answers: dict[str, Answer | Unasked] = {
            key: cached[cache_key]
            for key in wanted
            if (cache_key := self._cache_key(key)) in cached
        }
        self._stats += Stats(questions=len(wanted), cache_hits=len(answers))
        return answers, [key for key in wanted if key not in answers]

    def _keep(self, answers: Mapping[str, Answer]) -> None:
        if not self._source.is_remote:
            return
        kept = {self._cache_key(key): answer for key, answer in answers.items()}
        if not self._cache.put_many(kept):
            self._stats += Stats(unsaved_answers=len(kept))

    def _cache_key(self, key: str) -> str:
        return f"{self.name}|{key}"

    def _batch(self, keys: Sequence[str]) -> dict[str, Answer]:
        works = self._source.by_ids(keys)
        now = self._now()
        return {
            key: Answer((work,) if work else (), work is not None, now)
            for key, work in zip(keys, works, strict=True)
        }

    def _search(self, question: Question) -> Answer | Unasked:
        def ask() -> Answer:
            works = tuple(question.ask(self._source))
            return Answer(works, any(map(question.fits, works)), self._now())

        return self._tried(ask)

    def _in_parallel(
        self, questions: Mapping[str, Question]
    ) -> Iterator[tuple[str, Answer | Unasked]]:
        """Yields outcomes as they come, so that each can be kept at once."""
        pool = concurrent.futures.ThreadPoolExecutor(self._concurrency)
        try:
            keys = {pool.submit(self._search, q): key for key, q in questions.items()}
            for future in concurrent.futures.as_completed(keys):
                yield keys[future], future.result()
        finally:
            # An interrupted run must not wait for a whole queue.
            pool.shutdown(cancel_futures=True)

    def _tried(self, ask: Callable[[], _Result]) -> _Result | Unasked:
        """Asks unless the source has failed too often, and counts failures."""
        if self._failures >= self._max_failures:
            return Unasked(f"not asked: failed {self._failures} times in a row")
        try:
            result = ask()
        except SourceUnavailable as error:
            with self._lock:
                self._failures += 1
            return Unasked(error.reason)
        except Exception as error:  # One odd answer must not cost the others.
            return Unasked(describe_error(error))
        with self._lock:
            self._failures = 0
        return result

    def _now(self) -> str:
        if not self._source.is_remote:
            return ""
        now = datetime.datetime.fromtimestamp(self._clock(), datetime.UTC)
        return now.isoformat(timespec="seconds")


def describe_error(error: Exception) -> str:
    """Returns class and place of an error, without its text, which may quote."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    if trace is None:
        return type(error).__name__
    place = pathlib.PurePath(trace.tb_frame.f_code.co_filename).name
    return f"{type(error).__name__} at {place}:{trace.tb_lineno}"


def _batches(keys: Iterable[str], size: int) -> Iterator[list[str]]:
    remaining = iter(keys)
    while batch := list(itertools.islice(remaining, size)):
        yield batch
