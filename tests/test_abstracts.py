"""Tests that markup goes and statements stay."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transforms.fetch_evidence.abstracts import clean_abstract, plain_text

_CASES = {
    "empty": ("", ""),
    "plain": ("Ice floats on water.", "Ice floats on water."),
    "lines": ("  Ice\n  floats\u00a0on\r\n\twater. ", "Ice floats on water."),
    "inequalities": ("if x<y and z>w, p<0.05", "if x<y and z>w, p<0.05"),
    "inequalities of one letter": ("a<b>c and i<p", "a<b>c and i<p"),
    "inequality beside tags": ("<p>n<5 and <i>p</i>>0</p>", "n<5 and p>0"),
    "entities": ("<p>p &lt; 0.05 &amp; caf&eacute;</p>", "p < 0.05 & café"),
    "escaped markup": ("&lt;p&gt;Ice &amp;amp; fog&lt;/p&gt;", "Ice & fog"),
    "escaped twice": ("&amp;lt;i&amp;gt;Ice&amp;lt;/i&amp;gt; floats", "Ice floats"),
    "inline": ("H<sub>2</sub>O and <em>E. coli</em>", "H2O and E. coli"),
    "attributes": ("<span class=\"a\" lang='en'>Ice</span> floats", "Ice floats"),
    "paragraphs": ("<p>Ice floats.</p><p>It melts.</p>", "Ice floats. It melts."),
    "breaks": (
        "Ice floats.<br>It melts.<br/>It ends.",
        "Ice floats. It melts. It ends.",
    ),
    "comment": ("Ice <!-- not <b>this</b> -->floats", "Ice floats"),
    "cdata": ("<![CDATA[Ice <b>floats</b>]]>", "Ice floats"),
    "html headings": (
        "<h4>Background</h4>Ice floats. <h4>Methods:</h4>We look.",
        "Background: Ice floats. Methods: We look.",
    ),
    "jats": (
        "<jats:title>Abstract</jats:title><jats:sec><jats:title>Aims</jats:title>"
        "<jats:p>Ice <jats:italic>floats</jats:italic>.</jats:p></jats:sec><jats:sec>"
        "<jats:title><jats:bold>Results</jats:bold></jats:title><jats:p>Yes.</jats:p>"
        "</jats:sec>",
        "Aims: Ice floats. Results: Yes.",
    ),
    "heading of its own": ("<h3>Summary.</h3><p>Ice floats.</p>", "Ice floats."),
    "formula in two forms": (
        "The <jats:inline-formula><jats:alternatives><jats:tex-math>$$\\alpha$$"
        "</jats:tex-math><mml:math><mml:mi>α</mml:mi></mml:math></jats:alternatives>"
        "</jats:inline-formula> wave",
        "The α wave",
    ),
    "formula in one form": (
        "The <jats:tex-math>$x<y$</jats:tex-math> wave",
        "The $x<y$ wave",
    ),
    "mathml": (
        "<math><mi>x</mi><mo>&lt;</mo><mn>5</mn></math> holds",
        "x<5 holds",
    ),
    "word first": ("Abstract The ice floats.", "The ice floats."),
    "word glued": ("AbstractThe ice floats.", "The ice floats."),
    "word with colon": ("Abstract: ice floats.", "ice floats."),
    "word with dash": ("Abstract—Ice floats.", "Ice floats."),
    "capitals": ("ABSTRACT ice floats.", "ice floats."),
    "a word of the sentence": (
        "Abstract interpretation of ice.",
        "Abstract interpretation of ice.",
    ),
    "another": ("Summary statistics float.", "Summary statistics float."),
    "a longer word": ("Abstracts of ice.", "Abstracts of ice."),
    "unknown tag": ("ice <unknown> floats", "ice <unknown> floats"),
    "nothing but markup": ("<jats:p/>", ""),
}


@pytest.mark.parametrize(("written", "expected"), _CASES.values(), ids=_CASES)
def test_cleans(written, expected):
    assert clean_abstract(written) == expected


@given(st.text(alphabet="abipxyz <>/=.0123", max_size=60))
def test_cleaning_twice_changes_nothing(text):
    once = clean_abstract(text)
    assert clean_abstract(once) == once


@given(st.lists(st.sampled_from(["x<y", "a>b", "p<0.05", "n", "and", "i<j>k"])))
def test_no_inequality_is_eaten(parts):
    assert plain_text(" ".join(parts)) == " ".join(parts)


@pytest.mark.parametrize(
    "unit", ["<", "<p ", "<h1>", "<!--", 'a="b" <b ', "<math ><tex-math>", "<?xml", "&"]
)
def test_takes_no_longer_for_odd_text(unit):
    # Were it quadratic or worse, this would not end.
    assert len(clean_abstract(unit * 20_000)) <= len(unit) * 20_000
