"""A network index that is not to be asked: only the cache speaks for it."""

from __future__ import annotations

from collections.abc import Sequence

from transforms.fetch_evidence.sources.base import SourceUnavailable
from transforms.records import Work


class Offline:
    """Answers nothing, and needs neither connection nor rate limit.

    Args:
      name: Name of the index, under which the cache holds its answers.
    """

    is_remote = True
    batch_size = 1
    requests_made = 0

    def __init__(self, name: str) -> None:
        self.name = name

    def by_ids(self, keys: Sequence[str]) -> list[Work | None]:
        """Raises ``SourceUnavailable``."""
        raise SourceUnavailable("offline")

    def by_title(self, title: str, surname: str, year: int | None) -> list[Work]:
        """Raises ``SourceUnavailable``."""
        raise SourceUnavailable("offline")

    def by_author_year(
        self, surnames: Sequence[str], year: int, terms: Sequence[str]
    ) -> list[Work]:
        """Raises ``SourceUnavailable``."""
        raise SourceUnavailable("offline")

    def close(self) -> None:
        """Does nothing."""
