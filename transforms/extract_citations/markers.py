"""The record of a citation marker in running text."""

from __future__ import annotations

import dataclasses

from transforms.records import CitationKind


@dataclasses.dataclass(frozen=True, slots=True)
class Marker:
    """One citation marker: one mention of one work.

    Attributes:
      start: Offset of its first character.
      end: Offset one past its last character.
      kind: How it names the work.
      surnames: Surnames as cited, first author first; author-year only.
      et_al: Whether further authors are implied.
      year: Year as cited (``2010``, ``in press``), or ``""``.
      year_suffix: Letter after the year, or ``""``.
      identifier: Canonical key of an identifier, or None.
      label: Number of a numbered citation, or ``""``.
      ref_ids: Reference entries that the format's own markup points to.
      doubtful: Whether it counts only if the reference list has such an entry.
    """

    start: int
    end: int
    kind: CitationKind
    surnames: tuple[str, ...] = ()
    et_al: bool = False
    year: str = ""
    year_suffix: str = ""
    identifier: str | None = None
    label: str = ""
    ref_ids: tuple[str, ...] = ()
    doubtful: bool = False
