"""Typed records of the reference check.  No Beam, no I/O.

Like ``records``: frozen, hashable, tuples.
"""

from __future__ import annotations

import dataclasses
import enum

from transforms.records import Reference, Work


class ReferenceLabel(enum.StrEnum):
    """Whether a reference exists and is what it says it is.

    ``EXACT``: it describes a work that exists.  ``MINOR``: the work exists, and some
    field is wrong.  ``MAJOR``: there is no such work, or it is another one.
    ``NOT_VERIFIABLE``: the indexes that were asked cannot tell.
    """

    EXACT = "exact"
    MINOR = "minor"
    MAJOR = "major"
    NOT_VERIFIABLE = "not_verifiable"


class Field(enum.StrEnum):
    """A field of a reference that is compared."""

    TITLE = "title"
    AUTHORS = "authors"
    YEAR = "year"
    VENUE = "venue"
    DOI = "doi"
    ARXIV = "arxiv"
    PAGES = "pages"


class FieldState(enum.StrEnum):
    """How a field agrees with the records of the work.

    ``NOTE``: it differs in a way that is tolerated.  ``CONFLICT``: it is that of
    another work.  ``UNKNOWN``: there is nothing to compare.
    """

    OK = "ok"
    NOTE = "note"
    DIFFERS = "differs"
    CONFLICT = "conflict"
    UNKNOWN = "unknown"


@dataclasses.dataclass(frozen=True, slots=True)
class FieldCheck:
    """What comparing one field came to.

    Attributes:
      field: The field.
      state: How it agrees.
      reason: What is cited and what the record has, in words; ``""`` if it agrees.
    """

    field: Field
    state: FieldState
    reason: str = ""


@dataclasses.dataclass(frozen=True, slots=True)
class Led:
    """What an identifier of a reference leads to.

    Attributes:
      key: The identifier (``doi:10.1000/x``).
      work: The record, or None.
      is_unknown: Whether there is no such identifier, by indexes that would know it;
        False also where none could tell.
    """

    key: str
    work: Work | None = None
    is_unknown: bool = False


@dataclasses.dataclass(frozen=True, slots=True)
class Findings:
    """All that the indexes said to one reference.

    Attributes:
      key: Key of the question; references with one key get the same answer.
      works: Records that may be of the work, by identifier, title or author, each
        once.
      led: What each identifier leads to.
      asked: Names of the indexes that answered a search for it.
      unasked: Why others could not be asked, one text for each.
      is_complete: Whether an index that answered holds about every article there
        is, so that what it does not know does not exist.
    """

    key: str
    works: tuple[Work, ...] = ()
    led: tuple[Led, ...] = ()
    asked: tuple[str, ...] = ()
    unasked: tuple[str, ...] = ()
    is_complete: bool = False


@dataclasses.dataclass(frozen=True, slots=True)
class Verdict:
    """What a reference came to.

    Attributes:
      label: The label.
      fields: One check for each ``Field``, in its order.
      reasons: Why, as sentences that a person can act on; for ``exact``, notes.
      works: The records of the work, the best first; empty if none matched.
      closest: The closest record where none matched, or None.
      notices: Editorial notices on the work: ``retraction``.
    """

    label: ReferenceLabel
    fields: tuple[FieldCheck, ...]
    reasons: tuple[str, ...] = ()
    works: tuple[Work, ...] = ()
    closest: Work | None = None
    notices: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True, slots=True)
class ListedReference:
    """One entry of the reference list of one document.

    Attributes:
      doc_id: The document.
      reference: The entry.
      ordinal: Its place in the list, from 1.
      cited_in: Ids of the citations that point to it, selected or not.
      same_as: Id of the first entry of the list that is of the same work, or ``""``.
    """

    doc_id: str
    reference: Reference
    ordinal: int
    cited_in: tuple[str, ...] = ()
    same_as: str = ""


@dataclasses.dataclass(frozen=True, slots=True)
class ReferenceCheck:
    """An entry of a reference list with what it came to.

    Attributes:
      listed: The entry.
      key: Key of the question that was asked.
      verdict: What it came to.
      asked: Names of the indexes that answered a search for it.
      unasked: Why others could not be asked, one text for each.
    """

    listed: ListedReference
    key: str
    verdict: Verdict
    asked: tuple[str, ...] = ()
    unasked: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True, slots=True)
class CitedReference:
    """What a check means for the citations that point to the reference.

    Attributes:
      cited_in: Their ids.
      label: What the reference came to.
      fault: Why they are not to be graded, or ``""``.
    """

    cited_in: tuple[str, ...]
    label: ReferenceLabel
    fault: str = ""


@dataclasses.dataclass(frozen=True, slots=True)
class ReferenceNotes:
    """What the checks of references mean for the document that lists them.

    Attributes:
      labels: How many references got each label, in the order of ``ReferenceLabel``.
      cited: Those of them that selected citations point to, in no order.
    """

    labels: tuple[int, ...]
    cited: tuple[CitedReference, ...] = ()
