"""Tests of splitting text into the words that triage compares."""

import hypothesis.strategies as st
import pytest
from hypothesis import given

from transforms.score_coverage.terms import stop_words
from transforms.score_coverage.triage.asides import (
    introduces_people,
    names_institution,
    without_asides,
)
from transforms.score_coverage.triage.words import (
    american,
    boilerplate,
    claim_words,
    evidence_words,
    spelt,
)

# Spelling.

_SPELT = {
    "plain": ("Kelp rots.", "Kelp rots."),
    "greek small": ("β-catenin", "beta-catenin"),
    "greek capital": ("Δ32 and Ω", "delta32 and omega"),
    "lambda": ("λ and Λ", "lambda and lambda"),
    "last sigma": ("ς", "sigma"),
    "theta symbol": ("ϑ", "theta"),
    "accented greek": ("ά and ἀ", "alpha and alpha"),
    "micro sign": ("5 µm", "5 mum"),
    "hyphens": ("a‐b‑c‒d–e—f―g−h", "a-b-c-d-e-f-g-h"),
    "wide hyphen": ("a－b﹣c", "a-b-c"),
    "accents": ("naïve Müller São Ångström", "naive Muller Sao Angstrom"),
    "combining accents": ("nai\u0308ve", "naive"),
    "subscripts": ("CO₂", "CO2"),
    "ligature": ("ﬁve", "five"),
    "soft hyphen": ("ke\u00adlp", "kelp"),
    "hyphen at the end of a line": ("sig-\nnal", "signal"),
    "thousands": ("1,200 of 12,345,678", "1200 of 12345678"),
    "thin thousands": ("1\u2009200", "1200"),
    "no thousands": ("1,20 and 1,2000 and a,200", "1,20 and 1,2000 and a,200"),
    "not": ("they don't and didn’t", "they do and did"),
    "no not": ("n't'n n'tx it's", "'n n'tx it's"),
}


@pytest.mark.parametrize(("text", "expected"), _SPELT.values(), ids=_SPELT)
def test_spells_text_plainly(text, expected):
    assert spelt(text) == expected


_BRITISH = """
colonise colonize, colonised colonized, colonises colonizes, colonising colonizing,
colonisation colonization, colonisations colonizations, analyse analyze,
catalysed catalyzed, paralysing paralyzing, tumours tumors, behavioural behavioral,
coloured colored, favourable favorable, labour labor, neighbourhood neighborhood,
harbours harbors, signalling signaling, labelled labeled, modelling modeling,
channelled channeled, haemoglobin hemoglobin, anaemia anemia, oedema edema,
oestrogen estrogen, foetal fetal, caesarean cesarean, anaesthesia anesthesia,
paediatric pediatric, oesophagus esophagus, sulphate sulfate, greyish grayish,
centre center, epicentres epicenters, centred centered, centring centering,
fibres fibers
"""
_NOT_BRITISH = """
colonize analyses analysis hypotheses synthesis crisis emphasis basis axis thesis
rise rises rising arise arises raise raised raising noise noises wise poised anise iris
disease diseases increase increases phases bases release
exercise exercised advise advised advises revise supervise unsupervised surprise
unsurprising compromise uncompromising promise promising premises precise imprecise
concise comprise comprised excise excised incise devise demise disguise enterprise
franchise improvise praise praised appraise bruise cruise circumcised expertise
treatise paradise malaise advertising television
likewise otherwise clockwise anticlockwise pairwise stepwise
four hour glamour contour dialogue signal label model channel fetus
"""


@pytest.mark.parametrize("pair", _BRITISH.replace("\n", " ").strip().split(", "))
def test_british_words_are_spelt_as_american_ones(pair):
    british, other = pair.split()
    assert american(british) == other
    assert claim_words(f"kelp {british}") == {
        stem: british if word == other else word
        for stem, word in claim_words(f"kelp {other}").items()
    }


@pytest.mark.parametrize("word", _NOT_BRITISH.split())
def test_other_words_keep_their_spelling(word):
    assert american(word) == word


@pytest.mark.parametrize("word", [w for w in _BRITISH.split() if w.endswith(",")])
def test_american_words_stay_american(word):
    assert american(word.rstrip(",")) == word.rstrip(",")


# Words of a claim.

_CLAIMS = {
    "stems": (
        "mice slept sleeping",
        {"mice": "mice", "slept": "", "sleep": "sleeping"},
    ),
    "the first form is shown": ("Rinsing rinsed", {"rins": "Rinsing"}),
    "in order": ("zebra ant mouse", {"zebra": "", "ant": "", "mous": "mouse"}),
    "stop words": ("However, this is not the kelp", {"kelp": ""}),
    "stop word in capitals": ("The AND kelp", {"kelp": ""}),
    "boilerplate": ("significantly analyzed analysed results of kelp", {"kelp": ""}),
    "boilerplate of both spellings": ("utilise utilize utilised kelp", {"kelp": ""}),
    "two letters": ("an ox", {}),
    "two letters with a capital": ("an Ox and pH", {"ox": "Ox", "ph": "pH"}),
    "one letter": ("X and y", {}),
    "contraction": ("mice don't and won’t and isn't", {"mice": ""}),
    "possessive": ("patient's kelp", {"patient": "", "kelp": ""}),
    # Numbers.
    "number": ("of 37 and 3.5", {"37": "", "3.5": ""}),
    "one digit": ("of 7", {}),
    "per cent": ("by 40%", {"40%": ""}),
    "thousands": ("in 1,200 mice", {"1200": "", "mice": ""}),
    "unit": ("12 mm, 5 kg, 30 min of kelp", {"12": "", "30": "", "kelp": ""}),
    "unit with a Greek letter": ("12 µm of kelp", {"12": "", "kelp": ""}),
    "attached unit": ("by 12mm", {"12mm": ""}),
    # Years.
    "year": ("in 2010 and 1500", {}),
    "decade": ("the 1990s and 1990S", {}),
    "years": ("2006–2009, 1987-94, 1999-2002", {}),
    "no year": ("1499 and 2100", {"1499": "", "2100": ""}),
    "no years": ("37-40", {"3740": "37-40"}),
    "no year of four digits": ("2010-123", {"2010123": "2010-123"}),
    "year and word": ("10-year kelp", {"10year": "10-year", "kelp": ""}),
    # Compounds.
    "compound": ("kelp-urchin", {"kelp": "", "urchin": ""}),
    "glued letter": ("T-cells", {"tcell": "T-cells"}),
    "glued number": ("IL-6 and HIV-1", {"il6": "IL-6", "hiv1": "HIV-1"}),
    "glued once": ("T-cell-mediated", {"tcell": "T-cell", "mediat": "mediated"}),
    "glued on both sides": ("1-x-2", {"1x2": "1-x-2"}),
    "glued to the first": ("SARS-CoV-2", {"sar": "SARS", "cov2": "CoV-2"}),
    "not glued over a space": ("IL 60", {"il": "IL", "60": ""}),
    "written as one": ("IL6", {"il6": "IL6"}),
    "greek in a compound": ("NF-κB", {"nfkappab": "NF-kappaB"}),
    "stop word in a compound": ("kelp-of-the-bay", {"kelp": "", "bay": ""}),
    "stop word parts what is short": ("ab-the-kelp", {"abkelp": "ab-kelp"}),
    "nothing but stop words": ("of-the", {}),
    "dangling hyphens": ("-kelp- --", {"kelp": ""}),
}


@pytest.mark.parametrize(("text", "expected"), _CLAIMS.values(), ids=_CLAIMS)
def test_claim_words(text, expected):
    words = claim_words(text)
    assert words == {stem: shown or stem for stem, shown in expected.items()}
    assert list(words) == list(expected)


_NAMES = frozenset(["ode", "el", "sayed", "muller", "long"])
_NAMED = {
    "name": ("Ode found kelp", "kelp"),
    "accent": ("Müller found kelp", "kelp"),
    "possessive": ("Ode's kelp", "kelp"),
    "name of two words": ("El-Sayed found kelp", "kelp"),
    "half a name": ("El-Voss of kelp", "elvoss kelp"),
    "lower case": ("an ode on long kelp", "ode kelp"),
    "the first word": ("Long kelp", "kelp"),
    "another name": ("Odes found kelp", "ode kelp"),
}


@pytest.mark.parametrize(("text", "expected"), _NAMED.values(), ids=_NAMED)
def test_names_are_no_words_of_a_claim(text, expected):
    assert " ".join(claim_words(text, _NAMES)) == expected


# Words of evidence.

_EVIDENCE = {
    "everything counts": ("The mice in 2010", "the mice in 2010"),
    "one letter": ("a b", "b a"),
    "compound": ("kelp-urchin", "kelp urchin kelpurchin"),
    "short compound": ("IL-6", "il il6"),
    "letters of a compound": ("T-cells", "cell tcell"),
    "stop words in a compound": ("up-to-date", "up to date uptod"),
    "short word and neighbour": ("IL 6 falls", "il 6 il6 6fall fall"),
    "number and unit": ("in 20 mg", "in 20 mg 20mg"),
    "stop word between": ("IL and 6", "il and 6"),
    "compound between": ("6 kelp-bed 7", "6 kelp bed kelpb 7"),
    "long neighbours": ("kelp urchin", "kelp urchin"),
    "british": ("tumour behaviour", "tumor behavior"),
    "greek": ("TGF-β1", "tgf beta1 tgfbeta1"),
    "years": ("2006–2009", "2006 2009 20062009"),
    "nothing": (" -- ", ""),
}


@pytest.mark.parametrize(("text", "expected"), _EVIDENCE.values(), ids=_EVIDENCE)
def test_evidence_words(text, expected):
    assert evidence_words(text) == frozenset(expected.split())


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("IL-6", "IL-6"),
        ("IL-6", "IL 6"),
        ("IL-6", "IL6"),
        ("IL6", "IL-6"),
        ("IL6", "IL 6"),
        ("IL‑6", "il–6"),
        ("T-cells", "T cell"),
        ("CD-4", "CD4"),
        ("12mg", "12 mg"),
        ("12.5mg", "12.5 mg"),
        ("TGFβ1", "TGF-beta1"),
        ("β-catenin", "beta catenin"),
        ("1,200", "1200"),
        ("tumours", "Tumor"),
        ("colonised", "colonization"),
        ("Müller", "Muller"),
        ("state-of-the-art kelp-bed", "the art of kelp in a bed"),
    ],
)
def test_two_ways_of_writing_are_one(claim, evidence):
    words = claim_words(claim)
    assert words
    assert words.keys() <= evidence_words(evidence)


# What keeps another word apart belongs to the claim's own spelling.
_PROSE = st.text(st.sampled_from("aAeEtT13 -–.,%βé'\n"), max_size=40)


@given(st.text() | _PROSE)
def test_a_text_has_the_words_that_it_claims(text):
    assert claim_words(text).keys() <= evidence_words(text)


@given(st.text() | _PROSE)
def test_a_claim_has_no_word_that_says_nothing(text):
    for shown in claim_words(text).values():
        assert shown.casefold() not in stop_words() | boilerplate()


def test_boilerplate_is_lower_case_and_of_both_spellings():
    words = boilerplate()
    assert len(words) > 600
    assert all(word == word.casefold().strip() for word in words)
    # "characterised" says as little as "characterized".
    assert {american(word) for word in words} <= boilerplate()


# Asides.

_FIGURES = {
    "figure": "(Figure 2A)",
    "no bracket": "Figure 2",
    "short": "(Fig. 3)",
    "shorter": "Fig 12b",
    "several": "(Figs. 2A, B and C)",
    "range": "Fig. 2–4",
    "range of panels": "Fig. 1a-d",
    "supplement": "(Figure 1—figure supplement 2)",
    "source data": "(Figure 1—source data 1)",
    "supplementary": "(Supplementary Fig. S4)",
    "extended": "Extended Data Figure 10b",
    "table": "Table 3",
    "tables": "Tables 1-3",
    "equation": "Eq. 5",
    "movie": "Movie S2",
    "video": "Video 1",
    "box": "(Box 1)",
    "section": "Section 3",
    "appendix": "Appendix 2",
}
_NO_FIGURES = [
    "figure 2",
    "the box 2",
    "figures of speech",
    "Figured 2",
    "a Table of 3 mice",
    "Sectional 3",
    "Videotape 1",
]


@pytest.mark.parametrize("aside", _FIGURES.values(), ids=_FIGURES)
def test_pointers_to_figures_are_cut(aside):
    assert without_asides(f"kelp fell {aside}.") == "kelp fell  ."


@pytest.mark.parametrize("text", _NO_FIGURES)
def test_what_is_no_figure_stays(text):
    assert without_asides(text) == text


_PEOPLE = {
    "colleagues": ("Ode and colleagues saw", "saw"),
    "full name": ("Tamsin Ode and colleagues saw", "saw"),
    "initial": ("T. Ode and collaborators saw", "saw"),
    "her": ("Ode and her co-workers saw", "saw"),
    "other": ("Ode and other coworkers saw", "saw"),
    "particles": ("of van der Prell and associates saw", "of saw"),
    "comma": ("Ode, and colleagues saw", "saw"),
    "accents": ("Ångström and colleagues saw", "saw"),
    "or others": ("Ode or others saw", "saw"),
}
_NO_PEOPLE = [
    "the authors and colleagues saw",
    "mice and others slept",
    "mice and other species slept",
    "Ode and Ng saw",
    "Ode et al. saw",
    "my colleagues saw",
    "Kruse and Others saw",
    "Ode and colleaguesque saw",
]


@pytest.mark.parametrize(("text", "left"), _PEOPLE.values(), ids=_PEOPLE)
def test_people_are_cut(text, left):
    assert without_asides(text).split() == left.split()
    assert introduces_people(text)
    assert not names_institution(text)


@pytest.mark.parametrize("text", _NO_PEOPLE)
def test_who_is_no_people_stays(text):
    assert without_asides(text) == text
    assert not introduces_people(text)


_INSTITUTIONS = {
    "university of": "University of Kelp",
    "town university": "Kelp University",
    "school": "Harvard Medical School",
    "center": "Center for Disease Control",
    "centre": "Tidal Centre",
    "national": "National Institutes of Health",
    "long": "Max Planck Institute for Brain Research in Frankfurt",
    "school of": "School of Hygiene and Tropical Medicine",
    "german": "Universität Bern",
    "laboratory": "Ng’s Laboratory of Genetics at Kelp University",
}
_NO_INSTITUTIONS = [
    "Hospital stays were short",
    "School children slept",
    "School of fish",
    "Laboratory mice slept",
    "Center for",
    "the center of mass",
    "the university reported",
    "a hospital in Bern",
    "Universities and Collegehood",
]


@pytest.mark.parametrize("name", _INSTITUTIONS.values(), ids=_INSTITUTIONS)
def test_institutions_are_cut(name):
    assert without_asides(f"at the {name} saw") == "at the   saw"
    assert names_institution(f"at the {name} saw")
    assert not introduces_people(name)


@pytest.mark.parametrize("text", _NO_INSTITUTIONS)
def test_what_is_no_institution_stays(text):
    assert without_asides(text) == text
    assert not names_institution(text)


def test_all_asides_are_cut_together():
    text = "Tamsin Ode and colleagues at the University of Kelp saw it (Figure 2A)."
    assert without_asides(text).split() == ["at", "the", "saw", "it", "."]


# Hostile text.

_UNITS = [
    *(
        "A",
        "A ",
        "Ab ",
        "ABC ",
        "Ab-",
        "A. ",
        "Ab’",
        "ab-",
        "a-1-",
        "-",
        "1",
        "1-",
        "1 ",
    ),
    *(
        "1.",
        "1,000",
        "the-",
        "α",
        "Δ-",
        "é",
        "½",
        "\u0301",
        "n't",
        "ised",
        "aemi",
        "a%",
    ),
    *("Figure ", "Fig. 1, A", "(", "and others ", "van ", "University of ", "of "),
    *("Center for ", "A, and "),
]


@pytest.mark.parametrize("unit", _UNITS)
def test_hostile_text_takes_linear_time(unit):
    text = unit * (30_000 // len(unit))
    # Super-linear reading would not end here.
    claim = without_asides(text)
    assert len(claim) <= len(text)
    assert claim_words(text).keys() <= evidence_words(text)
    assert introduces_people(text) is (unit == "A, and others ")


def test_a_long_compound_takes_linear_time():
    # Each piece joins those before it, which must not be copied each time.
    text = "1-" * 1_000_000
    assert len(claim_words(text)) == 1
