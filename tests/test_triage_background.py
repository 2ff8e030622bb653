"""Tests of the background of common words, and of the files that triage uses."""

import gzip
import math
import random

import hypothesis.strategies as st
import pytest
from hypothesis import given

from tests.screening import SAMPLE, run, screen_sample
from transforms.score_coverage.stems import stem
from transforms.score_coverage.triage.background import (
    PASSAGE_WORDS,
    Background,
    BackgroundError,
    count_passages,
    read_table,
    shipped_background,
    write_table,
)
from transforms.score_coverage.triage.files import (
    TriageFileError,
    load_background,
    load_judge,
)
from transforms.score_coverage.triage.model import shipped_model
from transforms.score_coverage.triage.words import american

_TABLE = "# Kelp.\n#passages\t10\nthe\t10\nkelp\t4\n"
_BACKGROUND = Background(10, {"the": 10, "kelp": 4})


# How rare words are.


@pytest.mark.parametrize(
    ("word", "idf"),
    [("the", 0.0), ("kelp", math.log(11 / 5)), ("quill", math.log(11))],
)
def test_idf(word, idf):
    assert _BACKGROUND.idf(word) == idf


@pytest.mark.parametrize(
    ("count", "words", "chance"),
    [
        (0, 110, 0.005),
        (45, 110, 0.05),
        (945, 110, 0.95),
        (1000, 110, 0.95),
        (45, 0, 0.0),
        (45, 220, 1 - 0.95**2),
        (45, 55, 1 - 0.95**0.5),
    ],
)
def test_chance(count, words, chance):
    background = Background(1000, {"kelp": count})
    assert background.chance("kelp", words) == pytest.approx(chance, abs=1e-15)


_COUNTS = st.integers(0, 1000)
_SIZES = st.integers(1, 600)


@given(_COUNTS, _COUNTS, _SIZES, _SIZES)
def test_chance_grows_with_the_count_and_the_size(count, other, size, larger):
    background = Background(
        1000, {"rare": min(count, other), "often": max(count, other)}
    )
    small, large = min(size, larger), max(size, larger)
    rare, often = (background.chance(word, small) for word in ("rare", "often"))
    assert 0.0 < rare <= often < 1.0
    assert often <= background.chance("often", large) < 1.0
    assert background.idf("rare") >= background.idf("often") >= 0.0


def test_chance_of_a_book_is_no_more_than_one():
    assert _BACKGROUND.chance("the", 10**9) == 1.0


# Counting.


def test_counts_each_word_once_a_passage():
    texts = ["kelp kelp rots", "", "Kelp sings"]
    assert count_passages(texts, 10) == Background(2, {"kelp": 2, "rot": 1, "sing": 1})


def test_passages_are_of_some_words_and_within_one_text():
    texts = ["kelp " * PASSAGE_WORDS + "rots", "rots " * (2 * PASSAGE_WORDS)]
    assert count_passages(texts, 10) == Background(4, {"rot": 3, "kelp": 1})


def test_keeps_the_most_frequent_words_and_ties_by_spelling():
    texts = ["urchin kelp", "kelp", "quill ash"]
    assert list(count_passages(texts, 3).counts) == ["kelp", "ash", "quill"]


@pytest.mark.parametrize("texts", [[], ["", " \n"]])
def test_nothing_to_count_is_an_error(texts):
    with pytest.raises(BackgroundError, match="no text to count"):
        count_passages(texts, 10)


def test_counts_do_not_depend_on_the_order_of_texts():
    texts = [f"kelp{number % 7} rots in bay{number % 3}" for number in range(50)]
    shuffled = random.Random(0).sample(texts, len(texts))
    counts = [list(count_passages(t, 9).counts.items()) for t in (texts, shuffled)]
    assert counts[0] == counts[1]


# The table as text.


def test_writes_a_table():
    assert write_table(_BACKGROUND, "Kelp.") == _TABLE


def test_an_origin_of_several_lines_is_comments():
    origin = "Kelp.\n\n#passages\t3\nrot\t4"
    text = write_table(_BACKGROUND, origin)
    assert text.splitlines()[:4] == ["# Kelp.", "# ", "# #passages\t3", "# rot\t4"]
    assert read_table(text) == _BACKGROUND


_WORDS = st.text(
    st.characters(categories=["Ll", "Lo", "Nd"], include_characters="."), min_size=1
)


@given(st.integers(1, 10**6), st.dictionaries(_WORDS, st.integers(0, 10**6)))
def test_reads_what_it_writes(more, counts):
    background = Background(max(counts.values(), default=0) + more, counts)
    read = read_table(write_table(background, "origin"))
    assert read == background
    assert list(read.counts) == list(counts)


def test_reads_what_it_counted():
    background = count_passages(["β-catenin of 1,200 naïve 40% kelp-beds"], 99)
    assert read_table(write_table(background, "")) == background


@pytest.mark.parametrize("text", [_TABLE.replace("\n", "\r\n"), f"\n{_TABLE}\n\n"])
def test_blank_lines_and_windows_lines_are_read(text):
    assert read_table(text) == _BACKGROUND


_WRONG_TABLES = {
    "empty": ("", "no line '#passages'"),
    "no passages": ("kelp\t1\n", "no line '#passages'"),
    "no passages at all": ("#passages\t0\n", "no line '#passages'"),
    "fewer passages than a count": ("#passages\t3\nkelp\t4\n", "fewer passages"),
    "no tab": ("#passages\t3\nkelp 4\n", "line 2 is not a word, a tab and a count"),
    "no word": ("#passages\t3\n\t4\n", "line 2 is"),
    "no count": ("#passages\t3\nkelp\t\n", "line 2 is"),
    "word for a count": ("# Kelp.\n#passages\tmany\n", "line 2 is"),
    "negative": ("#passages\t3\nkelp\t-1\n", "line 2 is"),
    "fraction": ("#passages\t3\nkelp\t1.5\n", "line 2 is"),
    "two counts": ("#passages\t3\nkelp\t1\t2\n", "line 2 is"),
    "endless count": ("#passages\t3\nkelp\t" + "9" * 5000, "line 2 is"),
    "JSON": ('{"kelp": 4}\n', "line 1 is"),
}


@pytest.mark.parametrize(("text", "wrong"), _WRONG_TABLES.values(), ids=_WRONG_TABLES)
def test_what_is_no_table_is_an_error(text, wrong):
    with pytest.raises(BackgroundError, match=wrong):
        read_table(text)


# The shipped table.


def test_the_shipped_table_is_what_its_head_says():
    path = "transforms/score_coverage/data/background.tsv.gz"
    packed = (SAMPLE.parent / path).read_bytes()
    head = gzip.decompress(packed).decode("utf-8").partition("#passages")[0]
    background = shipped_background()
    assert f"{background.passages:,} passages of open-access" in head
    assert f"about {PASSAGE_WORDS} words" in head
    # British spellings were added to the American ones, and left the table.
    assert 9_900 < len(background.counts) <= 10_000
    counts = list(background.counts.values())
    assert min(counts) > 0 and max(counts) < background.passages
    assert max(background.counts, key=background.counts.__getitem__) == "the"
    assert all(american(word) == word for word in background.counts)


def test_words_are_looked_up_as_the_shipped_table_spells_them():
    for word in (
        *("pairwise", "stepwise", "clockwise", "unsupervised", "signalling", "tumours"),
        *("randomised", "centred", "protein", "analyses", "haemoglobin", "il6"),
    ):
        assert stem(american(word)) in shipped_background().counts, word


def test_the_shipped_table_is_loaded_once():
    assert shipped_background() is shipped_background()


# The files of the user.


def test_no_file_stands_for_the_shipped_ones():
    judge = load_judge(None, None)
    assert judge.background is shipped_background()
    assert judge.model is shipped_model()


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_loads_a_table(tmp_path, pack):
    path = tmp_path / "counts"
    path.write_bytes(pack(_TABLE.encode()))
    assert load_background(path) == _BACKGROUND


_WRONG_FILES = {
    "missing": None,
    "no table": b"kelp",
    "not UTF-8": b"#passages\t3\nk\xe9lp\t1\n",
    "cut off": gzip.compress(_TABLE.encode() * 99)[:-20],
    "damaged": gzip.compress(b"")[:10] + b"\xff" * 20,
    "no gzip": b"\x1f\x8b kelp",
    "packed twice": gzip.compress(gzip.compress(_TABLE.encode())),
    "folder": "folder",
}


@pytest.mark.parametrize("content", _WRONG_FILES.values(), ids=_WRONG_FILES)
def test_a_table_that_cannot_be_used_is_a_usage_error(tmp_path, capfd, content):
    path = tmp_path / "counts"
    if content == "folder":
        path.mkdir()
    elif content is not None:
        path.write_bytes(content)
    with pytest.raises(TriageFileError, match="make one with build-background"):
        load_background(path)
    assert screen_sample(tmp_path / "run", "--background", path) == 2
    said = capfd.readouterr().err.strip()
    assert said.count("\n") == 0
    assert f"--background {path}: " in said


@pytest.mark.parametrize("name", ["counts.tsv", "counts.tsv.gz"])
def test_build_background_writes_a_table_that_can_be_loaded(tmp_path, capfd, name):
    (tmp_path / "a.txt").write_text("Kelp rots. Kelp sings.")
    (tmp_path / "b.txt").write_text("Kelp rots. " * PASSAGE_WORDS)
    output = tmp_path / name
    inputs = (tmp_path / "a.txt", tmp_path / "b.txt")
    assert run("build-background", *inputs, "--output", output, "--max-words", 2) == 0
    assert "2 words of 3 passages in 2 documents" in capfd.readouterr().out
    assert load_background(output) == Background(3, {"kelp": 3, "rot": 3})
    before = output.read_bytes()
    assert run("build-background", *inputs, "--output", output, "--max-words", 2) == 0
    assert output.read_bytes() == before


def test_build_background_says_what_is_wrong(tmp_path, capfd):
    output = tmp_path / "counts.tsv"
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "a.txt").write_text("Kelp rots.")
    for arguments, wrong in (
        ((tmp_path / "none.txt", "--output", output), "none.txt"),
        ((tmp_path / "empty.txt", "--output", output), "no text to count"),
        ((tmp_path / "a.txt", "--output", tmp_path / "no" / "file"), "No such file"),
        ((tmp_path / "a.txt", "--output", output, "--max-words", 0), "--max-words"),
    ):
        assert run("build-background", *arguments) == 2
        said = capfd.readouterr().err.strip()
        assert wrong in said
        assert said.count("\n") == 0
    assert not output.exists()
