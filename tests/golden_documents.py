"""Judges the golden rows of the sample corpus from what they say themselves."""

from __future__ import annotations

import json
import pathlib

from transforms.records import (
    Assessment,
    Citation,
    CitationFunction,
    CitationKind,
    CitationStatus,
    Function,
    ReferenceStatus,
    Work,
)
from transforms.score_coverage.triage.document import judge_document
from transforms.score_coverage.triage.files import load_judge
from transforms.write_results import rows

_GOLDEN = pathlib.Path(__file__).parent / "golden"
JUDGED_COLUMNS = (
    *("triage", "topic_probability", "weight_of_evidence", "rare_coverage"),
    *("title_share", "passage_coverage", "covered_points", "missing_points"),
    *("best_passage", "best_passage_start", "best_passage_end", "better_reference"),
    *("better_margin", "direction_note", "group_best"),
)
_TEXTS = (
    *("citation_id", "doc_id", "marker", "claim", "claim_unmarked", "claim_clause"),
    *("previous_sentence", "previous_unmarked", "group_id", "section", "outer_section"),
)
_NUMBERS = ("ordinal", "marker_start", "marker_end", "claim_start", "claim_end")


def golden_rows(table: str) -> list[dict]:
    """Returns the golden rows of a table."""
    lines = (_GOLDEN / f"{table}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def golden_documents() -> dict[str, list[Assessment]]:
    """Returns the assessments of the golden rows by document, not judged."""
    works = {row["lookup_key"]: row for row in golden_rows("works")}
    documents: dict[str, list[Assessment]] = {}
    for row in golden_rows("citations"):
        item = _assessment_of(row, works[row["lookup_key"]])
        documents.setdefault(row["doc_id"], []).append(item)
    return documents


def _assessment_of(row: dict, work: dict) -> Assessment:
    texts = {name: row[name] or "" for name in _TEXTS}
    numbers = {name: row[name] for name in _NUMBERS}
    citation = Citation(
        **texts,
        **numbers,
        kind=CitationKind(row["kind"]),
        named_authors=tuple(row["named_authors"]),
        reference_status=ReferenceStatus(row["reference_status"]),
    )
    known = None
    if work["title"]:
        known = Work(
            work["source"],
            work["paper_id"],
            work["title"],
            work["abstract"] or "",
            tuple(work["authors"] or ()),
        )
    purpose = CitationFunction(
        Function(row["function"]),
        row["function_cue"] or "",
        row["attribution_cue"] or "",
        row["numeric_claim"],
    )
    status = CitationStatus(row["status"])
    return Assessment(citation, row["lookup_key"], status, known, purpose=purpose)


def judged_rows() -> dict[str, dict]:
    """Returns what the golden documents are judged to be, by citation."""
    judge = load_judge(None, None)
    return {
        item.citation.citation_id: {
            name: rows.citation_row(item)[name] for name in JUDGED_COLUMNS
        }
        for items in golden_documents().values()
        for item in judge_document(items, judge)
    }


if __name__ == "__main__":
    print(json.dumps(judged_rows()))
