"""What is known of one lookup while sources are asked about it, one by one."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator, Sequence

from transforms.fetch_evidence import match, ranking
from transforms.fetch_evidence.abstract_check import without_notice
from transforms.fetch_evidence.cache import Answer
from transforms.fetch_evidence.errors import describe_error
from transforms.fetch_evidence.find import Find
from transforms.fetch_evidence.questions import Unasked
from transforms.identity import disagreements
from transforms.names import family_name
from transforms.records import (
    Entry,
    Evidence,
    EvidenceStatus,
    Lookup,
    MatchMethod,
    Work,
)
from transforms.titles import title_similarity

_MAX_RIVALS = 10
_SCORE_DIGITS = 4


class Case:
    """One lookup on its way from source to source.

    A work with an abstract ends it.  A work without one is kept, and the next
    source may do better.  Where several works fit, only an identifier can still
    tell which of them is meant.  Where an identifier leads to another work than
    the citing documents describe, the index may be at fault, so that the next is
    asked; a search for the described work would hide what is wrong.

    Args:
      lookup: What to look up.

    Attributes:
      lookup: What is known of the work by now.
      is_on_network: Whether a network index has answered, now or once.
    """

    def __init__(self, lookup: Lookup) -> None:
        self.lookup = lookup
        self.is_on_network = False
        self._source = ""
        self._is_offline = False
        self._is_settled_here = False
        self._is_mismatched_here = False
        self._is_failed_here = False
        self._find: Find | None = None
        self._mismatch: Evidence | None = None
        self._rivals = lookup.rivals
        # Dictionaries, because one reason may come up twice.
        self._failures: dict[str, None] = {}
        self._misses: dict[str, None] = {}

    def enter(self, source: str, *, is_offline: bool) -> None:
        """Begins with another source."""
        self._source = source
        self._is_offline = is_offline
        self._is_settled_here = False
        self._is_mismatched_here = False
        self._is_failed_here = False
        if self._find is not None:
            self.lookup = _enriched(self.lookup, self._find.work)

    @property
    def may_ask_ids(self) -> bool:
        """Whether a further identifier is worth asking for."""
        is_over = self._is_failed_here or self._is_mismatched_here
        return not is_over and not self._has_abstract

    @property
    def may_search(self) -> bool:
        """Whether a search is worth a request."""
        is_over = self._is_settled_here or self._mismatch or self._rivals
        return self.may_ask_ids and not is_over

    @contextlib.contextmanager
    def guarded(self) -> Iterator[None]:
        """Turns an unforeseen error into a failure of this lookup alone."""
        try:
            yield
        except Exception as error:
            self._is_failed_here = True
            self._fail(describe_error(error))

    def settle_id(self, answer: Answer | Unasked) -> None:
        """Takes what an identifier led to, if it is what documents say it is."""
        if isinstance(answer, Unasked):
            self._settle_unasked(answer)
            return
        self._note_asked(answer)
        if not answer.works:
            self._miss("identifier unknown")
            return
        work = answer.works[0]
        fields = _mismatch(self.lookup.entries, work)
        if not fields:
            self._take(work, MatchMethod.IDENTIFIER, 1.0, answer)
            return
        self._is_mismatched_here = True
        self._mismatch = self._mismatch or Evidence(
            self.lookup.key,
            EvidenceStatus.IDENTITY_MISMATCH,
            without_notice(work),
            answer.retrieved_at,
            ", ".join(fields),
        )

    def settle_search(self, answer: Answer | Unasked) -> None:
        """Takes the candidate of a search that alone agrees with the lookup."""
        if isinstance(answer, Unasked):
            self._settle_unasked(answer)
            return
        self._note_asked(answer)
        if not answer.works:
            self._miss("no candidate")
        elif self.lookup.title:
            self._settle_titled(answer)
        else:
            self._settle_ranked(answer)

    def evidence(self) -> Evidence:
        """Returns what the lookup came to."""
        key = self.lookup.key
        failures = "; ".join(self._failures)
        if self._find is not None:
            return self._find.evidence(key, failures)
        if self._mismatch is not None:
            return self._mismatch
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
        return self._find is not None and self._find.has_abstract

    def _settle_titled(self, answer: Answer) -> None:
        fitting = match.candidates(self.lookup, answer.works)
        scored = [
            (title_similarity(self.lookup.title, work.title), work) for work in fitting
        ]
        if len(scored) > 1:
            self._rivals = _named(scored)
        elif scored:
            score, work = scored[0]
            self._take(work, MatchMethod.TITLE, score, answer)
        else:
            self._miss(f"none of {len(answer.works)} candidates agrees")

    def _settle_ranked(self, answer: Answer) -> None:
        ranked = ranking.rank(self.lookup, answer.works)
        if best := ranking.choose(self.lookup, ranked):
            self._take(best.work, MatchMethod.AUTHOR_YEAR, best.score, answer)
        elif len(ranked) > 1:
            self._rivals = _named([(c.score, c.work) for c in ranked])
        elif ranked:
            (only,) = _named([(c.score, c.work) for c in ranked])
            self._miss(f"one candidate, too little like it: {only}")
        else:
            self._miss(f"none of {len(answer.works)} candidates agrees")

    def _take(
        self, work: Work, method: MatchMethod, score: float, answer: Answer
    ) -> None:
        self._is_settled_here = True
        find = Find(
            without_notice(work),
            method,
            round(score, _SCORE_DIGITS),
            answer.retrieved_at,
        )
        self._find = find if self._find is None else self._find.joined(find)

    def _settle_unasked(self, unasked: Unasked) -> None:
        # What is cached under another question costs nothing to look at; a
        # source that fails should be left alone.
        self._is_failed_here = not self._is_offline
        self._fail(unasked.reason)

    def _note_asked(self, answer: Answer) -> None:
        # Only a network index says when it answered.
        self.is_on_network |= bool(answer.retrieved_at) and not self._is_offline

    def _fail(self, reason: str) -> None:
        self._failures[f"{self._source}: {reason}"] = None

    def _miss(self, reason: str) -> None:
        self._misses[f"{self._source}: {reason}"] = None


def _mismatch(entries: Sequence[Entry], work: Work) -> tuple[str, ...]:
    """Returns the fields that disagree with every entry; empty if one may be right."""
    fields: tuple[str, ...] = ()
    for entry in entries:
        fields = disagreements(entry, work)
        if not fields:
            break
    return fields


def _named(scored: Sequence[tuple[float, Work]]) -> tuple[str, ...]:
    """Returns candidates by id, each with its score."""
    ordered = sorted(scored, key=lambda pair: pair[1].paper_id)
    return tuple(f"{work.paper_id} ({score:.2f})" for score, work in ordered)


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
