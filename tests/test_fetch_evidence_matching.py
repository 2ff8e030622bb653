"""Table tests of lookups, titles and gates."""

import dataclasses
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transforms.fetch_evidence.lookup import (
    claim_terms,
    identifier_keys,
    lookup_for,
    merge,
)
from transforms.fetch_evidence.match import agrees, candidates
from transforms.fetch_evidence.versions import group_versions
from transforms.records import (
    Citation,
    CitationKind,
    Entry,
    Lookup,
    Reference,
    Work,
)
from transforms.titles import normalise_title, title_similarity

_CLAIM = "Deep-water quills migrate in estuaries, as earlier studies suggest."


def cite(reference=None, **known):
    known = {"kind": CitationKind.AUTHOR_YEAR, "claim_unmarked": _CLAIM} | known
    return Citation(
        citation_id="d#1",
        doc_id="d",
        ordinal=1,
        marker="",
        marker_start=0,
        marker_end=0,
        claim="",
        claim_start=0,
        claim_end=0,
        reference=reference,
        **known,
    )


_ENTRY = Reference(
    "r1",
    "raw",
    authors=("van der Prell, Marlo", "Ng, Ada"),
    year=2014,
    title="Lantern drift under β-waves",
    doi="10.9/a",
    pmid="7",
)
_UNIDENTIFIED = dataclasses.replace(_ENTRY, doi=None, pmid=None)
_TERMS = "estuaries migrate quills water"

_KEYS = {
    "identifier in the text": (cite(identifier="doi:10.9/text"), "doi:10.9/text"),
    "text before reference": (
        cite(_ENTRY, identifier="pmid:99"),
        "pmid:99",
    ),
    "arXiv DOI": (cite(identifier="doi:10.48550/arxiv.2101.00001"), "arxiv:2101.00001"),
    "first identifier of the reference": (cite(_ENTRY), "doi:10.9/a"),
    "other identifier of the reference": (
        cite(dataclasses.replace(_ENTRY, doi=None)),
        "pmid:7",
    ),
    "title": (
        cite(_UNIDENTIFIED, year="2015"),
        "title:lantern drift under beta waves|2014|van der prell",
    ),
    "title alone": (
        cite(Reference("r", "raw", title="Tidal <i>Quills</i>.")),
        "title:tidal quills||",
    ),
    "title with year and surname of the text": (
        cite(Reference("r", "raw", title="Tidal"), surnames=("Ode",), year="1999"),
        "title:tidal|1999|ode",
    ),
    "one author": (
        cite(surnames=("Sjøstrand",), year="2010"),
        f"author-year:sjostrand|2010|{_TERMS}",
    ),
    "two authors": (
        cite(surnames=("Al-Aly", "O’Dell"), year="2010"),
        f"author-year:al aly+odell|2010|{_TERMS}",
    ),
    "et al.": (
        cite(surnames=("Ng",), et_al=True, year="2010"),
        f"author-year:ng+et al|2010|{_TERMS}",
    ),
    "suffix": (
        cite(surnames=("Ng",), year="2010", year_suffix="b"),
        f"author-year:ng|2010b|{_TERMS}",
    ),
    "in press": (
        cite(surnames=("Ng",), year="in press"),
        f"author-year:ng||{_TERMS}",
    ),
    "reference without title": (
        cite(Reference("r", "raw", authors=("Ode, T.",), year=2001, title="...")),
        f"author-year:ode|2001|{_TERMS}",
    ),
    "nothing": (cite(claim_unmarked=""), "author-year:||"),
    "several entries": (
        cite(surnames=("Ng",), year="2010", reference_candidates=("r2", "r5")),
        "entries:d|r2+r5",
    ),
    "several entries and an identifier": (
        cite(identifier="doi:10.5555/x", reference_candidates=("r2", "r5")),
        "doi:10.5555/x",
    ),
}


@pytest.mark.parametrize(("citation", "key"), _KEYS.values(), ids=_KEYS)
def test_lookup_keys(citation, key):
    assert lookup_for(citation).key == key


def test_a_lookup_carries_all_that_is_known():
    citation = cite(_ENTRY, identifier="arxiv:2199.01234", surnames=("Prell",))
    assert lookup_for(citation) == Lookup(
        key="arxiv:2199.01234",
        doi="10.9/a",
        arxiv_id="2199.01234",
        pmid="7",
        title="Lantern drift under β-waves",
        surnames=("van der Prell", "Ng"),
        year=2014,
        entries=(Entry("Lantern drift under β-waves", ("van der Prell", "Ng"), 2014),),
    )


@pytest.mark.parametrize(
    ("authors", "cited", "et_al", "expected"),
    [
        ((), ("Ng",), True, (("Ng",), True)),
        (("Ode, T.", "Ng, A."), ("Ode",), False, (("Ode", "Ng"), False)),
        # A list that was read in part does not overrule the text.
        (("Ode, T.",), ("Ode",), True, (("Ode",), True)),
        (("A, B.", "C, D.", "E, F."), ("A",), True, (("A", "C", "E"), False)),
        (("Ode, T.", "et al."), ("Ode",), True, (("Ode",), True)),
        (("", "others"), ("Ode",), False, (("Ode",), False)),
    ],
)
def test_authors_come_from_the_reference(authors, cited, et_al, expected):
    reference = Reference("r", "raw", authors=authors)
    lookup = lookup_for(cite(reference, surnames=cited, et_al=et_al))
    assert (lookup.surnames, lookup.et_al) == expected


@pytest.mark.parametrize(
    ("claim", "terms"),
    [
        (_CLAIM, ("estuaries", "migrate", "quills", "water")),
        ("", ()),
        ("We show that these may be so.", ()),
        ("Zebra zebra ZEBRA alpha", ("alpha", "zebra")),
        ("CO2emission β2 40% naïveté", ("naivete",)),
        (
            "aaaaa bbbbbb ccccccc dddddddd eeeeeeeee ffffffffff ggggg",
            ("ffffffffff", "eeeeeeeee", "dddddddd", "ccccccc", "bbbbbb", "aaaaa"),
        ),
    ],
)
def test_claim_terms(claim, terms):
    assert claim_terms(claim) == terms


@pytest.mark.parametrize(
    ("reference", "suffix"), [(None, "b"), (_ENTRY, ""), (_UNIDENTIFIED, "")]
)
def test_a_letter_counts_where_no_entry_explains_it(reference, suffix):
    lookup = lookup_for(cite(reference, surnames=("Ng",), year="2014", year_suffix="b"))
    assert lookup.year_suffix == suffix


def test_the_identifier_in_the_text_goes_first():
    lookup = lookup_for(cite(_ENTRY, identifier="pmid:99"))
    assert identifier_keys(lookup) == ("pmid:99", "doi:10.9/a")


def test_merging_keeps_all_that_is_known():
    merged = merge(
        [
            Lookup("doi:10.9/a", doi="10.9/a", surnames=("Ng",), et_al=True, year=2015),
            Lookup(
                *("doi:10.9/a", "10.9/a"),
                pmid="7",
                title="T",
                year=2014,
                entries=(Entry("T", year=2014),),
            ),
            Lookup("doi:10.9/a", surnames=("Ng", "Ode", "Lim"), terms=("water",)),
        ]
    )
    assert merged == Lookup(
        "doi:10.9/a",
        doi="10.9/a",
        pmid="7",
        title="T",
        surnames=("Ng", "Ode", "Lim"),
        year=2014,
        terms=("water",),
        entries=(Entry("T", year=2014),),
    )


_lookups = st.builds(
    Lookup,
    key=st.just("k"),
    doi=st.none() | st.sampled_from(["10.9/a", "10.9/b"]),
    title=st.sampled_from(["", "A", "B", "Long"]),
    surnames=st.lists(st.sampled_from(["Ng", "Ode"]), max_size=3).map(tuple),
    et_al=st.booleans(),
    year=st.none() | st.integers(2000, 2003),
    year_suffix=st.sampled_from(["", "a"]),
    terms=st.lists(st.sampled_from("abcdefgh"), max_size=6).map(tuple),
    entries=st.lists(
        st.builds(Entry, st.sampled_from("ABC"), year=st.none() | st.just(2000)),
        max_size=2,
        unique=True,
    ).map(tuple),
)


@given(st.lists(_lookups, min_size=1, max_size=4))
def test_merging_depends_on_neither_order_nor_grouping(lookups):
    merged = merge(lookups)
    assert all(merge(order) == merged for order in itertools.permutations(lookups))
    for cut in range(1, len(lookups)):
        parts = [merge(lookups[:cut]), merge(lookups[cut:])]
        assert merge(parts) == merged


@pytest.mark.parametrize(
    ("title", "normalised"),
    [
        (
            "The <i>Tidal</i> Quill&amp;Snail: A  Study.",
            "the tidal quill snail a study",
        ),
        ("{D}NA repair in $E. coli$", "dna repair in e coli"),
        ("TGF-β and CO₂", "tgf beta and co2"),
        ("Wingless ς", "wingless sigma"),
        ("Søren’s “naïve” méthode", "sorens naive methode"),
        ("RETRACTED ARTICLE: Tidal quills", "tidal quills"),
        ("Retracted", "retracted"),
        ("a < b and c > d", "a b and c d"),
        ("...", ""),
        ("", ""),
    ],
)
def test_normalises_titles(title, normalised):
    assert normalise_title(title) == normalised


_LONG = "Depth-first quills in cold estuaries of the northern coast"


@pytest.mark.parametrize(
    ("first", "second", "low", "high"),
    [
        (_LONG, _LONG.upper() + ".", 1.0, 1.0),
        (_LONG, _LONG.replace("cold", "old"), 0.95, 1.0),
        (_LONG, _LONG.replace("northern", "southern"), 0.8, 0.99),
        # A title that continues another is another work.
        ("Depth-first quills", "Depth-first quills in cold estuaries", 0.0, 0.6),
        (_LONG, _LONG + " and beyond it", 0.0, 0.82),
        (f"{_LONG}: part 1", f"{_LONG}: part 2", 0.0, 0.0),
        (f"{_LONG} II", f"{_LONG} III", 0.0, 0.0),
        (f"{_LONG} in CO2", f"{_LONG} in CO 2", 0.95, 1.0),
        (_LONG, f"Correction to: {_LONG}", 0.0, 0.0),
        (_LONG, f"Author Correction: {_LONG}", 0.0, 0.0),
        (_LONG, f"Data from: {_LONG}", 0.0, 0.0),
        ("Response of quills to cold", "Response of quills to colds", 0.95, 1.0),
        ("", "", 0.0, 0.0),
        ("Quills", "", 0.0, 0.0),
        ("Snails", "Whales and wakes", 0.0, 0.5),
    ],
)
def test_compares_titles(first, second, low, high):
    assert low <= title_similarity(first, second) <= high
    assert title_similarity(first, second) == title_similarity(second, first)


_TITLED = Lookup("k", title=_LONG, surnames=("Ode", "Ng"), year=2014)
_WORK = Work("papers", "p", _LONG, authors=("Ode, T.", "Ng, A."), year=2014)
_GARBLED = "Depth-first quills in cool estuaries of a northern coast"


def titled(**changes):
    return dataclasses.replace(_TITLED, **changes)


def work(**changes):
    return dataclasses.replace(_WORK, **changes)


_TITLE_GATES = {
    "same": (_TITLED, _WORK, True),
    "year one off": (_TITLED, work(year=2015), True),
    "year two off": (_TITLED, work(year=2016), False),
    "other first author": (_TITLED, work(authors=("Lim, P.", "Ode, T.")), False),
    "index without year": (_TITLED, work(year=None), True),
    "index without authors": (_TITLED, work(authors=()), True),
    "title alone": (titled(surnames=(), year=None), _WORK, True),
    "short title alone": (
        Lookup("k", title="Introduction"),
        work(title="Introduction"),
        False,
    ),
    "short title and year": (
        Lookup("k", title="Introduction", year=2014),
        work(title="Introduction"),
        True,
    ),
    "close title": (_TITLED, work(title=_GARBLED), True),
    "close title, other year": (_TITLED, work(title=_GARBLED, year=2016), False),
    "close title, no year": (titled(year=None), work(title=_GARBLED), False),
    "close title, no authors": (_TITLED, work(title=_GARBLED, authors=()), False),
    "prefix": (titled(title="Depth-first quills"), _WORK, False),
    "other title": (_TITLED, work(title="Whales and wakes"), False),
    "no title in the index": (_TITLED, work(title=""), False),
}


@pytest.mark.parametrize(
    ("lookup", "candidate", "expected"), _TITLE_GATES.values(), ids=_TITLE_GATES
)
def test_title_gates(lookup, candidate, expected):
    assert agrees(lookup, candidate) is expected


def cited(*surnames, et_al=False, year=2014, **ids):
    return Lookup("k", surnames=surnames, et_al=et_al, year=year, **ids)


_ONE, _TWO = ("Tamsin Ode",), ("T. Ode", "Ada Ng")
_THREE = (*_TWO, "P. Lim")

_AUTHOR_GATES = {
    "one of one": (cited("Ode"), work(authors=_ONE), True),
    "one of two": (cited("Ode"), work(authors=_TWO), False),
    "two of two": (cited("Ode", "Ng"), work(authors=_TWO), True),
    "two of three": (cited("Ode", "Ng"), work(authors=_THREE), False),
    "two of one": (cited("Ode", "Ng"), work(authors=_ONE), False),
    "second differs": (cited("Ode", "Lim"), work(authors=_TWO), False),
    "order differs": (cited("Ng", "Ode"), work(authors=_TWO), False),
    "et al. of three": (cited("Ode", et_al=True), work(authors=_THREE), True),
    "et al. of two": (cited("Ode", et_al=True), work(authors=_TWO), True),
    "et al. of one": (cited("Ode", et_al=True), work(authors=_ONE), False),
    "two et al. of three": (
        cited("Ode", "Ng", et_al=True),
        work(authors=_THREE),
        True,
    ),
    "two et al. of two": (cited("Ode", "Ng", et_al=True), work(authors=_TWO), False),
    "whole list": (cited("Ode", "Ng", "Lim"), work(authors=_THREE), True),
    "list of two of three": (cited("Ode", "Ng", "Lim"), work(authors=_TWO), False),
    "list that differs": (cited("Ode", "Ng", "Quux"), work(authors=_THREE), False),
    "longer list": (cited("Ode", "Ng", "Lim", "X"), work(authors=_THREE), True),
    "year one off": (cited("Ode", year=2013), work(authors=_ONE), True),
    "year two off": (cited("Ode", year=2012), work(authors=_ONE), False),
    "no year cited": (cited("Ode", year=None), work(authors=_ONE), False),
    "no year in the index": (cited("Ode"), work(authors=_ONE, year=None), False),
    "nobody cited": (cited(), work(authors=_ONE), False),
    "empty name cited": (cited(""), work(authors=_ONE), False),
    "nobody in the index": (cited("Ode"), work(authors=()), False),
    "empty name in the index": (cited("Ode"), work(authors=("",)), False),
    "name of two letters": (cited("Li Wu"), work(authors=("B. Thornquist",)), False),
    "particle lost": (cited("van der Prell"), work(authors=("Prell, M.",)), True),
    "accents lost": (cited("Sjøstrand"), work(authors=("K Sjostrand",)), True),
    "other identifier": (
        cited("Ode", doi="10.9/a"),
        work(authors=_ONE, doi="10.9/b"),
        False,
    ),
    "other kind of identifier": (
        cited("Ode", pmid="7"),
        work(authors=_ONE, doi="10.9/b"),
        True,
    ),
}


@pytest.mark.parametrize(
    ("lookup", "candidate", "expected"), _AUTHOR_GATES.values(), ids=_AUTHOR_GATES
)
def test_author_year_gates(lookup, candidate, expected):
    assert agrees(lookup, candidate) is expected


_TEXT = "An abstract that is long enough to count."
_A = work(paper_id="a", title="Alpha quills", authors=_ONE)
_B = work(paper_id="b", title="Beta snails", authors=_ONE)
_ANY = Lookup("k", title="A primer on tidal quills")
_OLD = work(paper_id="o", title=_ANY.title, authors=("Lim, P.",), year=1991)
_NEW = work(paper_id="n", title=_ANY.title, authors=("Ode, T.",), year=2009)

_CANDIDATES = {
    "none": (cited("Ode"), [], []),
    "none agrees": (cited("Quux"), [_A, _B], []),
    "several": (cited("Ode"), [_A, _B], ["a", "b"]),
    "the very year": (
        cited("Ode"),
        [dataclasses.replace(_A, year=2015), _B],
        ["b"],
    ),
    "near years": (
        cited("Ode", year=2015),
        [_A, dataclasses.replace(_B, year=2016)],
        ["a", "b"],
    ),
    "same DOI": (
        cited("Ode"),
        [
            dataclasses.replace(_A, doi="10.9/a"),
            dataclasses.replace(_B, doi="10.9/a", abstract=_TEXT),
        ],
        ["b"],
    ),
    "same arXiv id": (
        cited("Ode"),
        [
            dataclasses.replace(_A, arxiv_id="2199.01234"),
            dataclasses.replace(_B, arxiv_id="2199.01234"),
        ],
        ["a"],
    ),
    "preprint and article": (
        cited("Ode"),
        [
            dataclasses.replace(_A, doi="10.9/x"),
            dataclasses.replace(_A, paper_id="p", year=2013, abstract=_TEXT),
        ],
        ["p"],
    ),
    "versions through a third": (
        cited("Ode"),
        [
            dataclasses.replace(_A, doi="10.9/x"),
            _B,
            dataclasses.replace(_B, paper_id="c", doi="10.9/x"),
        ],
        ["a"],
    ),
    "two works of one title": (_ANY, [_OLD, _NEW], ["n", "o"]),
    "year decides": (dataclasses.replace(_ANY, year=2009), [_OLD, _NEW], ["n"]),
    "author decides": (
        dataclasses.replace(_ANY, surnames=("Lim",)),
        [_OLD, _NEW],
        ["o"],
    ),
    "neither fits": (dataclasses.replace(_ANY, year=2000), [_OLD, _NEW], []),
    "the very title": (
        _TITLED,
        [work(paper_id="x", title=_GARBLED), work(paper_id="y")],
        ["y"],
    ),
    "unknown year prefers nothing": (
        _ANY,
        [_OLD, dataclasses.replace(_NEW, year=None)],
        ["n", "o"],
    ),
}


@pytest.mark.parametrize(
    ("lookup", "works", "expected"), _CANDIDATES.values(), ids=_CANDIDATES
)
def test_candidates(lookup, works, expected):
    assert sorted(w.paper_id for w in candidates(lookup, works)) == expected
    for order in itertools.permutations(works):
        assert len(candidates(lookup, order)) == len(expected)


def test_thousands_of_records_of_one_title_are_grouped_in_linear_time():
    works = [
        Work("papers", f"p{n}", "Introduction", authors=("A. Ng",), year=2015)
        for n in range(20_000)
    ]
    # Comparing each with each would not end here.
    assert len(group_versions(works)) == 1
