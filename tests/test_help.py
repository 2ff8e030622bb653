"""Tests of help and completion: what a person sees before the first run."""

from __future__ import annotations

import argparse
import subprocess

import pytest

from pipeline.cli import _parser
from pipeline.completion_command import _parsers, script

_PARSERS = dict(_parsers(_parser(), ""))


@pytest.mark.parametrize("place", _PARSERS)
def test_help_fits_a_terminal_and_says_what_everything_is(place, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    parser = _PARSERS[place]
    shown = parser.format_help()
    assert max(map(len, shown.splitlines())) <= 80
    assert parser.description
    for action in parser._actions:
        is_list = isinstance(action, argparse._SubParsersAction)
        assert action.help or is_list, action.dest


@pytest.mark.parametrize(
    "place",
    ["", "screen", "check", "check-references", "report", "compare", "doctor"]
    + ["cache", "text", "completion"],
)
def test_help_has_examples(place):
    assert "citation-support" in _PARSERS[place].epilog


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("citation-support scr", {"screen"}),
        ("citation-support --ver", {"--version"}),
        ("citation-support cache ex", {"export"}),
        ("citation-support cache prune --cache-t", {"--cache-ttl"}),
        ("citation-support screen --max-c", {"--max-citations"}),
        ("citation-support screen x --numbered-citations ", {"skip", "check"}),
        ("citation-support screen --runn", set()),
        # Files are the shell's own.
        ("citation-support screen pap", set()),
        ("citation-support check --cl", {"--claim"}),
    ],
)
def test_bash_completes(line, expected):
    words = line.split(" ")
    listed = " ".join(f"'{word}'" for word in words)
    program = (
        f"{script(_parser())}\nCOMP_WORDS=({listed}); COMP_CWORD={len(words) - 1}\n"
        '_citation_support; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "-c", program],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    assert set(done.stdout.split()) == expected
