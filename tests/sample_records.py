"""One record of each output table, with everything in it or as little as may be."""

from transforms.records import (
    Assessment,
    Band,
    Citation,
    CitationFunction,
    CitationKind,
    CitationStatus,
    Coverage,
    DocumentHeader,
    DocumentScore,
    DocumentStatus,
    Evidence,
    EvidenceStatus,
    Failure,
    Function,
    Grade,
    Judgement,
    MatchMethod,
    Reference,
    ReferenceStatus,
    Severity,
    TermPoints,
    Triage,
    Work,
)
from transforms.reference_records import (
    Field,
    FieldCheck,
    FieldState,
    ListedReference,
    ReferenceCheck,
    ReferenceLabel,
    Verdict,
)

HEADER = DocumentHeader(
    *("d", "in/d.txt", "Kelp", 400, DocumentStatus.SCORED, 30, 4, 42, '{"a": 1}', "0f"),
    *(10, (5, 3, 1, 1)),
)
DOCUMENT = DocumentScore(
    HEADER,
    (1, 2, 3),
    (1, 2, 3, 4, 5, 6, 7, 8),
    2.8,
    Band.SOME_WEAK_SUPPORT,
    triages=(3, 1, 2, 0),
    priority=1.75,
)
WORK = Work(
    source="papers",
    paper_id="w1",
    title="Kelp farms",
    abstract="Rinsing works.",
    authors=("Ng, Ada", "Ode, Bo"),
    year=2014,
    doi="10.1000/kelp",
    arxiv_id="2101.00001",
    pmid="123",
    pmcid="PMC456",
)
CITATION = Citation(
    citation_id="d#3",
    doc_id="d",
    ordinal=3,
    kind=CitationKind.AUTHOR_YEAR,
    marker="(Ng and Ode, 2015a)",
    marker_start=113,
    marker_end=132,
    claim="Rinsing works (Ng and Ode, 2015a).",
    claim_start=99,
    claim_end=133,
    claim_unmarked="Rinsing works.",
    claim_clause="Rinsing works",
    clause_start=99,
    clause_end=112,
    reference_status=ReferenceStatus.LINKED,
    previous_sentence="Kelp rots.",
    previous_unmarked="Kelp rots.",
    named_authors=("ode",),
    group_id="a.txt#g1",
    section="Washing",
    outer_section="Results",
    surnames=("Ng", "Ode"),
    year="2015",
    year_suffix="a",
    identifier="doi:10.1000/kelp",
    reference=Reference("ref-7", "Ng A, Ode B. Kelp farms. 2015."),
    reference_label="minor",
)
ASSESSMENT = Assessment(
    citation=CITATION,
    lookup_key="doi:10.1000/kelp",
    status=CitationStatus.CHECKED,
    work=WORK,
    coverage=Coverage(0.25, ("works",), ("rinsing",)),
    grade=Grade.PARTIAL,
    contribution=0.35,
    severity=Severity.INFO,
    match_method=MatchMethod.TITLE,
    match_score=0.97,
    abstract_source="crossref",
    purpose=CitationFunction(Function.METHOD, "as described", "as described", True),
    judgement=Judgement(
        triage=Triage.UNCLEAR,
        topic_probability=0.5,
        weight_of_evidence=1.25,
        rare_coverage=0.4,
        title_share=0.3,
        passage_coverage=0.2,
        covered=(TermPoints("works", 1.5),),
        missing=(TermPoints("Rinsing", -0.43),),
        passage_start=8,
        passage_end=14,
        better_sibling="doi:10.1000/rinsing",
        sibling_margin=0.75,
        direction_note="direction words differ",
    ),
    group_best=Triage.ON_TOPIC,
)
EVIDENCE = Evidence(
    "doi:10.1000/kelp",
    EvidenceStatus.FOUND,
    WORK,
    "2026-01-02T03:04:05.678Z",
    match_method=MatchMethod.TITLE,
    match_score=0.97,
    abstract_source="crossref",
)
REFERENCE = Reference(
    "ref-7",
    "Ng A, Ode B. Kelp farms. Kelp 3:14. 2016.",
    ("Ng, A", "Ode, B"),
    2016,
    title="Kelp farms",
    venue="Kelp",
    doi="10.1000/kelp",
    arxiv_id="2101.00001",
    pmid="123",
    pmcid="PMC456",
    volume="3",
    pages="14",
    work_type="article",
)
CHECK = ReferenceCheck(
    ListedReference("d", REFERENCE, 7, ("d#3",), "ref-1"),
    "reference:0f",
    Verdict(
        ReferenceLabel.MINOR,
        tuple(FieldCheck(field, FieldState.OK) for field in Field),
        ("year: cited 2016, record 2014 (Crossref)",),
        (WORK,),
        WORK,
        ("retraction",),
    ),
    ("crossref",),
    ("openalex: HTTP 503",),
)
FAILURE = Failure("read", "d", "ValueError", "ValueError: no")

# Records with as little in them as they can have.
BARE_CITATION = Citation(
    "d#1", "d", 1, CitationKind.DOI, "10.1/x", 0, 6, "10.1/x", 0, 6, ""
)
BARE_HEADER = DocumentHeader(
    "d", "d.txt", "", 3, DocumentStatus.TOO_SHORT, 0, 0, 0, "{}", ""
)
BARE_DOCUMENT = DocumentScore(BARE_HEADER, (0, 0, 0), (0,) * 8, None, None)
BARE_ASSESSMENT = Assessment(BARE_CITATION, "doi:10.1/x", CitationStatus.NOT_FOUND)
BARE_CHECK = ReferenceCheck(
    ListedReference("d", Reference("ref-1", ""), 1),
    "reference:1f",
    Verdict(
        ReferenceLabel.NOT_VERIFIABLE,
        tuple(FieldCheck(field, FieldState.UNKNOWN) for field in Field),
    ),
)
BARE_EVIDENCE = Evidence("doi:10.1/x", EvidenceStatus.NOT_FOUND)
