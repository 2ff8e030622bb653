"""Tests of splitting claims and evidence into terms."""

import hypothesis.strategies as st
import pytest
from hypothesis import given

from transforms.score_coverage.terms import claim_terms, evidence_terms

_CLAIMS = {
    # Weight classes.
    "word": ("the mice slept", {"mice": 1.0, "slept": 1.0}),
    "eight letters": ("of proteins", {"proteins": 1.0}),
    "nine letters": ("of treatment", {"treatment": 1.5}),
    "three letters": ("an eye", {"eye": 1.0}),
    "two letters": ("an ox", {}),
    "proper noun": ("in Drosophila", {"drosophila": 2.0}),
    "two-letter proper noun": ("by Ng", {"ng": 2.0}),
    "number": ("after 37 of 12.5", {"37": 1.5, "12.5": 1.5}),
    "highest weight wins": ("Mice fear Mice", {"mice": 2.0, "fear": 1.0}),
    "in order": ("zebras ate ants", {"zebras": 1.0, "ate": 1.0, "ants": 1.0}),
    # First word of the sentence.
    "capital of the first word": ("Mice slept", {"mice": 1.0, "slept": 1.0}),
    "long first word": ("Treatment", {"treatment": 1.5}),
    "first word with inner capital": ("BRCA1 is", {"brca1": 2.0}),
    "first word in capitals": ("US mice", {"us": 2.0, "mice": 1.0}),
    "first word after a quote": ('"Mice slept"', {"mice": 1.0, "slept": 1.0}),
    "first word after a number": ("37 Mice", {"37": 1.5, "mice": 1.0}),
    "first word of one letter": ("A Bayesian", {"bayesian": 2.0}),
    "compound first": ("Whole-Genome", {"whole": 1.0, "genome": 2.0}),
    # Capitals and digits inside a word.
    "digit inside": ("of p53 and CO2", {"p53": 2.0, "co2": 2.0}),
    "capital inside": ("of mRNA", {"mrna": 2.0}),
    "capitals and hyphen": ("of IL-6", {"il": 2.0}),
    "initials": ("by J. R. Doe", {"doe": 2.0}),
    # Stop words.
    "stop word": ("However, this is therefore so", {}),
    "stop word with capital": ("and The others", {}),
    "stop word in capitals": ("of US and IT", {"us": 2.0, "it": 2.0}),
    "contraction": ("they don't and didn’t", {}),
    "running text": ("see Doe et al vs.", {"see": 1.0, "doe": 2.0}),
    # Numbers.
    "percent": ("by 40% or 40", {"40%": 1.5, "40": 1.5}),
    "unit": ("at 5mg and 37°C", {"5mg": 1.5, "37°c": 1.5}),
    "degree alone": ("at 5°", {"5°": 1.5}),
    "unit with digits": ("at 5m²", {"5m2": 1.5}),
    "unit apart": ("at 5 mg", {}),
    "one digit": ("of 5", {}),
    "one digit with decimals": ("of 5.5", {"5.5": 1.5}),
    "leading point": ("p<.05 and p=.001", {".05": 1.5, ".001": 1.5}),
    "end of sentence": ("was 0.05.", {"0.05": 1.5}),
    "ordinal": ("the 2nd", {"2nd": 1.5}),
    "thousands": ("of 1,200 or 1,234,567.5mg", {"1200": 1.5, "1234567.5mg": 1.5}),
    "thin space": ("of 1\u2009200 or 10\u202f000", {"1200": 1.5, "10000": 1.5}),
    "not thousands": ("of 12,5 or 1234,567", {"12": 1.5, "1234": 1.5, "567": 1.5}),
    "range": ("of 12–15%", {"12": 1.5, "15%": 1.5}),
    # Years.
    "year": ("in 2010", {}),
    "first year": ("in 1500 not 1499", {"1499": 1.5}),
    "last year": ("in 2099 not 2100", {"2100": 1.5}),
    "decade": ("in the 1990s", {}),
    "decade with apostrophe": ("in the 1990's", {}),
    "years": ("in 2010–2015", {}),
    "not a year but a count": ("of 2,000", {"2000": 1.5}),
    "not a year but a measure": ("of 2000mg", {"2000mg": 1.5}),
    # Forms of one word.
    "possessive": ("Crohn's and the cell’s", {"crohn": 1.0, "cell": 1.0}),
    "possessive plural": ("of patients' eyes", {"patients": 1.0, "eyes": 1.0}),
    "possessive in capitals": ("of DOE'S", {"doe": 2.0}),
    "apostrophe inside": ("of O'Brien", {"o'brien": 2.0}),
    "hyphens": ("a well-known dose-gap", {"known": 1.0, "dose": 1.0, "gap": 1.0}),
    "dash without spaces": ("mice—rats", {"mice": 1.0, "rats": 1.0}),
    "compatibility forms": ("of ﬁsh and ＡＢＣ", {"fish": 1.0, "abc": 2.0}),
    "composed": ("cafe\u0301", {"caf\u00e9": 1.0}),
    "folded": ("of Straße", {"strasse": 2.0}),
    "soft hyphen": ("of meta\u00adbolic", {"metabolic": 1.5}),
    "zero width": ("of meta\u200bbolic\ufeff", {"metabolic": 1.5}),
    "NUL": ("of meta\0bolic", {"metabolic": 1.5}),
    "line-break hyphen": ("of meta-\nbolic", {"metabolic": 1.5}),
    "soft hyphen at line break": ("of meta\u00ad\nbolic", {"metabolic": 1.5}),
    "line-break hyphen and capital": ("of anti-\nTNF", {"anti": 1.0, "tnf": 2.0}),
    "line-break hyphen and digit": ("of covid-\n19", {"covid": 1.0, "19": 1.5}),
    "underscore": ("of foo_bar", {"foo": 1.0, "bar": 1.0}),
    "empty": ("", {}),
    "punctuation": ("(; , )", {}),
}


@pytest.mark.parametrize(("text", "terms"), _CLAIMS.values(), ids=_CLAIMS)
def test_weighs_claim_terms(text, terms):
    found = claim_terms(text)
    assert found == terms
    assert list(found) == list(terms)


_EVIDENCE = {
    "all classes": ("Mice of Ng at 40%", {"mice", "ng", "40%"}),
    "short words": ("an ox", {"ox"}),
    "year": ("in 2010", {"2010"}),
    "no stop words": ("It is us", set()),
    "stop words in capitals": ("the US and IT", {"us", "it"}),
    "one character": ("a b 5", set()),
    "thousands": ("1,200", {"1200"}),
    "empty": ("", set()),
}


@pytest.mark.parametrize(("text", "terms"), _EVIDENCE.values(), ids=_EVIDENCE)
def test_collects_evidence_terms(text, terms):
    assert evidence_terms(text) == terms


@given(st.text())
def test_a_claim_finds_its_terms_in_itself(text):
    assert claim_terms(text).keys() <= evidence_terms(text)


@given(st.text())
def test_weights_are_those_of_the_table(text):
    assert set(claim_terms(text).values()) <= {1.0, 1.5, 2.0}


@pytest.mark.parametrize(
    "unit",
    [
        "1",
        "1,111,",
        "1.",
        "1°",
        "a'",
        "a's",
        "a-\n",
        "a-  \t",
        "A. ",
        ".",
        "1\u2009",
        "[",
    ],
)
def test_time_is_linear_in_adversarial_text(unit):
    text = unit * (500_000 // len(unit))
    # Takes a tenth of a second; anything super-linear would take minutes.
    assert set(claim_terms(text)) <= evidence_terms(text)
