"""Keys of references, and what checks mean for citations and documents.  Pure."""

from __future__ import annotations

import dataclasses
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator

from transforms.records import Citation, DocumentHeader, Reference
from transforms.reference_records import (
    Field,
    FieldState,
    ReferenceCheck,
    ReferenceLabel,
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


def by_citation(check: ReferenceCheck) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yields label and fault of a reference for each citation that points to it."""
    said = (check.verdict.label.value, fault_of(check.verdict))
    for citation_id in check.listed.cited_in:
        yield citation_id, said


def labelled(citation: Citation, said: Iterable[tuple[str, str]]) -> Citation:
    """Returns a citation with what the check made of its reference.

    Args:
      citation: The citation.
      said: Label and fault, at most once.
    """
    for label, fault in said:
        return dataclasses.replace(
            citation, reference_label=label, reference_fault=fault
        )
    return citation


def counted(header: DocumentHeader, labels: Iterable[str]) -> DocumentHeader:
    """Returns a header with how many references got each label."""
    counts = Counter(labels)
    numbers = tuple(counts[label.value] for label in ReferenceLabel)
    return dataclasses.replace(header, references=numbers)
