"""Table tests of the choice between candidates of an author-year search."""

import dataclasses
import itertools

import pytest

from transforms.fetch_evidence.ranking import choose, claim_overlap, rank
from transforms.records import Lookup, Work

_TERMS = ("estuaries", "lanterns", "migrate", "quills", "snails")
_LOOKUP = Lookup("k", surnames=("Ode",), year=2014, terms=_TERMS)


def work(name, words="", **known):
    fields = {"authors": ("T. Ode",), "year": 2014, "abstract": words} | known
    return Work("s", name, f"Of {name}", **fields)


_FULL = work("a", "Quills and snails migrate in estuaries by lanterns.")
_SOME = work("b", "Quills and snails alone.")
_NONE = work("c", "Whales.")


@pytest.mark.parametrize(
    ("terms", "text", "expected"),
    [
        (_TERMS, "Quills and snails migrate in estuaries by lanterns", 1.0),
        (_TERMS, "The quill of snailfish", 0.0),
        (("migrate", "estuaries"), "An estuarine migration", 1.0),
        (_TERMS, "", 0.0),
        ((), "Quills", 0.0),
    ],
)
def test_claim_overlap(terms, text, expected):
    assert claim_overlap(terms, Work("s", "p", text)) == expected


@pytest.mark.parametrize(
    ("lookup", "candidate", "score"),
    [
        (_LOOKUP, _FULL, 0.95),
        (_LOOKUP, _SOME, 0.74),
        (_LOOKUP, _NONE, 0.6),
        (_LOOKUP, dataclasses.replace(_FULL, year=2015), 0.89),
        (
            dataclasses.replace(_LOOKUP, surnames=("van Ode",)),
            dataclasses.replace(_FULL, authors=("Ode, T.",)),
            0.85,
        ),
        (
            dataclasses.replace(_LOOKUP, et_al=True),
            dataclasses.replace(_FULL, authors=("T. Ode", "A. Ng")),
            0.9,
        ),
        (
            dataclasses.replace(_LOOKUP, et_al=True),
            dataclasses.replace(_FULL, authors=("T. Ode", "A. Ng", "P. Lim")),
            0.95,
        ),
    ],
)
def test_scores(lookup, candidate, score):
    (only,) = rank(lookup, [candidate])
    assert only.score == score


def test_a_later_hit_scores_less():
    hits = [work("x", authors=("P. Lim",)), _FULL]
    (only,) = rank(_LOOKUP, hits)
    assert (only.work, only.score) == (_FULL, 0.9)


def test_versions_are_one_candidate_with_the_abstract():
    bare = dataclasses.replace(_FULL, paper_id="bare", abstract="")
    (only,) = rank(_LOOKUP, [bare, _FULL])
    # Found as the first hit, read in the second.
    assert (only.work, only.score) == (_FULL, 0.95)


_CHOICES = {
    "none": (_LOOKUP, [], None),
    "one that fits": (_LOOKUP, [_FULL], "a"),
    "one with a word in common": (_LOOKUP, [_SOME], "b"),
    "one without a word in common": (_LOOKUP, [_NONE], None),
    "one, with nothing to compare": (
        dataclasses.replace(_LOOKUP, terms=()),
        [_NONE],
        "c",
    ),
    "one of the year beside, with one word": (
        _LOOKUP,
        [work("d", "Quills.", year=2013)],
        "d",
    ),
    "one of the year beside and a short list": (
        dataclasses.replace(_LOOKUP, et_al=True),
        [work("d", "Quills.", year=2013, authors=("T. Ode", "A. Ng"))],
        None,
    ),
    "two far apart": (_LOOKUP, [_FULL, _SOME], "a"),
    "two alike": (_LOOKUP, [_SOME, work("d", "Quills. Snails. Lanterns.")], None),
    "two just far enough apart": (
        dataclasses.replace(_LOOKUP, terms=(*_TERMS, *"uvwxy")),
        [work("d", "quills snails lanterns"), _NONE],
        "d",
    ),
    "two without a word in common": (_LOOKUP, [_NONE, work("d", "Ships.")], None),
    "another year": (_LOOKUP, [work("d", _FULL.abstract, year=2012)], None),
    "the year beside, where the very year fits": (
        _LOOKUP,
        [_SOME, dataclasses.replace(_FULL, year=2015)],
        "b",
    ),
    "a letter and one that stands out": (
        dataclasses.replace(_LOOKUP, year_suffix="b"),
        [_SOME],
        "b",
    ),
    "a letter and one that does not": (
        dataclasses.replace(_LOOKUP, year_suffix="b"),
        [work("d", "Quills.")],
        None,
    ),
    "a letter and two": (
        dataclasses.replace(_LOOKUP, year_suffix="b"),
        [_FULL, _NONE],
        None,
    ),
}


@pytest.mark.parametrize(("lookup", "works", "name"), _CHOICES.values(), ids=_CHOICES)
def test_chooses_only_what_stands_out(lookup, works, name):
    for order in itertools.permutations(works):
        chosen = choose(lookup, rank(lookup, order))
        assert (chosen and chosen.work.paper_id) == name
