"""Puts verdicts into words.  Pure."""

from __future__ import annotations

from collections.abc import Sequence

from transforms.records import Work
from transforms.reference_records import (
    Field,
    FieldCheck,
    FieldState,
    ReferenceLabel,
    Verdict,
)
from transforms.verify_references.index_names import said_by

WRONG = (FieldState.DIFFERS, FieldState.CONFLICT)

_NOT_MATCHED = tuple(FieldCheck(field, FieldState.UNKNOWN) for field in Field)


def make_verdict(
    label: ReferenceLabel,
    reasons: tuple[str, ...],
    checks: tuple[FieldCheck, ...],
    works: tuple[Work, ...] = (),
    closest: Work | None = None,
) -> Verdict:
    """Puts a verdict together; without checks, nothing was compared."""
    notices = dict.fromkeys(notice for work in works for notice in work.notices)
    return Verdict(
        label, checks or _NOT_MATCHED, reasons, works, closest, tuple(sorted(notices))
    )


def reasons_of(
    checks: Sequence[FieldCheck], states: Sequence[FieldState]
) -> tuple[str, ...]:
    """Returns what is said of the fields in some states."""
    return tuple(c.reason for c in checks if c.state in states and c.reason)


def named(work: Work) -> str:
    """Returns a record in words: title, first author, year and index."""
    first = work.authors[0] if work.authors else ""
    more = " et al." if len(work.authors) > 1 else ""
    parts = (f"{first}{more}", str(work.year or ""))
    by = ", ".join(filter(None, parts))
    return f'"{work.title}"{f" by {by}" if by else ""} ({said_by(work)})'
