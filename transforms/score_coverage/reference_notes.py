"""What the check of its reference list means for a document.  Pure."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence

from transforms.records import Citation, DocumentHeader
from transforms.reference_records import ReferenceLabel, ReferenceNote


def by_citation(notes: Sequence[ReferenceNote]) -> dict[str, ReferenceNote]:
    """Returns the note of each cited reference by the id of the citation."""
    return {cited: note for note in notes for cited in note.cited_in}


def labelled(citation: Citation, notes: Mapping[str, ReferenceNote]) -> Citation:
    """Returns a citation with what the check made of its reference, if it has one."""
    note = notes.get(citation.citation_id)
    if note is None:
        return citation
    return dataclasses.replace(
        citation, reference_label=note.label.value, reference_fault=note.fault
    )


def counted(header: DocumentHeader, notes: Sequence[ReferenceNote]) -> DocumentHeader:
    """Returns a header with how many references got each label."""
    counts = Counter(note.label for note in notes)
    numbers = tuple(counts[label] for label in ReferenceLabel)
    return dataclasses.replace(header, references=numbers)
