"""Tests of judging the citations of one document together."""

import dataclasses
import json
import os
import random
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.golden_documents import (
    JUDGED_COLUMNS,
    golden_documents,
    golden_rows,
    judged_rows,
)
from tests.sample_records import ASSESSMENT, CITATION, WORK
from tests.screening import REPOSITORY
from transforms.records import (
    Assessment,
    Citation,
    CitationFunction,
    CitationKind,
    CitationStatus,
    Function,
    Triage,
    Work,
)
from transforms.score_coverage.triage.document import (
    MAX_SIBLINGS,
    claim_of,
    judge_document,
    priority,
)
from transforms.score_coverage.triage.evidence import EvidenceWords
from transforms.score_coverage.triage.files import load_judge
from transforms.score_coverage.triage.judge import Claim

_JUDGE = load_judge(None, None)


class _Recorder:
    """A judge that keeps what it is asked, and judges by the claim's text."""

    def __init__(self, triages=None):
        self.siblings = {}
        self.claims = {}
        self._triages = triages or {}

    def judge(self, claim, evidence, siblings):
        self.siblings[claim.text] = list(siblings)
        assert all(isinstance(words, EvidenceWords) for words in siblings.values())
        self.claims[claim.text] = claim
        triage, chance = self._triages.get(claim.text, (Triage.ON_TOPIC, 0.9))
        return dataclasses.replace(
            ASSESSMENT.judgement, triage=triage, topic_probability=chance
        )


def _assessment(ordinal, key, sentence=None, status=CitationStatus.CHECKED, **work):
    """Returns an assessment whose claim is called by its ordinal."""
    citation = Citation(
        citation_id=f"d#{ordinal}",
        doc_id="d",
        ordinal=ordinal,
        kind=CitationKind.AUTHOR_YEAR,
        marker="(Ng, 2015)",
        marker_start=0,
        marker_end=10,
        claim=str(ordinal),
        claim_start=100 * (sentence or ordinal),
        claim_end=100 * (sentence or ordinal) + 99,
        claim_unmarked=str(ordinal),
        group_id=f"d#g{sentence or ordinal}",
    )
    known = Work("papers", key, **{"title": f"Title of {key}", **work})
    return Assessment(citation, key, status, known)


def _siblings(*assessments):
    recorder = _Recorder()
    judge_document(assessments, recorder)
    return recorder.siblings


# What is judged.


def test_claim_of():
    citation = dataclasses.replace(
        CITATION,
        claim_unmarked="Ode rinsed kelp.",
        claim_clause="rinsed kelp",
        previous_unmarked="Kelp rots.",
        named_authors=("voss",),
    )
    purpose = CitationFunction(Function.METHOD, "as in", "as described", False)
    claim = claim_of(
        dataclasses.replace(ASSESSMENT, citation=citation, purpose=purpose)
    )
    assert claim == Claim(
        text="Ode rinsed kelp.",
        clause="rinsed kelp",
        before="Kelp rots.",
        names=frozenset(["ng", "ode", "voss"]),
        attribution_cue="as described",
        is_method=False,
        names_cited_author=True,
    )


def _claim(work=WORK, purpose=None, **changes):
    citation = dataclasses.replace(CITATION, **changes)
    return claim_of(
        dataclasses.replace(ASSESSMENT, citation=citation, work=work, purpose=purpose)
    )


def test_a_clause_that_is_the_whole_claim_is_not_told():
    assert _claim(claim_clause=CITATION.claim).clause == ""


@pytest.mark.parametrize(
    ("section", "outer", "expected"),
    [
        ("Methods", "", True),
        ("Kelp beds", "Materials and Methods", True),
        ("Results", "Introduction", False),
        ("", "", False),
    ],
)
def test_a_method_is_known_by_either_heading(section, outer, expected):
    assert _claim(section=section, outer_section=outer).is_method is expected


@pytest.mark.parametrize(
    ("authors", "text", "expected"),
    [
        ((), "Ode rinsed kelp.", None),
        (("Ode, Bo",), "Rinsing works.", False),
        (("Ode, Bo",), "Ode’s kelp rots.", True),
        (("Holtby-Rae, B",), "The Holtby-Rae rule holds.", True),
        (("Ode, Bo",), "An ode to kelp.", False),
    ],
)
def test_an_author_of_the_cited_work_may_be_named(authors, text, expected):
    work = dataclasses.replace(WORK, authors=authors)
    assert _claim(work=work, claim_unmarked=text).names_cited_author is expected


def test_without_a_work_no_author_is_known():
    claim = _claim(work=None, named_authors=("ode",))
    assert (claim.names, claim.names_cited_author) == ({"ode"}, None)
    assert claim.attribution_cue == ""


# Siblings.


def test_the_nearest_other_references_are_siblings():
    found = _siblings(*(_assessment(n, f"k{n}") for n in range(1, 21)))
    assert found["10"] == ["k9", "k11", "k8", "k12", "k7", "k13", "k6", "k14"]
    assert found["1"] == [f"k{n}" for n in range(2, 2 + MAX_SIBLINGS)]
    assert found["20"] == [f"k{n}" for n in range(19, 19 - MAX_SIBLINGS, -1)]
    assert max(map(len, found.values())) == MAX_SIBLINGS


def test_a_reference_is_a_sibling_once():
    found = _siblings(*(_assessment(n, f"k{n % 3}") for n in range(1, 13)))
    assert found["6"] == ["k2", "k1"]


def test_a_reference_of_the_same_claim_is_no_sibling():
    found = _siblings(
        _assessment(1, "a", sentence=1),
        _assessment(2, "b", sentence=2),
        _assessment(3, "c", sentence=2),
        _assessment(4, "c", sentence=4),
        _assessment(5, "d", sentence=5),
    )
    assert found["2"] == ["a", "d"]
    assert found["3"] == ["a", "d"]
    assert found["4"] == ["d", "b", "a"]


def test_a_long_bracket_leaves_out_all_its_members():
    # The last of the bracket is farther away than what is cited after it.
    bracket = [_assessment(n, f"k{n}", sentence=1) for n in range(1, 13)]
    after = [_assessment(12 + n, f"k{n}") for n in range(1, 10)]
    found = _siblings(*bracket, *after, _assessment(40, "other"))
    assert found["12"] == ["other"]


def test_the_same_work_under_another_key_is_no_sibling():
    found = _siblings(
        _assessment(1, "a"),
        _assessment(2, "b", title="Title of a"),
        _assessment(3, "c"),
    )
    assert found["1"] == found["2"] == ["c"]


def test_only_checked_references_are_siblings():
    found = _siblings(
        _assessment(1, "a"), _assessment(2, "b", status=CitationStatus.NO_ABSTRACT)
    )
    assert found == {"1": []}


# Results.


def test_assessments_come_in_reading_order_with_their_judgement():
    given = [_assessment(n, f"k{n}") for n in (3, 1, 2)]
    lost = _assessment(4, "k4", status=CitationStatus.NOT_FOUND)
    judged = judge_document([lost, *given], _Recorder())
    assert [item.citation.ordinal for item in judged] == [1, 2, 3, 4]
    assert [item.judgement is None for item in judged] == [False] * 3 + [True]
    bare = [
        dataclasses.replace(item, judgement=None, group_best=None) for item in judged
    ]
    assert bare == [given[1], given[2], given[0], lost]
    assert judge_document([], _Recorder()) == ()


_BY = {
    "1": (Triage.OFF_TOPIC, 0.1),
    "2": (Triage.ATTRIBUTION, 0.2),
    "3": (Triage.UNCLEAR, 0.5),
    "4": (Triage.ON_TOPIC, 0.9),
}


@pytest.mark.parametrize(
    ("members", "best"),
    [
        ("1", Triage.OFF_TOPIC),
        ("12", Triage.ATTRIBUTION),
        ("123", Triage.UNCLEAR),
        ("1234", Triage.ON_TOPIC),
        ("41", Triage.ON_TOPIC),
    ],
)
def test_a_bracket_has_the_best_of_its_members(members, best):
    bracket = [_assessment(int(n), f"k{n}", sentence=9) for n in members]
    lost = _assessment(8, "k8", sentence=9, status=CitationStatus.NOT_FOUND)
    alone = _assessment(9, "k9", sentence=10, status=CitationStatus.NOT_FOUND)
    *together, apart = judge_document([*bracket, lost, alone], _Recorder(_BY))
    assert {item.group_best for item in together} == {best}
    assert apart.group_best is None


def _priority(*items):
    """Returns the priority of (key, triage, probability, best of the bracket)."""
    judged = []
    for ordinal, (key, triage, chance, best) in enumerate(items, start=1):
        judgement = dataclasses.replace(
            ASSESSMENT.judgement, triage=triage, topic_probability=chance
        )
        item = _assessment(ordinal, key)
        judged.append(dataclasses.replace(item, judgement=judgement, group_best=best))
    found = priority([*judged, _assessment(99, "unjudged")])
    assert priority(judged[::-1]) == found
    return found


_OFF, _ON = Triage.OFF_TOPIC, Triage.ON_TOPIC
_PRIORITIES = {
    "nothing": ([], 0.0),
    "one": ([("a", _OFF, 0.1, _OFF)], 0.9),
    "two works": ([("a", _OFF, 0.1, _OFF), ("b", _OFF, 0.2, _OFF)], 1.7),
    "one work twice": ([("a", _OFF, 0.1, _OFF), ("a", _OFF, 0.2, _OFF)], 0.9),
    "on topic in its bracket": ([("a", _OFF, 0.1, _ON)], 0.45),
    "unclear in its bracket": ([("a", _OFF, 0.1, Triage.UNCLEAR)], 0.9),
    "the surer of two": ([("a", _OFF, 0.1, _ON), ("a", _OFF, 0.2, _OFF)], 0.8),
    "others": (
        [(t.value, t, 0.1, t) for t in Triage if t is not Triage.OFF_TOPIC],
        0.0,
    ),
}


@pytest.mark.parametrize(("items", "expected"), _PRIORITIES.values(), ids=_PRIORITIES)
def test_priority(items, expected):
    assert _priority(*items) == pytest.approx(expected, abs=1e-15)


def test_a_belied_work_counts_fully_and_once():
    mismatch = CitationStatus.IDENTITY_MISMATCH
    belied = [_assessment(n, "a", status=mismatch) for n in (1, 2)]
    lost = _assessment(3, "c", status=CitationStatus.NOT_FOUND)
    other = _assessment(4, "b", status=mismatch)
    assert priority([*belied, lost]) == 1.0
    assert priority([*belied, other]) == 2.0


@given(
    st.lists(
        st.tuples(
            st.sampled_from("abc"),
            st.sampled_from(list(Triage)),
            st.floats(0.01, 0.99),
            st.sampled_from(list(Triage)),
        ),
        max_size=6,
    )
)
def test_priority_is_a_sum_over_works(items):
    flagged = {key for key, triage, *_ in items if triage is _OFF}
    assert 0.0 <= _priority(*items) <= len(flagged)
    assert bool(_priority(*items)) is bool(flagged)
    assert _priority(*items, ("new", _OFF, 0.5, _OFF)) >= _priority(*items) + 0.49


# The sample corpus.


def test_the_golden_rows_can_be_judged_from_themselves():
    expected = {
        row["citation_id"]: {name: row[name] for name in JUDGED_COLUMNS}
        for row in golden_rows("citations")
    }
    assert judged_rows() == expected


@settings(max_examples=10, deadline=None)
@given(st.randoms(use_true_random=False))
def test_the_order_of_assessments_changes_nothing(shuffler: random.Random):
    for items in golden_documents().values():
        judged = judge_document(items, _JUDGE)
        shuffled = shuffler.sample(items, len(items))
        assert judge_document(shuffled, _JUDGE) == judged
        assert priority(shuffler.sample(judged, len(judged))) == priority(judged)


def test_hash_seeds_change_nothing():
    runs = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.golden_documents"],
            cwd=REPOSITORY,
            env={**os.environ, "PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE,
        )
        for seed in ("1", "2")
    ]
    said = [process.communicate()[0] for process in runs]
    assert [process.returncode for process in runs] == [0, 0]
    assert said[0] == said[1]
    assert json.loads(said[0]) == judged_rows()
