"""Tests of the ``evaluate`` and ``fit`` commands and of what they measure with."""

from __future__ import annotations

import dataclasses
import json
import math
import random
import sys
from types import MappingProxyType

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from pipeline.evaluation.support.fitting import Targets, fit
from pipeline.evaluation.support.judging import METHODS, claim_of, sample, score
from pipeline.evaluation.support.measure import measure
from pipeline.evaluation.support.metrics import (
    Interval,
    Sample,
    auroc,
    false_low_rate,
    with_intervals,
)
from pipeline.evaluation.support.pairs import Pair, read_pairs
from pipeline.evaluation.support.printing import as_data, changes, print_measured
from pipeline.evaluation.support.swaps import (
    is_training,
    random_swaps,
    same_document_swaps,
)
from pipeline.exits import UsageError
from tests.golden_documents import golden_rows
from tests.labelled_pairs import PAIRS, labelled_pairs
from tests.screening import SAMPLE, rows, run
from transforms.records import Triage
from transforms.score_coverage.triage.background import shipped_background
from transforms.score_coverage.triage.files import load_judge, load_model

_JUDGE = load_judge(None, None)
_ROW = {
    "id": "p1",
    "claim": "Kelp rots in bays (Ode, 2001).",
    "title": "Kelp farms",
    "abstract": "Kelp rots in warm bays.",
}


def _write(path, written):
    """Writes rows as JSON Lines or Parquet."""
    if path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(written), path)
    else:
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in written)
        path.write_text("".join(lines), encoding="utf-8")
    return path


@pytest.fixture(params=["pairs.jsonl", "pairs.parquet"])
def file(request, tmp_path):
    """A file of either type, to be written."""
    return tmp_path / request.param


def _read(file, *written):
    return read_pairs(_write(file, written))


# Pairs.


def test_reads_a_pair_with_as_little_as_it_may_have(file):
    assert _read(file, _ROW) == [
        Pair(
            pair_id="p1",
            claim=_ROW["claim"],
            target=(30, 30),
            clause=(0, 30),
            claim_unmarked="Kelp rots in bays.",
            previous="",
            section="",
            title="Kelp farms",
            abstract="Kelp rots in warm bays.",
            authors=(),
            label="unlabelled",
            worth=None,
            is_swapped=False,
            group="p1",
            work="Kelp farms",
        )
    ]


def test_reads_a_pair_with_everything(file):
    row = {
        **_ROW,
        "label": "Supported",
        "worth_a_minute": False,
        "previous": "Bays warm (Ng, 2002).",
        "section": "Results",
        "marker": "Ode, 2001",
        "group": "d",
        "work": "w",
        "authors": ["Ode, Bo", "Ng, Lu"],
        "origin": "swapped",
    }
    (pair,) = _read(file, row)
    assert pair.claim[slice(*pair.target)] == "Ode, 2001"
    assert (pair.label, pair.worth, pair.is_swapped) == ("supported", False, True)
    assert (pair.previous, pair.section) == ("Bays warm.", "Results")
    assert (pair.group, pair.work, pair.authors) == ("d", "w", ("Ode, Bo", "Ng, Lu"))


_ALIASES = {
    "previous": [("previous", "Bays."), ("previous_sentence", "Bays.")],
    "group": [("group", "d"), ("citing_doi", "10.1/d"), ("doc_id", "d.txt")],
    "work": [
        *(("work", "w"), ("cited_doi", "10.1/w"), ("cited_pmcid", "PMC1")),
        ("s2_corpus_id", 77),
    ],
}


@pytest.mark.parametrize(
    ("name", "alias", "value"),
    [(name, *alias) for name, aliases in _ALIASES.items() for alias in aliases],
)
def test_a_column_may_have_other_names(file, name, alias, value):
    (pair,) = _read(file, {**_ROW, alias: value})
    assert getattr(pair, name) == str(value)


@pytest.mark.parametrize("name", ["group", "work"])
def test_of_two_names_the_first_counts(file, name):
    aliases = {alias: str(n) for n, (alias, _) in enumerate(_ALIASES[name])}
    (pair,) = _read(file, {**_ROW, **aliases})
    assert getattr(pair, name) == "0"
    (pair,) = _read(file, {**_ROW, **aliases, name: ""})
    assert getattr(pair, name) == "1"


def test_an_id_may_be_a_number(file):
    assert [pair.pair_id for pair in _read(file, {**_ROW, "id": 7})] == ["7"]


_LABELS = {
    "none": ({}, "unlabelled"),
    "label": ({"label": "IRRELEVANT"}, "irrelevant"),
    "readers agree": ({"reader_1": "Wrong", "reader_2": "wrong"}, "wrong"),
    "readers differ": ({"reader_1": "wrong", "reader_2": "supported"}, "disputed"),
    "one reader": ({"reader_1": "wrong", "reader_2": None}, "unlabelled"),
    "label counts more": (
        {"label": "own", "reader_1": "wrong", "reader_2": "wrong"},
        "own",
    ),
}


@pytest.mark.parametrize(("columns", "label"), _LABELS.values(), ids=_LABELS)
def test_labels(file, columns, label):
    assert _read(file, {**_ROW, **columns})[0].label == label


_WORTHS = {
    "nobody": ({}, None),
    "null": ({"worth_a_minute": None}, None),
    "yes": ({"worth_a_minute": True}, True),
    "no": ({"worth_a_minute": False}, False),
    "number": ({"worth_a_minute": 1}, True),
    "both": ({"worth_a_minute_1": True, "worth_a_minute_2": True}, True),
    "one of two": ({"worth_a_minute_1": True, "worth_a_minute_2": False}, False),
    "only one": ({"worth_a_minute_1": True}, None),
    "together": (
        *(
            {
                "worth_a_minute": False,
                "worth_a_minute_1": True,
                "worth_a_minute_2": True,
            },
        ),
        False,
    ),
}


@pytest.mark.parametrize(("columns", "worth"), _WORTHS.values(), ids=_WORTHS)
def test_worth_a_minute(file, columns, worth):
    assert _read(file, {**_ROW, **columns})[0].worth is worth


@pytest.mark.parametrize(
    ("columns", "is_right"),
    [
        *(({"label": label}, True) for label in ("supported", "SUPPORTS", "own")),
        *(({"label": label}, True) for label in ("cited_unverified", "right")),
        *(({"label": label}, False) for label in ("not_supported", "", "irrelevant")),
        ({"label": "supported", "origin": "swapped"}, False),
        ({"label": "supported", "origin": "published"}, True),
        ({"label": "wrong", "worth_a_minute": True}, True),
        ({"label": "wrong", "worth_a_minute": True, "origin": "swapped"}, False),
    ],
)
def test_which_works_are_the_ones_cited(tmp_path, columns, is_right):
    (pair,) = _read(tmp_path / "pairs.jsonl", {**_ROW, **columns})
    assert pair.is_right is is_right


_MARKERS = {
    "printed": ("Kelp rots (Ode, 2001).", "", "", "Kelp rots."),
    "marker": ("Kelp rots (Ode, 2001).", "(Ode, 2001)", "(Ode, 2001)", "Kelp rots."),
    "odd marker": ("Kelp rots [see 7a].", "[see 7a]", "[see 7a]", "Kelp rots."),
    "marker not in it": ("Kelp rots.", "(Ng, 1999)", "", "Kelp rots."),
    "first of two": (
        *("It rots (Ode, 2001) and sings (Ode, 2001).", "(Ode, 2001)"),
        *("(Ode, 2001)", "It rots and sings."),
    ),
    "sign": ("Kelp rots ⟦T⟧ and sings ⟦O⟧.", "", "⟦T⟧", "Kelp rots and sings."),
    "sign first": ("⟦O⟧ Kelp rots ⟦T⟧.", "rots", "⟦T⟧", "Kelp rots."),
    "word": ("Kelp rots CITED but OTHER sang.", "", "CITED", "Kelp rots but sang."),
    "words": ("Kelp rots CITED+OTHERS.", "", "CITED+OTHERS", "Kelp rots."),
    "tag": (
        *("Kelp rots <|cit|> as <|other_cit|> says.", ""),
        *("<|cit|>", "Kelp rots as says."),
    ),
    "tag of several": ("It rots <|multi_cit|>.", "", "<|multi_cit|>", "It rots."),
    "signs and printed": ("It rots ⟦T⟧ (Ng, 2002).", "", "⟦T⟧", "It rots."),
}


@pytest.mark.parametrize(
    ("claim", "marker", "target", "unmarked"), _MARKERS.values(), ids=_MARKERS
)
def test_markers(file, claim, marker, target, unmarked):
    (pair,) = _read(file, {**_ROW, "claim": claim, "marker": marker})
    assert claim[slice(*pair.target)] == target
    assert pair.claim_unmarked == unmarked
    assert claim[slice(*pair.clause)].strip() in claim


def test_a_clause_is_what_its_citation_closes(file):
    claim = "Kelp rots in warm bays ⟦O⟧, but urchins graze it in cold ones ⟦T⟧."
    (pair,) = _read(file, {**_ROW, "claim": claim, "previous": "It fell ⟦O⟧."})
    assert "urchins" in claim[slice(*pair.clause)]
    assert "rots" not in claim[slice(*pair.clause)]
    assert pair.previous == "It fell."


_WRONG_ROWS = {
    **{
        f"no {name}": (
            {key: _ROW[key] for key in _ROW if key != name},
            f"has no {name}",
        )
        for name in _ROW
    },
    "null": ({**_ROW, "title": None}, "has no title; a pair needs id, claim, title"),
    "number for text": ({**_ROW, "abstract": 7}, "has no abstract"),
    "repeated": (_ROW, "repeats the id 'p0'"),
    "authors as text": ({**_ROW, "authors": "Ode, Bo"}, "give a list of names"),
    "authors as numbers": ({**_ROW, "authors": [1]}, "give a list of names"),
    "worth as text": ({**_ROW, "worth_a_minute": "no"}, "worth_a_minute other than"),
    "worth by readers": ({**_ROW, "worth_a_minute_2": 3}, "worth_a_minute_2 other"),
}


@pytest.mark.parametrize(("row", "wrong"), _WRONG_ROWS.values(), ids=_WRONG_ROWS)
def test_a_wrong_row_is_named(tmp_path, row, wrong):
    for name in ("pairs.jsonl", "pairs.parquet"):
        given = {**row, "id": "p0"} if "repeats" in wrong else row
        first = {**dict.fromkeys(given), **_ROW, "id": "p0"}
        if name.endswith("parquet"):
            if given.get("abstract") == 7:
                continue
            _write(tmp_path / name, [given])
            number = 1
            if "repeats" in wrong:
                _write(tmp_path / name, [given, given])
                number = 2
        else:
            _write(tmp_path / name, [first, given])
            number = 2
        with pytest.raises(UsageError) as caught:
            read_pairs(tmp_path / name)
        said = str(caught.value)
        assert said.startswith(f"{tmp_path / name}: row {number} "), said
        assert wrong in said
        assert "\n" not in said


_WRONG_FILES = {
    "empty.jsonl": (b"\n\n", "no pairs in it"),
    "bad.jsonl": (b'\n{"id": 1\n', "line 2: not JSON"),
    "deep.jsonl": (b"[" * 100_000, "line 1: not JSON"),
    "list.jsonl": (b"[1]\n", "line 1: not a JSON object"),
    "latin.jsonl": (b'{"id": "caf\xe9"}\n', "not UTF-8; give JSON Lines or Parquet"),
    "text.parquet": (b"Kelp", "no readable Parquet file"),
    "none.parquet": (b"", "no readable Parquet file"),
    "gone.jsonl": (None, "No such file"),
    "gone.parquet": (None, "gone.parquet"),
}


@pytest.mark.parametrize("name", _WRONG_FILES)
def test_a_wrong_file_is_named(tmp_path, capfd, name):
    content, wrong = _WRONG_FILES[name]
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    for command in (["evaluate"], ["fit", "--output", tmp_path / "model"]):
        assert run(*command, path) == 2
        said = capfd.readouterr().err.strip()
        assert str(path) in said
        assert wrong in said
        assert said.count("\n") == 0


def test_half_an_escape_is_no_obstacle(tmp_path):
    path = tmp_path / "pairs.jsonl"
    path.write_text(json.dumps({**_ROW, "id": "\ud800", "work": "w\udfff"}) + "\n")
    (pair,) = read_pairs(path)
    assert pair.pair_id == "\\ud800"
    assert is_training(pair) in (True, False)


# Swaps.


def _pair(number, group, work, claim="", **changes):
    claim = claim or f"Claim {number} of kelp."
    pair = Pair(
        pair_id=f"p{number}",
        claim=claim,
        target=(len(claim), len(claim)),
        clause=(0, len(claim)),
        claim_unmarked=claim,
        previous="",
        section="",
        title=f"Title {work}",
        abstract="Kelp rots in bays.",
        authors=(),
        label="supported",
        worth=None,
        is_swapped=False,
        group=group,
        work=work,
    )
    return dataclasses.replace(pair, **changes)


_PAIRS = [_pair(n, f"d{n % 5}", f"w{n % 7}") for n in range(30)]


def test_random_swaps_are_of_another_document_and_work():
    swaps = list(random_swaps(_PAIRS, 0))
    assert len(swaps) == 5 * len(_PAIRS)
    assert all(one.work != other.work for one, other in swaps)
    assert all(one.group != other.group for one, other in swaps)
    assert [one for one, _ in swaps] == [pair for pair in _PAIRS for _ in range(5)]


def test_random_swaps_depend_on_the_seed_alone():
    assert list(random_swaps(_PAIRS, 0)) == list(random_swaps(_PAIRS, 0))
    assert list(random_swaps(_PAIRS, 0)) != list(random_swaps(_PAIRS, 1))
    assert len(list(random_swaps(_PAIRS, 0, rounds=2))) == 2 * len(_PAIRS)
    # Fixed, so that measurements can be compared from one machine to the next.
    first = [other.pair_id for _, other in random_swaps(_PAIRS, 0)][:5]
    assert first == ["p13", "p13", "p2", "p6", "p18"]


@pytest.mark.parametrize(
    "pairs",
    [
        [],
        [_pair(1, "d", "w")],
        [_pair(1, "d", "w1"), _pair(2, "d", "w2")],
        [_pair(1, "d1", "w"), _pair(2, "d2", "w")],
    ],
    ids=["none", "one", "one document", "one work"],
)
def test_where_nothing_else_is_cited_nothing_is_swapped(pairs):
    assert list(random_swaps(pairs, 0)) == []


def test_same_document_swaps_are_of_another_work_and_sentence():
    pairs = [
        _pair(1, "d", "w1", "Kelp rots."),
        _pair(2, "d", "w2", "Kelp rots."),
        _pair(3, "d", "w3", "Kelp sings."),
        _pair(4, "d", "w1", "Kelp sings."),
        _pair(5, "e", "w4", "Kelp rots."),
    ]
    swaps = [(one.pair_id, other.work) for one, other in same_document_swaps(pairs)]
    assert swaps == [("p1", "w3"), ("p2", "w3"), ("p3", "w2"), ("p4", "w2")]


def test_a_work_is_of_one_half():
    halves = {}
    for pair in _PAIRS:
        halves.setdefault(pair.work, set()).add(is_training(pair))
    assert all(len(half) == 1 for half in halves.values())
    share = [is_training(_pair(n, "d", f"w{n}")) for n in range(400)].count(True)
    assert 160 < share < 240


# Measures.

_SCORES = st.lists(
    st.tuples(st.sampled_from([0.0, 0.1, 0.2, 0.5, 1.0]), st.integers(0, 3)),
    min_size=1,
    max_size=12,
)


def _arrays(*columns):
    return [np.array(column, dtype=float) for column in columns]


@given(_SCORES, _SCORES)
def test_auroc_counts_pairs(right, wrong):
    won = total = 0.0
    for score_, weight in right:
        for other, other_weight in wrong:
            pairs = weight * other_weight
            won += pairs * (score_ > other) + pairs * (score_ == other) / 2
            total += pairs
    (rights, right_w), (wrongs, wrong_w) = (
        zip(*right, strict=True),
        zip(*wrong, strict=True),
    )
    measured = auroc(*_arrays(rights, wrongs, right_w, wrong_w))
    if total:
        assert measured == pytest.approx(won / total)
    else:
        assert math.isnan(measured)


@given(_SCORES, _SCORES, st.sampled_from([0.9, 0.95, 0.5]))
def test_false_low_rate_is_that_of_repeated_scores(right, wrong, share):
    rights, wrongs = (
        [score_ for score_, weight in side for _ in range(weight)]
        for side in (right, wrong)
    )
    (one, one_w), (other, other_w) = zip(*right, strict=True), zip(*wrong, strict=True)
    measured = false_low_rate(share)(*_arrays(one, other, one_w, other_w))
    if not rights or not wrongs:
        assert math.isnan(measured)
        return
    caught = next(
        limit
        for limit in sorted(wrongs)
        if sum(score_ <= limit for score_ in wrongs) >= share * len(wrongs)
    )
    lost = sum(score_ <= caught for score_ in rights)
    assert measured == pytest.approx(lost / len(rights))


def test_fl90_by_hand():
    wrong = [0.1 * n for n in range(10)]
    right = [0.05, 0.75, 0.8, 0.81, 0.95]
    ones = np.ones(5), np.ones(10)
    # Nine of ten swaps score 0.8 or less; so do three of five citations.
    assert false_low_rate(0.9)(*_arrays(right, wrong), *ones) == 3 / 5
    assert false_low_rate(0.95)(*_arrays(right, wrong), *ones) == 4 / 5
    assert false_low_rate(0.1)(*_arrays(right, wrong), *ones) == 0.0


def _sample(seed, shift, size=40):
    generator = random.Random(seed)
    base = [generator.random() + shift for _ in range(size)]
    scores = {
        "first": np.array(base),
        "same": np.array(base) * 2,
        "worse": np.array([value - shift for value in base]),
    }
    return Sample(scores, tuple(f"d{n % 8}" for n in range(size)))


def test_intervals_hold_the_value_and_depend_on_the_seed_alone():
    right, wrong = _sample(1, 0.4), _sample(2, 0.0)
    found = with_intervals(auroc, right, wrong, 0)
    assert list(found) == ["first", "same", "worse", "same - first", "worse - first"]
    for interval in found.values():
        assert interval.low <= interval.value <= interval.high
    ones = np.ones(40), np.ones(40)
    value = auroc(right.scores["first"], wrong.scores["first"], *ones)
    assert found["first"].value == value
    assert with_intervals(auroc, right, wrong, 0) == found
    other = with_intervals(auroc, right, wrong, 1)
    assert other["first"].value == value
    assert other["first"] != found["first"]


def test_differences_are_paired():
    found = with_intervals(auroc, _sample(1, 0.4), _sample(2, 0.0), 0)
    # Twice the score ranks alike in every draw.
    assert found["same - first"] == Interval(0.0, 0.0, 0.0)
    worse = found["worse - first"]
    assert worse.value == found["worse"].value - found["first"].value
    assert worse.high < 0.0
    widths = [found[name].high - found[name].low for name in ("first", "worse")]
    assert worse.high - worse.low < sum(widths)


def test_draws_without_either_side_are_left_out():
    right = Sample({"m": np.array([1.0])}, ("a",))
    wrong = Sample({"m": np.array([0.0])}, ("b",))
    assert with_intervals(auroc, right, wrong, 0) == {"m": Interval(1.0, 1.0, 1.0)}
    nothing = Sample({"m": np.array([])}, ())
    found = with_intervals(auroc, right, nothing, 0)["m"]
    assert all(map(math.isnan, dataclasses.astuple(found)))


# Judging pairs.


def test_a_pair_is_judged_as_a_run_judges_its_citation():
    golden = {row["id"]: row for row in labelled_pairs()}
    pairs = read_pairs(PAIRS)
    assert [pair.pair_id for pair in pairs] == list(golden)
    scored = [score(_JUDGE, pair, pair, {}) for pair in pairs]
    for item in scored:
        assert item.alone == item.triage
        assert item.grade is not None
        assert 0.0 <= item.coverage <= 1.0
    measured = sample(scored)
    assert tuple(measured.scores) == METHODS
    assert measured.clusters == tuple(pair.group for pair in pairs)


def test_a_claim_is_held_against_the_authors_of_the_other_work():
    claimed = _pair(1, "d", "w", "Ode rinsed kelp.", section="Methods")
    cited = _pair(2, "d", "v", authors=("Ode, Bo",))
    claim = claim_of(claimed, cited)
    assert (claim.text, claim.names) == ("Ode rinsed kelp.", {"ode"})
    assert (claim.names_cited_author, claim.is_method) == (True, True)
    assert claim_of(claimed, claimed).names_cited_author is None


def test_the_cited_work_is_no_sibling_of_itself():
    pair, other = _PAIRS[0], _pair(99, "d0", "w99", title="Kelp claims")
    alone = score(_JUDGE, pair, pair, {pair.work: pair})
    assert alone.triage == alone.alone
    judged = score(_JUDGE, pair, pair, {pair.work: pair, "w99": other})
    assert judged.triage.better_sibling == "w99"
    assert judged.alone == alone.alone


# Measuring.


@pytest.fixture(scope="module")
def measured():
    """The labelled pairs of the sample corpus, measured."""
    return measure(read_pairs(PAIRS), _JUDGE, 0, lambda pair: True)


def test_measures_the_sample_corpus(measured):
    assert measured.pairs == len(measured.items) == 78
    assert list(measured.grades) == [
        *("own", "random swap", "same-document swap", "not_supported", "supported")
    ]
    assert measured.grades["own"]["pairs"] == 70
    for shares in measured.grades.values():
        for kinds in (("strong", "partial", "low"), tuple(Triage)):
            assert sum(shares[kind] for kind in kinds) == pytest.approx(1.0)
    own = measured.contrasts["own | random swap"]
    assert list(own) == ["AUROC", "FL90", "FL95"]
    assert own["AUROC"]["triage"].value > 0.95
    assert list(measured.contrasts["own | same-document swap"]) == ["AUROC"]
    assert measured.flags == {}
    assert sum(row["pairs"] for row in measured.reliability) == 70 + 350
    assert measured.reliability[-1]["own"] > 0.9


class _Recorder:
    """A judge that keeps the titles of the siblings that it is given."""

    def __init__(self):
        self.siblings = []

    def judge(self, claim, evidence, siblings=MappingProxyType({})):
        titles = [words.sentences[0] for words in siblings.values()]
        self.siblings.append((claim.text, titles))
        return _JUDGE.judge(claim, evidence)


def test_the_work_that_a_swap_hides_is_no_sibling():
    recorder = _Recorder()
    measure(_PAIRS, recorder, 0, lambda pair: True)
    own = {pair.claim_unmarked: pair.title for pair in _PAIRS}
    assert max(len(titles) for _, titles in recorder.siblings) > 3
    assert all(own[claim] not in titles for claim, titles in recorder.siblings)


def test_a_label_does_not_take_the_place_of_own_citations():
    labels = ("own", "supported", "random swap")
    pairs = [
        dataclasses.replace(pair, label=labels[number % 3])
        for number, pair in enumerate(_PAIRS)
    ]
    grades = measure(pairs, _JUDGE, 0, lambda pair: True).grades
    assert grades["own"]["pairs"] == 20
    assert grades["random swap"]["pairs"] == 100
    assert grades["supported"]["pairs"] == 10


def test_flags_are_held_against_what_readers_say():
    pairs = [
        dataclasses.replace(pair, worth=number % 3 == 0, label="wrong")
        for number, pair in enumerate(_PAIRS)
    ]
    flags = measure(pairs, _JUDGE, 0, lambda pair: True).flags
    assert (flags["worth a minute"], flags["labels"]) == (10, {"wrong": 30})
    assert sum(flags[triage.value]["pairs"] for triage in Triage) == 30
    assert sum(flags[triage.value]["recall"] for triage in Triage) == pytest.approx(1)
    found = sum(
        flags[triage.value]["pairs"] * flags[triage.value]["precision"]
        for triage in Triage
        if flags[triage.value]["pairs"]
    )
    assert found == pytest.approx(10)


def test_few_pairs_measure_nothing_but_shares():
    few = measure(_PAIRS[:9], _JUDGE, 0, lambda pair: True)
    assert few.contrasts == {}
    none = measure(_PAIRS, _JUDGE, 0, lambda pair: False)
    assert (none.pairs, none.grades, none.reliability) == (0, {}, [])


# Printing.


def _printed(measured, name="kelp"):
    console = Console(width=200, markup=False, emoji=False, record=True, quiet=False)
    with console.capture() as captured:
        print_measured(console, name, measured)
    return captured.get()


def test_prints_every_table(measured):
    printed = _printed(measured)
    assert "kelp: 78 pairs" in printed
    for header in ("contrast", "share of", "topic probability"):
        assert header in printed
    assert "precision" not in printed
    assert "order - literal" in printed


def test_prints_labels_as_they_are():
    pairs = [
        dataclasses.replace(pair, worth=number < 9, label="[/wrong] :kelp: [b]")
        for number, pair in enumerate(_PAIRS)
    ]
    printed = _printed(measure(pairs, _JUDGE, 0, lambda pair: True), "a[b]c")
    assert "a[b]c: 30 pairs" in printed
    assert printed.count("[/wrong] :kelp: [b]") == 2
    assert "precision" in printed


def test_plain_data_has_null_for_what_is_not_known(measured):
    pairs = [dataclasses.replace(pair, worth=n < 9) for n, pair in enumerate(_PAIRS)]
    found = measure(pairs, _JUDGE, 0, lambda pair: True)
    assert any(math.isnan(found.flags[triage.value]["precision"]) for triage in Triage)
    data = as_data({"kelp": found, "sample": measured})
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert data["kelp"]["items"]["p1"] == {
        "label": "supported",
        "is_right": True,
        "worth_a_minute": True,
        "coverage": found.items["p1"].coverage,
        "grade": found.items["p1"].grade.value,
        "topic_probability": found.items["p1"].triage.topic_probability,
        "triage": found.items["p1"].triage.triage.value,
    }


def _one(triage, **changes):
    """Returns measurements of one pair that is judged so."""
    pair = _pair(1, "d", "w", **changes)
    item = score(_JUDGE, pair, pair, {})
    judged = dataclasses.replace(item.triage, triage=triage)
    found = measure([pair], _JUDGE, 0, lambda pair: True)
    items = {"p1": dataclasses.replace(item, triage=judged)}
    return {"kelp": dataclasses.replace(found, items=items)}


_OFF, _ON = Triage.OFF_TOPIC, Triage.ON_TOPIC
_CHANGES = {
    "right, no longer flagged": ("off_topic", _ON, {}, "gained"),
    "right, now flagged": ("on_topic", _OFF, {}, "lost"),
    "wrong, now flagged": ("unclear", _OFF, {"label": "wrong"}, "gained"),
    "wrong, no longer flagged": ("off_topic", _ON, {"label": "wrong"}, "lost"),
    "swapped, now flagged": ("unclear", _OFF, {"is_swapped": True}, "gained"),
    "worth it, now flagged": ("unclear", _OFF, {"worth": True}, "gained"),
    "not worth it, now flagged": ("unclear", _OFF, {"worth": False}, "lost"),
    "still flagged": ("off_topic", _OFF, {}, None),
    "never flagged": ("on_topic", Triage.UNCLEAR, {}, None),
}


@pytest.mark.parametrize(
    ("was", "now", "pair", "change"), _CHANGES.values(), ids=_CHANGES
)
def test_changes(was, now, pair, change):
    lines = list(changes({"kelp": {"p1": was}}, _one(now, **pair)))
    label = pair.get("label", "supported")
    detail = [f"    p1 ({label}): {was} -> {now.value}"]
    assert lines == [
        f"kelp: {int(change == 'gained')} gained",
        *(detail if change == "gained" else []),
        f"kelp: {int(change == 'lost')} lost",
        *(detail if change == "lost" else []),
    ]


@pytest.mark.parametrize("before", [{}, {"kelp": {}}, {"other": {"p1": "on_topic"}}])
def test_what_is_new_has_not_changed(before):
    assert list(changes(before, _one(_OFF))) == ["kelp: 0 gained", "kelp: 0 lost"]


# The commands.


def _few_pairs(tmp_path):
    """Writes the pairs of three documents of the sample corpus."""
    groups = ("estuary-misattributed.md", "SUB-0117", "seagrass-replanting.txt")
    few = [row for row in labelled_pairs() if row["group"] in groups]
    assert len(few) == 22
    return _write(tmp_path / "few.jsonl", few)


def test_evaluate_prints_and_writes_everything(tmp_path, capfd):
    pairs, output = _few_pairs(tmp_path), tmp_path / "measured.json"
    assert run("evaluate", pairs, "--json", output) == 0
    first = capfd.readouterr().out
    assert "few: 22 pairs" in first
    assert "order - literal" in first
    data = json.loads(output.read_text(), parse_constant=pytest.fail)
    assert data["few"]["pairs"] == len(data["few"]["items"]) == 22
    items = data["few"]["items"]
    flagged = next(k for k, item in items.items() if item["triage"] == "off_topic")
    on_topic = next(k for k, item in items.items() if item["is_right"])
    items[flagged]["triage"] = "unclear"
    items[on_topic]["triage"] = "off_topic"
    output.write_text(json.dumps(data))
    assert run("evaluate", pairs, "--baseline", output) == 0
    assert capfd.readouterr().out == first + (
        "few: 2 gained\n"
        + "".join(
            sorted(
                [
                    f"    {flagged} (not_supported): unclear -> off_topic\n",
                    f"    {on_topic} (supported): off_topic -> on_topic\n",
                ]
            )
        )
        + "few: 0 lost\n"
    )


def test_evaluate_measures_a_part(tmp_path, capfd):
    pairs, counts = _few_pairs(tmp_path), {}
    for part in ("training", "held", "all"):
        output = tmp_path / f"{part}.json"
        assert run("evaluate", pairs, "--part", part, "--json", output) == 0
        counts[part] = json.loads(output.read_text())["few"]["pairs"]
    assert counts["training"] + counts["held"] == counts["all"] == 22
    assert min(counts.values()) > 5
    capfd.readouterr()


def test_evaluate_takes_several_data_sets(tmp_path, capfd):
    first, second = (
        _write(tmp_path / name, labelled_pairs()[:12])
        for name in ("a.jsonl", "b.parquet")
    )
    assert run("evaluate", first, second) == 0
    out = capfd.readouterr().out
    assert out.index("a: 12 pairs") < out.index("b: 12 pairs")
    twin = tmp_path / "a.parquet"
    _write(twin, labelled_pairs()[:12])
    assert run("evaluate", first, twin) == 2
    assert "two files of one name" in capfd.readouterr().err


_WRONG_ARGUMENTS = {
    "part": (["--part", "some"], "--part"),
    "seed": (["--seed", "kelp"], "--seed"),
    "background": (["--background", "FILE"], "--background"),
    "model": (["--triage-model", "FILE"], "make one with citation-support fit"),
    "baseline": (["--baseline", "FILE"], "make one with --json"),
    "no baseline": (["--baseline", "NONE"], "No such file"),
    "output": (["--json", "NONE/file"], "No such file"),
}


@pytest.mark.parametrize(
    ("arguments", "wrong"), _WRONG_ARGUMENTS.values(), ids=_WRONG_ARGUMENTS
)
def test_evaluate_says_what_is_wrong(tmp_path, capfd, arguments, wrong):
    (tmp_path / "FILE").write_text("kelp")
    data = _write(tmp_path / "few.jsonl", labelled_pairs()[:2])
    flag, value = arguments
    if value.startswith(("FILE", "NONE")):
        value = tmp_path / value
    assert run("evaluate", data, flag, value) == 2
    said = capfd.readouterr().err.strip()
    assert wrong in said
    assert said.count("\n") == 0


@pytest.mark.parametrize(
    "baseline",
    ["[]", "7", '{"few": 7}', '{"few": {"items": []}}', '{"few": {"items": {"p": 1}}}'],
)
def test_a_baseline_is_a_measurement(tmp_path, capfd, baseline):
    (tmp_path / "before.json").write_text(baseline)
    data = _write(tmp_path / "few.jsonl", labelled_pairs()[:2])
    assert run("evaluate", data, "--baseline", tmp_path / "before.json") == 2
    said = capfd.readouterr().err.strip()
    assert said.endswith("before.json: not a measurement; make one with --json")


def test_fit_writes_a_model_that_screen_takes(tmp_path, capfd):
    model, again = tmp_path / "model.json", tmp_path / "again.json"
    assert run("fit", PAIRS, "--output", model) == 0
    assert f"{model}: off topic up to " in capfd.readouterr().out
    fitted = load_model(model)
    assert fitted.provenance["seed"] == 0
    assert fitted.provenance["data"] == {
        "labelled_pairs": {"pairs": 78, "right_pairs_trained_on": 38}
    }
    assert fitted.provenance["targets"] == dataclasses.asdict(Targets())
    assert run("fit", PAIRS, "--output", again) == 0
    assert again.read_bytes() == model.read_bytes()
    output = tmp_path / "run"
    assert (
        run(
            *("screen", SAMPLE / "manuscripts" / "estuary-misattributed.md"),
            *("--papers", SAMPLE / "papers.parquet", "--offline", "--workers", 1),
            *("--output", output, "--cache", tmp_path / "cache"),
            *("--triage-model", model, "--no-report"),
        )
        == 0
    )
    odds = {
        row["citation_id"]: row["topic_probability"]
        for row in rows(output, "citations")
        if row["triage"]
    }
    shipped = {row["citation_id"]: row for row in golden_rows("citations")}
    assert len(odds) == 8
    assert all(odds[key] != shipped[key]["topic_probability"] for key in odds)


def test_a_fit_tells_right_from_wrong():
    pairs = read_pairs(PAIRS)
    model = fit({"sample": pairs}, shipped_background(), 0, Targets())
    judge = dataclasses.replace(_JUDGE, model=model)
    held = measure(pairs, judge, 0, lambda pair: not is_training(pair))
    assert held.contrasts["own | random swap"]["AUROC"]["alone"].value > 0.95
    assert held.grades["own"]["on_topic"] > 0.8
    assert held.grades["random swap"]["on_topic"] < 0.1


def _rows_of_one(column):
    return [{**row, column: "the same"} for row in labelled_pairs()]


_NO_FITS = {
    "too few": (labelled_pairs()[:20], [], "rightly cited pairs to train on"),
    "one document": (_rows_of_one("group"), [], "no swaps to train on"),
    "nothing caught": (labelled_pairs(), ["--caught", "0"], "--caught must be between"),
    "all passed": (labelled_pairs(), ["--passed", "1"], "--passed must be between"),
    "targets cross": (
        *(labelled_pairs(), ["--caught", "0.5", "--passed", "0.9"]),
        "the fit is of no use: thresholds must rise",
    ),
}


@pytest.mark.parametrize(
    ("written", "arguments", "wrong"), _NO_FITS.values(), ids=_NO_FITS
)
def test_fit_says_what_is_wrong(tmp_path, capfd, written, arguments, wrong):
    output = tmp_path / "model.json"
    data = _write(tmp_path / "pairs.jsonl", written)
    assert run("fit", data, "--output", output, *arguments) == 2
    said = capfd.readouterr().err.strip()
    assert wrong in said
    assert said.count("\n") == 0
    assert not output.exists()


def test_fit_needs_an_output(tmp_path, capfd):
    assert run("fit", PAIRS) == 2
    assert "--output" in capfd.readouterr().err
    assert run("fit", PAIRS, "--output", tmp_path / "no" / "model.json") == 2
    assert "No such file or directory" in capfd.readouterr().err


def test_fit_says_that_scikit_learn_is_missing(tmp_path, capfd, monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.linear_model", None)
    assert run("fit", PAIRS, "--output", tmp_path / "model.json") == 2
    said = capfd.readouterr().err.strip()
    assert "pip install 'citation-support[fit]'" in said
    assert said.count("\n") == 0
