"""Tests of reference entries and of the links to them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transforms.extract_citations.links import ReferenceList
from transforms.extract_citations.markers import Marker
from transforms.extract_citations.references import parse_references
from transforms.records import CitationKind, Reference

# Style, entry, and the parts it is made of.
_TITLE = "Tidal quills and their decay"
_ENTRIES = {
    "APA": (
        "Ode, T. A., & van der Prell, L. (2014a). Tidal quills and their decay. "
        "Journal of Quills, 3(2), 14–22. https://doi.org/10.5555/Quill.14",
        (("Ode, T. A.", "van der Prell, L."), 2014, "a", _TITLE, "10.5555/quill.14"),
    ),
    "Harvard": (
        "Ode, T. and Ng, L. 2014. Tidal quills and their decay. J. Quills 3, 14-22.",
        (("Ode, T.", "Ng, L."), 2014, "", _TITLE, None),
    ),
    "Vancouver": (
        "12. Ode T, Ng LK. Tidal quills and their decay. J Quills. 2014;3:14-22. "
        "doi: 10.5555/quill.14",
        (("Ode, T", "Ng, LK"), 2014, "", _TITLE, "10.5555/quill.14"),
    ),
    "Vancouver with year first": (
        "Ode T, Ng LK (2014) Tidal quills and their decay. J Quills 3:14-22.",
        (("Ode, T", "Ng, LK"), 2014, "", _TITLE, None),
    ),
    "MLA": (
        "Ode, Tamsin, and Lu Ng. “Tidal quills and their decay.” Quills, 2014, p. 14.",
        (("Ode, Tamsin, and Lu Ng",), 2014, "", _TITLE, None),
    ),
    "MLA with a volume like a year": (
        "Ode, T., and L. Ng. “Tidal quills and their decay”. Quills, vol. 1814, 2014, "
        "pp. 9–14.",
        (("Ode, T.", "Ng, L."), 2014, "", _TITLE, None),
    ),
    "IEEE": (
        "[3]T. A. Ode et al., “Tidal quills and their decay”, Quills, vol. 3, 2014, "
        "doi: 10.5555/quill.14.",
        (("Ode, T. A.",), 2014, "", _TITLE, "10.5555/quill.14"),
    ),
    "AMA": (
        "12.van der Prell A, Ng LK, et al. Tidal quills and their decay. Quills. "
        "2014;3:9-14.",
        (("van der Prell, A", "Ng, LK"), 2014, "", _TITLE, None),
    ),
    "Chicago": (
        "Ode, T. A., and L. Ng. 2014. “Tidal quills and their decay”. Quills 3: 9–14.",
        (("Ode, T. A.", "Ng, L."), 2014, "", _TITLE, None),
    ),
    "quotes in the title": (
        "Ode, T. (2014) “Tidal “quills” and - with luck - their decay”, Quills, 3.",
        (("Ode, T.",), 2014, "", "Tidal “quills” and - with luck - their decay", None),
    ),
    **{
        title: (
            f"Ode, T. (2014). {title} Quills, 3(2), 14–22.",
            (("Ode, T.",), 2014, "", title.removesuffix("."), None),
        )
        for title in (
            "Does the tide matter? A sceptical review.",
            "Quills dig! A field study of the coast.",
            "Is silence golden?",
            "Quills of St. Orrin: No. 7 revisited.",
            "“Why dig?”: Quills and their burrows.",
            "Quills in the U.S. National Tide Library.",
        )
    },
    "organisation": (
        "World Tide Office (2014). Tidal quills and their decay. Geneva.",
        (("World Tide Office",), 2014, "", _TITLE, None),
    ),
}


@pytest.mark.parametrize(("raw", "parts"), _ENTRIES.values(), ids=_ENTRIES)
def test_parses_an_entry(raw, parts):
    (entry,) = parse_references(raw)
    found = (entry.authors, entry.year, entry.year_suffix, entry.title, entry.doi)
    assert found == parts
    assert entry.raw == raw


@pytest.mark.parametrize(
    ("text", "first_words"),
    [
        ("Ode, T. (2014). One.\nNg, L. (2015). Two.\n", ["Ode,", "Ng,"]),
        ("Ode, T. (2014). One\n   more.\n\nNg, L. (2015). Two.", ["Ode,", "Ng,"]),
        ("[1] Ode T. One.\nJ Q. 2014.\n[2] Ng L. Two. 2015.", ["[1]", "[2]"]),
        ("- Ode, T. (2014). One.\n- Ng, L. (2015). Two.", ["-", "-"]),
        (
            "Ode, T.,\nNg, L. (2014). One\nof many.\nOrr, P. (2015). B.",
            ["Ode,", "Orr,"],
        ),
        ("", []),
    ],
    ids=["lines", "paragraphs", "numbered", "bullets", "wrapped", "empty"],
)
def test_splits_the_list(text, first_words):
    assert [entry.raw.split()[0] for entry in parse_references(text)] == first_words


def test_a_long_list_without_years_takes_linear_time():
    # Looking at the whole entry for each line would not end here.
    assert len(parse_references("Ng, A. B.\n" * 200_000)) == 1


@given(st.text(alphabet='Ode Ng.,;()[]“”"-–&2014 et al\n', max_size=200))
def test_parses_anything(text):
    entries = parse_references(text)
    assert "".join("".join(e.raw.split()) for e in entries).replace("-", "") == (
        "".join(text.split()).replace("-", "")
    )


_LIST = ReferenceList(
    [
        Reference("r1", "", ("Ode, T.", "Ng, L."), 2014),
        Reference("r2", "", ("Ode, T.", "Orr, P.", "Ng, L."), 2014),
        Reference("r3", "", ("Bramwel, K.",), 2003, "a"),
        Reference("r4", "", ("Bramwel, K.",), 2003, "b"),
        Reference("r5", "", ("World Tide Office",), 2009),
        Reference("r6", "", ("van der Prell, A.",), 2010, label="6"),
    ]
)


def _cite(*surnames, year, suffix="", et_al=False):
    return Marker(0, 9, CitationKind.AUTHOR_YEAR, surnames, et_al, year, suffix)


def test_numbers_count_the_entries_of_a_list_without_labels():
    listed = ReferenceList([Reference("a", "Ode"), Reference("b", "Ng")])
    (entry,) = listed.find(Marker(0, 1, CitationKind.NUMBERED, label="2"))
    assert entry.ref_id == "b"
    assert not listed.find(Marker(0, 1, CitationKind.NUMBERED, label="3"))


@pytest.mark.parametrize(
    ("marker", "ids"),
    [
        (_cite("Ode", "Ng", year="2014"), ["r1"]),
        (_cite("Ode", et_al=True, year="2014"), ["r2"]),
        (_cite("Ode", year="2014"), ["r1", "r2"]),
        (_cite("Ode", "Orr", et_al=True, year="2014"), ["r2"]),
        (_cite("Bramwel", year="2003", suffix="b"), ["r4"]),
        (_cite("Bramwel", year="2003"), ["r3", "r4"]),
        (_cite("Bramwel", year="2003", suffix="c"), []),
        (_cite("WTO", year="2009"), ["r5"]),
        (_cite("The World Tide Office", year="2009"), ["r5"]),
        (_cite("Prell", year="2010"), ["r6"]),
        (_cite("Prell", year="2011"), []),
        (Marker(0, 1, CitationKind.NUMBERED, label="6"), ["r6"]),
        (Marker(0, 1, CitationKind.NUMBERED, label="7"), []),
        (Marker(0, 1, CitationKind.NUMBERED, label="7", ref_ids=("r2",)), ["r2"]),
        (Marker(0, 1, CitationKind.DOI, identifier="doi:10.5555/x"), []),
    ],
)
def test_links_to_entries(marker, ids):
    assert [reference.ref_id for reference in _LIST.find(marker)] == ids
