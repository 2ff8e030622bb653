"""What is put to a source, and what stands for an answer that did not come."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from transforms.fetch_evidence.sources.base import Source
from transforms.records import Work


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
