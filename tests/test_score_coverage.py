"""Tests of the scoring stage."""

import dataclasses
from fractions import Fraction

import apache_beam as beam
import hypothesis.strategies as st
import pytest
from apache_beam.metrics.metric import MetricsFilter
from apache_beam.testing.util import assert_that, equal_to
from hypothesis import given

from transforms.records import (
    Assessment,
    Band,
    Citation,
    CitationFunction,
    CitationKind,
    CitationStatus,
    CitingDocument,
    Coverage,
    DocumentHeader,
    DocumentScore,
    DocumentStatus,
    Evidence,
    EvidenceStatus,
    Function,
    Grade,
    MatchMethod,
    Reference,
    Severity,
    Work,
)
from transforms.reference_records import CitedReference, ReferenceLabel, ReferenceNotes
from transforms.score_coverage.assess import assess, score_document, work_terms
from transforms.score_coverage.coverage import cover
from transforms.score_coverage.grades import (
    band,
    contribution,
    document_score,
    grade,
    severity,
)
from transforms.score_coverage.stage import ScoreCoverage
from transforms.score_coverage.terms import claim_terms
from transforms.score_coverage.triage.document import judge_document
from transforms.score_coverage.triage.files import load_judge

_ABSTRACT = "Vinegar rinsing reduced frond rot by 38% in cold basins."
_CLAIM = "Rinsing reduced rot in kelp."
_KEY = "doi:10.1000/kelp"
_JUDGE = load_judge(None, None)
_BACKGROUND = CitationFunction(Function.BACKGROUND, "", "", False)


def _citation(ordinal=1, claim=_CLAIM, doc_id="d"):
    return Citation(
        citation_id=f"{doc_id}#{ordinal}",
        doc_id=doc_id,
        ordinal=ordinal,
        kind=CitationKind.AUTHOR_YEAR,
        marker="(Ng, 2015)",
        marker_start=0,
        marker_end=10,
        claim=claim,
        claim_start=0,
        claim_end=len(claim),
        claim_unmarked=claim,
    )


def _evidence(status=EvidenceStatus.FOUND, abstract=_ABSTRACT, key=_KEY):
    return Evidence(key, status, Work("papers", "w1", "Kelp farms", abstract))


def _header(doc_id="d", selected=0, status=DocumentStatus.SCORED):
    return DocumentHeader(
        doc_id, "d.txt", "", 400, status, selected, 0, selected, "{}", ""
    )


def _assess(citation, evidence):
    return assess(citation, _KEY, evidence)


def _name(failure):
    return failure.stage, failure.element_id, failure.error


def _counters(result):
    found = result.metrics().query(MetricsFilter().with_namespace("score_coverage"))
    return {c.key.metric.name: c.committed for c in found["counters"]}


# Coverage.


def test_cover_weighs_covered_terms_over_all():
    claim = {"mice": 1.0, "brca1": 2.0, "treatment": 1.5}
    assert cover(claim, frozenset({"treatment", "mice", "cats"})) == Coverage(
        2.5 / 4.5, ("mice", "treatment"), ("brca1",)
    )


def test_cover_rejects_a_claim_without_terms():
    with pytest.raises(ValueError, match="without terms"):
        cover({}, frozenset({"mice"}))


_TERMS = st.text("abcd", min_size=1, max_size=2)
_WEIGHTED = st.dictionaries(_TERMS, st.sampled_from([1.0, 1.5, 2.0]), min_size=1)


@given(_WEIGHTED, st.frozensets(_TERMS))
def test_covered_and_missing_part_the_claim(claim, evidence):
    coverage = cover(claim, evidence)
    assert 0.0 <= coverage.value <= 1.0
    assert set(coverage.covered) | set(coverage.missing) == set(claim)
    assert len(coverage.covered) + len(coverage.missing) == len(claim)


@given(_WEIGHTED, st.frozensets(_TERMS), st.frozensets(_TERMS))
def test_more_evidence_never_lowers_coverage(claim, evidence, more):
    assert cover(claim, evidence | more).value >= cover(claim, evidence).value


@given(_WEIGHTED, st.frozensets(_TERMS))
def test_the_order_of_terms_does_not_change_coverage(claim, evidence):
    reordered = dict(reversed(claim.items()))
    assert cover(claim, evidence).value == cover(reordered, evidence).value


# Grades and scores.


@pytest.mark.parametrize(
    ("coverage", "expected"),
    [
        (1.0, Grade.STRONG),
        (9 / 20, Grade.STRONG),
        (4.5 / 10, Grade.STRONG),
        (0.4499, Grade.PARTIAL),
        (44.5 / 99, Grade.PARTIAL),
        (11 / 50, Grade.PARTIAL),
        (5.5 / 25, Grade.PARTIAL),
        (0.2199, Grade.LOW),
        (11 / 50.5, Grade.LOW),
        (0.0, Grade.LOW),
    ],
)
def test_grades_coverage(coverage, expected):
    assert grade(coverage) is expected


@given(st.integers(1, 10_000), st.data())
def test_grades_compare_the_exact_ratio(half_weights, data):
    covered = data.draw(st.integers(0, half_weights))
    ratio = Fraction(covered, half_weights)
    expected = Grade.LOW
    if ratio >= Fraction(22, 100):
        expected = Grade.PARTIAL
    if ratio >= Fraction(45, 100):
        expected = Grade.STRONG
    assert grade((covered / 2) / (half_weights / 2)) is expected


@pytest.mark.parametrize("coverage", [-0.1, 1.1, float("nan")])
def test_grade_rejects_what_is_no_coverage(coverage):
    with pytest.raises(ValueError, match="coverage"):
        grade(coverage)


@pytest.mark.parametrize(
    ("given_grade", "adds", "asks"),
    [
        (Grade.STRONG, 0.0, Severity.NONE),
        (Grade.PARTIAL, 0.35, Severity.INFO),
        (Grade.LOW, 0.7, Severity.WARNING),
    ],
)
def test_a_grade_has_a_contribution_and_a_severity(given_grade, adds, asks):
    assert contribution(given_grade) == adds
    assert severity(given_grade) is asks


@pytest.mark.parametrize(
    ("partial", "low", "score"),
    [
        (0, 0, 0.0),
        (1, 0, 0.35),
        (0, 1, 0.7),
        (3, 0, 1.05),
        (0, 3, 2.1),
        (1, 6, 4.55),
        (0, 7, 4.9),
        (1, 7, 5.0),
        (0, 8, 5.0),
        (500, 500, 5.0),
    ],
)
def test_document_score_adds_up_to_a_cap(partial, low, score):
    assert document_score(partial, low) == score


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        (0.0, Band.WELL_SUPPORTED),
        (1.4, Band.WELL_SUPPORTED),
        (1.49, Band.WELL_SUPPORTED),
        (1.5, Band.SOME_WEAK_SUPPORT),
        (3.4, Band.SOME_WEAK_SUPPORT),
        (3.5, Band.SYSTEMATIC_MISATTRIBUTION),
        (5.0, Band.SYSTEMATIC_MISATTRIBUTION),
    ],
)
def test_bands_are_nearest_whole_numbers(score, expected):
    assert band(score) is expected


def test_band_rejects_what_is_no_score():
    with pytest.raises(ValueError, match="score"):
        band(5.1)


# Assessment.


def test_assesses_a_checked_citation():
    citation, evidence = _citation(), _evidence()
    assert _assess(citation, evidence) == Assessment(
        citation=citation,
        lookup_key=_KEY,
        status=CitationStatus.CHECKED,
        work=evidence.work,
        coverage=Coverage(1.0, ("rinsing", "reduced", "rot", "kelp"), ()),
        grade=Grade.STRONG,
        contribution=0.0,
        severity=Severity.NONE,
        purpose=_BACKGROUND,
    )


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("mouse", Grade.LOW),
        ("frond rot cold and mouse", Grade.STRONG),
        ("frond and mouse rat cat", Grade.PARTIAL),
    ],
)
def test_grades_follow_the_claim(claim, expected):
    assessment = _assess(_citation(claim=claim), _evidence())
    assert assessment.grade is expected
    assert assessment.contribution == contribution(expected)
    assert assessment.severity is severity(expected)


_NOTHING_TO_SAY = "This was so in 2010."
_UNCHECKED = {
    "no claim terms": (_NOTHING_TO_SAY, _evidence(), "no_claim_terms"),
    "no claim terms nor evidence": (_NOTHING_TO_SAY, None, "no_claim_terms"),
    "lookup failed": (_CLAIM, None, "fetch_failed"),
    "29 characters": (_CLAIM, _evidence(abstract="a" * 29), "no_abstract"),
    "29 and spaces": (_CLAIM, _evidence(abstract=" " + "a" * 29 + "\n"), "no_abstract"),
    "found without work": (
        _CLAIM,
        Evidence(_KEY, EvidenceStatus.FOUND),
        "no_abstract",
    ),
    **{
        status: (_CLAIM, _evidence(status=status), status.value)
        for status in EvidenceStatus
        if status is not EvidenceStatus.FOUND
    },
}


@pytest.mark.parametrize(
    ("claim", "evidence", "status"), _UNCHECKED.values(), ids=_UNCHECKED
)
def test_what_cannot_be_checked_has_a_reason_and_no_verdict(claim, evidence, status):
    citation = _citation(claim=claim)
    assert _assess(citation, evidence) == Assessment(
        citation,
        _KEY,
        CitationStatus(status),
        evidence.work if evidence else None,
        purpose=_BACKGROUND,
    )


def test_thirty_characters_are_an_abstract():
    assessment = _assess(_citation(), _evidence(abstract="a" * 30))
    assert assessment.status is CitationStatus.CHECKED


def test_evidence_is_title_and_abstract_together():
    work = Work("papers", "w1", "Kelp farms-", "in cold basins")
    assert work_terms(work) == {"kelp", "farms", "cold", "basins"}
    assert work_terms(None) == frozenset()


@given(st.text(), st.text())
def test_a_claim_that_the_abstract_states_is_covered(claim, rest):
    work = Work("papers", "w1", "", f"{claim}\n\n{rest}")
    terms = claim_terms(claim)
    if terms:
        assert cover(terms, work_terms(work)).value == 1.0


_REFERENCE = Reference("r1", "raw", ("Ng, Ada",), 2015, title="Kelp farms")
_OTHER_REFERENCE = Reference(
    "r2", "raw", ("Lim, P.",), 1998, title="Snail migration on tidal clocks"
)
_KELP = Work("papers", "w1", "Kelp farms", _ABSTRACT, ("Ada Ng",), 2015)


def _by(method, status=EvidenceStatus.FOUND, detail=""):
    return Evidence(_KEY, status, _KELP, "", detail, method, 1.0, "papers")


def test_an_assessment_says_how_the_work_was_matched():
    citation = dataclasses.replace(_citation(), reference=_REFERENCE)
    assessment = _assess(citation, _by(MatchMethod.IDENTIFIER))
    assert assessment.status is CitationStatus.CHECKED
    assert assessment.match_method is MatchMethod.IDENTIFIER
    assert (assessment.match_score, assessment.abstract_source) == (1.0, "papers")
    assert assessment.detail == ""


def test_an_identifier_is_held_against_the_own_entry():
    # Another document cites it rightly, so that the lookup as a whole was found.
    citation = dataclasses.replace(_citation(), reference=_OTHER_REFERENCE)
    assert _assess(citation, _by(MatchMethod.IDENTIFIER)) == Assessment(
        citation,
        _KEY,
        CitationStatus.IDENTITY_MISMATCH,
        _KELP,
        detail="title, first author, year",
        purpose=_BACKGROUND,
    )


def test_a_mismatch_of_the_lookup_is_one_of_its_citations():
    mismatch = _by(None, EvidenceStatus.IDENTITY_MISMATCH, "title, year")
    for reference, detail in (
        (_OTHER_REFERENCE, "title, first author, year"),
        (None, "title, year"),
    ):
        citation = dataclasses.replace(_citation(), reference=reference)
        assessment = _assess(citation, mismatch)
        assert assessment.status is CitationStatus.IDENTITY_MISMATCH
        assert (assessment.detail, assessment.match_method) == (detail, None)
        assert (assessment.match_score, assessment.grade) == (None, None)


def test_what_was_matched_by_title_is_not_held_against_it_again():
    citation = dataclasses.replace(_citation(), reference=_OTHER_REFERENCE)
    assessment = _assess(citation, _by(MatchMethod.TITLE))
    assert assessment.status is CitationStatus.CHECKED


def test_a_reason_comes_along():
    evidence = Evidence(_KEY, EvidenceStatus.NOT_FOUND, detail="papers: no candidate")
    assert _assess(_citation(), evidence).detail == "papers: no candidate"


# Document scores.

_CHECKED = CitationStatus.CHECKED


def _with_statuses(statuses):
    return [
        Assessment(_citation(ordinal), _KEY, status, grade=grade)
        for ordinal, (status, grade) in enumerate(statuses, start=1)
    ]


def _judged(*assessments):
    return list(judge_document(assessments, _JUDGE))


def test_score_document_counts_each_status():
    statuses = [
        (_CHECKED, Grade.STRONG),
        *[(_CHECKED, Grade.PARTIAL)] * 2,
        *[(_CHECKED, Grade.LOW)] * 3,
        (CitationStatus.NO_ABSTRACT, None),
        *[(CitationStatus.WITHHELD, None)] * 2,
        *[(CitationStatus.SUSPECT_ABSTRACT, None)] * 3,
        *[(CitationStatus.IDENTITY_MISMATCH, None)] * 4,
        *[(CitationStatus.NOT_FOUND, None)] * 5,
        *[(CitationStatus.AMBIGUOUS, None)] * 6,
        *[(CitationStatus.FETCH_FAILED, None)] * 7,
        *[(CitationStatus.NO_CLAIM_TERMS, None)] * 8,
    ]
    header = _header(selected=len(statuses))
    assessments = _with_statuses(statuses)
    score = score_document(header, assessments)
    assert score == DocumentScore(
        header,
        (1, 2, 3),
        (1, 2, 3, 4, 5, 6, 7, 8),
        2.8,
        Band.SOME_WEAK_SUPPORT,
        priority=1.0,
    )
    assert score_document(header, assessments[::-1]) == score


def test_nothing_checked_has_a_score_but_no_band():
    header = _header(selected=1)
    nothing = _with_statuses([(CitationStatus.NOT_FOUND, None)])
    assert score_document(header, nothing) == DocumentScore(
        header, (0, 0, 0), (0, 0, 0, 0, 1, 0, 0, 0), 0.0, None
    )


@pytest.mark.parametrize(
    "status", [DocumentStatus.TOO_SHORT, DocumentStatus.NO_CITATIONS]
)
def test_a_document_that_is_not_scored_has_no_score(status):
    header = _header(status=status)
    assert score_document(header, []) == DocumentScore(
        header, (0, 0, 0), (0,) * 8, None, None
    )


@pytest.mark.parametrize(
    "statuses",
    [
        [],
        [(_CHECKED, Grade.LOW)] * 2,
        [(_CHECKED, None)],
        [(CitationStatus.NOT_FOUND, Grade.LOW)],
    ],
)
def test_score_document_rejects_a_part_of_the_citations(statuses):
    with pytest.raises(ValueError, match="of 1 selected citations"):
        score_document(_header(selected=1), _with_statuses(statuses))


# The stage.


def _document(*citations, doc_id="d", keys=None, status=DocumentStatus.SCORED):
    header = _header(doc_id, len(citations), status)
    return CitingDocument(header, citations), keys or (_KEY,) * len(citations)


def _score(pipeline, documents, evidence=(), notes=(), **options):
    inputs = (
        pipeline | "Documents" >> beam.Create(documents),
        pipeline | "Evidence" >> beam.Create(evidence or [_evidence()]),
        pipeline | "Notes" >> beam.Create(notes),
    )
    return inputs | ScoreCoverage(_JUDGE, **options)


def test_stage_joins_documents_and_evidence(make_pipeline):
    strong, low, lost, empty = (
        _citation(1),
        _citation(2, "Mice slept."),
        _citation(3),
        _citation(1, _NOTHING_TO_SAY, "e"),
    )
    evidence = _evidence()
    documents = [
        _document(strong, low, lost, keys=(_KEY, _KEY, "doi:gone")),
        _document(empty, doc_id="e"),
        _document(doc_id="short", status=DocumentStatus.TOO_SHORT),
    ]
    headers = [document.header for document, _ in documents]
    p = make_pipeline()
    assessments, scores, failures = _score(
        p, documents, [evidence, _evidence(key="doi:uncited")]
    )
    assert_that(
        assessments,
        equal_to(
            [
                *_judged(
                    _assess(strong, evidence),
                    _assess(low, evidence),
                    assess(lost, "doi:gone", None),
                ),
                *_judged(_assess(empty, evidence)),
            ]
        ),
        label="assessments",
    )
    assert_that(
        scores,
        equal_to(
            [
                DocumentScore(
                    headers[0],
                    (1, 0, 1),
                    (0, 0, 0, 0, 0, 0, 1, 0),
                    0.7,
                    Band.WELL_SUPPORTED,
                    triages=(1, 1, 0, 0),
                ),
                DocumentScore(
                    headers[1], (0, 0, 0), (0, 0, 0, 0, 0, 0, 0, 1), 0.0, None
                ),
                DocumentScore(headers[2], (0, 0, 0), (0,) * 8, None, None),
            ]
        ),
        label="scores",
    )
    assert_that(failures, equal_to([]), label="failures")
    result = p.run()
    result.wait_until_finish()
    assert _counters(result) == {"checked": 2, "fetch_failed": 1, "no_claim_terms": 1}


def test_stage_reports_a_citation_that_raises_and_its_document(make_pipeline):
    good = _citation(1, doc_id="good")
    bad = dataclasses.replace(_citation(1, doc_id="bad"), claim_unmarked=None)
    beside = _citation(2, doc_id="bad")
    with make_pipeline() as p:
        assessments, scores, failures = _score(
            p, [_document(good, doc_id="good"), _document(bad, beside, doc_id="bad")]
        )
        assert_that(
            assessments,
            equal_to(
                [
                    *_judged(_assess(good, _evidence())),
                    *_judged(_assess(beside, _evidence())),
                ]
            ),
            label="assessments",
        )
        assert_that(
            scores | beam.Map(lambda score: score.header.doc_id),
            equal_to(["good"]),
            label="scores",
        )
        assert_that(
            failures | beam.Map(_name),
            equal_to(
                [
                    ("score_coverage", "bad#1", "TypeError"),
                    ("score_coverage", "bad", "ValueError"),
                ]
            ),
            label="failures",
        )


def test_stage_keeps_citations_that_cannot_be_judged_together(make_pipeline):
    unordered = dataclasses.replace(_citation(1), ordinal="first")
    citations = (unordered, _citation(2))
    with make_pipeline() as p:
        assessments, scores, failures = _score(p, [_document(*citations)])
        assert_that(
            assessments,
            equal_to([_assess(citation, _evidence()) for citation in citations]),
            label="assessments",
        )
        assert_that(scores, equal_to([]), label="scores")
        assert_that(
            failures | beam.Map(_name),
            equal_to([("score_coverage", "d", "TypeError")]),
            label="failures",
        )


def test_stage_reports_documents_of_one_id(make_pipeline):
    citation = _citation(1, doc_id="twice")
    documents = [_document(citation, doc_id="twice"), _document(doc_id="twice")]
    with make_pipeline() as p:
        assessments, scores, failures = _score(p, documents)
        assert_that(
            assessments, equal_to([_assess(citation, _evidence())]), label="assessments"
        )
        assert_that(scores, equal_to([]), label="scores")
        assert_that(
            failures | beam.Map(_name),
            equal_to([("score_coverage", "twice", "ValueError")]),
            label="failures",
        )


def test_stage_tells_citations_and_documents_of_their_references(make_pipeline):
    documents = [
        _document(*(_citation(number) for number in (1, 2, 3))),
        _document(doc_id="e"),
    ]
    cited = (
        CitedReference(("d#1",), ReferenceLabel.EXACT),
        CitedReference(("d#2", "d#9"), ReferenceLabel.MAJOR, "no such work"),
    )
    notes = [("d", ReferenceNotes((1, 0, 1, 0), cited))]
    with make_pipeline() as p:
        assessments, scores, failures = _score(
            p, documents, notes=notes, references_are_checked=True
        )
        assert_that(
            assessments | beam.Map(_reference_and_status),
            equal_to(
                [
                    (1, "exact", "", "checked"),
                    (2, "major", "no such work", "identity_mismatch"),
                    (3, "", "", "checked"),
                ]
            ),
            label="assessments",
        )
        assert_that(
            scores | beam.Map(lambda score: score.header.references),
            equal_to([(1, 0, 1, 0), (0, 0, 0, 0)]),
            label="scores",
        )
        assert_that(failures, equal_to([]), label="failures")


def _reference_and_status(assessment):
    citation = assessment.citation
    label, fault = citation.reference_label, citation.reference_fault
    return citation.ordinal, label, fault, assessment.status.value


def test_stage_gives_evidence_to_each_document_that_asks(make_pipeline):
    citing = {"a": (1, 2), "b": (1,), "c": (1,)}
    documents = [
        _document(*(_citation(n, doc_id=doc_id) for n in numbers), doc_id=doc_id)
        for doc_id, numbers in citing.items()
    ]
    with make_pipeline() as p:
        assessments, _, _ = _score(p, documents)
        assert_that(
            assessments | beam.Map(lambda a: (a.citation.citation_id, a.status.value)),
            equal_to(
                [
                    (f"{doc_id}#{n}", "checked")
                    for doc_id in citing
                    for n in citing[doc_id]
                ]
            ),
        )
