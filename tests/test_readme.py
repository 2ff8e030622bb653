"""Tests that the README says what is."""

from __future__ import annotations

import argparse
import pathlib
import re

import pytest

from pipeline import screen_command
from pipeline.output import TABLES
from transforms import tables

_ROOT = pathlib.Path(__file__).parent.parent
_README = (_ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("table", TABLES)
def test_every_column_is_documented(table):
    section = _README.split(f"### `{table}/`")[1].split("\n##")[0]
    documented = re.findall(
        r"^\| `(\w+)` \| `(.+?)` \| (.+) \|$", section, re.MULTILINE
    )
    assert documented == tables.describe(getattr(tables, table.upper()))


def test_every_flag_is_documented():
    parser = argparse.ArgumentParser()
    command = screen_command.add_to(parser.add_subparsers())
    shown = re.findall(r"--[a-z-]+", command.format_help())
    for flag in set(shown) - {"--help", "--runner", "--temp"}:
        assert f"`{flag}" in _README, flag


def test_every_make_target_exists():
    makefile = (_ROOT / "Makefile").read_text(encoding="utf-8")
    for target in set(re.findall(r"make ([\w-]+)", _README)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_continuous_integration_runs_the_commands_of_the_readme():
    script = (_ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for command in ("make test", "make run", "make lint"):
        assert command in _README and command in script
