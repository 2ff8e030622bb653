"""Tests how titles of references are compared."""

from __future__ import annotations

import pytest

from transforms.verify_references.titles import (
    TitleClass,
    compare_titles,
    shared_content,
)
from transforms.verify_references.words import title_words

_SAME = [
    ("Tides of the far bay", "TIDES OF THE FAR BAY."),
    ("Time-series of eel grass", "Timeseries of eelgrass"),
    ("Modelling the behaviour of grey mice", "Modeling the Behavior of Gray Mice"),
    ("Centres of signalling", "Center of signaling"),
    ("Three ways to count snails", "3 ways to count snail"),
    ("The {DNA} of \\textit{Zostera}", "The DNA of <i>Zostera</i>"),
    ("β-wrack and its μ-scale", "beta-wrack and its mu-scale"),
    ("RETRACTED: Tides of the far bay", "Tides of the far bay"),
]
_STOP = [
    ("Tides of far bay in winter", "Tides of the far bay in winter"),
    ("Gates of E. coli in mud", "Gates of Escherichia coli in mud"),
    (
        "Control of growth by the eIF2 kinase",
        "Control of growth by the eIF2alpha kinase",
    ),
    ("Hypoxic sediments and oystres", "Hypoxic sedimants and oystres"),
]
_MAIN = [
    ("Wrack", "Wrack: an account of what the tide leaves"),
    ("Research article: Tides of the far bay", "Tides of the far bay"),
    ("Who digs? A survey of moles", "Who digs?"),
]
_PREFIX = [
    (
        "Tides and what they leave on northern beaches",
        "Tides and what they leave on northern beaches after storms from the north sea",
    ),
]
_NEAR = [
    ("Tides of the far bay in summer", "Tides of the far bay in winter"),
    ("Eelgrass grows towards the light", "Eelgrass grows from the light"),
    ("Part 1: growth of eelgrass in mud", "Part 2: growth of eelgrass in mud"),
    ("Slow growth of eelgrass in mud", "Growth of eelgrass in mud"),
    ("Differing privacys of the bay", "Differing privacy of the bay"),
]
_OTHER = [
    ("Tides of the far bay", "Correction to: Tides of the far bay"),
    ("Tides of the far bay", "Snails of the near shore"),
    ("Snails eat wrack", "Snails shun kelp"),
    ("", "Tides of the far bay"),
    ("---", "---"),
]


@pytest.mark.parametrize(
    ("cited", "record", "kind"),
    [
        *((*pair, TitleClass.SAME) for pair in _SAME),
        *((*pair, TitleClass.STOP) for pair in _STOP),
        *((*pair, TitleClass.MAIN) for pair in _MAIN),
        *((*pair, TitleClass.PREFIX) for pair in _PREFIX),
        *((*pair, TitleClass.NEAR) for pair in _NEAR),
        *((*pair, TitleClass.OTHER) for pair in _OTHER),
    ],
)
def test_titles_fall_into_classes(cited, record, kind):
    assert compare_titles(cited, record).kind is kind
    assert compare_titles(record, cited).kind is kind


def test_a_near_title_names_the_words_that_differ():
    match = compare_titles(
        "Tides of the far bay in summer", "Tides of the far bay in winter"
    )
    assert match.changed == ("summer > winter",)


def test_words_that_lost_their_markup_are_the_same_but_other_letters_are_not():
    plain, greek = "Signals of NF kappa B in snails", "Signals of NF B in snails"
    assert compare_titles(plain, greek).kind is TitleClass.STOP
    other = "Signals of NF alpha B in snails"
    assert compare_titles(plain, other).kind is TitleClass.NEAR


def test_shared_content_counts_the_cited_words():
    assert shared_content("tides and snails", "snails of the tides") == 1.0
    assert shared_content("tides and snails", "snails at rest") == 0.5
    assert shared_content("of the", "of the") == 0.0


def test_words_are_bounded():
    assert len(title_words("tide " * 10_000)) < 300
