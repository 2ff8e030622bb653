"""Tests of citation extraction from whole documents."""

import apache_beam as beam
import pytest
from apache_beam.testing.util import assert_that, equal_to
from hypothesis import given
from hypothesis import strategies as st

from transforms.extract_citations.extract import ExtractSettings, count_words, extract
from transforms.extract_citations.sections import SectionFinder
from transforms.extract_citations.stage import ExtractCitations
from transforms.records import (
    Anchor,
    Citation,
    CitationKind,
    CitingDocument,
    Document,
    DocumentStatus,
    Reference,
    ReferenceStatus,
    Section,
)

_ALL = ExtractSettings(max_citations=0, min_words=0)


def _document(text, **parts):
    return Document("d", "d.txt", text, **parts)


def _extract(text, settings=_ALL, **parts):
    found = extract(_document(text, **parts), settings)
    return found.header, list(found.citations)


def test_a_citation_knows_its_place_and_its_sentence():
    text = "Head\n\nIt rose. Rates fell in cold basins (Ode et al., 2014b). It ended."
    section = Section("Head", 0, len(text))
    header, (citation,) = _extract(text, sections=(section,))
    start = text.index("Ode")
    assert citation == Citation(
        citation_id="d#1",
        doc_id="d",
        ordinal=1,
        kind=CitationKind.AUTHOR_YEAR,
        marker="Ode et al., 2014b",
        marker_start=start,
        marker_end=start + 17,
        claim="Rates fell in cold basins (Ode et al., 2014b).",
        claim_start=text.index("Rates"),
        claim_end=text.index(" It ended"),
        claim_unmarked="Rates fell in cold basins.",
        claim_clause="Rates fell in cold basins (Ode et al., 2014b).",
        clause_start=text.index("Rates"),
        clause_end=text.index(" It ended"),
        previous_sentence="It rose.",
        previous_unmarked="It rose.",
        group_id="d#g1",
        section="Head",
        outer_section="Head",
        surnames=("Ode",),
        et_al=True,
        year="2014",
        year_suffix="b",
    )
    assert (header.citations_total, header.citations_selected) == (1, 1)


def test_a_marked_letter_behind_a_year_is_a_citation_by_author():
    text = "Rates fell (Ode, 2010a, b), as others saw."
    at = text.index(", b") + 2
    references = tuple(
        Reference(f"r{letter}", "", ("Ode, T",), 2010, letter) for letter in "ab"
    )
    anchors = (Anchor(12, 22, ("ra",)), Anchor(at, at + 1, ("rb",)))
    _, citations = _extract(text, references=references, anchors=anchors)
    assert [(c.kind, c.year, c.year_suffix, c.reference.ref_id) for c in citations] == [
        (CitationKind.AUTHOR_YEAR, "2010", "a", "ra"),
        (CitationKind.AUTHOR_YEAR, "2010", "b", "rb"),
    ]


@pytest.mark.parametrize(
    ("text", "groups"),
    [
        ("Rates fell (Ode, 2001; Ng, 2002).", [1, 1]),
        ("Rates fell (see Ode, 2001, and Ng, 2002) and rose (Li, 2003).", [1, 1, 3]),
        ("Ng (2002) saw it fall; Ode (2001) saw it rise.", [1, 2]),
        ("Rates fell (Ode, 2001). They rose (Ng, 2002).", [1, 2]),
    ],
)
def test_citations_of_one_bracket_share_a_group(text, groups):
    _, citations = _extract(text)
    assert [citation.group_id for citation in citations] == [f"d#g{n}" for n in groups]


def test_the_group_of_a_citation_does_not_depend_on_what_is_selected():
    text = (
        "Rates fell [3, 4] (Ode, 2001; doi:10.5555/q1) and rose (Ng, 2002; Li, 2003)."
    )
    _, everything = _extract(text)
    _, some = _extract(text, ExtractSettings(max_citations=2, min_words=0))
    assert some == everything[:2]


def test_the_sentence_before_is_kept_with_and_without_its_markers():
    _, citations = _extract("It rose (Li, 2003). Rates fell (Ode, 2001).")
    assert citations[1].previous_sentence == "It rose (Li, 2003)."
    assert citations[1].previous_unmarked == "It rose."


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Work by Tamsin Ode and others found it fell (Ng, 2002).", ("ode",)),
        ("We thank Ode. Ode saw it fall (Ng, 2002).", ("ode",)),
        ("Ode saw it fall (Ng, 2002).", ()),
        ("In ode cells and ODE cells it fell (Li, 2002).", ()),
        ("It fell in Ode’s beds and Lüd's (Li, 2002).", ("ode", "lud")),
        ("It was Müller-Lüd who saw it (Li, 2002).", ("muller", "lud")),
    ],
)
def test_authors_of_the_list_that_a_sentence_names_are_known(text, named):
    references = (
        Reference("r1", "", authors=("Ode, Tamsin", "Ng, B"), year=2002),
        Reference("r2", "", authors=("Müller-Lüd, K",), year=1999),
    )
    _, citations = _extract(text, references=references)
    assert citations[0].named_authors == named


def test_selects_the_first_in_reading_order_and_counts_all():
    text = "Rates fell (Ode, 2001; doi:10.5555/q1) and rose [3, 4] (Ng, 2002)."
    settings = ExtractSettings(max_citations=2, min_words=0)
    header, citations = _extract(text, settings)
    kinds = [citation.kind for citation in citations]
    assert kinds == [CitationKind.AUTHOR_YEAR, CitationKind.AUTHOR_YEAR]
    assert citations[0].identifier == "doi:10.5555/q1"
    assert citations[1].ordinal == 4
    assert (header.citations_total, header.citations_numbered) == (4, 2)


@pytest.mark.parametrize(
    ("words", "text", "status"),
    [
        (9, "Rates fell (Ode, 2001).", DocumentStatus.TOO_SHORT),
        (4, "Rates fell (Ode, 2001).", DocumentStatus.SCORED),
        (4, "Rates fell in 2001 here [7].", DocumentStatus.NO_CITATIONS),
    ],
)
def test_document_status(words, text, status):
    header, citations = _extract(text, ExtractSettings(min_words=words))
    assert header.status is status
    assert header.citations_selected == len(citations)
    assert header.citations_total == 1


def test_numbered_citations_are_checked_when_asked_and_listed():
    document = {
        "text": "Rates fell [1] and rose [2].",
        "reference_text": "1. Ode T. Quills fall. J Q. 2001;3:1.",
    }
    settings = ExtractSettings(min_words=0, check_numbered=True)
    _, (citation,) = _extract(settings=settings, **document)
    assert citation.kind is CitationKind.NUMBERED
    assert citation.reference.title == "Quills fall"
    assert citation.claim_unmarked == "Rates fell and rose."
    header, none = _extract(settings=ExtractSettings(min_words=0), **document)
    assert (none, header.citations_numbered) == ([], 2)


def test_ranges_are_counted_in_full_but_not_without_bound():
    header, _ = _extract("Rates fell [3-6, 9].")
    assert header.citations_numbered == 5
    header, _ = _extract("[" + ",".join(["1-50"] * 20) + "] " + "[1-50] " * 5_000)
    assert 100_000 < header.citations_numbered < 120_000


def test_many_citations_and_many_entries_take_linear_time():
    # Looking at every entry for every citation would not end here.
    listed = "\n".join(f"Ode{n}, T. (2015). Title {n}." for n in range(2_000))
    _extract("(May, 2015). " * 20_000, reference_text=listed)
    header, _ = _extract(("(Ng, 2015)" + "," * 500) * 500)
    assert header.citations_total == 500


def test_many_works_of_one_year_take_linear_time():
    # Comparing every name with every entry of its year would not end here.
    names = ["O" + "".join(chr(97 + int(d)) for d in f"{n:04}") for n in range(3_000)]
    listed = "\n".join(f"{name}, T. (2015). Tides." for name in names)
    text = "".join(f"The rates of the tides fell ({name}, 2015). " for name in names)
    _, citations = _extract(text, reference_text=listed)
    assert len(citations) == 3_000
    assert {c.reference_status for c in citations} == {ReferenceStatus.LINKED}


def test_many_citations_in_one_sentence_take_linear_time():
    # Working out for each what all have in common would not end here.
    crowded = "Then the rates fell (Ode, 2014) and " * 500
    assert len(_extract(crowded * 20)[1]) == 10_000
    _, citations = _extract((crowded + "rose.\n\n") * 10)
    assert len(citations) == 5_000
    assert len({c.claim_unmarked for c in citations}) == 1
    assert citations[1].claim_clause == "Then the rates fell (Ode, 2014)"


@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=12),
    st.lists(st.integers(0, 31), max_size=12),
)
def test_finds_the_innermost_and_the_outermost_section(bounds, offsets):
    sections = [
        Section(str(number), min(pair), max(pair)) for number, pair in enumerate(bounds)
    ]
    finder = SectionFinder(sections)
    for offset in sorted(offsets):
        around = [s for s in sections if s.start <= offset < s.end]
        around.sort(key=lambda section: section.start)
        expected = (around[-1].title, around[0].title) if around else ("", "")
        assert finder.titles_at(offset) == expected


def test_the_reference_list_decides_doubtful_forms():
    text = "In May (2019) it closed (London, 2001)."
    assert _extract(text)[1] == []
    listed = "May, K. (2019). Closing. Quills.\nLondon, P. (2001). Tides. Quills."
    _, citations = _extract(text, reference_text=listed)
    assert [c.reference.ref_id for c in citations] == ["ref-1", "ref-2"]
    assert {c.reference_status for c in citations} == {ReferenceStatus.LINKED}


def test_an_undoubted_citation_without_entry_is_unlisted():
    listed = "May, K. (2019). Closing. Quills."
    _, (citation,) = _extract("Rates fell (Ode, 2001).", reference_text=listed)
    assert citation.reference_status is ReferenceStatus.UNLISTED
    _, (citation,) = _extract("Rates fell (Ode, 2001).")
    assert citation.reference_status is ReferenceStatus.NO_LIST


def test_an_ambiguous_link_stays_ambiguous():
    listed = (
        Reference("r1", "", ("Tarn, A.", "Ode, B.", "Ng, C."), 2024),
        Reference("r2", "", ("Tarn, A.", "Ode, B.", "Orr, C."), 2024),
    )
    _, (citation,) = _extract("It fell (Tarn et al., 2024).", references=listed)
    assert citation.reference is None
    assert citation.reference_candidates == ("r1", "r2")
    assert citation.reference_status is ReferenceStatus.AMBIGUOUS


def test_anchors_are_trusted_before_the_grammar():
    text = (
        "Rates fell (Ode 2001; the tide report; 3) and (Ng and Ode, 2002), says "
        "QuillStat (QS 2007)."
    )
    references = (
        Reference("b1", "", ("Ode, T.",), 2001),
        Reference("b2", "", ("Tide Office", "Orr, P."), 2009),
        Reference("b3", "", ("Voss, L.",), 2003),
    )
    spans = [("Ode 2001", ("b1",)), ("the tide report", ("b2",)), ("3", ("b3",))]
    anchors = tuple(
        Anchor(text.index(printed), text.index(printed) + len(printed), ids)
        for printed, ids in spans
    )
    header, citations = _extract(text, references=references, anchors=anchors)
    found = [(c.marker, c.kind, c.surnames, c.year) for c in citations]
    assert found == [
        ("Ode 2001", CitationKind.AUTHOR_YEAR, ("Ode",), "2001"),
        ("the tide report", CitationKind.AUTHOR_YEAR, ("Tide Office",), "2009"),
        ("Ng and Ode, 2002", CitationKind.AUTHOR_YEAR, ("Ng", "Ode"), "2002"),
    ]
    assert citations[0].reference == references[0]
    assert (header.citations_total, header.citations_numbered) == (4, 1)


def test_an_anchor_to_several_entries_gives_each_its_own_marker():
    text = "Rates fell (Ng, 2010; Ode et al., 2011; see the report)."
    references = (
        Reference("r1", "", ("Ode, T.", "Orr, P.", "Ng, L."), 2011),
        Reference("r2", "", ("Ng, L.",), 2010),
        Reference("r3", "", ("Tide Office",), 2012),
    )
    anchor = Anchor(text.index("("), text.index(")") + 1, ("r2", "r1", "r3"))
    _, citations = _extract(text, anchors=(anchor,), references=references)
    found = {c.reference.ref_id: (c.marker, c.surnames[0], c.year) for c in citations}
    whole = text[anchor.start : anchor.end]
    assert found == {
        "r1": ("Ode et al., 2011", "Ode", "2011"),
        "r2": ("Ng, 2010", "Ng", "2010"),
        "r3": (whole, "Tide Office", "2012"),
    }
    assert citations[0].claim_unmarked == "Rates fell."


def test_an_anchor_on_an_identifier_is_that_identifier():
    text = "Rates fell [@doi:10.5555/q.2014.7]."
    anchor = Anchor(12, 33, ("doi:10.5555/q.2014.7",))
    _, (citation,) = _extract(text, anchors=(anchor,))
    found = (citation.kind, citation.identifier, citation.year)
    assert found == (CitationKind.DOI, "doi:10.5555/q.2014.7", "")


def test_a_key_without_entry_has_no_year():
    _, (citation,) = _extract(
        "Rates fell (@ode2018data).", anchors=(Anchor(12, 24, ()),)
    )
    assert (citation.marker, citation.year) == ("@ode2018data", "")


def test_an_anchor_on_the_year_alone_takes_its_names_along():
    text = "Ode et al. (2014) saw that rates fell."
    at = text.index("2014")
    _, (citation,) = _extract(
        text,
        anchors=(Anchor(at, at + 4, ("b1",)),),
        references=(Reference("b1", "", ("Ode, T.",), 2014),),
    )
    assert citation.marker == "Ode et al. (2014)"
    assert citation.claim_unmarked == "saw that rates fell."


def test_an_identifier_counts_for_the_same_citation_elsewhere():
    text = (
        "Rates fell (Ng, 2015; doi:10.5555/x). They rose (Ng, 2015). Stems broke "
        "(Ng, 2016), (Ode, 2001, doi:10.5555/a) and (Ode, 2001, doi:10.5555/b), "
        "(Ode, 2001)."
    )
    _, citations = _extract(text)
    found = [c.identifier and c.identifier[-1] for c in citations]
    assert found == ["x", "x", None, "a", "b", None]


def test_the_documents_own_identifiers_are_no_citations():
    text = "This is 10.5555/own and its file 10.5555/own.003; see 10.5555/other."
    _, (citation,) = _extract(text, own_ids=("doi:10.5555/own",))
    assert citation.identifier == "doi:10.5555/other"


@pytest.mark.parametrize(
    ("heading", "number"),
    [
        ("Data availability", 0),
        ("5. Data and code availability statement", 0),
        ("Availability of data and materials", 0),
        ("Data analysis", 1),
        ("Results", 1),
    ],
)
def test_identifiers_of_the_documents_own_data_are_no_citations(heading, number):
    text = f"{heading}\n\nCounts are at 10.5555/quills.7 in full."
    _, citations = _extract(text, sections=(Section(heading, 0, len(text)),))
    assert len(citations) == number


_CLAUSES = {
    "one group": ("Rates fell (see Ode, 2001).", ["Rates fell (see Ode, 2001)."]),
    "two claims": (
        "Rates fell in winter (Ode, 2001), but rose in summer (Ng, 2002).",
        ["Rates fell in winter (Ode, 2001)", "rose in summer (Ng, 2002)."],
    ),
    "narrative": (
        "Ode (2001) saw rates fall and Ng (2002) saw them rise.",
        ["Ode (2001) saw rates fall", "Ng (2002) saw them rise."],
    ),
    "list": (
        "Kelp (Ode, 2001), quills (Ng, 2002) and snails (Orr, 2003) were few.",
        ["Kelp (Ode, 2001)", "quills (Ng, 2002)", "snails (Orr, 2003) were few."],
    ),
    "one bracket": (
        "Rates fell (reviewed in Ode, 2001; and also Ng, 2002) everywhere.",
        ["Rates fell (reviewed in Ode, 2001; and also Ng, 2002) everywhere."] * 2,
    ),
}


@pytest.mark.parametrize(("text", "clauses"), _CLAUSES.values(), ids=_CLAUSES)
def test_a_group_closes_its_clause(text, clauses):
    _, citations = _extract(text)
    assert [citation.claim_clause for citation in citations] == clauses


_FOREIGN = {
    "German": "Die Gezeiten heben und senken sich an der Küste, und in der Kälte "
    "treiben die Federn, wie es die Fischer seit langer Zeit berichten.",
    "French": "Les marées montent et descendent le long de la côte, et les plumes "
    "dérivent dans le froid, comme le disent les pêcheurs depuis longtemps.",
    "Spanish": "Las mareas suben y bajan a lo largo de la costa, y las plumas "
    "derivan en el frío, como dicen los pescadores desde hace mucho tiempo.",
    "Dutch": "Het getij komt en gaat langs de kust, en de veren drijven in de kou, "
    "zoals de vissers al lang vertellen, en het was in de winter of in de lente.",
    "Swedish": "Tidvattnet stiger och sjunker längs kusten, och fjädrarna driver i "
    "kylan, som fiskarna har berättat sedan lång tid tillbaka.",
    "Russian": "Приливы поднимаются и опускаются вдоль берега, а перья плывут по "
    "холоду, как давно рассказывают рыбаки.",
}


@pytest.mark.parametrize("sentence", _FOREIGN.values(), ids=_FOREIGN)
def test_a_text_in_another_language_is_not_scored(sentence):
    header, citations = _extract(f"{sentence} " * 20 + "Es sank (Ode, 2001).")
    assert header.status is DocumentStatus.UNSUPPORTED_LANGUAGE
    assert (header.citations_total, citations) == (1, [])


@pytest.mark.parametrize("name", ["max_citations", "min_words", "timeout_seconds"])
def test_rejects_negative_settings(name):
    with pytest.raises(ValueError, match=name):
        ExtractSettings(**{name: -1})


@given(st.text(alphabet="ab \n\t\u00a0", max_size=50))
def test_counts_words(text):
    assert count_words(text) == len(text.split())


def test_a_document_that_takes_too_long_is_a_timeout(make_pipeline):
    endless = "(Ode, 2001; Ng, 2002) " * 200_000
    settings = ExtractSettings(min_words=0, timeout_seconds=0.2)
    with make_pipeline() as p:
        found, _, failures = (
            p | beam.Create([_document(endless)]) | ExtractCitations(settings)
        )
        assert_that(found, equal_to([]), label="documents")
        assert_that(
            failures | beam.Map(lambda f: (f.element_id, f.error)),
            equal_to([("d", "timeout")]),
            label="failures",
        )


@given(st.text(alphabet="Ode Ng2019(),;.&[]\n al", max_size=300))
def test_spans_round_trip(text):
    _, citations = _extract(text)
    for citation in citations:
        assert text[citation.marker_start : citation.marker_end] == citation.marker
        assert text[citation.claim_start : citation.claim_end] == citation.claim
        assert (
            text[citation.clause_start : citation.clause_end] == citation.claim_clause
        )
        assert citation.claim_start <= citation.clause_start <= citation.marker_start
        assert citation.marker_end <= citation.clause_end <= citation.claim_end
        assert citation.claim_start <= citation.marker_start
        assert citation.marker_end <= citation.claim_end


def test_stage_yields_documents_references_and_failures(make_pipeline):
    good = _document(
        "Rates fell (Ode, 2001).", reference_text="Ode, T. (2001). On rates. Wool."
    )
    bad = Document("bad", "bad.txt", None)
    expected = extract(good, _ALL)
    with make_pipeline() as p:
        found, references, failures = (
            p | beam.Create([good, bad]) | ExtractCitations(_ALL)
        )
        assert_that(
            found,
            equal_to([CitingDocument(expected.header, expected.citations)]),
            label="documents",
        )
        assert_that(references, equal_to(expected.references), label="references")
        assert_that(
            failures | beam.Map(lambda f: (f.stage, f.element_id, f.error)),
            equal_to([("extract_citations", "bad", "TypeError")]),
            label="failures",
        )


def test_lists_every_reference_with_what_cites_it():
    listed = "\n".join(
        (
            "[1] Ode, T. (2001). On rates. Wool.",
            "[2] Ng, L. (2002). On wool. Wool. doi:10.9999/w.2",
            "[3] Ng, L. (2003). On wool, again. Wool. doi:10.9999/W.2",
            "[4] Ode, T. (2001). ON RATES. Wool.",
        )
    )
    found = extract(
        _document("It fell [1]. It rose [1, 2].", reference_text=listed), _ALL
    )
    assert [entry.ordinal for entry in found.references] == [1, 2, 3, 4]
    assert [entry.cited_in for entry in found.references] == [
        ("d#1", "d#2"), ("d#3",), (), (),
    ]  # fmt: skip
    assert [entry.same_as for entry in found.references] == ["", "", "ref-2", "ref-1"]
    assert found.header.references_total == 4


def test_without_the_check_of_support_only_references_are_listed():
    document = _document(
        "Rates fell (Ode, 2001).", reference_text="Ode T. 2001. Rates."
    )
    found = extract(document, ExtractSettings(check_support=False))
    assert found.header.status is DocumentStatus.SUPPORT_NOT_CHECKED
    assert found.citations == ()
    assert len(found.references) == 1


def test_no_two_references_of_a_document_have_one_id():
    entries = [Reference(name, "") for name in ("b1", "b1", "b1-2", "b1", "b2")]
    found = extract(_document("Rates fell.", references=tuple(entries)), _ALL)
    ids = [entry.reference.ref_id for entry in found.references]
    assert ids == ["b1", "b1-2", "b1-2-2", "b1-3", "b2"]
