"""Tests of sentence bounds and of the claims stripped of their markers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transforms.extract_citations.author_year import find_author_year
from transforms.extract_citations.claims import strip_markers
from transforms.sentences import (
    SentenceFinder,
    paragraph_at,
    split_sentences,
)

# Text and how many sentences it has.
_CASES = {
    "i.e. and cf.": (
        "Rates fell (i.e. by half; cf. Ode, 2009, pp. 4–7). They rose.",
        2,
    ),
    "et al. at the end": ("This follows Pell et al. Their rates fell.", 2),
    "citation at the end": ("See Castine et al., 2012. Their rates fell.", 2),
    "year without comma": ("This matches Nordby et al. 2019. Rates fell.", 2),
    "et al. in a bracket": ("Lomax et al. (2016) measured it. Others did not.", 2),
    "et al. in square ones": ("Arvid et al. [2006] logged drift.", 1),
    "Fig.": ("As shown in Fig. 2B the rate rose. It then fell.", 2),
    "Figs. in a bracket": ("The rate rose (see Figs. 3 and 4). It fell later.", 2),
    "labels before brackets": ("See Fig. [1] and sec. [2.1] for it.", 1),
    "approx. and yr.": ("It slowed, approx. 5% per yr. on average. It ended.", 2),
    "e.g.": ("Some shells, e.g. whelks, i.e. the large ones, sank.", 1),
    "lower-case start": ("Measured at 25 °C. pH was 7.4. Fine.", 3),
    "U.S.": ("The U.S. Department agreed. It acted.", 2),
    "U.S. at the end": ("It lives in the U.S. The rate fell.", 2),
    "vs.": ("Doses of 0.5 mg vs. 1.0 mg were used. Both failed.", 2),
    "ellipsis": ("The rate fell... and rose. It ended.", 2),
    "title": ("Dr. Elgar drew it. The depth was 2.75 as logged (Vosk, 2001).", 2),
    "initials": ("As J. R. Orrin said. Next it fell.", 2),
    "species": ("We used E. quilli cells. They grew.", 2),
    "p value": ("A level of p = .05 was used. It held.", 2),
    "year at the end": ("It closed in 2010. The rate fell.", 2),
    "quotes": ("“Rates fell.” They rose.", 2),
    "open bracket": ("It (the rate. It fell) rose. Next.", 2),
    "bracketed sentences": ("(This was shown. It holds.) Next.", 3),
    "address": ("Cells (Quill, St. Orrin, MO) were grown. They died.", 2),
    "lone citation": ("Rates fell. (Ode, 2015). They rose.", 2),
    "superscript": ("Rates fell.¹² They rose.", 2),
    "number behind the stop": ("Rates fell.[12] They rose.", 2),
    "question": ("Did it fall? It did! So it seems.", 3),
    "Chinese": ("它下降了。它上升了。", 2),
    "paragraphs": ("Rates fell.\n\nHeadings\n\nRates rose.", 3),
    "list": ("Found:\n- Rates fell\n- Rates rose", 3),
    "list number": ("1. Rates fell. They rose.", 2),
}


def _sentences(text):
    markers = [(m.start, m.end) for m in find_author_year(text)]
    found, at = [], 0
    while at < len(text):
        start, end = paragraph_at(text, at)
        found += split_sentences(text, start, end, markers)
        at = end
        while at < len(text) and text[at].isspace():
            at += 1
    return [text[start:end] for start, end in found]


@pytest.mark.parametrize(("text", "number"), _CASES.values(), ids=_CASES)
def test_splits_sentences(text, number):
    assert len(_sentences(text)) == number, _sentences(text)


@given(st.text(alphabet="ab. \n()[A1?", max_size=200))
def test_sentences_cover_every_character_that_is_no_space(text):
    assert "".join("".join(_sentences(text)).split()) == "".join(text.split())


@pytest.mark.parametrize(
    "tail",
    [
        "¹⁰," * 20_000 + "The end.",
        "." * 100_000 + "x",
        ".[1]" * 50_000 + "x",
        "." + ")" * 100_000,
    ],
    ids=["superscripts", "stops", "numbers", "closers"],
)
def test_a_run_behind_a_stop_takes_linear_time(tail):
    # Anything else would not end here.
    text = f"Rates fell. They rose.{tail}"
    assert split_sentences(text, 0, len(text))[0] == (0, 11)


def test_finds_the_sentence_around_an_offset():
    text = "Head\n\nOne fell. Two rose (Ode, 2001). Three.\nFour."
    at = text.index("Two")
    finder = SentenceFinder(text, (), [(text.index("Ode"), text.index("2001") + 4)])
    sentence, before = finder.around(at + 5)
    assert text[slice(*sentence)] == "Two rose (Ode, 2001)."
    assert text[slice(*before)] == "One fell."
    assert finder.around(text.index("One"))[1] is None


def test_a_heading_is_no_part_of_the_sentence_after_it():
    text = "Results\nRates fell (Ode, 2001)."
    finder = SentenceFinder(text, (0, 7), [])
    assert text[slice(*finder.around(12)[0])] == "Rates fell (Ode, 2001)."


def test_a_long_paragraph_is_read_in_pieces():
    text = "Rates fell here. " * 20_000
    finder = SentenceFinder(text)
    for at in range(5, len(text), 1_700):
        sentence, _ = finder.around(at)
        assert text[slice(*sentence)] == "Rates fell here."


_STRIPPED = {
    "parenthetical": ("Rates fell (Ode, 2001).", "Rates fell."),
    "group with cues": (
        "Rates fell (see, e.g., Ode et al., 2010; Ng, 2011).",
        "Rates fell.",
    ),
    "narrative": ("Ode et al. (2010) found that rates fell.", "found that rates fell."),
    "locator": ("Kestrel (1996, p. 84) wrote it.", "wrote it."),
    "several years": ("Bramwol (1999, 2001; 2004) agrees.", "agrees."),
    "words left": (
        "In fish (but see Ode, 2010 for a contrary view), rates fell.",
        "In fish (but see for a contrary view), rates fell.",
    ),
    "figure left": ("It fell (Figure 1A; Ode, 2010).", "It fell (Figure 1A)."),
    "quantity left": ("Rates (40%; Ode, 2010) rose.", "Rates (40%) rose."),
    "letters": ("Rates fell (Bramwel 2001, 2003a,b).", "Rates fell."),
}


@pytest.mark.parametrize(("text", "stripped"), _STRIPPED.values(), ids=_STRIPPED)
def test_strips_markers(text, stripped):
    markers = [(m.start, m.end) for m in find_author_year(text)]
    assert strip_markers(text, (0, len(text)), markers) == stripped
