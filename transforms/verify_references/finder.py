"""What the stage needs of the indexes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

from transforms.records import Reference
from transforms.reference_records import Findings


class Finder(Protocol):
    """Asks indexes about references."""

    def find(
        self,
        references: Iterable[tuple[str, Reference]],
        is_settled: Callable[[Reference, Findings], bool],
    ) -> Iterator[Findings]:
        """Yields what the indexes say to each reference, in order.

        Args:
          references: References by distinct keys.
          is_settled: Tells whether what is found leaves nothing to ask.
        """

    def take_stats(self) -> Any:
        """Returns what asking has cost since this was last called, a dataclass."""

    def close(self) -> None:
        """Lets go of files and connections."""
