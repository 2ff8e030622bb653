"""Makes the row of each record, in the columns of its table.  Pure.

Text, names and numbers that a record does not have are null, never empty; identifiers,
statuses and counts are never null.
"""

from __future__ import annotations

import datetime
import enum
from typing import Any, TypeAlias

from transforms.printable import printable
from transforms.records import (
    Assessment,
    CitationStatus,
    DocumentScore,
    Evidence,
    Failure,
    Function,
    Grade,
    Work,
)
from transforms.reference_records import ReferenceCheck, ReferenceLabel
from transforms.tables import (
    CITATIONS,
    DOCUMENTS,
    FAILURES,
    MATCHED,
    REFERENCES,
    WORKS,
)

Row: TypeAlias = dict[str, Any]

_TRIAGE_COUNTS = ("on_topic", "unclear", "flagged", "attribution")
# Asking a schema for its fields makes them anew, which is slow for every row.
_DOCUMENT_COLUMNS = {field.name: field.nullable for field in DOCUMENTS}
_CITATION_COLUMNS = {field.name: field.nullable for field in CITATIONS}
_REFERENCE_COLUMNS = {field.name: field.nullable for field in REFERENCES}
_MATCHED_FIELDS = tuple(field.name for field in MATCHED)
_WORK_COLUMNS = {field.name: field.nullable for field in WORKS}
_FAILURE_COLUMNS = {field.name: field.nullable for field in FAILURES}


def document_row(document: DocumentScore) -> Row:
    """Returns the row of ``DOCUMENTS`` for one document."""
    reasons = (s for s in CitationStatus if s is not CitationStatus.CHECKED)
    labels = (f"references_{label.value}" for label in ReferenceLabel)
    references = document.header.references
    return _row(
        _DOCUMENT_COLUMNS,
        {
            **_fields(document.header),
            "checked": sum(document.grades),
            **dict(zip(Grade, document.grades, strict=True)),
            **dict(zip(reasons, document.unchecked, strict=True)),
            **(dict(zip(labels, references, strict=True)) if references else {}),
            **dict(zip(_TRIAGE_COUNTS, document.triages, strict=True)),
            "priority": document.priority,
            "score": document.score,
            "band": document.band,
        },
    )


def citation_row(assessment: Assessment) -> Row:
    """Returns the row of ``CITATIONS`` for one assessed citation."""
    citation = assessment.citation
    reference = citation.reference
    coverage = assessment.coverage
    work = assessment.work
    purpose = assessment.purpose
    return _row(
        _CITATION_COLUMNS,
        {
            **_fields(citation),
            **_fields(assessment),
            "reference_id": reference and reference.ref_id,
            "reference_text": reference and reference.raw,
            "coverage": coverage and coverage.value,
            "contribution": assessment.contribution if coverage else None,
            "covered_terms": coverage and coverage.covered,
            "missing_terms": coverage and coverage.missing,
            "source": work and work.source,
            "paper_id": work and work.paper_id,
            "paper_title": work and work.title,
            "paper_year": work and work.year,
            "function": purpose.function if purpose else Function.BACKGROUND,
            "function_cue": purpose and purpose.cue,
            "numeric_claim": bool(purpose and purpose.is_numeric),
            "attribution_cue": purpose and purpose.attribution_cue,
            **_judged(assessment),
        },
    )


def _judged(assessment: Assessment) -> Row:
    """Returns the columns of the judgement; none without one."""
    judgement = assessment.judgement
    if judgement is None or assessment.work is None:
        return {}
    start, end = judgement.passage_start, judgement.passage_end
    return {
        **_fields(judgement),
        "covered_points": [_fields(item) for item in judgement.covered],
        "missing_points": [_fields(item) for item in judgement.missing],
        "best_passage": assessment.work.abstract[start:end] if end else None,
        "best_passage_start": start,
        "best_passage_end": end,
        "better_reference": judgement.better_sibling,
        "better_margin": judgement.sibling_margin,
    }


def work_row(evidence: Evidence) -> Row:
    """Returns the row of ``WORKS`` for one lookup."""
    return _row(
        _WORK_COLUMNS,
        {
            **(_fields(evidence.work) if evidence.work else {}),
            **_fields(evidence),
            "lookup_key": evidence.key,
            "retrieved_at": _time(evidence.retrieved_at),
        },
    )


def reference_row(check: ReferenceCheck) -> Row:
    """Returns the row of ``REFERENCES`` for one entry of a reference list."""
    listed, verdict = check.listed, check.verdict
    states = {f"{c.field.value}_state": c.state for c in verdict.fields}
    return _row(
        _REFERENCE_COLUMNS,
        {
            **_fields(listed.reference),
            **_fields(listed),
            **states,
            "reference_id": listed.reference.ref_id,
            "text": listed.reference.raw,
            "label": verdict.label,
            "reasons": verdict.reasons,
            "asked": check.asked,
            "unasked": check.unasked,
            "matched": [_matched(work) for work in verdict.works],
            "closest": _matched(verdict.closest) if verdict.closest else None,
            "notices": verdict.notices,
            "duplicate_of": listed.same_as,
        },
    )


def _matched(work: Work) -> Row:
    return {name: _cell(getattr(work, name)) for name in _MATCHED_FIELDS}


def failure_row(failure: Failure) -> Row:
    """Returns the row of ``FAILURES`` for one failure."""
    # A file name may hold a line break; a message is one line.
    message = " ".join(failure.message.split())
    return _row(_FAILURE_COLUMNS, {**_fields(failure), "message": message})


def _fields(record: Any) -> Row:
    """Returns the fields of a record by name; most columns are named as they are."""
    return {name: getattr(record, name) for name in record.__slots__}


def _row(columns: dict[str, bool], values: Row) -> Row:
    """Picks the columns of a table from ``values``, in order.

    Args:
      columns: Name of each column to whether it may be null.
      values: By name, at least the columns that may not be null.
    """
    row = {}
    for name, nullable in columns.items():
        value = _cell(values.get(name) if nullable else values[name])
        row[name] = None if nullable and value == "" else value
    return row


def _cell(value: Any) -> Any:
    """Returns a value as Arrow takes it."""
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, tuple):
        return [_cell(item) for item in value]
    if isinstance(value, str) and not value.isascii():
        # One lone surrogate in one title would fail the whole write.
        return printable(value)
    return value


def _time(iso: str) -> datetime.datetime | None:
    """Parses an ISO 8601 time; one without a zone is UTC."""
    if not iso:
        return None
    time = datetime.datetime.fromisoformat(iso)
    return time if time.tzinfo else time.replace(tzinfo=datetime.UTC)
