"""Tests how references are labelled by the records found for them."""

from __future__ import annotations

import dataclasses

import pytest

from transforms.records import Reference, Work
from transforms.reference_records import (
    Field,
    FieldState,
    Findings,
    Led,
    ReferenceLabel,
)
from transforms.verify_references.decide import verify
from transforms.verify_references.fields import Setting
from transforms.verify_references.keys import fault_of
from transforms.verify_references.venue_table import read_venues
from transforms.verify_references.work_types import rarely_indexed

_SETTING = Setting(read_venues(), 2026)
_TITLE = "Oysters breathe less in warm and still bays"
_AUTHORS = ("Ode, T", "Ng, L", "Prell, V")
_DOI = "10.1000/oyster"
_REFERENCE = Reference(
    ref_id="r1",
    raw="Ode, T., Ng, L., Prell, V. (2011) Oysters breathe less. Tides 3: 14.",
    authors=_AUTHORS,
    year=2011,
    title=_TITLE,
    venue="Journal of Tides",
    doi=_DOI,
    volume="3",
    pages="14-20",
)
_WORK = Work(
    "crossref", _DOI, _TITLE, authors=_AUTHORS, year=2011, doi=_DOI,
    venue="Journal of Tides", volume="3", pages="14",
)  # fmt: skip
_PREPRINT = Work(
    "arxiv", "1101.00001", _TITLE, authors=_AUTHORS, year=2010, arxiv_id="1101.00001",
    venue="arXiv",
)  # fmt: skip
_OTHER = Work(
    "crossref", "10.1000/snail", "Snails graze the upper shore at night",
    authors=("Quist, A", "Tam, B"), year=2003, doi="10.1000/snail", venue="Shore Notes",
)  # fmt: skip

EXACT, MINOR, MAJOR, OPEN = ReferenceLabel


def _verify(works=(_WORK,), led=(), *, is_complete=True, unasked=(), **changes):
    reference = dataclasses.replace(_REFERENCE, **changes)
    leads = tuple(
        Led(key, work, is_unknown=work is None and is_complete) for key, work in led
    )
    findings = Findings(
        "k", tuple(works), leads, ("crossref",), tuple(unasked), is_complete
    )
    return verify(reference, findings, _SETTING)


def _state(verdict, field):
    return next(check.state for check in verdict.fields if check.field is field)


def test_a_true_reference_is_exact():
    verdict = _verify(led=[(f"doi:{_DOI}", _WORK)])
    assert (verdict.label, verdict.reasons, verdict.works) == (EXACT, (), (_WORK,))
    states = [check.state for check in verdict.fields]
    assert [check.field for check in verdict.fields] == list(Field)
    assert set(states) == {FieldState.OK, FieldState.UNKNOWN}


# What is changed in the entry; label; the field that shows it; its state.
_ONE_FIELD = {
    "year after print": ({"year": 2013}, EXACT, Field.YEAR, FieldState.NOTE),
    "year": ({"year": 2014}, MINOR, Field.YEAR, FieldState.DIFFERS),
    "future year": ({"year": 2031}, MINOR, Field.YEAR, FieldState.DIFFERS),
    "title word": (
        {"title": _TITLE.replace("warm", "cold")},
        MINOR, Field.TITLE, FieldState.DIFFERS,
    ),
    "stop word": (
        {"title": _TITLE.replace("in warm", "in the warm")},
        EXACT, Field.TITLE, FieldState.OK,
    ),
    "venue": ({"venue": "Shore Notes"}, MINOR, Field.VENUE, FieldState.DIFFERS),
    "venue abbreviated": ({"venue": "J Tides"}, EXACT, Field.VENUE, FieldState.OK),
    "preprint cited": ({"venue": "bioRxiv"}, EXACT, Field.VENUE, FieldState.OK),
    "page": ({"pages": "99"}, EXACT, Field.PAGES, FieldState.NOTE),
    "no doi": ({"doi": None}, EXACT, Field.DOI, FieldState.UNKNOWN),
    "other doi": ({"doi": "10.1000/x"}, MINOR, Field.DOI, FieldState.DIFFERS),
    "doi of a figure": ({"doi": f"{_DOI}.g001"}, EXACT, Field.DOI, FieldState.OK),
    "repository doi": (
        {"doi": "10.1101/123456"}, EXACT, Field.DOI, FieldState.UNKNOWN,
    ),
    "arxiv id of no month": (
        {"arxiv_id": "1113.00001"}, MINOR, Field.ARXIV, FieldState.DIFFERS,
    ),
    "author missing": (
        {"authors": ("Ode, T", "Prell, V")}, MINOR, Field.AUTHORS, FieldState.DIFFERS,
    ),
    "other authors": (
        {"authors": ("Quist, A", "Tam, B")}, MINOR, Field.AUTHORS, FieldState.CONFLICT,
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "label", "field", "state"), _ONE_FIELD.values(), ids=_ONE_FIELD
)
def test_one_field_differs(changes, label, field, state):
    verdict = _verify(**changes)
    assert (verdict.label, _state(verdict, field)) == (label, state), verdict.reasons


def test_a_reason_says_what_is_cited_and_what_is_on_record():
    (reason,) = _verify(year=2014).reasons
    assert reason == "year: cited 2014, record 2011 (Crossref, Journal of Tides)"


def test_a_field_is_right_if_a_version_agrees():
    verdict = _verify([_WORK, _PREPRINT], year=2009, doi=None)
    assert (verdict.label, set(verdict.works)) == (EXACT, {_WORK, _PREPRINT})
    assert _verify([_WORK], year=2009, doi=None).label is MINOR


def test_a_venue_is_not_refuted_by_a_preprint():
    verdict = _verify([_PREPRINT], doi=None)
    assert (verdict.label, _state(verdict, Field.VENUE)) == (EXACT, FieldState.NOTE)


def test_the_year_of_a_conference_is_that_of_the_conference():
    work = dataclasses.replace(_WORK, venue="ICML")
    assert _verify([work], venue="ICML", year=2013).label is MINOR
    assert _verify([work], venue="ICML", year=2012).label is EXACT


@pytest.mark.parametrize(
    ("doi", "leads_to", "label", "state"),
    [
        ("10.1000/snail", _OTHER, MINOR, FieldState.CONFLICT),
        ("10.1000/none", None, MINOR, FieldState.DIFFERS),
    ],
)
def test_a_doi_that_leads_elsewhere(doi, leads_to, label, state):
    verdict = _verify([_WORK], [(f"doi:{doi}", leads_to)], doi=doi)
    assert (verdict.label, _state(verdict, Field.DOI)) == (label, state)


def test_a_retitled_version_is_the_work():
    old = dataclasses.replace(
        _WORK, paper_id="o", doi="10.1000/old", title="Oysters breathe in still bays"
    )
    verdict = _verify([_WORK], [("doi:10.1000/old", old)], doi="10.1000/old")
    assert _state(verdict, Field.DOI) is FieldState.OK


def test_a_work_that_a_complete_index_lacks_is_major():
    verdict = _verify([_OTHER], doi=None)
    assert (verdict.label, verdict.works, verdict.closest) == (MAJOR, (), _OTHER)
    assert verdict.reasons[0] == "No work with this title is in Crossref."


@pytest.mark.parametrize(
    "changes",
    [
        {"is_complete": False},
        {"unasked": ("crossref: HTTP 503",)},
        {"work_type": "book"},
        {"raw": "Ode (2011) Oysters. PhD thesis, University of Tides."},
        {"title": ""},
        {"title": "---"},
    ],
)
def test_what_cannot_be_told_is_never_major(changes):
    verdict = _verify([], doi=None, **changes)
    assert verdict.label is OPEN
    assert verdict.reasons


@pytest.mark.parametrize(("is_complete", "label"), [(True, MAJOR), (False, MINOR)])
def test_an_identifier_of_another_work(is_complete, label):
    led = [("doi:10.1000/snail", _OTHER)]
    verdict = _verify([], led, doi="10.1000/snail", is_complete=is_complete)
    assert (verdict.label, verdict.closest) == (label, _OTHER)
    assert "belongs to a different work" in verdict.reasons[0]
    assert _state(verdict, Field.DOI) is FieldState.CONFLICT
    assert fault_of(verdict)


def test_an_identifier_of_the_same_authors_work_under_another_title_is_minor():
    other = dataclasses.replace(_WORK, title="Oysters breathe less in hot weather")
    verdict = _verify([], [(f"doi:{_DOI}", other)])
    assert (verdict.label, verdict.works) == (MINOR, (other,))


@pytest.mark.parametrize(
    ("work", "changes", "label"),
    [
        # The title is one's own, all else another's.
        ({"authors": ("Quist, A",), "year": 2003}, {}, MAJOR),
        ({"authors": ("Quist, A",), "venue": "Shore Notes"}, {}, MAJOR),
        ({"authors": ("Quist, A",)}, {}, MINOR),
        # A short title names many works.
        ({"title": "Oysters", "authors": ("Quist, A",)}, {"title": "Oysters"}, MAJOR),
        # A title that is nearly the same.
        (
            {"title": _TITLE.replace("warm", "cold"), "authors": ("Quist, A",)},
            {},
            MAJOR,
        ),
        ({"title": _TITLE.replace("warm", "cold"), "year": 1999}, {}, MINOR),
        (
            {"title": _TITLE.replace("warm", "cold"), "year": 1999, "doi": "10.1000/o"},
            {},
            MAJOR,
        ),
    ],
)
def test_the_closest_work_may_be_another(work, changes, label):
    found = dataclasses.replace(_WORK, **{"doi": None, **work})
    assert _verify([found], **changes).label is label


def test_a_part_of_all_works_refutes_little():
    found = dataclasses.replace(_WORK, doi=None, authors=("Quist, A",), year=2003)
    near = dataclasses.replace(found, title=_TITLE.replace("warm", "cold"))
    assert _verify([near], is_complete=False).label is OPEN
    assert _verify([found], is_complete=False).label is MAJOR
    short = dataclasses.replace(found, title="Oysters")
    assert _verify([short], title="Oysters", is_complete=False).label is OPEN


def test_an_entry_without_title_is_judged_by_its_identifier():
    led = [(f"doi:{_DOI}", _WORK)]
    assert _verify(led=led, title="").label is EXACT
    assert _verify(led=led, title="", authors=("Quist, A",)).label is MINOR
    other = {"authors": ("Quist, A",), "year": 1990}
    assert _verify(led=led, title="", **other).label is MAJOR


def test_notices_on_the_work_are_shown():
    work = dataclasses.replace(_WORK, notices=("retraction",))
    verdict = _verify([work])
    assert (verdict.label, verdict.notices) == (EXACT, ("retraction",))


def test_the_order_of_records_does_not_matter():
    works = [_OTHER, _PREPRINT, _WORK]
    assert _verify(works) == _verify(works[::-1])


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"work_type": "PhdThesis"}, "a thesis"),
        ({"work_type": "webpage"}, "a web page"),
        ({"work_type": "article-journal"}, ""),
        ({"raw": "Ode T. Tides. 2nd ed. Oxford: Oxford University Press"}, "a book"),
        ({"raw": "Tides. Accessed 3 May 2019"}, "a web page"),
        ({"raw": "Tides. Accessed 3 May 2019", "doi": _DOI}, ""),
        ({"doi": "10.5281/zenodo.123"}, "software or data"),
        ({"work_type": "misc", "title": "Tides"}, "of no stated kind"),
        ({"work_type": "misc", "title": "Tides", "doi": _DOI}, ""),
        ({"title": "潮の満ち引き"}, "in another script"),
        ({"title": "Tides 潮"}, ""),
        ({"raw": "Ode T. Tides. Journal of Tides 3:14"}, ""),
    ],
)
def test_types_that_indexes_rarely_hold(changes, kind):
    reference = Reference(ref_id="r", **{"raw": "", **changes})
    assert rarely_indexed(reference) == kind


@pytest.mark.parametrize(
    "text",
    ["," * 50_000, " " * 50_000, "a. " * 20_000, "et al " * 9_000, "\ud800(" * 9_000],
)
def test_misread_entries_take_no_time(text):
    changes = {"title": text, "venue": text, "authors": (text, "Ode, T"), "raw": text}
    other = dataclasses.replace(_WORK, title=text[::-1], venue=text[::-1])
    assert _verify([_WORK, other], **changes).label in (MAJOR, OPEN, MINOR)
