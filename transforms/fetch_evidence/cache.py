"""Keeps the answers of remote sources from one run to the next.

What is kept is what the index said, never what we made of it: a better matcher
needs no new requests.  Values are JSON: a cache file cannot run code.
"""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import pathlib
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from transforms import identifiers
from transforms.fetch_evidence.match import has_abstract
from transforms.fetch_evidence.store import Store
from transforms.records import Work

# To be raised when ``Work`` gets fields or sources ask for more: entries of
# another version are misses.
FIELDS_VERSION = 3

_YEARS = range(1000, 2200)
_DAY_SECONDS = 86_400.0
_WORK_FIELDS = tuple(field.name for field in dataclasses.fields(Work))


@dataclasses.dataclass(frozen=True, slots=True)
class Answer:
    """What a source answered to one question.

    Attributes:
      works: The works it gave, best first; none if it knows no such work.
      is_find: Whether the work that was asked for is among them.
      retrieved_at: When it answered, ISO 8601 UTC; ``""`` for a local source.
    """

    works: tuple[Work, ...]
    is_find: bool
    retrieved_at: str = ""


class Cache(Protocol):
    """A store of answers by question."""

    def get_many(self, keys: Sequence[str]) -> dict[str, Answer]:
        """Returns the answers that are known and fresh enough, by key."""

    def put_many(self, answers: Mapping[str, Answer]) -> bool:
        """Stores answers, all or none, and returns whether they are stored."""

    def close(self) -> None:
        """Lets go of the file."""


class EvidenceCache:
    """A cache in one SQLite file, for all processes and runs on a machine.

    Entries that are stale, of another version or unreadable are misses.  No error
    of the file stops a run.

    Args:
      path: The file; its folder is made if need be.
      find_days: Days that an answer with the work stays fresh, > 0.
      miss_days: Days that one without it stays fresh, >= 0.
      is_read_only: Whether nothing is to be stored, nor the file made.
      clock: Wall-clock time in seconds.

    Raises:
      ValueError: If a number of days is out of range.
    """

    def __init__(
        self,
        path: pathlib.Path,
        *,
        find_days: float = 90.0,
        miss_days: float = 1.0,
        is_read_only: bool = False,
        clock: Callable[[], float] = time.time,
    ) -> None:
        if find_days <= 0:
            raise ValueError(f"find_days must be positive, got {find_days}")
        if miss_days < 0:
            raise ValueError(f"miss_days must not be negative, got {miss_days}")
        self._store = Store(path, is_read_only=is_read_only)
        self._find_seconds = find_days * _DAY_SECONDS
        self._miss_seconds = miss_days * _DAY_SECONDS
        self._clock = clock

    def get_many(self, keys: Sequence[str]) -> dict[str, Answer]:
        """Returns the answers that are known and fresh enough, by key."""
        now = self._clock()
        answers = {}
        for key, value in self._store.read(keys).items():
            # An entry that another program wrote is as good as none.
            with contextlib.suppress(KeyError, TypeError, ValueError):
                answer = _decoded(value)
                if self._is_fresh(answer, now):
                    answers[key] = answer
        return answers

    def put_many(self, answers: Mapping[str, Answer]) -> bool:
        """Stores answers, all or none, and returns whether they are stored."""
        return self._store.write({k: _encoded(answer) for k, answer in answers.items()})

    def close(self) -> None:
        """Lets go of the file; it is opened again when needed."""
        self._store.close()

    def _is_fresh(self, answer: Answer, now: float) -> bool:
        then = datetime.datetime.fromisoformat(answer.retrieved_at).timestamp()
        kept = self._find_seconds if answer.is_find else self._miss_seconds
        return now < then + kept


def by_identifier(answers: Iterable[Answer]) -> dict[str, Answer]:
    """Returns an answer for each identifier that the works of ``answers`` carry.

    Only works with an abstract count: of another, the index may hold a better
    record, which asking for the identifier would find.
    """
    return {
        key: Answer((work,), True, answer.retrieved_at)
        for answer in answers
        for work in answer.works
        if has_abstract(work)
        for key in identifiers.keys(
            doi=work.doi, arxiv=work.arxiv_id, pmid=work.pmid, pmcid=work.pmcid
        )
    }


def _encoded(answer: Answer) -> dict[str, Any]:
    return {
        "version": FIELDS_VERSION,
        "retrieved_at": answer.retrieved_at,
        "is_find": answer.is_find,
        "works": [
            {name: getattr(work, name) for name in _WORK_FIELDS}
            for work in answer.works
        ],
    }


def _decoded(value: Any) -> Answer:
    """Returns the answer in a stored value.

    Raises:
      KeyError, TypeError, ValueError: If it is not one of this version.
    """
    if value["version"] != FIELDS_VERSION:
        raise ValueError("another version")
    works = tuple(map(_work, value["works"]))
    return Answer(works, value["is_find"], value["retrieved_at"])


def _work(fields: dict[str, Any]) -> Work:
    """Returns a stored work whose fields are of the types that a work has."""
    lists = {name: tuple(fields[name]) for name in ("authors", "notices")}
    work = Work(**{**fields, **lists})
    texts = (
        *(work.source, work.paper_id, work.title, work.abstract, *work.authors),
        *(work.venue, work.volume, work.pages, *work.notices),
    )
    ids = (work.doi, work.arxiv_id, work.pmid, work.pmcid)
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("a text is of another type")
    if not all(value is None or isinstance(value, str) for value in ids):
        raise TypeError("an identifier is of another type")
    if work.year is not None and (
        not isinstance(work.year, int)
        or isinstance(work.year, bool)
        or work.year not in _YEARS
    ):
        raise ValueError("the year is none")
    return work
