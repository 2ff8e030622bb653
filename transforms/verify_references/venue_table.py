"""The table of venues: which names are of one venue.  Pure but for reading it."""

from __future__ import annotations

import dataclasses
import enum
import functools
import pathlib
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

from transforms.names import fold

TABLE = pathlib.Path(__file__).parent / "data" / "venues.tsv"

_COLUMNS = 3


class VenueKind(enum.StrEnum):
    """What kind of venue a name is of."""

    CONFERENCE = "conference"
    JOURNAL = "journal"
    PREPRINT = "preprint"
    UNCLEAR = "unclear"
    ALIAS = "alias"


@dataclasses.dataclass(frozen=True, slots=True)
class Venue:
    """A venue of the table.

    Attributes:
      kind: What it is.
      name: Its name.
    """

    kind: VenueKind
    name: str


class VenueTable:
    """Finds venues by any of their names.

    Args:
      lines: Lines of tables: kind, name and other names, parted by tabs; empty lines
        and those that begin with ``#`` are left out.  A later line wins.

    Raises:
      ValueError: If a line is no such line; it says which.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self._by_words: dict[str, Venue] = {}
        self._acronyms: dict[str, Venue] = {}
        for number, line in enumerate(lines, start=1):
            if line.strip() and not line.startswith("#"):
                self._add(number, line.rstrip("\r\n"))
        # By the first word, so that a name is found in one pass over a text.
        self._by_first: Mapping[str, list[str]] = defaultdict(list)
        for words in sorted(self._by_words, key=len, reverse=True):
            if len(words.split()) > 1:
                self._by_first[words.split()[0]].append(words)

    def find(self, written: str) -> Venue | None:
        """Returns the venue that a text is or names; None if it names none.

        The whole text comes first, then a full name within it, then an acronym.
        Journals, aliases and unclear names are only found as the whole text.
        """
        words = fold(written)
        if venue := self._by_words.get(words):
            return venue
        if "workshop" in words or "findings" in words:
            return None
        tokens = words.split()
        for at, token in enumerate(tokens):
            rest = " ".join(tokens[at:])
            for name in self._by_first.get(token, ()):
                if f"{rest} ".startswith(f"{name} "):
                    return self._meeting(self._by_words[name])
        for token in re.split(r"[^\w*]+|(?<=[A-Za-z])(?=\d{2,4}\b)", written):
            if venue := self._acronyms.get(token):
                return self._meeting(venue)
        return None

    def _add(self, number: int, line: str) -> None:
        cells = line.split("\t")
        if len(cells) not in (_COLUMNS - 1, _COLUMNS) or not cells[1].strip():
            raise ValueError(
                f"line {number} of the venues must be kind, name and other names,"
                " parted by tabs"
            )
        if cells[0] not in list(VenueKind):
            known = ", ".join(VenueKind)
            raise ValueError(
                f"line {number} of the venues: kind is one of {known}, got {cells[0]!r}"
            )
        venue = Venue(VenueKind(cells[0]), cells[1].strip())
        others = cells[2].split("|") if len(cells) == _COLUMNS else []
        for name in (venue.name, *others):
            if words := fold(name):
                self._by_words[words] = venue
            if name and sum(map(str.isupper, name)) >= 2 and " " not in name:
                self._acronyms[name.strip()] = venue

    def _meeting(self, venue: Venue) -> Venue | None:
        """A longer name that holds that of a journal is of another journal."""
        meets = venue.kind in (VenueKind.CONFERENCE, VenueKind.PREPRINT)
        return venue if meets else None


@functools.lru_cache(maxsize=8)
def read_venues(*more: pathlib.Path) -> VenueTable:
    """Reads the table of the product, and further tables of the same form.

    Raises:
      ValueError: If a line of a table is not of that form.
      OSError: If a file cannot be read.
    """
    lines: list[str] = []
    for path in (TABLE, *more):
        lines += path.read_text(encoding="utf-8-sig").splitlines()
    return VenueTable(lines)
