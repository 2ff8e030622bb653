"""Tests of telling what a sentence cites a work for."""

import dataclasses

import pytest

from transforms.extract_citations.extract import ExtractSettings, extract
from transforms.records import Document, Function
from transforms.score_coverage.function import citation_function, is_methods_section
from transforms.score_coverage.quantities import stated_number
from transforms.score_coverage.scope import CitationContext, context_of, scope_of

# «» is the citation judged, ¦ where its clause begins.
_METHOD = {
    "Kelp was rinsed as described previously («Ng, 2001»).": "as described previously",
    "Kelp was cut as previously described by «Ng (2001)».": "as previously described",
    "The vinegar assay was described in detail elsewhere («Ng, 2001»).": (
        "was described in detail"
    ),
    "Sampling is described in «Ng (2001)».": "is described",
    "Stems were cut essentially as described for reeds («Ng, 2001»).": ("as described"),
    "Our sampling protocol was adapted from «Ng (2001)».": "adapted from",
    "The rinsing procedure followed an earlier study («Ng, 2001»).": (
        "followed an earlier study"
    ),
    "Plots were laid out following «Ng (2001)».": "following",
    "Rot was scored according to board criteria («Ng, 2001»).": "according to",
    "Rot was scored according to «Ng (2001)».": "according to",
    "Growth was modelled with the method of «Ng (2001)».": "method of",
    "We used a two-step rinsing protocol («Ng, 2001»).": "used … protocol",
    "Using the plug technique («Ng, 2001»), we took samples.": "Using … technique",
    "Stems were purified over silica («Ng, 2001»).": "were purified",
    "We carefully dissected each frond («Ng, 2001»).": "We carefully dissected",
    "Tides were predicted using harmonic terms («Ng, 2001»).": "were predicted using",
    "Plots were dried in the standard manner («Ng, 2001»).": "standard",
    "Depths were derived as in «Ng (2001)».": "as in",
    "The framework of «Ng (2001)» serves us throughout.": "framework of",
    "The design was identical to that used in previous work («Ng, 2001»).": (
        "used in previous work"
    ),
    "Kelp was dried (Ode, 1999),¦ and pressed by a published method («Ng, 2001»).": (
        "published"
    ),
}
_NOT_METHOD = {
    "reports": "A new rinsing method was shown to lower frond rot («Ng, 2001»).",
    "another clause": (
        "We used a method (Ode, 1999), and ¦kelp rots in cold water («Ng, 2001»)."
    ),
    "the text itself": "As described in the introduction, kelp rots («Ng, 2001»).",
    "above": "As described above, kelp rots in cold water («Ng, 2001»).",
    "phenomenon": "A similar syndrome has been described in reeds («Ng, 2001»).",
    "brings in": "An alternative method has recently been described («Ng, 2001»).",
    "after an event": "Kelp regrows following storms («Ng, 2001»).",
    "according to people": "According to divers, kelp regrows («Ng, 2001»).",
    "use by others": "Vinegar has been used to treat rot («Ng, 2001»).",
    "use in general": "Vinegar is widely used as a treatment («Ng, 2001»).",
    "statement": "We measured rot and hold that cold water spares kelp («Ng, 2001»).",
    "far off": "Using vinegar, farmers in many bays have kept rot off («Ng, 2001»).",
    "increase": "Rot was increased in cold water («Ng, 2001»).",
    "comparison": "Rot was measured at half of the sites, consistent with «Ng (2001)».",
    "approach to": "Divers approach kelp with care («Ng, 2001»).",
}
_RESOURCE = {
    "Fronds were transfected with a reporter plasmid («Ng, 2001»).": "plasmid",
    "Depths come from the global tide database («Ng, 2001»).": "database",
    "We used the rot-prone strain («Ng, 2001»).": "used … strain",
    "Kelp was crossed to the dwarf line («Ng, 2001»).": "crossed … line",
    "Spores were a gift from a neighbour («Ng, 2001»).": "a gift from",
    "Micrographs were kindly provided by the authors («Ng, 2001»).": "kindly provided",
    "Images were downloaded from the coast archive («Ng, 2001»).": "downloaded from",
    "Sections were probed with rabbit anti-Kelp («Ng, 2001»).": "anti-Kelp",
    "The insert was moved into pKELP204 («Ng, 2001»).": "pKELP204",
    "Fronds expressing rot-Gal4 («Ng, 2001»)": "rot-Gal4",
    "The model was built on PDB entry 1ABC («Ng, 2001»).": "PDB",
    "Stems of a previously described mutant («Ng, 2001») were kept.": (
        "previously described"
    ),
    "We tested the published isolates («Ng, 2001»).": "published",
    "Mood was rated with a farm questionnaire («Ng, 2001»).": "questionnaire",
    "The «Ng (2001)» rot table cannot tell cold from warm basins.": "rot table",
    "Kelp was stained with the first antibody («Ng, 2001»).": "stained … antibody",
    "Rates are held against the kelp dataset («Ng, 2001»).": "dataset",
}
_NOT_RESOURCE = {
    "strains differ": "Rot differs between strains («Ng, 2001»).",
    "found in mice": "Rot was abolished in mutant mice («Ng, 2001»).",
    "lines of evidence": "Several lines of evidence speak for this («Ng, 2001»).",
    "data suggest": "Data from cold basins suggest a role of vinegar («Ng, 2001»).",
    "antibodies form": "Fronds raise antibodies («Ng, 2001»).",
    "given by nature": "Shelter is provided by rocks and by other kelp («Ng, 2001»).",
    "the study itself": "The «Ng (2001)» study is old.",
    "a verb behind": "This «Ng (2001)» found.",
    "cell": "Rot spreads in cells («Ng, 2001»).",
    "other clause": (
        "We used the dwarf strain (Ode, 1999), but ¦rot came anyway («Ng, 2001»)."
    ),
}
_SOFTWARE = {
    "Images were stitched with the FrondStitch software («Ng, 2001»).": "software",
    "Trees were drawn using FrondTree («Ng, 2001»).": "using FrondTree",
    "Trees were drawn with FrondTree v2.1 («Ng, 2001»).": "with FrondTree",
    "Reads were aligned using KELP («Ng, 2001»).": "using KELP",
    "Rot was counted in the Fronds toolbox («Ng, 2001»).": "toolbox",
    "Spots were found with a custom plugin («Ng, 2001»).": "plugin",
    "We used the kelp package («Ng, 2001»).": "used … package",
    "Models were fitted using the growth program («Ng, 2001»).": "using … program",
    "Meshes go into modelling tools such as Frondo («Ng, 2001»).": "tools such as",
    "Fits were run in previously described software («Ng, 2001»).": (
        "previously described"
    ),
    "Tides were computed on the tide webserver («Ng, 2001»).": "webserver",
    "Waves were made by the basin simulator («Ng, 2001»).": "simulator",
    "We employed a published script («Ng, 2001»).": "published",
    "Rot was mapped in KelpView («Ng, 2001»).": "in KelpView",
    "Layers were drawn by kelp software packages («Ng, 2001»).": "software",
    "Reads were trimmed with an in-house suite, using KelpTrim («Ng, 2001»).": (
        "using KelpTrim"
    ),
}
_NOT_SOFTWARE = {
    "a programme of training": "A training program lowers rot («Ng, 2001»).",
    "genetic code": "Kelp reads the code otherwise («Ng, 2001»).",
    "a gene": "Rot is low in BRCA1 carriers («Ng, 2001»).",
    "an RNA": "Rot lowers stem mRNA («Ng, 2001»).",
    "method reported on": "Rot was found using EEG («Ng, 2001»).",
    "a place": "Kelp grows in Drøbak («Ng, 2001»).",
    "tool of beasts": "Otters use a tool to open shells («Ng, 2001»).",
}
_OWN = {
    "We previously showed that snails eat kelp («Ng, 2001»).": "We previously showed",
    "Previously, we showed that vinegar spares kelp («Ng, 2001»).": (
        "Previously, we showed"
    ),
    "In our earlier work («Ng, 2001») rot was lower.": "our earlier work",
    "Our previous study of fronds («Ng, 2001») had no controls.": "Our previous study",
    "We have recently reported frond rot in the south («Ng, 2001»).": (
        "We have recently reported"
    ),
    "I recently measured rot in warm bays («Ng, 2001»).": "I recently measured",
    "This came of work from our laboratory («Ng, 2001»).": "work from our laboratory",
    "Our group has found rot in deep bays («Ng, 2001»).": "Our group has found",
    "Our laboratory recently demonstrated rot («Ng, 2001»).": (
        "Our laboratory recently demonstrated"
    ),
    "As we reported, rot is rare («Ng, 2001»).": "As we reported",
    "Rot is rare, as we have shown («Ng, 2001»).": "as we have shown",
    "We have shown previously that rot is rare («Ng, 2001»).": (
        "We have shown previously"
    ),
    "Our own data from the south («Ng, 2001») say less.": "Our own data",
    "My previous findings on rot («Ng, 2001») stand.": "My previous findings",
    "In our companion article («Ng, 2001») we say why.": "our companion article",
    "We have already established that rot is rare («Ng, 2001»).": (
        "We have already established"
    ),
}
_NOT_OWN = {
    "the present work": "We show that vinegar spares kelp, unlike salt («Ng, 2001»).",
    "others": "They previously showed that vinegar spares kelp («Ng, 2001»).",
    "our results": "Our results suggest a role of vinegar («Ng, 2001»).",
    "an order": "We first rinsed and then cut («Ng, 2001»).",
    "previous work": "Previous work showed that vinegar spares kelp («Ng, 2001»).",
}
_COMPARISON = {
    "Rot was rare, consistent with «Ng (2001)».": "consistent with",
    "Rot was rare, in agreement with earlier reports («Ng, 2001»).": (
        "in agreement with"
    ),
    "Rot was rare, in line with «Ng (2001)».": "in line with",
    "Contrary to «Ng (2001)», rot was rare.": "Contrary to",
    "Rot was rarer than previously reported («Ng, 2001»).": "than previously reported",
    "Our rates are similar to those reported for reeds («Ng, 2001»).": (
        "similar to those reported"
    ),
    "Unlike «Ng (2001)», we saw no rot.": "Unlike",
    "This differs from earlier results («Ng, 2001»).": "differs from earlier results",
    "These numbers confirm previous findings («Ng, 2001»).": (
        "confirm previous findings"
    ),
    "Our data contradict earlier studies («Ng, 2001»).": "contradict earlier studies",
    "Rot was rare in cold water, as reported by «Ng (2001)».": "as reported by",
    "Rot was rare in warm water, as observed in reeds («Ng, 2001»).": "as observed in",
    "Depth had no effect, as previously shown («Ng, 2001»).": "as previously shown",
    "This is at odds with a role of depth («Ng, 2001»).": "at odds with",
    "Such patches are reminiscent of rust («Ng, 2001»).": "reminiscent of",
    "Rates fall with depth, in contrast to previous work («Ng, 2001»).": (
        "in contrast to previous work"
    ),
    "The slope is comparable to that found in reeds («Ng, 2001»).": (
        "comparable to that found"
    ),
}
_NOT_COMPARISON = {
    "groups": "Rinsed kelp was taller compared with controls («Ng, 2001»).",
    "species": "Kelp is similar to eelgrass in its needs («Ng, 2001»).",
    "many": "Kelp rots late in contrast to many other plants («Ng, 2001»).",
    "higher than": "Rates were higher than in controls («Ng, 2001»).",
    "support of weight": "Stems support the fronds («Ng, 2001»).",
}
_FINDING = {
    "Vinegar has been shown to spare kelp («Ng, 2001»).": "has been shown",
    "«Ng (2001)» found that vinegar spares kelp.": "found",
    "«Ng (2001)» and colleagues have recently reported less rot.": (
        "have recently reported"
    ),
    "Previous studies have suggested that rot spreads («Ng, 2001»).": (
        "studies have suggested"
    ),
    "Earlier work demonstrated rot in reeds («Ng, 2001»).": "work demonstrated",
    "There is evidence that rot spreads by snails («Ng, 2001»).": "evidence that",
    "Rot is associated with cold («Ng, 2001»).": "is associated",
    "Depth was linked to rot («Ng, 2001»).": "was linked",
    "Vinegar is known to spare kelp («Ng, 2001»).": "is known",
    "The authors concluded that rot spreads («Ng, 2001»).": "authors concluded",
    "Rot was observed in deep bays («Ng, 2001»).": "was observed",
    "Rot fell by 38% in cold basins («Ng, 2001»).": "38%",
    "Rot takes 412 farms a year («Ng, 2001»).": "412 farms",
    "Rinsing halves losses (p < 0.01) («Ng, 2001»).": "p < 0.01",
    "Trials in the south showed less rot («Ng, 2001»).": "Trials in the south showed",
    "Snails have been implicated in rot («Ng, 2001»).": "have been implicated",
    "Rot correlates with depth («Ng, 2001»).": "correlates with",
}
_BACKGROUND = {
    "Kelp feeds many beasts of the shore («Ng, 2001»).": "",
    "Frond rot spreads in cold water (reviewed in «Ng, 2001»).": "reviewed in",
    "Frond rot spreads in cold water (for a review, see «Ng, 2001»).": "for a review",
    "Frond rot spreads in cold water (see «Ng, 2001»).": "see",
    "Frond rot spreads in cold water (but see «Ng, 2001»).": "but see",
    "Frond rot spreads in cold (reviewed in Ode, 1999; «Ng, 2001»).": "reviewed in",
    "Rot has many causes, reviewed in «Ng (2001)».": "reviewed in",
    "See «Ng (2001)» for a detailed discussion.": "See",
    "Rot has many causes (Figure 2 of «Ng, 2001»).": "Figure 2 of",
    "Rot has many causes (cf. «Ng, 2001»).": "cf.",
    "Building on this earlier study («Ng, 2001»), we ask for causes.": (
        "Building on this earlier study"
    ),
    "Complementing existing studies («Ng, 2001»), we look at deep bays.": (
        "Complementing existing studies"
    ),
    "Rot has many causes (e.g. «Ng, 2001»).": "",
    "Rot has many causes (see Figure 2; «Ng, 2001»).": "",
    "Rot has many causes (see, for example, «Ng, 2001»).": "",
    "Rot has two causes in 2009 and since («Ng, 2001»).": "",
    "Kelp sees light («Ng, 2001»).": "",
}
_POINTERS = frozenset(text for text, cue in _BACKGROUND.items() if cue)

_FIRE = [
    (function, text, cue)
    for function, cases in (
        (Function.METHOD, _METHOD),
        (Function.RESOURCE, _RESOURCE),
        (Function.SOFTWARE, _SOFTWARE),
        (Function.OWN_WORK, _OWN),
        (Function.COMPARISON, _COMPARISON),
        (Function.FINDING, _FINDING),
        (Function.BACKGROUND, _BACKGROUND),
    )
    for text, cue in cases.items()
]
_SPARE = [
    (function, text)
    for function, cases in (
        (Function.METHOD, _NOT_METHOD),
        (Function.RESOURCE, _NOT_RESOURCE),
        (Function.SOFTWARE, _NOT_SOFTWARE),
        (Function.OWN_WORK, _NOT_OWN),
        (Function.COMPARISON, _NOT_COMPARISON),
    )
    for text in cases.values()
]


def _context(text, **known):
    clause = max(0, text.find("¦"))
    text = text.replace("¦", "")
    start = text.index("«")
    end = text.index("»") - 1
    claim = text.replace("«", "").replace("»", "")
    return CitationContext(claim, start, end, clause, **known)


def _judged(text, **known):
    return citation_function(_context(text, **known))


@pytest.mark.parametrize(("function", "text", "cue"), _FIRE)
def test_tells_the_function(function, text, cue):
    judged = _judged(text)
    assert (judged.function, judged.cue) == (function, cue)


@pytest.mark.parametrize(("function", "text"), _SPARE)
def test_spares_near_misses(function, text):
    judged = _judged(text)
    assert judged.function is not function
    assert judged.attribution_cue == ""


@pytest.mark.parametrize(("function", "text", "cue"), _FIRE)
def test_attribution_is_method_software_resource_or_pointer(function, text, cue):
    attributed = _judged(text).attribution_cue
    of_use = (Function.METHOD, Function.RESOURCE, Function.SOFTWARE)
    if function in of_use or text in _POINTERS:
        assert attributed == cue
    elif function is not Function.OWN_WORK:
        assert attributed == ""


@pytest.mark.parametrize(
    ("text", "cue"),
    {
        "We previously developed a rinse («Ng, 2001»).": "We previously developed",
        "In our earlier work («Ng, 2001») we rinsed.": "our earlier work",
        # What was found then may stand in the abstract.
        "We previously showed that vinegar spares kelp («Ng, 2001»).": "",
        "Our earlier study found that vinegar spares kelp («Ng, 2001»).": "",
        "This agrees with our previous results («Ng, 2001»).": "",
    }.items(),
)
def test_own_work_is_attribution_where_no_result_is_told(text, cue):
    judged = _judged(text)
    assert judged.function is Function.OWN_WORK
    assert judged.attribution_cue == cue


def test_words_of_own_work_are_void_where_the_work_is_not():
    text = "We previously developed a rinse («Ng, 2001»)."
    assert _judged(text, is_own_work=False).function is Function.BACKGROUND


def test_work_known_as_own_needs_no_words():
    judged = _judged("Kelp feeds many beasts («Ng, 2001»).", is_own_work=True)
    assert (judged.function, judged.cue) == (Function.OWN_WORK, "")
    assert judged.attribution_cue == ""
    reported = _judged("Rot was observed in bays («Ng, 2001»).", is_own_work=True)
    assert reported.function is Function.FINDING


def test_a_methods_section_makes_a_method_of_what_has_no_cue():
    text = "Light came from above («Ng, 2001»)."
    judged = _judged(text, section="Materials and methods")
    assert (judged.function, judged.cue) == (Function.METHOD, "")
    assert _judged(text, section="Results").function is Function.BACKGROUND
    reported = "Rot was observed in bays («Ng, 2001»)."
    assert _judged(reported, section="2. Methods").function is Function.FINDING


@pytest.mark.parametrize(
    "title",
    [
        *(
            "Methods",
            "2.1 Materials and Methods",
            "STAR Methods",
            "Experimental design",
        ),
        *("Participants", "Cell culture", "Statistical analysis", "Fly strains"),
        *("Protein expression and purification", "Image processing", "PROCEDURE"),
    ],
)
def test_headings_of_methods(title):
    assert is_methods_section(title)


@pytest.mark.parametrize(
    "title", ["", "Results", "Introduction", "Discussion", "Rot in cold basins"]
)
def test_headings_of_other_parts(title):
    assert not is_methods_section(title)


@pytest.mark.parametrize(
    ("text", "title", "function", "cue"),
    [
        (
            "Sections were traced in Frondo («Ng, 2001»).",
            "Frondo: a program for tracing fronds",
            Function.SOFTWARE,
            "Frondo",
        ),
        (
            "Depths are from Tidebank («Ng, 2001»).",
            "TideBank: a database of tides",
            Function.RESOURCE,
            "Tidebank",
        ),
        (
            "Fronds were outlined with Frondo («Ng, 2001»).",
            "Drawing fronds with the Frondo software",
            Function.SOFTWARE,
            "Frondo",
        ),
        # A name alone makes no tool, nor does a tool that the sentence does not name.
        ("Rot is rare in Drobak («Ng, 2001»).", "Rot in Drobak", None, ""),
        ("Rot is rare («Ng, 2001»).", "Frondo: a program", None, ""),
        ("Rot is rare in Kelpo («Ng, 2001»).", "Kelpopolis: a database", None, ""),
    ],
)
def test_finds_a_tool_by_the_title_of_the_cited_work(text, title, function, cue):
    judged = _judged(text, cited_title=title)
    assert judged.function is (function or Function.BACKGROUND)
    assert judged.attribution_cue == cue


_NUMBERS = {
    "percent": ("Rot fell by 38% in the cold", "38%"),
    "percent in words": ("about 12 percent of kelp", "12 percent"),
    "fold": ("a 3-fold rise", "3-fold"),
    "fold in words": ("a threefold rise", "threefold"),
    "unit": ("grew 2.5 mm a year", "2.5 mm"),
    "attached unit": ("with 5mg of vinegar", "5mg"),
    "degrees": ("at 37°C", "37°"),
    "p-value": ("less (p < 0.001)", "p < 0.001"),
    "p-value without zero": ("less (p=.04)", "p=.04"),
    "sample size": ("in all (n = 412)", "n = 412"),
    "ratio": ("more often (OR 2.1)", "OR 2.1"),
    "thousands": ("12,400 genomes were read", "12,400 genomes"),
    "count": ("among 412 adult farmers", "412 adult farmers"),
    "decimal": ("a correlation of 0.85", "0.85"),
    "range": ("from 10 to 20 years", "10 to 20 years"),
    "fraction": ("one third of the farms", "one third of"),
    "not a year": ("2000 mg daily", "2000 mg"),
    "counted in words": ("two groups were compared", ""),
    "small count": ("the first 2 steps", ""),
    "year": ("since 1998 it is known", ""),
    "year before a plural": ("in 2009 patients came", ""),
    "decade": ("the 1990s boom", ""),
    "figure": ("Figure 2 shows", ""),
    "figure in brackets": ("rot (Fig. 12 shows)", ""),
    "another citation": ("rot (Ng et al., 2001; Ode, 2003a)", ""),
    "DOI": ("doi 10.1234/kelp.03722", ""),
    "name": ("IL-6, STAT 3 and p53 mutants", ""),
    "name with decimals": ("PM2.5 exposure", ""),
    "version": ("version 2.1 of the tool", ""),
    "day": ("day 10 embryos", ""),
    "residues": ("residues 26 to 83 bind", ""),
    "span in a name": ("KELP26–83 binds", ""),
    "name of a thing": ("a 13-gene signature", ""),
    "dimension": ("3D structures", ""),
}


@pytest.mark.parametrize(("text", "number"), _NUMBERS.values(), ids=_NUMBERS)
def test_finds_stated_numbers(text, number):
    assert stated_number(text) == number


def test_numeric_is_a_result_not_a_setting():
    assert _judged("Rot fell by 38% («Ng, 2001»).").is_numeric
    assert not _judged("Fronds were grown at 37°C («Ng, 2001»).").is_numeric
    assert not _judged("Rot fell («Ng, 2001»).").is_numeric


def test_scope_leaves_out_asides_and_other_citations():
    scope = scope_of(
        _context("Rot (Figure 1), as told (Ode, 1999), falls [n = 2] (see «Ng, 2001»).")
    )
    assert scope.before.printed == "Rot, as told, falls"
    assert scope.lead.printed == "see "
    assert scope.after.printed == "."
    assert scope.words[scope.phrase_start :] == ("falls",)


def test_a_short_clause_is_led_by_the_start_of_its_sentence():
    scope = scope_of(_context("We used snails (Ode, 1999) and ¦crabs («Ng, 2001»)."))
    assert scope.before.printed == "We used snails and  crabs"


def test_offsets_of_cues_hold_where_lower_case_is_longer():
    judged = _judged("In İzmir Fronds were dried as Described («Ng, 2001»).")
    assert judged.function is Function.METHOD
    printed = _judged("Fronds were dried As Described («Ng, 2001»).")
    assert printed.cue == "As Described"


def test_reads_extracted_citations():
    text = (
        "Rot is rare. We rinsed fronds with vinegar as described previously "
        "(Ng, 2001), and rot has been shown to spread by snails (Ode, 2002).\n\n"
    )
    document = Document("d", "d.txt", text + "Kelp is grown in the cold. " * 60)
    citations = extract(document, ExtractSettings()).citations
    judged = [citation_function(context_of(citation)) for citation in citations]
    assert [(j.function, j.cue) for j in judged] == [
        (Function.METHOD, "as described previously"),
        (Function.FINDING, "has been shown"),
    ]
    whole = dataclasses.replace(citations[1], clause_start=0, clause_end=0)
    assert context_of(whole).clause_end is None


@pytest.mark.parametrize(
    "filler", ["(", "a ", "A", "as ", "previously ", "1,", "1 ", "of the ", "İ", ", "]
)
def test_long_sentences_take_no_longer_than_a_clause(filler):
    text = filler * (200_000 // len(filler))
    judged = _judged(f"{text} «Ng» {text}")
    assert judged.function in Function
