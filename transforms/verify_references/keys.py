"""Keys of references, and what checks mean for documents.  Pure."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterable

from transforms.records import Reference, Work
from transforms.reference_records import (
    Field,
    FieldState,
    Findings,
    ReferenceCheck,
    ReferenceLabel,
    ReferenceNote,
    Verdict,
)

_IDENTIFIERS = (Field.DOI, Field.ARXIV)


def key_of(reference: Reference) -> str:
    """Returns the key that references with nothing different but their list share."""
    # Its id and label differ from list to list, while the question stays the same.
    alike = dataclasses.replace(reference, ref_id="", label="", year_suffix="")
    return f"reference:{hashlib.sha256(repr(alike).encode()).hexdigest()[:32]}"


def least(references: Iterable[Reference]) -> Reference:
    """Returns one of the references of one key, whatever their order."""
    return min(references, key=lambda reference: reference.ref_id)


def without_abstracts(findings: Findings) -> Findings:
    """Returns findings without what references are not held against."""
    works = tuple(map(_without_abstract, findings.works))
    led = tuple(
        dataclasses.replace(item, work=item.work and _without_abstract(item.work))
        for item in findings.led
    )
    return dataclasses.replace(findings, works=works, led=led)


def _without_abstract(work: Work) -> Work:
    return dataclasses.replace(work, abstract="")


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


def note_of(check: ReferenceCheck) -> ReferenceNote:
    """Returns what a check means for the document that lists the reference."""
    verdict = check.verdict
    return ReferenceNote(verdict.label, check.listed.cited_in, fault_of(verdict))
