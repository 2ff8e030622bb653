"""Tests how venues and years of references are compared."""

from __future__ import annotations

import pytest

from transforms.names import fold
from transforms.verify_references.venue_table import (
    TABLE,
    VenueTable,
    read_venues,
)
from transforms.verify_references.venues import VenueMatch, compare_venues, find_venue
from transforms.verify_references.years import is_year_of, is_year_of_series

_SAME = [
    ("NeurIPS", "Advances in Neural Information Processing Systems 34"),
    ("NIPS", "NeurIPS"),
    ("ICLR 2021", "International Conference on Learning Representations"),
    (
        "2021 IEEE/CVF Conference on Computer Vision and Pattern Recognition (CVPR)",
        "CVPR",
    ),
    ("J Neurosci", "The Journal of Neuroscience"),
    ("Proc Natl Acad Sci USA", "Proceedings of the National Academy of Sciences"),
    ("PNAS", "Proc. Natl. Acad. Sci. U.S.A."),
    ("Annu Rev Biochem", "Annual Review of Biochemistry"),
    ("Mol Cell Biol", "Molecular and Cellular Biology"),
    ("JBC", "Journal of Biological Chemistry"),
    ("American Journal of Physiology. Heart", "American Journal of Physiology"),
    ("Nature Structural Biology", "Nature Structural & Molecular Biology"),
    ("J. Mach. Learn. Res.", "JMLR"),
]
_CONFLICT = [
    ("ICLR", "NeurIPS"),
    ("ICML", "Journal of Machine Learning Research"),
    ("Conference on Learning Theory", "AAAI Conference on Artificial Intelligence"),
]
_OTHER = [
    ("Cell", "Cell Reports"),
    ("Gene", "Genetics"),
    ("Science", "Journal of Tides"),
    ("Journal of Neuroscience", "European Journal of Neuroscience"),
    ("Journal of Cell Science", "Journal of Cell Biology"),
    ("Symposium on Snails", "ICML"),
]
_UNKNOWN = [
    ("", "Journal of Tides"),
    ("JTWX", "Journal of Snails"),
    ("Springer", "ICML"),
    ("Lecture Notes in Computer Science", "ECCV"),
    ("NeurIPS Workshop on Tides", "QTW"),
]


@pytest.mark.parametrize(
    ("cited", "record", "match"),
    [
        *((*pair, VenueMatch.SAME) for pair in _SAME),
        *((*pair, VenueMatch.CONFLICT) for pair in _CONFLICT),
        *((*pair, VenueMatch.OTHER) for pair in _OTHER),
        *((*pair, VenueMatch.UNKNOWN) for pair in _UNKNOWN),
    ],
)
def test_venues(cited, record, match):
    assert compare_venues(cited, record, read_venues()) is match


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Proc. ICML'21", "ICML"),
        ("ICML2021", "ICML"),
        ("arXiv preprint arXiv:2101.00001", "arXiv"),
        ("the icml of old", None),
        ("NeurIPS Workshop on Tides", None),
        ("Journal of Machine Learning Research Letters", None),
    ],
)
def test_a_venue_is_found_within_a_text(written, name):
    venue = find_venue(written, read_venues())
    assert (venue and venue.name) == name


def test_users_extend_the_table(tmp_path):
    more = tmp_path / "more.tsv"
    more.write_text("# ours\n\nalias\tTidal Notes\tQuarterly of the Wrack\n")
    pair = "Tidal Notes", "Quarterly of the Wrack"
    assert compare_venues(*pair, read_venues()) is VenueMatch.OTHER
    assert compare_venues(*pair, read_venues(more)) is VenueMatch.SAME


@pytest.mark.parametrize(
    ("line", "said"),
    [("journal", "line 1"), ("magazine\tTides", "magazine"), ("alias\t \tx", "line 1")],
)
def test_a_line_that_is_none_is_named(line, said):
    with pytest.raises(ValueError, match=said):
        VenueTable([line])


def test_no_name_of_the_table_is_of_two_venues():
    venues = {}
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            name, *others = "|".join(line.split("\t")[1:]).split("|")
            for other in (name, *others):
                assert venues.setdefault(fold(other), name) == name


@pytest.mark.parametrize(
    ("cited", "years", "is_right"),
    [
        (2010, [2010], True),
        (2009, [2010], True),
        (2008, [2010], False),
        (2012, [2010], True),
        (2013, [2010], False),
        (2013, [2010, 2012], True),
    ],
)
def test_years(cited, years, is_right):
    assert is_year_of(cited, years) is is_right


@pytest.mark.parametrize(
    ("cited", "years", "is_right"),
    [(2021, [2020], True), (2022, [2020], False), (2019, [2020], True)],
)
def test_years_of_conferences(cited, years, is_right):
    assert is_year_of_series(cited, years) is is_right
