"""Tests of the configuration file."""

from __future__ import annotations

import pytest

from tests.screening import SAMPLE, manifest, run

_NIGHTLY = f"""
inputs = ["{SAMPLE}/manuscripts/too-short.txt"]
papers = "{SAMPLE}/papers.parquet"
max-citations = 3
rate = 2
offline = true
quiet = true
index_url = ["crossref=http://localhost:1"]
workers = 1
report = false
"""


@pytest.fixture
def config(tmp_path):
    """Writes a configuration file."""

    def write(text):
        path = tmp_path / "nightly.toml"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    return write


def test_flags_win_over_the_file(tmp_path, config, capfd):
    arguments = ("screen", "--config", config(_NIGHTLY), "--cache", tmp_path / "cache")
    assert run(*arguments, "--output", tmp_path / "a") == 0
    assert capfd.readouterr().out == ""
    options = manifest(tmp_path / "a")["options"]
    assert options["inputs"] == [f"{SAMPLE}/manuscripts/too-short.txt"]
    assert (options["max_citations"], options["rate"]) == (3, 2.0)
    assert (options["offline"], options["index"]) == (True, ["papers"])
    assert options["index_urls"] == [["crossref", "http://localhost:1"]]
    assert options["min_words"] == 200
    flags = ("--max-citations", 0, "--no-offline", "--no-quiet")
    other = SAMPLE / "manuscripts" / "no-citations.txt"
    assert run(*arguments, other, "--output", tmp_path / "b", *flags) == 0
    options = manifest(tmp_path / "b")["options"]
    assert options["inputs"] == [str(other)]
    assert (options["max_citations"], options["offline"]) == (0, False)
    assert "Tables: " in capfd.readouterr().out


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("max-citation = 3", "max-citation; did you mean max-citations?"),
        ("runner = 'FlinkRunner'", "runner"),
        ("config = 'other.toml'", "config"),
        ("max-citations = 2.5", "max-citations = 2.5"),
        ("max-citations = '3'", "is a number"),
        ("max-citations = true", "is a number"),
        ("mailto = 3", "is text"),
        ("offline = 'yes'", "is true or false"),
        ("numbered-citations = 'maybe'", "skip, check"),
        ("index-url = ['crossref']", "NAME=URL"),
        ("papers = [3]", "is text"),
        ("mailto", "correct the file"),
        (b"mailto = '\xff'", "correct the file"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(tmp_path, config, capfd, text, named):
    path = config(text)
    output = ("--output", tmp_path / "run")
    assert run("screen", SAMPLE / "manuscripts", "--config", path, *output) == 2
    error = capfd.readouterr().err
    assert error.count("\n") == 1
    assert str(path) in error and named in error
    assert not (tmp_path / "run").exists()


def test_a_missing_file_is_named(tmp_path, capfd):
    assert run("screen", "x", "--config", tmp_path / "none.toml") == 2
    assert "none.toml" in capfd.readouterr().err
