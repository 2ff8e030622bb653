"""Tests of comparing a claim with evidence, and of judging what that comes to."""

import dataclasses
import json
import math
from types import MappingProxyType

import hypothesis.strategies as st
import pytest
from hypothesis import given

from transforms.records import TermPoints, Triage
from transforms.score_coverage.triage.background import Background
from transforms.score_coverage.triage.compare import (
    ClaimTerm,
    Comparison,
    claim_terms,
    compare,
    weight_of_evidence,
)
from transforms.score_coverage.triage.evidence import (
    EvidenceWords,
    Passage,
    beginning,
    prepare,
)
from transforms.score_coverage.triage.files import (
    TriageFileError,
    load_judge,
    load_model,
)
from transforms.score_coverage.triage.judge import (
    Claim,
    Judge,
    concern,
    names_author,
    surnames,
)
from transforms.score_coverage.triage.model import (
    FEATURES,
    Model,
    ModelError,
    features,
    probability,
    read_model,
    shipped_model,
    write_model,
)
from transforms.score_coverage.triage.words import evidence_words

_ABSTRACT = "Rinsing cut frond rot. Rot fell by 38%.  Urchins grazed elsewhere."
_BACKGROUND = Background(1000, {"kelp": 200, "rot": 95, "farm": 400, "cut": 995})


# Evidence.


def test_prepares_evidence():
    evidence = prepare("The kelp of farms", _ABSTRACT)
    assert evidence.sentences == (
        "The kelp of farms",
        "Rinsing cut frond rot.",
        "Rot fell by 38%.",
        "Urchins grazed elsewhere.",
    )
    assert evidence.title == {"the", "kelp", "of", "farm"}
    assert evidence.topic == ("kelp", "farm")
    first, second = evidence.passages
    assert (
        _ABSTRACT[first.start : first.end] == "Rinsing cut frond rot. Rot fell by 38%."
    )
    assert _ABSTRACT[second.start : second.end] == (
        "Rot fell by 38%.  Urchins grazed elsewhere."
    )
    assert first.words == {"rins", "cut", "frond", "rot", "fell", "by", "38%"}
    assert evidence.words == evidence.title | first.words | second.words
    assert evidence.beginnings == {"frond", "urchi", "graze", "elsew"}


@pytest.mark.parametrize(
    ("title", "abstract", "sentences", "passages"),
    [
        ("", "", ("",), ()),
        ("Kelp", "", ("Kelp",), ()),
        ("", " Kelp rots. ", ("", "Kelp rots."), ((1, 11),)),
        ("Kelp", "It rots", ("Kelp", "It rots"), ((0, 7),)),
    ],
)
def test_prepares_as_little_evidence_as_may_be(title, abstract, sentences, passages):
    evidence = prepare(title, abstract)
    assert evidence.sentences == sentences
    assert tuple((p.start, p.end) for p in evidence.passages) == passages
    assert evidence.words == evidence_words(title) | evidence_words(abstract)


@given(st.lists(st.sampled_from(["Kelp rots.", "Mice ran!", " ", "\n\n", "IL-6"])))
def test_passages_are_two_sentences_each(parts):
    abstract = " ".join(parts)
    evidence = prepare("", abstract)
    sentences = evidence.sentences[1:]
    assert len(evidence.passages) == max(min(len(sentences), 1), len(sentences) - 1)
    for number, passage in enumerate(evidence.passages):
        text = abstract[passage.start : passage.end]
        pair = sentences[number : number + 2]
        assert text.startswith(pair[0])
        assert text.endswith(pair[-1])
        assert passage.words == frozenset().union(*map(evidence_words, pair))


@pytest.mark.parametrize(
    ("word", "expected"),
    [("replicon", "repli"), ("repli", "repli"), ("repl", ""), ("", "")],
)
def test_beginning(word, expected):
    assert beginning(word) == expected


# Terms of a claim.


def _weights(*arguments, names=frozenset()):
    return [
        (term.shown, term.weight, term.is_context)
        for term in claim_terms(*arguments, names)
    ]


_TERMS = {
    "all of the claim": (
        ("Kelp rots in bays", "", ""),
        [("Kelp", 1.0, False), ("rots", 1.0, False), ("bays", 1.0, False)],
    ),
    "clause": (
        ("Kelp rots but urchins graze", "but urchins graze (Ode, 2001)", ""),
        [("Kelp", 0.5, False), ("rots", 0.5, False)]
        + [("urchins", 1.0, False), ("graze", 1.0, False)],
    ),
    "clause without words": (
        ("Kelp rots", "(Ode, 2001)", ""),
        [("Kelp", 0.5, False), ("rots", 0.5, False)],
    ),
    "word in clause and outside": (
        ("Rot of kelp is a rot", "is a rot", ""),
        [("Rot", 1.0, False), ("kelp", 0.5, False)],
    ),
    "sentence before": (
        ("Kelp rots", "", "Bays warm kelp"),
        [("Kelp", 1.0, False), ("rots", 1.0, False)]
        + [("Bays", 0.5, True), ("warm", 0.5, True)],
    ),
    "asides": (
        ("Kelp rots (Figure 2)", "at the University of Tides", "Ode and others swam"),
        [("Kelp", 0.5, False), ("rots", 0.5, False), ("swam", 0.5, True)],
    ),
    "nothing": (("It was so.", "", ""), []),
}


@pytest.mark.parametrize(("texts", "expected"), _TERMS.values(), ids=_TERMS)
def test_claim_terms(texts, expected):
    assert _weights(*texts) == expected


def test_names_are_no_terms():
    terms = _weights("Ode saw kelp", "Ode saw", "Ng’s Ode", names={"ode", "ng"})
    assert terms == [("saw", 1.0, False), ("kelp", 0.5, False)]


# Comparisons.


def _evidence(words="", title="", passages=(), topic=()):
    every = frozenset(f"{words} {title} {' '.join(passages)}".split())
    return EvidenceWords(
        sentences=(),
        title=frozenset(title.split()),
        topic=tuple(topic or title.split()),
        passages=tuple(
            Passage(10 * n, 10 * n + 9, frozenset(passage.split()))
            for n, passage in enumerate(passages)
        ),
        words=every,
        beginnings=frozenset(filter(None, map(beginning, every))),
    )


def _term(stem, weight=1.0, is_context=False):
    return ClaimTerm(stem, stem, weight, is_context)


def _chance(count, words):
    return 1 - (1 - min(0.95, (count + 5) / 1000)) ** (words / 110)


def _points(count, words):
    chance = _chance(count, words)
    return math.log((0.35 + 0.65 * chance) / chance)


_MISSING = math.log(0.65)


def test_compares_by_hand():
    terms = (
        _term("rot"),
        _term("kelp", 0.5),
        _term("snail"),
        _term("frond", 0.5, is_context=True),
        _term("quill", 0.5, is_context=True),
    )
    evidence = _evidence("x y", "kelp farm", ("rot z", "rot kelp", "kelp rot frond"))
    size = 7
    found = compare(terms, evidence, _BACKGROUND)
    covered = (_points(95, size), _points(200, size) / 2, _points(0, size) / 2)
    missing = (_MISSING, _MISSING / 2)
    assert found.covered == tuple(
        TermPoints(*item)
        for item in zip(("rot", "kelp", "frond"), map(_near, covered), strict=True)
    )
    assert found.missing == (
        TermPoints("snail", _near(missing[0])),
        TermPoints("quill", _near(missing[1])),
    )
    weight = 1 + 0.5 + 1 + 0.5 + 0.5
    assert found.weight_of_evidence == _near(
        sum(covered + missing) / math.sqrt(weight + 1)
    )
    rot, kelp, snail, farm = (
        math.log(1001 / (count + 1)) for count in (95, 200, 0, 400)
    )
    claim = rot + kelp / 2 + snail
    assert found.rare_coverage == _near((rot + kelp / 2) / claim)
    assert found.title_share == _near(kelp / (kelp + farm))
    assert found.passage_coverage == _near((rot + kelp / 2) / claim)
    assert found.rarest_covered == _near(math.log(1001))
    assert found.missing_names == 0.0
    # The first of those that cover most; the sentence before the claim is not asked.
    assert found.passage == evidence.passages[1]


def _near(value):
    return pytest.approx(value, rel=1e-12, abs=1e-12)


def test_a_claim_without_terms_compares_with_nothing():
    found = compare((), prepare("Kelp farms", _ABSTRACT), _BACKGROUND)
    assert found == Comparison(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, (), (), None)


def test_evidence_without_words_covers_nothing():
    found = compare((_term("kelp"), _term("rot")), prepare("", ""), _BACKGROUND)
    assert found.weight_of_evidence == _near(2 * _MISSING / math.sqrt(3))
    assert (found.rare_coverage, found.passage_coverage, found.covered) == (0, 0, ())
    assert (found.title_share, found.passage) == (0, None)


def test_only_context_covers_no_claim():
    found = compare((_term("kelp", 0.5, True),), _evidence("kelp"), _BACKGROUND)
    assert found.weight_of_evidence > 0
    assert found.rare_coverage == 0.0


def test_the_title_counts_as_a_passage_but_is_none():
    terms = (_term("kelp"), _term("snail"))
    found = compare(terms, _evidence(title="kelp", passages=("x",)), _BACKGROUND)
    kelp, snail = math.log(1001 / 201), math.log(1001)
    assert found.passage_coverage == _near(kelp / (kelp + snail))
    assert found.passage is None
    title, passage = _evidence(title="kelp snail", passages=("kelp", "snail")), 1
    found = compare(terms, title, _BACKGROUND)
    assert found.passage_coverage == 1.0
    assert found.passage == title.passages[passage]


@pytest.mark.parametrize(
    ("stem", "evidence", "share"),
    [
        ("replicon", "replicas", 0.5),
        ("replicon", "replicon replicas", 1.0),
        ("replic", "replay", 0.0),
        ("cortic", "corti", 0.5),
        ("corti", "cortic", 0.0),
        ("12345mg", "12345kg", 0.0),
        ("replic2", "replicas", 0.0),
    ],
)
def test_a_related_word_counts_half(stem, evidence, share):
    words = _evidence(evidence)
    found = compare((_term(stem),), words, _BACKGROUND)
    points = share * _points(0, len(words.words)) if share else _MISSING
    assert found.weight_of_evidence == _near(points / math.sqrt(2))
    assert found.rare_coverage == _near(share)
    assert bool(found.covered) is bool(share)
    # It is not seen in a passage, nor as a word that the evidence has.
    assert bool(found.rarest_covered) is (share == 1.0)


@pytest.mark.parametrize(
    ("shown", "is_name"),
    [("BRCA1", 1), ("mRNA", 1), ("Kelp", 1), ("kelp", 0), ("12KB", 0), ("ähre", 0)],
)
def test_counts_missing_names(shown, is_name):
    term = ClaimTerm(shown.lower(), shown, 1.0)
    assert _missing_names(term) == math.log1p(is_name)
    assert _missing_names(term, term) == math.log1p(2 * is_name)
    assert _missing_names(dataclasses.replace(term, is_context=True)) == 0.0
    assert _missing_names(dataclasses.replace(term, stem="x")) == 0.0


def _missing_names(*terms):
    return compare(terms, _evidence("x"), _BACKGROUND).missing_names


_STEMS = ["kelp", "rot", "farm", "cut", "quill", "snail", "replicon", "b2", "12%"]
_SOME = st.lists(st.sampled_from(_STEMS), unique=True)
_CLAIMED = _SOME.flatmap(
    lambda stems: st.tuples(
        *(st.builds(_term, st.just(s), st.sampled_from([0.5, 1.0])) for s in stems)
    )
)
_FILLED = st.builds(_evidence, _SOME.map(" ".join), _SOME.map(" ".join))


@given(_CLAIMED, _FILLED)
def test_measures_keep_their_bounds(terms, evidence):
    found = compare(terms, evidence, _BACKGROUND)
    shares = (found.rare_coverage, found.title_share, found.passage_coverage)
    assert all(0.0 <= share <= 1.0 + 1e-12 for share in shares)
    assert found.weight_of_evidence == weight_of_evidence(terms, evidence, _BACKGROUND)
    assert all(item.points >= 0.0 for item in found.covered)
    assert all(item.points < 0.0 for item in found.missing)
    shown = [item.term for item in (*found.covered, *found.missing)]
    assert sorted(shown) == sorted(term.shown for term in terms)


@given(_CLAIMED, _SOME, st.sampled_from(_STEMS))
def test_a_word_of_the_claim_never_speaks_against(terms, words, word):
    # In place of one that is in no claim, so that the evidence keeps its size.
    before = _evidence(" ".join({*words, "other"} - {word}))
    after = _evidence(" ".join({*words, word} - {"other"}))
    assert len(before.words) == len(after.words)
    claimed = (*(term for term in terms if term.stem != word), _term(word, 0.5))
    assert weight_of_evidence(claimed, after, _BACKGROUND) > weight_of_evidence(
        claimed, before, _BACKGROUND
    )


@given(_CLAIMED, _SOME, st.sampled_from(_STEMS))
def test_one_more_word_of_the_claim_never_speaks_against(terms, words, word):
    # In evidence of the usual size, one more word makes the others hardly likelier.
    rest = " ".join(f"other{number}" for number in range(60))
    before = _evidence(" ".join({*words} - {word}) + f" {rest}")
    after = _evidence(" ".join({*words, word}) + f" {rest}")
    claimed = (*(term for term in terms if term.stem != word), _term(word, 0.5))
    assert weight_of_evidence(claimed, after, _BACKGROUND) > weight_of_evidence(
        claimed, before, _BACKGROUND
    )


@given(_CLAIMED, _FILLED, st.randoms(use_true_random=False))
def test_the_order_of_terms_does_not_change_what_is_compared(terms, evidence, random):
    shuffled = random.sample(terms, len(terms))
    one, other = (compare(t, evidence, _BACKGROUND) for t in (terms, shuffled))
    assert features(one) == pytest.approx(features(other), abs=1e-12)


# The model.

_MODEL = Model(
    intercept=-1.0,
    coefficients=(0.5, 1.0, 2.0, 3.0, 0.25, 0.125),
    sibling_weight=0.5,
    off_topic=0.25,
    on_topic=0.75,
    on_topic_with_cue=0.9,
    provenance={"written_by": "hand"},
)


def test_log_odds_are_a_sum():
    comparison = Comparison(2.0, 0.5, 0.25, 0.125, 8.0, 4.0, (), (), None)
    assert features(comparison) == (2.0, 0.5, 0.25, 0.125, 8.0, 4.0)
    assert _MODEL.log_odds(comparison) == -1 + 1 + 0.5 + 0.5 + 0.375 + 2 + 0.5


@pytest.mark.parametrize(
    ("own", "sibling", "expected"),
    [
        (1.0, -math.inf, 1.0),
        (1.0, 0.0, 1.0),
        (1.0, 1.0, 1.0),
        (1.0, 2.0, 0.5),
        (1.0, 5.0, -1.0),
        (1.0, 50.0, -1.0),
    ],
)
def test_a_better_sibling_counts_against(own, sibling, expected):
    assert _MODEL.among_siblings(own, sibling) == expected


@pytest.mark.parametrize("log_odds", [-5.0, -0.5, 0.0, 1.0, 12.0])
def test_probability(log_odds):
    assert probability(log_odds) == _near(1 / (1 + math.exp(-log_odds)))


@given(st.floats(allow_nan=False), st.floats(allow_nan=False))
def test_probability_is_never_sure_and_rises(one, other):
    low, high = sorted((one, other))
    assert 0.0 < probability(low) <= probability(high) < 1.0
    assert probability(-low) == _near(1.0 - probability(low))


_WRONG_MODELS = {
    "too few coefficients": ({"coefficients": (1.0,)}, "1 coefficients"),
    "nan": ({"intercept": math.nan}, "not a finite number"),
    "infinite": ({"coefficients": (math.inf,) * 6}, "not a finite number"),
    "negative sibling": ({"sibling_weight": -0.1}, "sibling_weight must be >= 0"),
    "nan sibling": ({"sibling_weight": math.nan}, "sibling_weight must be >= 0"),
    "endless sibling": ({"sibling_weight": math.inf}, "sibling_weight must be >= 0"),
    "nothing off topic": ({"off_topic": 0.0}, "thresholds must rise"),
    "on topic below": ({"on_topic": 0.25}, "thresholds must rise"),
    "cue below": ({"on_topic_with_cue": 0.7}, "thresholds must rise"),
    "cue sure": ({"on_topic_with_cue": 1.0}, "thresholds must rise"),
    "nan threshold": ({"on_topic": math.nan}, "thresholds must rise"),
}


@pytest.mark.parametrize(
    ("changes", "wrong"), _WRONG_MODELS.values(), ids=_WRONG_MODELS
)
def test_a_model_of_no_use_is_an_error(changes, wrong):
    with pytest.raises(ModelError, match=wrong):
        dataclasses.replace(_MODEL, **changes)


def test_a_cue_may_ask_for_no_more():
    assert dataclasses.replace(_MODEL, on_topic_with_cue=0.75).on_topic == 0.75


def test_reads_the_model_that_it_writes():
    assert read_model(write_model(_MODEL)) == _MODEL
    assert list(json.loads(write_model(_MODEL))["coefficients"]) == list(FEATURES)
    bare = dataclasses.replace(_MODEL, provenance={})
    written = json.loads(write_model(bare))
    del written["provenance"]
    assert read_model(json.dumps(written)) == bare


def test_the_shipped_model_says_where_it_is_from():
    model = shipped_model()
    assert read_model(write_model(model)) == model
    assert model.provenance["written_by"] == "citation-support fit"
    assert sum(d["pairs"] for d in model.provenance["data"].values()) > 1000
    # What is covered speaks for a citation.
    assert min(model.coefficients[:4]) > 0
    assert model is shipped_model()


def _without(name):
    return lambda written: written.pop(name)


def _with(**changes):
    return lambda written: written.update(changes)


_WRONG_FILES = {
    "no intercept": (_without("intercept"), "no 'intercept'"),
    "no coefficients": (_without("coefficients"), "no 'coefficients'"),
    "no thresholds": (_without("thresholds"), "no 'thresholds'"),
    "one coefficient": (_with(coefficients={"rare_coverage": 1}), "no 'weight_of"),
    "a list": (_with(coefficients=[1, 2]), "not a model of triage"),
    "null": (_with(intercept=None), "not a model of triage"),
    "text": (_with(intercept="high"), "not a model of triage"),
    "too large": (_with(intercept=10**400), "not a model of triage"),
    "nan": (_with(intercept=math.nan), "not a finite number"),
    "provenance": (_with(provenance="hand"), "not a model of triage"),
    "thresholds": (
        _with(
            thresholds=dict.fromkeys(("off_topic", "on_topic", "on_topic_with_cue"), 0)
        ),
        "thresholds must rise",
    ),
}


@pytest.mark.parametrize(("change", "wrong"), _WRONG_FILES.values(), ids=_WRONG_FILES)
def test_a_file_of_no_use_is_an_error(tmp_path, change, wrong):
    written = json.loads(write_model(_MODEL))
    change(written)
    _is_wrong(tmp_path / "model.json", json.dumps(written).encode(), wrong)


@pytest.mark.parametrize(
    ("content", "wrong"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[]", "not a model of triage"),
        (b"null", "not a model of triage"),
        (b"\xff", "utf-8"),
    ],
)
def test_what_is_no_model_is_an_error(tmp_path, content, wrong):
    _is_wrong(tmp_path / "model.json", content, wrong)


def test_a_missing_model_is_an_error(tmp_path):
    with pytest.raises(TriageFileError, match="none.json: .*No such file"):
        load_model(tmp_path / "none.json")


def _is_wrong(path, content, wrong):
    path.write_bytes(content)
    with pytest.raises(TriageFileError, match=wrong) as caught:
        load_model(path)
    said = str(caught.value)
    assert said.startswith(f"--triage-model {path}: ")
    assert said.endswith("; make one with citation-support fit")
    assert "\n" not in said


# Judgements.

_CLAIM = Claim("Rinsing cut frond rot of kelp in bays")
_EVIDENCE = prepare("Kelp farms", _ABSTRACT)


def _judge(chance, **changes):
    """Returns a judge that gives every claim the same probability."""
    model = dataclasses.replace(
        _MODEL, intercept=math.log(chance / (1 - chance)), coefficients=(0.0,) * 6
    )
    return Judge(_BACKGROUND, dataclasses.replace(model, **changes))


_CUED = dataclasses.replace(_CLAIM, attribution_cue="as described")
_METHOD = dataclasses.replace(_CLAIM, is_method=True)
_TRIAGES = {
    "on topic": (0.8, _CLAIM, Triage.ON_TOPIC),
    "unclear": (0.5, _CLAIM, Triage.UNCLEAR),
    "off topic": (0.2, _CLAIM, Triage.OFF_TOPIC),
    "cue on topic": (0.95, _CUED, Triage.ON_TOPIC),
    "cue nearly on topic": (0.8, _CUED, Triage.ATTRIBUTION),
    "cue unclear": (0.5, _CUED, Triage.ATTRIBUTION),
    "cue off topic": (0.2, _CUED, Triage.ATTRIBUTION),
    "method on topic": (0.8, _METHOD, Triage.ON_TOPIC),
    "method unclear": (0.5, _METHOD, Triage.UNCLEAR),
    "method off topic": (0.2, _METHOD, Triage.ATTRIBUTION),
    "four words": (0.2, Claim("Rinsing frond rot of kelp"), Triage.OFF_TOPIC),
    "three words": (0.2, Claim("Rinsing rot of kelp"), Triage.UNCLEAR),
    "three words and asides": (
        0.2,
        Claim("Ode and others saw rinsing rot of kelp (Fig. 2)"),
        Triage.UNCLEAR,
    ),
    "three words and names": (
        0.2,
        Claim("Rinsing Ode rot of kelp", names=frozenset(["ode"])),
        Triage.UNCLEAR,
    ),
    "few words on topic": (0.8, Claim("Kelp"), Triage.ON_TOPIC),
    "names an author": (
        0.2,
        dataclasses.replace(_CLAIM, names_cited_author=True),
        Triage.UNCLEAR,
    ),
    "names no author": (
        0.2,
        dataclasses.replace(_CLAIM, names_cited_author=False),
        Triage.OFF_TOPIC,
    ),
    "institution": (
        0.2,
        Claim(f"{_CLAIM.text} at the University of Kelp", names_cited_author=False),
        Triage.UNCLEAR,
    ),
    "people": (0.2, Claim(f"Ode and colleagues: {_CLAIM.text}"), Triage.UNCLEAR),
    "other people": (
        0.2,
        Claim(f"Ode and colleagues: {_CLAIM.text}", names_cited_author=False),
        Triage.OFF_TOPIC,
    ),
}


@pytest.mark.parametrize(
    ("chance", "claim", "expected"), _TRIAGES.values(), ids=_TRIAGES
)
def test_triage(chance, claim, expected):
    judgement = _judge(chance).judge(claim, _EVIDENCE)
    assert judgement.triage is expected
    assert judgement.topic_probability == _near(chance)


@pytest.mark.parametrize(
    ("threshold", "claim", "below"),
    [
        ("off_topic", _CLAIM, Triage.OFF_TOPIC),
        ("on_topic", _CLAIM, Triage.UNCLEAR),
        ("on_topic_with_cue", _CUED, Triage.ATTRIBUTION),
    ],
)
def test_a_threshold_is_below_it(threshold, claim, below):
    others = {"off_topic": 0.1, "on_topic": 0.8, "on_topic_with_cue": 0.8}
    if threshold == "on_topic_with_cue":
        others["on_topic"] = 0.2
    chance = probability(math.log(0.5 / 0.5))
    judge = _judge(0.5, **{**others, threshold: chance})
    assert judge.judge(claim, _EVIDENCE).triage is below
    nearly = math.nextafter(chance, 0.0)
    judge = _judge(0.5, **{**others, threshold: nearly})
    assert judge.judge(claim, _EVIDENCE).triage is not below


def test_a_judgement_says_what_was_compared():
    judge = Judge(_BACKGROUND, _MODEL)
    claim = Claim(
        "Rinsing cut frond rot", clause="rot", before="Kelp fell", names=set()
    )
    terms = claim_terms(claim.text, claim.clause, claim.before, claim.names)
    found = compare(terms, _EVIDENCE, _BACKGROUND)
    judgement = judge.judge(claim, _EVIDENCE)
    for name in (*FEATURES[:4], "covered", "missing"):
        assert getattr(judgement, name) == getattr(found, name)
    span = slice(judgement.passage_start, judgement.passage_end)
    assert _ABSTRACT[span] == "Rinsing cut frond rot. Rot fell by 38%."
    assert judgement.topic_probability == probability(_MODEL.log_odds(found))
    assert (judgement.better_sibling, judgement.sibling_margin) == ("", 0.0)


def test_evidence_that_covers_nothing_has_no_passage():
    judgement = Judge(_BACKGROUND, _MODEL).judge(Claim("Quills"), _EVIDENCE)
    assert (judgement.passage_start, judgement.passage_end) == (None, None)


def test_opposite_directions_are_noted():
    claim = Claim("Rinsing increased the rot of fronds in kelp beds")
    evidence = prepare("", "Rinsing reduced the rot of fronds in kelp beds.")
    note = Judge(_BACKGROUND, _MODEL).judge(claim, evidence).direction_note
    assert "increased" in note and "reduced" in note


_BETTER = prepare("Rinsing cuts frond rot", "Rinsing cut frond rot of kelp in bays.")
_WORSE = prepare("Quills", "Snails and quills ran.")


def test_a_sibling_that_fits_better_counts_against():
    judge = Judge(_BACKGROUND, _MODEL)
    alone = judge.judge(_CLAIM, _EVIDENCE)
    better = judge.judge(_CLAIM, _BETTER)
    judged = judge.judge(_CLAIM, _EVIDENCE, {"w": _WORSE, "b": _BETTER})
    margin = _log_odds(better) - _log_odds(alone)
    assert judged.better_sibling == "b"
    assert judged.sibling_margin == pytest.approx(margin, abs=1e-6)
    assert 0 < margin < 4
    expected = _log_odds(alone) - margin / 2
    assert _log_odds(judged) == pytest.approx(expected, abs=1e-6)
    assert judged.weight_of_evidence == alone.weight_of_evidence


def test_a_sibling_that_fits_worse_says_nothing():
    judge = Judge(_BACKGROUND, _MODEL)
    alone = judge.judge(_CLAIM, _EVIDENCE)
    assert judge.judge(_CLAIM, _EVIDENCE, {"w": _WORSE}) == alone
    assert judge.judge(_CLAIM, _EVIDENCE, {"same": _EVIDENCE}) == alone
    assert judge.judge(_CLAIM, _EVIDENCE, MappingProxyType({})) == alone


def test_of_siblings_that_fit_alike_the_first_is_named():
    judge = Judge(_BACKGROUND, _MODEL)
    judged = judge.judge(_CLAIM, _EVIDENCE, {"first": _BETTER, "second": _BETTER})
    assert judged.better_sibling == "first"


def _log_odds(judgement):
    chance = judgement.topic_probability
    return math.log(chance / (1 - chance))


_SHIPPED = load_judge(None, None)
_TEXTS = st.text(max_size=60) | st.lists(
    st.sampled_from(["Kelp", "rot", "IL-6", "38%", "of", "Ode", "bays."]), max_size=12
).map(" ".join)


@given(_TEXTS, _TEXTS, _TEXTS, _TEXTS, st.booleans())
def test_no_judgement_is_ever_sure(claim, before, title, abstract, is_known):
    known = False if is_known else None
    claim = Claim(claim, before=before, names_cited_author=known)
    sibling = {"k": prepare(abstract, title)}
    judgement = _SHIPPED.judge(claim, prepare(title, abstract), sibling)
    assert 0.0 < judgement.topic_probability < 1.0
    assert 0.0 < concern(judgement) < 1.0
    assert judgement.sibling_margin >= 0.0
    assert bool(judgement.better_sibling) is (judgement.sibling_margin > 0.0)
    if judgement.passage_start is not None:
        assert 0 <= judgement.passage_start < judgement.passage_end <= len(abstract)


def test_a_claim_of_endless_words_is_never_sure():
    text = " ".join(f"kelp{number}" for number in range(2_000))
    assert _SHIPPED.judge(Claim(text), prepare(text, text)).topic_probability < 1.0


def test_concern_halves_an_attribution():
    judgement = _judge(0.2).judge(_CLAIM, _EVIDENCE)
    assert concern(judgement) == _near(0.8)
    assert concern(_judge(0.2).judge(_METHOD, _EVIDENCE)) == _near(0.4)


# Names.


def test_surnames_are_folded_words_of_family_names():
    authors = ["Ode, Tamsin", "Lu Ng", "Holtby-Rae, B", "van der Prell, J", "Müller K"]
    expected = "muller ng ode holtby rae van der prell"
    assert surnames(authors) == frozenset(expected.split())
    assert surnames([]) == frozenset()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ode found kelp", True),
        ("we saw, as Ode, kelp", True),
        ("Ode's group found kelp", True),
        ("Ode’s group found kelp", True),
        ("the O’Brien-Ode rule", True),
        ("the O'Brien rule", True),
        ("(Ode) found kelp", True),
        ("Öde found kelp", True),
        ("an ode to kelp", False),
        ("Odes of kelp", False),
        ("Brien found kelp", False),
        ("", False),
    ],
)
def test_tells_whether_an_author_is_named(text, expected):
    assert names_author(text, {"ode", "obrien"}) is expected
    assert names_author(text, frozenset()) is None
