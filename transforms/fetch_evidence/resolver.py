"""Resolves lookups: sources in order; in each, identifiers, titles, searches."""

from __future__ import annotations

import functools
import itertools
import time
from collections.abc import Callable, Iterable, Iterator, Sequence

from transforms.fetch_evidence import match
from transforms.fetch_evidence.asking import Asker
from transforms.fetch_evidence.cache import Cache
from transforms.fetch_evidence.case import Case
from transforms.fetch_evidence.costs import Stats
from transforms.fetch_evidence.lookup import (
    author_year_key,
    identifier_keys,
    title_key,
)
from transforms.fetch_evidence.questions import Question
from transforms.fetch_evidence.sources.base import Source
from transforms.progress import NO_PROGRESS, Progress
from transforms.records import Evidence, EvidenceStatus, Lookup

# Bounds memory; a multiple of the usual batch, so that few batches are cut short.
_WINDOW = 10_000
# As many kinds of identifier as there are.
_MAX_IDENTIFIERS = 4
# An index ranks worse by a long list of names.
_SEARCHED_SURNAMES = 2


class Resolver:
    """Finds the work behind each lookup.

    Args:
      sources: The indexes to ask, in this order; this object closes them.
      cache: Where answers of remote sources are kept; closed by this object.
      offline: Whether remote sources are asked through the cache alone.
      concurrency: Requests in flight for each source, >= 1.
      failures_in_a_row: After how many failed requests, each with its repeats, a
        source is left alone, >= 1.
      progress: Takes note of questions and answers.
      clock: Wall-clock time in seconds.

    Raises:
      ValueError: If there is no source, or a number is below 1.
    """

    def __init__(
        self,
        sources: Sequence[Source],
        cache: Cache,
        *,
        offline: bool = False,
        concurrency: int = 4,
        failures_in_a_row: int = 5,
        progress: Progress = NO_PROGRESS,
        clock: Callable[[], float] = time.time,
    ) -> None:
        if not sources:
            raise ValueError("there must be at least one source")
        _require_positive("concurrency", concurrency)
        _require_positive("failures_in_a_row", failures_in_a_row)
        self._cache = cache
        self._lookup_stats = Stats()
        self._taken = Stats()
        self._askers = [
            Asker(
                source,
                cache,
                offline=offline,
                concurrency=concurrency,
                failures_in_a_row=failures_in_a_row,
                progress=progress,
                clock=clock,
            )
            for source in sources
        ]

    def resolve(self, lookups: Iterable[Lookup]) -> Iterator[Evidence]:
        """Yields one piece of evidence for each lookup, in order.

        An error that nobody foresaw makes its lookup ``fetch_failed`` and leaves
        the others alone.

        Args:
          lookups: Lookups of distinct keys; they are read some thousands ahead.
        """
        remaining = iter(lookups)
        while window := list(itertools.islice(remaining, _WINDOW)):
            cases = [Case(lookup) for lookup in window]
            for asker in self._askers:
                for case in cases:
                    with case.guarded():
                        case.enter(asker.name, is_offline=asker.is_offline)
                _ask_ids(asker, cases)
                _search(asker, cases, _title_question)
                _search(asker, cases, _author_year_question)
            for case in cases:
                evidence = case.evidence()
                self._count(case, evidence)
                yield evidence

    def take_stats(self) -> Stats:
        """Returns what asking has cost since this was last called."""
        costs = (asker.stats() for asker in self._askers)
        total = sum(costs, start=self._lookup_stats)
        taken, self._taken = self._taken, total
        return total - taken

    def close(self) -> None:
        """Closes sources and cache."""
        for asker in self._askers:
            asker.close()
        self._cache.close()

    def _count(self, case: Case, evidence: Evidence) -> None:
        if case.is_on_network:
            is_miss = evidence.status is EvidenceStatus.NOT_FOUND
            self._lookup_stats += Stats(
                network_lookups=1, network_misses=1 if is_miss else 0
            )


def _require_positive(name: str, value: int) -> None:
    if value < 1:
        raise ValueError(f"{name} must be at least 1, got {value}")


def _ask_ids(asker: Asker, cases: Sequence[Case]) -> None:
    """Asks for the best identifier of each case, then for the next where need be."""
    for rank in range(_MAX_IDENTIFIERS):
        asked = []
        for case in cases:
            with case.guarded():
                keys = identifier_keys(case.lookup)
                if case.may_ask_ids and rank < len(keys):
                    asked.append((case, keys[rank]))
        answers = asker.by_ids(key for _, key in asked)
        for case, key in asked:
            with case.guarded():
                case.settle_id(answers[key])


def _search(
    asker: Asker,
    cases: Sequence[Case],
    question_for: Callable[[Lookup], tuple[str, Question] | None],
) -> None:
    """Asks one kind of question about each case that is still open."""
    asked = []
    questions: dict[str, Question] = {}
    for case in cases:
        with case.guarded():
            if case.may_search and (question := question_for(case.lookup)):
                asked.append((case, question[0]))
                questions.setdefault(*question)
    answers = asker.searches(questions)
    for case, key in asked:
        with case.guarded():
            case.settle_search(answers[key])


def _title_question(lookup: Lookup) -> tuple[str, Question] | None:
    """Returns the key and question of a title, or None if there is no title."""
    if not lookup.title:
        return None
    surname = lookup.surnames[0] if lookup.surnames else ""
    question = Question(
        ask=lambda source: source.by_title(lookup.title, surname, lookup.year),
        fits=functools.partial(match.agrees, lookup),
    )
    return title_key(lookup.title, surname, lookup.year), question


def _author_year_question(lookup: Lookup) -> tuple[str, Question] | None:
    """Returns the key and question of a search; None if a title is to be trusted."""
    year = lookup.year
    surnames = lookup.surnames[:_SEARCHED_SURNAMES]
    if lookup.title or not surnames or year is None:
        return None
    question = Question(
        ask=lambda source: source.by_author_year(surnames, year, lookup.terms),
        fits=functools.partial(match.agrees, lookup),
    )
    return author_year_key(surnames, year, lookup.terms), question
