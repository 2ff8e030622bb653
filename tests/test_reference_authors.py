"""Tests how authors of references are compared."""

from __future__ import annotations

import pytest

from transforms.verify_references.authors import AuthorState, compare_authors
from transforms.verify_references.people import read_person

_FIVE = ("Ode, T", "Ng, L", "Prell, V", "Quist, A", "Tam, B")
_SIX = (*_FIVE, "Zeff, C")

# Cited, record, number of faults.
_CASES = {
    "as printed": (_FIVE, _FIVE, 0),
    "given name first": (("Tamsin Ode", "Lee Ng"), ("Ode, T", "Ng, L"), 0),
    "initials behind": (("Ode TM", "Ng L"), ("Tamsin M. Ode", "Lee Ng"), 0),
    "accents": (("Müller, K",), ("Mueller, Karl",), 0),
    "particles": (("van der Prell, V",), ("Prell, Vera van der",), 0),
    "compound cut": (("Garcia, M",), ("Garcia Lorca, Maria",), 0),
    "names swapped": (("Tamsin, Ode",), ("Ode, Tamsin",), 0),
    "initials crossed": (("Ode, T", "Ng, L"), ("Tamsin, O", "Ng, L"), 0),
    "misprint": (("Kowalsky, J",), ("Kowalski, J",), 0),
    "misprint of a short name": (("Odey, T", "Ng, L"), ("Ode, T", "Ng, L"), 0),
    "nickname": (("Ode, Bill",), ("Ode, William",), 0),
    "homonym number": (("Ode, T",), ("Tamsin Ode 0002",), 0),
    "suffix": (("Ode, T, Jr.",), ("Ode, T",), 0),
    "et al": (("Ode, T", "et al."), _FIVE, 0),
    "et al in the middle": (("Ode, T", "Prell, V", "et al."), _FIVE, 0),
    "cut after three": (_FIVE[:3], _FIVE, 0),
    "cut after two": (_FIVE[:2], _FIVE, 1),
    "missing in the middle": ((*_FIVE[:2], *_FIVE[3:]), _FIVE, 1),
    "first missing": (_FIVE[1:], _FIVE, 1),
    "record cut": (_SIX, _FIVE, 0),
    "one too many in a long list": (("Ode, T", "Xu, Q", *_FIVE[1:]), _FIVE, 0),
    "two too many": (("Ode, T", "Xu, Q", "Ek, R", *_FIVE[1:]), _FIVE, 2),
    "one too many in a short list": (
        ("Ode, T", "Xu, Q", "Ng, L"),
        ("Ode, T", "Ng, L"),
        1,
    ),
    "first not on record": (("Xu, Q", *_FIVE), _FIVE, 1),
    "one replaced": (("Ode, T", "Xu, Q", *_FIVE[2:]), _FIVE, 2),
    "other initial": (("Ode, R", *_FIVE[1:]), _FIVE, 1),
    "other first author": (("Ng, L", "Ode, T", *_FIVE[2:]), _FIVE, 1),
    "later authors swapped": (("Ode, T", "Prell, V", "Ng, L", "Quist, A"), _FIVE, 0),
    "alphabetical record": (
        ("Ode, T", "Ek, R", "Abe, S", "Ng, L"),
        ("Abe, S", "Ek, R", "Ng, L", "Ode, T"),
        0,
    ),
    "two of one name": (
        ("Sun, Yu", "Ek, R", "Sun, Yiran"),
        ("Sun, Yu", "Ek, R", "Sun, Yiran"),
        0,
    ),
    "organisation beside persons": (("Ode, T", "Tide Consortium"), ("Ode, T",), 0),
}


@pytest.mark.parametrize(("cited", "record", "faults"), _CASES.values(), ids=_CASES)
def test_lists_of_authors(cited, record, faults):
    match = compare_authors(cited, record)
    assert len(match.faults) == faults, match
    assert match.state is AuthorState.OK


@pytest.mark.parametrize(
    ("cited", "record", "state"),
    [
        (("Xu, Q", "Ek, R"), _FIVE, AuthorState.NONE),
        (("Ode, T", "Xu, Q", "Ek, R"), _FIVE, AuthorState.FEW),
        (("John Doe", "Jane Doe"), _FIVE, AuthorState.NONE),
        (("First Author", "Second Author"), _FIVE, AuthorState.NONE),
        (("Tide Consortium",), _FIVE, AuthorState.UNKNOWN),
        ((), _FIVE, AuthorState.UNKNOWN),
        (_FIVE, (), AuthorState.UNKNOWN),
        (("Ode, T",), ("王伟",), AuthorState.UNKNOWN),
        (("Ode, R",), ("Ode, T",), AuthorState.NONE),
    ],
)
def test_states(cited, record, state):
    assert compare_authors(cited, record).state is state


def test_a_name_in_another_script_stands_for_one_cited_author():
    match = compare_authors(("Ode, T", "Wang, W"), ("Ode, T", "王伟"))
    assert (match.state, match.faults) == (AuthorState.OK, ())


def test_lists_without_one_name_in_common_are_compared():
    match = compare_authors(("Ode, Marit",), ("Ng, Lionel", "李 伟"))
    assert match.faults


def test_a_name_without_a_family_name_is_compared():
    match = compare_authors(("-, M A", "Ode, T"), ("M, A", "Ode, T"))
    assert match.faults == ("-, M A is not on the record", "M, A is missing")
    assert compare_authors(("M, A",), ("-, M. A.",)).state is AuthorState.NONE


def test_proceedings_may_have_an_order_of_their_own():
    cited, record = ("Ng, L", "Ode, T"), ("Ode, T", "Ng, L")
    assert compare_authors(cited, record).faults
    assert not compare_authors(cited, record, order_may_differ=True).faults


def test_a_preprint_may_have_had_other_authors():
    cited, record = ("Ode, T", "Xu, Q", *_FIVE[2:]), ("Ode, T", *_FIVE[2:])
    with_gap = (*record[:2], "Fay, M", *record[2:])
    assert not compare_authors(cited, record).faults
    assert compare_authors(cited, with_gap).faults


def test_a_title_word_is_no_author():
    match = compare_authors(
        ("Ode, T", "Tides"), ("Ode, T",), title_words=("tides", "bay")
    )
    assert (match.state, match.faults) == (AuthorState.OK, ())


@pytest.mark.parametrize(
    ("name", "family", "given"),
    [
        ("Ode, Tamsin M.", ("ode",), ("tamsin", "m")),
        ("Ode TM", ("ode",), ("t", "m")),
        ("J.-P. Ode", ("ode",), ("j", "p")),
        ("Vera van der Prell", ("van", "der", "prell"), ("vera",)),
        ("Ode", ("ode",), ()),
        ("Ode 0001", ("ode",), ()),
    ],
)
def test_names_are_read(name, family, given):
    person = read_person(name)
    assert (person.family, person.given) == (family, given)


def test_lists_of_thousands_are_compared_by_words():
    names = tuple(f"Ode{chr(97 + n % 26)}{n}x, T" for n in range(3_000))
    assert compare_authors(names, names).state is AuthorState.OK
