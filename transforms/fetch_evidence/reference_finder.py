"""Finds the records that may be of a reference, in the indexes of the evidence."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable, Iterator, Sequence

from transforms import identifiers
from transforms.fetch_evidence.asking import Asker
from transforms.fetch_evidence.cache import Answer, Cache
from transforms.fetch_evidence.costs import Stats
from transforms.fetch_evidence.errors import describe_error
from transforms.fetch_evidence.lookup import title_key
from transforms.fetch_evidence.questions import Question, Unasked
from transforms.fetch_evidence.reference_case import ReferenceCase
from transforms.fetch_evidence.sources.base import Source
from transforms.names import family_name
from transforms.progress import NO_PROGRESS, Progress
from transforms.records import Reference, Work
from transforms.reference_records import Findings
from transforms.titles import normalise_title, title_similarity

# Bounds memory; a multiple of the usual batch.
_WINDOW = 5_000
# What counts as a find for the cache, which keeps misses for a day only.
_LIKE_TITLE = 0.8


class ReferenceFinder:
    """Asks index after index about references until nothing is left to ask.

    In each: the identifiers first, then the title.  A reference that agrees with what
    is found in every field is asked about no further; of one that does not, or that is
    not found, the next index may know better.

    Args:
      sources: The indexes to ask, in this order; this object closes them.
      cache: Where answers of remote sources are kept; closed by this object.
      offline: Whether remote sources are asked through the cache alone.
      concurrency: Requests in flight for each source, >= 1.
      failures_in_a_row: After how many failed requests a source is left alone, >= 1.
      progress: Takes note of questions and answers.
      clock: Wall-clock time in seconds.
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
        self._cache = cache
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

    def find(
        self,
        references: Iterable[tuple[str, Reference]],
        is_settled: Callable[[Reference, Findings], bool],
    ) -> Iterator[Findings]:
        """Yields what the indexes say to each reference, in order.

        Args:
          references: References by distinct keys; they are read some thousands ahead.
          is_settled: Tells whether what is found leaves nothing to ask.
        """
        remaining = iter(references)
        while window := list(itertools.islice(remaining, _WINDOW)):
            cases = [ReferenceCase(key, reference) for key, reference in window]
            is_open = list(cases)
            for asker in self._askers:
                _ask_ids(asker, is_open)
                is_open = [case for case in is_open if not _settled(case, is_settled)]
                _ask_titles(asker, is_open)
                is_open = [case for case in is_open if not _settled(case, is_settled)]
            for case in cases:
                yield case.findings()

    def take_stats(self) -> Stats:
        """Returns what asking has cost since this was last called."""
        total = sum((asker.stats() for asker in self._askers), start=Stats())
        taken, self._taken = self._taken, total
        return total - taken

    def close(self) -> None:
        """Closes sources and cache."""
        for asker in self._askers:
            asker.close()
        self._cache.close()


def _settled(
    case: ReferenceCase, is_settled: Callable[[Reference, Findings], bool]
) -> bool:
    """Tells whether a case is settled; an error in that is a failure of it alone."""
    if not case.has_works:
        return False
    try:
        return is_settled(case.reference, case.findings())
    except Exception as error:
        case.fail("check", describe_error(error))
        return True


def _ask_ids(asker: Asker, cases: Sequence[ReferenceCase]) -> None:
    """Asks for every identifier of each case, in full batches."""
    asked = [(case, key) for case in cases for key in _keys(case.reference)]
    answers = asker.by_ids(key for _, key in asked)
    for case, key in asked:
        case.take_id(asker.name, key, answers[key])


def _ask_titles(asker: Asker, cases: Sequence[ReferenceCase]) -> None:
    """Asks for the title of each case that has one, each title once."""
    asked = []
    questions: dict[str, Question] = {}
    for case in cases:
        if question := _question(case.reference):
            asked.append((case, question[0]))
            questions.setdefault(*question)
    answers: dict[str, Answer | Unasked] = asker.searches(questions)
    for case, key in asked:
        case.take_search(asker.name, answers[key])


def _question(reference: Reference) -> tuple[str, Question] | None:
    title = reference.title
    if not normalise_title(title):
        return None
    surname = family_name(reference.authors[0]) if reference.authors else ""
    year = reference.year

    def fits(work: Work) -> bool:
        return title_similarity(title, work.title) >= _LIKE_TITLE

    question = Question(
        ask=lambda source: source.by_title(title, surname, year), fits=fits
    )
    # The key of evidence, so that either check has the answers of the other.
    return title_key(title, surname, year), question


def _keys(reference: Reference) -> tuple[str, ...]:
    return identifiers.keys(
        doi=reference.doi,
        arxiv=reference.arxiv_id,
        pmid=reference.pmid,
        pmcid=reference.pmcid,
    )
