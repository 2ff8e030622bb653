"""What is known of one lookup while sources are asked about it, one by one."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator

from transforms.fetch_evidence import match
from transforms.fetch_evidence.asking import Unasked, describe_error
from transforms.fetch_evidence.cache import Answer
from transforms.names import family_name
from transforms.records import Evidence, EvidenceStatus, Lookup, Work

_MAX_RIVALS = 10


class Case:
    """One lookup on its way from source to source.

    A work with an abstract ends it.  A work without one is kept, and the next
    source may do better.  Where several works fit, only an identifier can still
    tell which of them is meant.

    Args:
      lookup: What to look up.
    """

    def __init__(self, lookup: Lookup) -> None:
        self.lookup = lookup
        self._source = ""
        self._is_offline = False
        self._is_found_here = False
        self._is_failed_here = False
        self._work: Work | None = None
        self._retrieved_at = ""
        self._rivals = lookup.rivals
        # Dictionaries, because one reason may come up twice.
        self._failures: dict[str, None] = {}
        self._misses: dict[str, None] = {}

    def enter(self, source: str, *, is_offline: bool) -> None:
        """Begins with another source."""
        self._source = source
        self._is_offline = is_offline
        self._is_found_here = False
        self._is_failed_here = False
        if self._work is not None:
            self.lookup = _enriched(self.lookup, self._work)

    @property
    def may_ask_ids(self) -> bool:
        """Whether a further identifier is worth asking for."""
        return not self._is_failed_here and not self._has_abstract

    @property
    def may_search(self) -> bool:
        """Whether a search is worth a request."""
        return self.may_ask_ids and not self._is_found_here and not self._rivals

    @contextlib.contextmanager
    def guarded(self) -> Iterator[None]:
        """Turns an unforeseen error into a failure of this lookup alone."""
        try:
            yield
        except Exception as error:
            self._is_failed_here = True
            self._fail(describe_error(error))

    def settle_id(self, answer: Answer | Unasked) -> None:
        """Takes what an identifier led to."""
        if isinstance(answer, Unasked):
            self._settle_unasked(answer)
        elif answer.works:
            self._take(answer.works[0], answer)
        else:
            self._miss("identifier unknown")

    def settle_search(self, answer: Answer | Unasked) -> None:
        """Takes those candidates of a search that agree with the lookup."""
        if isinstance(answer, Unasked):
            self._settle_unasked(answer)
            return
        fitting = match.candidates(self.lookup, answer.works)
        if len(fitting) > 1:
            self._rivals = tuple(sorted(work.paper_id for work in fitting))
        elif fitting:
            self._take(fitting[0], answer)
        elif answer.works:
            self._miss(f"none of {len(answer.works)} candidates agrees")
        else:
            self._miss("no candidate")

    def evidence(self) -> Evidence:
        """Returns what the lookup came to."""
        key = self.lookup.key
        failures = "; ".join(self._failures)
        if self._work is not None:
            has_abstract = self._has_abstract
            return Evidence(
                key,
                EvidenceStatus.FOUND if has_abstract else EvidenceStatus.NO_ABSTRACT,
                self._work,
                self._retrieved_at,
                "" if has_abstract else failures,
            )
        if self._rivals:
            named = ", ".join(self._rivals[:_MAX_RIVALS])
            detail = f"{len(self._rivals)} candidates: {named}"
            return Evidence(key, EvidenceStatus.AMBIGUOUS, detail=detail)
        if failures:
            return Evidence(key, EvidenceStatus.FETCH_FAILED, detail=failures)
        detail = "; ".join(self._misses) or "nothing to look up by"
        return Evidence(key, EvidenceStatus.NOT_FOUND, detail=detail)

    @property
    def _has_abstract(self) -> bool:
        return self._work is not None and match.has_abstract(self._work)

    def _take(self, work: Work, answer: Answer) -> None:
        self._is_found_here = True
        if self._work is None or match.has_abstract(work):
            self._work = work
            self._retrieved_at = answer.retrieved_at

    def _settle_unasked(self, unasked: Unasked) -> None:
        # What is cached under another question costs nothing to look at; a
        # source that fails should be left alone.
        self._is_failed_here = not self._is_offline
        self._fail(unasked.reason)

    def _fail(self, reason: str) -> None:
        self._failures[f"{self._source}: {reason}"] = None

    def _miss(self, reason: str) -> None:
        self._misses[f"{self._source}: {reason}"] = None


def _enriched(lookup: Lookup, work: Work) -> Lookup:
    """Returns the lookup with what the work tells the source that is asked next."""
    if not lookup.title and work.title:
        lookup = dataclasses.replace(
            lookup,
            title=work.title,
            surnames=tuple(family_name(author) for author in work.authors),
            et_al=False,
            year=work.year,
        )
    return dataclasses.replace(
        lookup,
        doi=lookup.doi or work.doi,
        arxiv_id=lookup.arxiv_id or work.arxiv_id,
        pmid=lookup.pmid or work.pmid,
        pmcid=lookup.pmcid or work.pmcid,
    )
