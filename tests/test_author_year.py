"""Tests of the author-year grammar."""

import pytest

from transforms.extract_citations.author_year import find_author_year

# Text, and the (first surname, year with letter) of each citation beyond doubt.
_CASES = {
    "particle": ("It rose (van der Hoorn, 2011).", ["van der Hoorn 2011"]),
    "particle at start": ("Van der Hoorn (2011) saw it.", ["van der Hoorn 2011"]),
    "particle and hyphen": (
        "None (de la Fuente-Quill et al., 2014).",
        ["de la Fuente-Quill 2014"],
    ),
    "capital particle": ("Della Varna (1995) agreed.", ["Della Varna 1995"]),
    "second author with particle": (
        "Morland and van der Prell (2010) found it.",
        ["Morland 2010"],
    ),
    "prefixes": (
        "Al-Hakimi (2017) and d'Arcelin (2003) agree.",
        ["Al-Hakimi 2017", "d'Arcelin 2003"],
    ),
    "given name and generation": (
        "It rose (Edric von Talm VI, 2006).",
        ["von Talm 2006"],
    ),
    "Vancouver": ("Tarovik Y, Ombel MA (2005) agree.", ["Tarovik 2005"]),
    "curly apostrophe": ("O’Darragh (2008) disagreed.", ["O’Darragh 2008"]),
    "possessives": (
        "O'Trevan's (1998) tables and O'Tullis (2002)",
        ["O'Trevan 1998", "O'Tullis 2002"],
    ),
    "possessive et al.": ("Lomax et al.’s (2016) figures differ.", ["Lomax 2016"]),
    "three authors": ("Yield (Castine, Dorrance, & Ewell, 2012).", ["Castine 2012"]),
    "Oxford comma": ("Rates (Pardoe, Quince, and Rusk, 2004) fell", ["Pardoe 2004"]),
    "several years": (
        "Bramwol (1999, 2001; 2004)",
        ["Bramwol 1999", "Bramwol 2001", "Bramwol 2004"],
    ),
    "letters": (
        "Yield (Bramwel 2001, 2003a,b).",
        ["Bramwel 2001", "Bramwel 2003a", "Bramwel 2003b"],
    ),
    "spaced letters": ("It rose (Abal 2010 a, b).", ["Abal 2010a", "Abal 2010b"]),
    "locator": ("It rose (Abal 2010: 544).", ["Abal 2010"]),
    "initials": (
        "Rates fell (N. Orrin, 2011; P. Orrin, 2011).",
        ["Orrin 2011", "Orrin 2011"],
    ),
    "initials behind": ("Rates fell (Orrin, N. P., 2011).", ["Orrin 2011"]),
    "apostrophe prefixes": (
        "'t Hoofdal (1999) and van ’t Prell (2001)",
        ["'t Hoofdal 1999", "van ’t Prell 2001"],
    ),
    "acronym that is a word": ("(WHO, 2009) and WHO (2010)", ["WHO 2009", "WHO 2010"]),
    "lost capitals": (
        "It rose (ode & ng, 2002; orr et al., 2017), (Ode & ng, 2003).",
        ["ode 2002", "orr 2017", "Ode 2003"],
    ),
    "acronym": ("Guidance changed (IPCW 2015).", ["IPCW 2015"]),
    "organisation": (
        "Rates fell (World Tide Organization [WTO], 2009).",
        ["World Tide Organization 2009"],
    ),
    "letter in organisation": (
        "In R (R Tidal Core Team, 2013).",
        ["R Tidal Core Team 2013"],
    ),
    "and colleagues": ("Lomax and colleagues (2016) measured it.", ["Lomax 2016"]),
    "no full stop": ("Rates fell (Lomax et al 2016).", ["Lomax 2016"]),
    "no-break space": ("Rusk\u202fet\u00a0al. (2013) measured it.", ["Rusk 2013"]),
    "line-break hyphen": ("Rates fell (Sander-\nson, 2013).", ["Sanderson 2013"]),
    "line break in a compound": ("Ortin-\nFaro (2011) saw it.", ["Ortin-Faro 2011"]),
    "soft hyphen": ("Tol\u00adliver (2009) saw it.", ["Tolliver 2009"]),
    "ligature": ("Griﬃn (2012) measured it.", ["Griffin 2012"]),
    "odd hyphen": ("Ravnik‐Dreher (2018) measured it.", ["Ravnik-Dreher 2018"]),
    "Cyrillic": ("Rates fell (Марьин, 2014).", ["Марьин 2014"]),
    "accents": ("Rates fell (Łódzki and Ørsted, 2014).", ["Łódzki 2014"]),
    "reprint": ("Garrick (1998/2005) set the terms.", ["Garrick 2005"]),
    "range of years": ("Rates fell (Ibanez, 2010–2012).", ["Ibanez 2010"]),
    "month after": ("Rates fell (Kestrel, 2020, March 3).", ["Kestrel 2020"]),
    "in press": ("Elsewhere (Fennimore, in press).", ["Fennimore in press"]),
    "dated and in press": ("(Doa 2018, in press)", ["Doa 2018", "Doa in press"]),
    "secondary": (
        "Rates fell (Pruett, 2010, as cited in Quarles, 2015).",
        ["Pruett 2010", "Quarles 2015"],
    ),
    "nested": ("Rates fell (as Ulbrich (2004) noted).", ["Ulbrich 2004"]),
    "cues": (
        "(see, e.g., Ode, 2001; but see also Ng et al., 2002 for a review)",
        ["Ode 2001", "Ng 2002"],
    ),
    "prose behind a semicolon": (
        "(Varro, 2001, p. 100; emphasis added)",
        ["Varro 2001"],
    ),
    "square brackets": ("Arvid et al. [2006] logged drift.", ["Arvid 2006"]),
    "full-width brackets": ("Rates fell（Ode et al., 2006）.", ["Ode 2006"]),
    "locator apart": (
        'Kestrel (1996) wrote that "the tide slept" (p. 84).',
        ["Kestrel 1996"],
    ),
    "no bracket": ("See Castine et al., 2012. Their rates fell.", ["Castine 2012"]),
    "short names": ("(He et al., 2009; Das and An, 2008)", ["He 2009", "Das 2008"]),
    "gloss before": (
        "(FISH, Ode et al., 2012; KELP, Ng and Ode, 2000)",
        ["Ode 2012", "Ng 2000"],
    ),
    "adverb before": ("However, Ode and Ng (2012) agreed.", ["Ode 2012"]),
    "other script of and": ("Rates fell (Ode und Ng, 2012).", ["Ode 2012"]),
    "prose in a bracket": ("(data and results, 2017) (in winter, 2001)", []),
    "month": ("In May (2019) the plant closed.", []),
    "month in a letter": ("(personal communication, May 2019)", []),
    "place": ("In Berlin (1999) it closed.", []),
    "figure": ("The rates in Figure 3 (2019) fell.", []),
    "product": ("It ran on Windows (2000) and Table 4 (2001).", []),
    "polymer": ("stained with DSPE-PEG(2000) dye", []),
    "count": ("the set (TTR, 1576 mRNAs) is", []),
    "volume": ("as shown (eLeaf 2014;3:e03722) before", []),
    "year alone": ("It closed (2019) and opened in 2020.", []),
    "number": ("a dose (1,950 mg) of Serial Number 1234", []),
}


@pytest.mark.parametrize(("text", "expected"), _CASES.values(), ids=_CASES)
def test_finds_author_year(text, expected):
    sure = [m for m in find_author_year(text) if not m.doubtful]
    assert [f"{m.surnames[0]} {m.year}{m.year_suffix}" for m in sure] == expected
    assert all(0 <= m.start < m.end <= len(text) for m in sure)


@pytest.mark.parametrize(
    ("text", "markers"),
    [
        (
            "Rates fell (see Ng et al., 2010; Ode, 2011).",
            ["Ng et al., 2010", "Ode, 2011"],
        ),
        ("Ng et al. (2010) agree.", ["Ng et al. (2010)"]),
        ("Kestrel (1996, p. 84) wrote.", ["Kestrel (1996, p. 84)"]),
        ("(Ode, 2003a,b)", ["Ode, 2003a", "b"]),
        ("Bramwol (1999, 2001) agrees.", ["Bramwol (1999", "2001"]),
    ],
)
def test_spans_the_marker(text, markers):
    assert [text[m.start : m.end] for m in find_author_year(text)] == markers


@pytest.mark.parametrize(
    ("text", "surnames", "et_al"),
    [
        ("(Ng et al., 2010)", ("Ng",), True),
        ("(Ng, Ode, et al., 2010)", ("Ng", "Ode"), True),
        ("(Ng and van der Prell, 2010)", ("Ng", "van der Prell"), False),
        ("(Castine, Dorrance & Ewell, 2012)", ("Castine", "Dorrance", "Ewell"), False),
    ],
)
def test_reads_all_authors(text, surnames, et_al):
    (marker,) = find_author_year(text)
    assert (marker.surnames, marker.et_al) == (surnames, et_al)


def test_a_name_without_comma_is_doubtful_where_commas_are_the_rule():
    text = "(Ode, 2001) (Ng, 2002) (Orrin, 2003) (Voss, 2004) (Lipoquill 2000)"
    doubtful = [m.surnames[0] for m in find_author_year(text) if m.doubtful]
    assert doubtful == ["Lipoquill"]


@pytest.mark.parametrize(
    "text",
    [
        "A. Q. and R. T. and N. N. V. and C. O. and D. K. L. and H. Orm, Title. "
        * 2_000,
        "[" + "1" * 100_000 + "x",
        "(" * 100_000 + "2001",
        "(Ode, 2001; " * 20_000,
        "Ode, Ng, " * 20_000 + "2001)",
        "2001 " * 50_000,
    ],
    ids=["initials", "digits", "brackets", "open groups", "names", "years"],
)
def test_adversarial_text_is_read_in_linear_time(text):
    # Super-linear reading would not end here.
    assert isinstance(find_author_year(text), list)
