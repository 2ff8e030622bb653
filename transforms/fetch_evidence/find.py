"""A work that was found, with the best abstract that any source had for it."""

from __future__ import annotations

import dataclasses

from transforms.fetch_evidence.abstract_check import is_suspect
from transforms.fetch_evidence.match import has_abstract
from transforms.records import Evidence, EvidenceStatus, MatchMethod, Work


@dataclasses.dataclass(frozen=True, slots=True)
class Find:
    """What the sources so far have of the work.

    Attributes:
      work: The record, without notices in place of its abstract.
      method: By what the work was told from others.
      score: How well it fits, in [0, 1].
      retrieved_at: When the source of the abstract answered, or ``""``.
      abstract_source: Name of that source, if it is another than the record's.
    """

    work: Work
    method: MatchMethod
    score: float
    retrieved_at: str
    abstract_source: str = ""

    @property
    def has_abstract(self) -> bool:
        """Whether there is an abstract that can be that of the work."""
        return has_abstract(self.work) and not is_suspect(self.work)

    def joined(self, other: Find) -> Find:
        """Returns the better of two, or this with the abstract of another source.

        Args:
          other: What was found next.
        """
        if other._quality <= self._quality:
            is_withheld = self.work.is_withheld or other.work.is_withheld
            work = dataclasses.replace(self.work, is_withheld=is_withheld)
            return dataclasses.replace(self, work=work)
        if other.work.source == self.work.source:
            return other
        return dataclasses.replace(
            self,
            work=dataclasses.replace(self.work, abstract=other.work.abstract),
            retrieved_at=other.retrieved_at,
            abstract_source=other.work.source,
        )

    def evidence(self, key: str, failures: str) -> Evidence:
        """Returns the evidence that this is.

        Args:
          key: Key of the lookup.
          failures: What kept other sources from being asked, or ``""``.
        """
        status = self._status()
        source = self.abstract_source or self.work.source
        return Evidence(
            key,
            status,
            self.work,
            self.retrieved_at,
            "" if status is EvidenceStatus.FOUND else failures,
            self.method,
            self.score,
            source if has_abstract(self.work) else "",
        )

    @property
    def _quality(self) -> int:
        """How good the abstract is: none, suspect or sound."""
        return has_abstract(self.work) + self.has_abstract

    def _status(self) -> EvidenceStatus:
        if has_abstract(self.work):
            suspect = is_suspect(self.work)
            return EvidenceStatus.SUSPECT_ABSTRACT if suspect else EvidenceStatus.FOUND
        withheld = self.work.is_withheld
        return EvidenceStatus.WITHHELD if withheld else EvidenceStatus.NO_ABSTRACT
