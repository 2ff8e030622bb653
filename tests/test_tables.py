"""Tests of the output tables."""

import dataclasses
import datetime

import pyarrow as pa
import pytest

from tests.sample_records import (
    ASSESSMENT,
    BARE_ASSESSMENT,
    BARE_CHECK,
    BARE_DOCUMENT,
    BARE_EVIDENCE,
    CHECK,
    CITATION,
    DOCUMENT,
    EVIDENCE,
    FAILURE,
    WORK,
)
from transforms import tables
from transforms.records import (
    Assessment,
    CitationStatus,
    Evidence,
    EvidenceStatus,
    Grade,
    Work,
)
from transforms.reference_records import ReferenceLabel
from transforms.write_results import rows

_TABLES = {
    "documents": (tables.DOCUMENTS, rows.document_row, DOCUMENT, BARE_DOCUMENT),
    "citations": (tables.CITATIONS, rows.citation_row, ASSESSMENT, BARE_ASSESSMENT),
    "works": (tables.WORKS, rows.work_row, EVIDENCE, BARE_EVIDENCE),
    "references": (tables.REFERENCES, rows.reference_row, CHECK, BARE_CHECK),
    "failures": (tables.FAILURES, rows.failure_row, FAILURE, FAILURE),
}

_every_table = pytest.mark.parametrize(
    ("schema", "to_row", "full", "bare"), _TABLES.values(), ids=_TABLES
)


@_every_table
def test_a_row_has_the_columns_in_order(schema, to_row, full, bare):
    assert list(to_row(full)) == schema.names
    assert list(to_row(bare)) == schema.names


@_every_table
def test_rows_survive_a_round_trip(schema, to_row, full, bare):
    rows = [to_row(full), to_row(bare)]
    table = pa.Table.from_pylist(rows, schema)
    table.validate(full=True)
    assert table.to_pylist() == rows


@_every_table
def test_a_full_record_leaves_few_columns_null(schema, to_row, full, bare):
    empty = {name for name, value in to_row(full).items() if value is None}
    assert empty <= {"detail"}


@_every_table
def test_a_bare_record_is_null_only_where_it_may(schema, to_row, full, bare):
    for name, value in to_row(bare).items():
        assert value is not None or schema.field(name).nullable, name
        assert value != "" or not schema.field(name).nullable, name


@_every_table
def test_every_column_has_a_type_and_a_meaning(schema, to_row, full, bare):
    described = tables.describe(schema)
    assert [name for name, _, _ in described] == schema.names
    assert all(type_ and meaning for _, type_, meaning in described)


@_every_table
def test_rows_hold_plain_values(schema, to_row, full, bare):
    plain = {str, int, float, bool, list, dict, type(None), datetime.datetime}
    assert {type(value) for value in to_row(full).values()} <= plain


def test_documents_row():
    row = rows.document_row(DOCUMENT)
    assert row == {
        "doc_id": "d",
        "path": "in/d.txt",
        "title": "Kelp",
        "words": 400,
        "status": "scored",
        "citations_total": 30,
        "citations_numbered": 4,
        "citations_selected": 42,
        "checked": 6,
        "strong": 1,
        "partial": 2,
        "low": 3,
        "no_abstract": 1,
        "withheld": 2,
        "suspect_abstract": 3,
        "identity_mismatch": 4,
        "not_found": 5,
        "ambiguous": 6,
        "fetch_failed": 7,
        "no_claim_terms": 8,
        "references_total": 10,
        "references_exact": 5,
        "references_minor": 3,
        "references_major": 1,
        "references_not_verifiable": 1,
        "on_topic": 3,
        "unclear": 1,
        "flagged": 2,
        "attribution": 0,
        "priority": 1.75,
        "score": 2.8,
        "band": "some_weak_support",
        "content_sha256": "0f",
        "metadata": '{"a": 1}',
    }


def test_citations_row():
    assert rows.citation_row(ASSESSMENT) == {
        "citation_id": "d#3",
        "doc_id": "d",
        "ordinal": 3,
        "kind": "author_year",
        "marker": "(Ng and Ode, 2015a)",
        "marker_start": 113,
        "marker_end": 132,
        "claim": "Rinsing works (Ng and Ode, 2015a).",
        "claim_start": 99,
        "claim_end": 133,
        "surnames": ["Ng", "Ode"],
        "year": "2015",
        "year_suffix": "a",
        "reference_id": "ref-7",
        "reference_text": "Ng A, Ode B. Kelp farms. 2015.",
        "lookup_key": "doi:10.1000/kelp",
        "status": "checked",
        "grade": "partial",
        "coverage": 0.25,
        "contribution": 0.35,
        "severity": "info",
        "covered_terms": ["works"],
        "missing_terms": ["rinsing"],
        "source": "papers",
        "paper_id": "w1",
        "paper_title": "Kelp farms",
        "paper_year": 2014,
        "claim_unmarked": "Rinsing works.",
        "claim_clause": "Rinsing works",
        "clause_start": 99,
        "clause_end": 112,
        "previous_sentence": "Kelp rots.",
        "previous_unmarked": "Kelp rots.",
        "named_authors": ["ode"],
        "group_id": "a.txt#g1",
        "group_best": "on_topic",
        "section": "Washing",
        "outer_section": "Results",
        "identifier": "doi:10.1000/kelp",
        "match_method": "title",
        "match_score": 0.97,
        "abstract_source": "crossref",
        "detail": None,
        "reference_status": "linked",
        "reference_label": "minor",
        "function": "method",
        "function_cue": "as described",
        "numeric_claim": True,
        "attribution_cue": "as described",
        "triage": "unclear",
        "topic_probability": 0.5,
        "weight_of_evidence": 1.25,
        "rare_coverage": 0.4,
        "title_share": 0.3,
        "passage_coverage": 0.2,
        "covered_points": [{"term": "works", "points": 1.5}],
        "missing_points": [{"term": "Rinsing", "points": -0.43}],
        "best_passage": "works.",
        "best_passage_start": 8,
        "best_passage_end": 14,
        "better_reference": "doi:10.1000/rinsing",
        "better_margin": 0.75,
        "direction_note": "direction words differ",
    }


def test_an_unchecked_citation_has_no_verdict():
    unchecked = Assessment(CITATION, "k", CitationStatus.NO_ABSTRACT, WORK)
    row = rows.citation_row(unchecked)
    verdict = "grade coverage contribution severity covered_terms missing_terms"
    assert [row[name] for name in verdict.split()] == [None] * 6
    assert row["triage"] is row["topic_probability"] is row["covered_points"] is None
    assert row["paper_title"] == "Kelp farms"


def test_a_strong_citation_contributes_nothing_rather_than_null():
    strong = dataclasses.replace(ASSESSMENT, grade=Grade.STRONG, contribution=0.0)
    assert rows.citation_row(strong)["contribution"] == 0.0


def test_works_row():
    assert rows.work_row(EVIDENCE) == {
        "lookup_key": "doi:10.1000/kelp",
        "status": "found",
        "source": "papers",
        "paper_id": "w1",
        "doi": "10.1000/kelp",
        "title": "Kelp farms",
        "abstract": "Rinsing works.",
        "authors": ["Ng, Ada", "Ode, Bo"],
        "year": 2014,
        "retrieved_at": datetime.datetime(
            2026, 1, 2, 3, 4, 5, 678000, tzinfo=datetime.UTC
        ),
        "arxiv_id": "2101.00001",
        "pmid": "123",
        "pmcid": "PMC456",
        "detail": None,
        "match_method": "title",
        "match_score": 0.97,
        "abstract_source": "crossref",
    }


def test_authors_are_null_without_a_work_and_empty_without_authors():
    nameless = Evidence("k", EvidenceStatus.FOUND, Work("papers", "w2", "T"))
    assert rows.work_row(nameless)["authors"] == []
    none = Evidence("k", EvidenceStatus.NOT_FOUND)
    assert rows.work_row(none)["authors"] is None


def test_text_that_utf_8_cannot_hold_is_escaped():
    work = Work("papers", "w", "Kelp \ud800 é", authors=("Ng \udcff",))
    row = rows.work_row(Evidence("k", EvidenceStatus.NO_ABSTRACT, work))
    assert (row["title"], row["authors"]) == ("Kelp \\ud800 é", ["Ng \\udcff"])
    pa.Table.from_pylist([row], tables.WORKS)


def test_identifiers_statuses_and_counts_are_never_null():
    required = {
        name
        for schema in (tables.DOCUMENTS, tables.CITATIONS, tables.WORKS)
        for name in schema.names
        if not schema.field(name).nullable
    }
    assert {"doc_id", "citation_id", "lookup_key", "status", "strong"} <= required
    counts = [f for f in tables.DOCUMENTS if pa.types.is_integer(f.type)]
    # Where references are not checked, none is exact, and none is not.
    labels = {f"references_{label.value}" for label in ReferenceLabel}
    assert {field.name for field in counts if field.nullable} == labels
