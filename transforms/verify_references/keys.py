"""Keys of references, and what checks mean for documents.  Pure."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Sequence

from transforms.records import Reference
from transforms.reference_records import (
    CitedReference,
    Field,
    FieldState,
    ReferenceCheck,
    ReferenceLabel,
    ReferenceNotes,
    Verdict,
)

_IDENTIFIERS = (Field.DOI, Field.ARXIV)


def key_of(reference: Reference) -> str:
    """Returns the key that references with nothing different but their list share."""
    # Its id and label differ from list to list, while the question stays the same.
    alike = dataclasses.replace(reference, ref_id="", label="", year_suffix="")
    return f"reference:{hashlib.sha256(repr(alike).encode()).hexdigest()[:32]}"


def fault_of(verdict: Verdict) -> str:
    """Returns why a citation of a reference is not to be graded, or ``""``.

    That is where there is no such work, or where an identifier leads to another.
    """
    if verdict.label is ReferenceLabel.MAJOR:
        return f"reference major: {' '.join(verdict.reasons)}"
    for check in verdict.fields:
        if check.field in _IDENTIFIERS and check.state is FieldState.CONFLICT:
            return f"reference {verdict.label}: {check.reason}"
    return ""


def notes_of(check: ReferenceCheck) -> ReferenceNotes:
    """Returns what one check means for the document that lists the reference."""
    label, cited_in = check.verdict.label, check.listed.cited_in
    cited = CitedReference(cited_in, label, fault_of(check.verdict))
    return ReferenceNotes(
        tuple(int(label is other) for other in ReferenceLabel),
        (cited,) if cited_in else (),
    )


def add(
    together: tuple[list[int], list[CitedReference]],
    notes: tuple[Sequence[int], Sequence[CitedReference]],
) -> tuple[list[int], list[CitedReference]]:
    """Adds labels and cited references to those of a document, in place."""
    labels, cited = together
    for place, number in enumerate(notes[0]):
        labels[place] += number
    cited.extend(notes[1])
    return together
