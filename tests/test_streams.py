"""Tests that what cannot be printed fails no run."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.screening import SAMPLE, manifest
from tests.stand_in.works import write_json_lines
from transforms.records import Work

_WORK = Work(source="papers", paper_id="p1", title="Vinegar rinsing of kelp")
_PRINTS = """
import sys
from pipeline import streams
streams.forgive()
for _ in range(1000):
    print("Øde and α " * 100)
print("told", file=sys.stderr)
reason = streams.lost_output()
print("lost:", reason, file=sys.stderr)
sys.exit(3)
"""
_PIPE = '"$@" | true; echo ${PIPESTATUS[0]}'
_FULL = '"$@" >/dev/full; echo $?'


def _run(arguments, shell):
    """Runs Python as part of a line of shell; returns its code and its errors."""
    command = [sys.executable, *map(str, arguments)]
    done = subprocess.run(
        ["bash", "-c", shell, "bash", *command], capture_output=True, text=True
    )
    *_, code = done.stdout.split()
    return int(code), done.stderr


@pytest.mark.parametrize(
    ("shell", "error"),
    [
        (_PIPE, "told\nlost: \n"),
        (_FULL, "told\nlost: No space left on device\n"),
        ('"$@" >&-; echo $?', "told\nlost: \n"),
        ('"$@" >/dev/null 2>&-; echo $?', ""),
        ('"$@" >/dev/null 2>/dev/full; echo $?', ""),
        ('"$@" >/dev/full 2>&1; echo $?', ""),
        ('PYTHONIOENCODING=ascii "$@" >/dev/null; echo $?', "told\nlost: \n"),
    ],
)
def test_what_cannot_be_printed_changes_no_exit_code(shell, error):
    assert _run(["-c", _PRINTS], shell) == (3, error)


def test_a_run_that_cannot_be_told_is_published(tmp_path):
    (tmp_path / "empty.txt").touch()
    papers = write_json_lines(tmp_path / "papers.jsonl", [_WORK])
    screen = (
        *("-m", "pipeline", "screen", tmp_path / "empty.txt", "--papers", papers),
        *("--cache", tmp_path / "cache", "--workers", "1", "--max-failed-share", "0"),
    )
    assert _run([*screen, "--output", tmp_path / "piped"], _PIPE) == (3, "")
    assert _run([*screen, "--output", tmp_path / "full"], _FULL) == (
        3,
        "citation-support: warning: not all could be printed: No space left on "
        "device\n",
    )
    for output in ("piped", "full"):
        assert manifest(tmp_path / output)["status"] == "incomplete"


def test_a_text_that_cannot_be_printed_is_an_error():
    assert _run(["-m", "pipeline", "text", SAMPLE / "README.md"], _FULL) == (
        1,
        "citation-support: error: the text cannot be printed: No space left on "
        "device\n",
    )
