"""What the check of its reference list means for a document.  Pure."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from transforms.records import Citation, DocumentHeader
from transforms.reference_records import (
    CitedReference,
    ReferenceLabel,
    ReferenceNotes,
)

NO_NOTES = ReferenceNotes((0,) * len(ReferenceLabel))


def by_citation(notes: ReferenceNotes) -> dict[str, CitedReference]:
    """Returns the cited references by the ids of the citations."""
    return {cited: item for item in notes.cited for cited in item.cited_in}


def labelled(citation: Citation, cited: Mapping[str, CitedReference]) -> Citation:
    """Returns a citation with what the check made of its reference, if it has one."""
    known = cited.get(citation.citation_id)
    if known is None:
        return citation
    return dataclasses.replace(
        citation, reference_label=known.label.value, reference_fault=known.fault
    )


def counted(header: DocumentHeader, notes: ReferenceNotes) -> DocumentHeader:
    """Returns a header with how many references got each label."""
    return dataclasses.replace(header, references=notes.labels)
