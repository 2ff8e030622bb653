"""Asks one source: from the cache first, each question once, without hammering."""

from __future__ import annotations

import concurrent.futures
import datetime
import functools
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from transforms.fetch_evidence.cache import Answer, Cache, by_identifier
from transforms.fetch_evidence.costs import Stats
from transforms.fetch_evidence.errors import describe_error
from transforms.fetch_evidence.questions import Question, Unasked
from transforms.fetch_evidence.sources.base import (
    BatchRefused,
    Source,
    SourceUnavailable,
)
from transforms.progress import NO_PROGRESS, Progress, Step

_Result = TypeVar("_Result")


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
      progress: Takes note of questions and answers.
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
        progress: Progress = NO_PROGRESS,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.name = source.name
        self.is_offline = offline and source.is_remote
        self._source = source
        self._cache = cache
        self._concurrency = concurrency
        self._max_failures = failures_in_a_row
        self._progress = progress
        self._clock = clock
        self._lock = threading.Lock()
        self._failures = 0
        self._batch_size = source.batch_size
        self._ids_asked = 0
        self._stats = Stats()

    def by_ids(self, keys: Iterable[str]) -> dict[str, Answer | Unasked]:
        """Returns what the source knows under each identifier key."""
        answers, unknown = self._known(dict.fromkeys(keys))
        if self.is_offline:
            return answers | self._left(unknown)
        self._ids_asked += len(answers) + len(unknown)
        pending = [unknown]
        while pending:
            batch = pending.pop()
            size = self._batch_size
            if len(batch) > size:
                pending += [batch[size:], batch[:size]]
            elif batch:
                try:
                    answers |= self._told(self._answered(batch))
                except BatchRefused as error:
                    half = (len(batch) + 1) // 2
                    if error.is_too_large:
                        # Later batches would be refused as well.
                        self._batch_size = half
                    pending += [batch[half:], batch[:half]]
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
            return answers | self._left(unknown)
        self._stats += Stats(floor=len(questions) if self._source.is_remote else 0)
        asked = {key: questions[key] for key in unknown}
        if not self._source.is_remote:
            for key, question in asked.items():
                answers |= self._told({key: self._search(question)})
            return answers
        for key, outcome in self._in_parallel(asked):
            if isinstance(outcome, Answer):
                self._keep({key: outcome})
            answers |= self._told({key: outcome})
        return answers

    def stats(self) -> Stats:
        """Returns what asking has cost so far."""
        batches = -(-self._ids_asked // self._source.batch_size)
        floor = batches if self._source.is_remote else 0
        requests = self._source.requests_made
        return self._stats + Stats(requests=requests, floor=floor)

    def close(self) -> None:
        """Closes the source."""
        self._source.close()

    def _known(
        self, keys: Iterable[str]
    ) -> tuple[dict[str, Answer | Unasked], list[str]]:
        """Returns the answers that are in the cache, and the keys of the others."""
        wanted = list(keys)
        self._progress.add(Step.ASKED, len(wanted))
        if not self._source.is_remote or not wanted:
            return {}, wanted
        cached = self._cache.get_many([self._cache_key(key) for key in wanted])
        answers: dict[str, Answer | Unasked] = {
            key: cached[cache_key]
            for key in wanted
            if (cache_key := self._cache_key(key)) in cached
        }
        self._stats += Stats(questions=len(wanted), cache_hits=len(answers))
        self._progress.add(Step.FROM_CACHE, len(answers))
        return answers, [key for key in wanted if key not in answers]

    def _left(self, keys: Sequence[str]) -> dict[str, Answer | Unasked]:
        """Returns what stands for the answers of a source that may not be asked."""
        return self._told(dict.fromkeys(keys, Unasked("offline")))

    def _told(
        self, answers: dict[str, Answer | Unasked]
    ) -> dict[str, Answer | Unasked]:
        """Takes note of answers that have just come."""
        unasked = sum(isinstance(answer, Unasked) for answer in answers.values())
        self._progress.add(Step.UNANSWERED, unasked)
        self._progress.add(Step.FROM_INDEX, len(answers) - unasked)
        return answers

    def _keep(self, answers: Mapping[str, Answer]) -> None:
        """Stores answers, and every work in them under its identifiers as well."""
        if not self._source.is_remote:
            return
        kept = {**by_identifier(answers.values()), **answers}
        values = {self._cache_key(key): answer for key, answer in kept.items()}
        if not self._cache.put_many(values):
            self._stats += Stats(unsaved_answers=len(answers))

    def _cache_key(self, key: str) -> str:
        return f"{self.name}|{key}"

    def _answered(self, keys: Sequence[str]) -> dict[str, Answer | Unasked]:
        """Asks for one batch.

        Raises:
          BatchRefused: If the halves of it are to be asked for.
        """
        can_be_split = len(keys) > 1
        outcome = self._tried(functools.partial(self._batch, keys), can_be_split)
        if isinstance(outcome, Unasked):
            return dict.fromkeys(keys, outcome)
        self._keep(outcome)
        return dict(outcome)

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

    def _tried(
        self, ask: Callable[[], _Result], can_be_split: bool = False
    ) -> _Result | Unasked:
        """Asks unless the source has failed too often, and counts failures.

        Raises:
          BatchRefused: If the question can be split, and that may help.
        """
        if self._failures >= self._max_failures:
            return Unasked(f"not asked: failed {self._failures} times in a row")
        try:
            result = ask()
        except SourceUnavailable as error:
            if can_be_split and isinstance(error, BatchRefused):
                raise
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
