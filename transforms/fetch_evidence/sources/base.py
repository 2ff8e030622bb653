"""What every source of works offers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from transforms.records import Work


class SourceUnavailable(Exception):
    """Raised when a source could not be asked, or its answer not be read.

    A later run may get an answer; this is never a "not found".

    Args:
      reason: What happened, for people; holds no key and no document text.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class BatchRefused(SourceUnavailable):
    """Raised when a batch is refused of which a part may be answered.

    Args:
      reason: What happened, as for ``SourceUnavailable``.
      is_too_large: Whether it is the size that is refused, and not one of the ids.
    """

    def __init__(self, reason: str, *, is_too_large: bool = False) -> None:
        super().__init__(reason)
        self.is_too_large = is_too_large


class MalformedAnswer(Exception):
    """Raised by a parser for an answer of a shape that the service never documents.

    Args:
      reason: What is wrong with the shape; no content.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Source(Protocol):
    """An index of works.

    Its methods may be called from several threads, and raise
    ``SourceUnavailable`` for what a later try may cure.  What they return is what
    the index holds; whether it fits the citation is for the caller to judge.
    """

    @property
    def name(self) -> str:
        """Name of the source, as in ``Work.source``."""

    @property
    def is_remote(self) -> bool:
        """Whether asking costs requests; if so, answers are cached."""

    @property
    def batch_size(self) -> int:
        """How many keys ``by_ids`` takes at once."""

    @property
    def requests_made(self) -> int:
        """Requests sent so far, repeats included; 0 for a local source."""

    def by_ids(self, keys: Sequence[str]) -> list[Work | None]:
        """Looks works up by identifier.

        Args:
          keys: Up to ``batch_size`` distinct keys (``doi:10.1000/x``).

        Returns:
          One answer for each key, in order; None where there is no such work.

        Raises:
          BatchRefused: If fewer of the keys may be answered.
        """

    def by_title(self, title: str, surname: str, year: int | None) -> list[Work]:
        """Returns candidates for a title.

        Args:
          title: The title as printed.
          surname: Surname of the first author, or ``""``.
          year: Year of publication, or None.
        """

    def by_author_year(
        self, surnames: Sequence[str], year: int, terms: Sequence[str]
    ) -> list[Work]:
        """Returns candidates for authors and year, at most one year off.

        Args:
          surnames: Surnames as cited, the first author's first; at least one.
          year: Year of publication.
          terms: Words of the claim, best first, for an index that ranks by text.
        """

    def close(self) -> None:
        """Lets go of files and connections."""
