"""Tests of noting opposite words of direction."""

import pytest

from transforms.score_coverage.direction import direction_note
from transforms.score_coverage.stems import stem

_TITLE = "Frond rot of kelp"
_RINSED = "Daily vinegar rinsing reduced frond rot of kelp in cold basins."

_NOTED = {
    "verbs": ("Vinegar rinsing increased frond rot of kelp.", "increased", "reduced"),
    "another form": ("Vinegar rinsing increases frond rot.", "increases", "reduced"),
    "comparative": ("Frond rot of kelp is higher after rinsing.", "higher", "reduced"),
    "capitals": (
        "INCREASED frond rot follows vinegar rinsing.",
        "increased",
        "reduced",
    ),
}
_NOT_NOTED = {
    "same word": "Vinegar rinsing reduced frond rot of kelp.",
    "same side": "Vinegar rinsing lowered frond rot of kelp.",
    "no direction": "Vinegar rinsing changed frond rot of kelp.",
    "negated": "Vinegar rinsing never increased frond rot of kelp.",
    "little covered": "Salt and storms increased the rot of stems on reed farms.",
    "nothing near": (
        "Rot of frond, as divers who have seen it all tell, has in the end increased "
        "where there were none of the usual vinegar baths"
    ),
    "other axis": "Frond rot of kelp after vinegar rinsing lasts longer.",
    "nothing else": "Increased.",
    "empty": "",
}


@pytest.mark.parametrize(("claim", "mine", "theirs"), _NOTED.values(), ids=_NOTED)
def test_notes_opposite_words(claim, mine, theirs):
    assert direction_note(claim, [_TITLE, "Kelp feeds many.", _RINSED]) == (
        f'direction words differ, read both: "{mine}" in the claim, "{theirs}" in the '
        "cited work"
    )


@pytest.mark.parametrize("claim", _NOT_NOTED.values(), ids=_NOT_NOTED)
def test_notes_nothing_else(claim):
    assert direction_note(claim, [_TITLE, "Kelp feeds many.", _RINSED]) == ""


def test_reads_only_the_sentence_that_covers_best():
    claim = "Vinegar rinsing increased frond rot of kelp in cold basins."
    same = "Daily vinegar rinsing increased frond rot of kelp in cold basins."
    assert direction_note(claim, [_TITLE, _RINSED])
    assert direction_note(claim, [same, _RINSED]) == ""


def test_a_work_without_text_gives_no_note():
    assert direction_note("Vinegar increased rot.", []) == ""


def test_a_negated_claim_meets_a_negated_sentence():
    claim = "Vinegar rinsing has not increased frond rot of kelp."
    assert direction_note(claim, ["Vinegar rinsing has not reduced frond rot of kelp."])


@pytest.mark.parametrize(
    ("word", "stemmed"),
    [("increases", "increas"), ("rinsing", "rins"), ("kelp", "kelp"), ("", "")]
    + [("interval", "interval"), ("added", "add")],
)
def test_stems(word, stemmed):
    assert stem(word) == stemmed


def test_long_texts_are_bounded():
    words = "increased decreased rot " * 20_000
    assert direction_note(words, [words]) == ""
