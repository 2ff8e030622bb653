"""Runs what the README shows: queries, programs and the nightly run."""

from __future__ import annotations

import contextlib
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys

import duckdb
import pytest

from tests.screening import REPOSITORY, SAMPLE, manifest, run, screen_sample

_README = (REPOSITORY / "README.md").read_text(encoding="utf-8")


def _blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", _README, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A folder with the runs that the README speaks of."""
    folder = tmp_path_factory.mktemp("readme")
    arguments = ("--workers", 1, "--no-report", "--quiet")
    (folder / "results").mkdir()
    for name, more in (("sample", ()), ("tuesday", ("--max-citations", 2))):
        output = folder / "results" / name
        assert screen_sample(output, *arguments, *more) == 0
    shutil.copytree(folder / "results" / "sample", folder / "results" / "monday")
    return folder


@pytest.mark.parametrize("number", range(len(_blocks("sql"))))
def test_queries_find_something(runs, monkeypatch, number):
    monkeypatch.chdir(runs)
    found = duckdb.sql(_blocks("sql")[number]).fetchall()
    assert found
    if "support_rate" in _blocks("sql")[number]:
        by_journal = {journal: rate for journal, rate, *_ in found}
        assert None in by_journal and len(by_journal) > 1
        assert all(0 <= rate <= 1 for rate in by_journal.values())


@pytest.mark.parametrize("number", range(len(_blocks("python"))))
def test_programs_run_and_print(runs, monkeypatch, number):
    monkeypatch.chdir(runs)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(_blocks("python")[number], "README.md", "exec"), {})
    assert "support_rate" in printed.getvalue()
    assert "doc_id" in printed.getvalue() or "title" in printed.getvalue()


def test_query_languages_agree(runs, monkeypatch):
    monkeypatch.chdir(runs)
    rates = duckdb.sql(_blocks("sql")[0]).fetchall()
    found = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(_blocks("python")[0], "README.md", "exec"), found)
    by_journal = found["by_journal"]["support_rate"].to_dict()
    for journal, rate, *_ in rates:
        if journal:
            assert by_journal[journal] == pytest.approx(rate)


def test_the_nightly_run_works_as_cron_runs_it(tmp_path, monkeypatch):
    (tmp_path / "results").mkdir()
    shutil.copytree(SAMPLE / "manuscripts", tmp_path / "submissions")
    (config,) = _blocks("toml")
    config = config.replace("/srv/desk", str(tmp_path))
    config = config.replace('"semantic-scholar,crossref"', '"papers"')
    config += f'papers = ["{SAMPLE}/papers.parquet"]\nworkers = 1\nreport = false\n'
    config += f'cache = "{tmp_path}/cache/c.sqlite"\n'
    (tmp_path / "nightly.toml").write_text(config)
    (table,) = _blocks("cron")
    command = table.splitlines()[-1].split(" ", 5)[5].replace("\\%", "%")
    program = pathlib.Path(sys.executable).parent / "citation-support"
    command = command.replace(
        "/opt/citation-support/.venv/bin/citation-support", str(program)
    ).replace("/srv/desk", str(tmp_path))
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        cwd="/",
        env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "SHELL": "/bin/sh"},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    (output,) = (tmp_path / "results").iterdir()
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", output.name)
    assert manifest(output)["options"]["max_citations"] == 0


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd here")
def test_units_are_well_formed(tmp_path):
    paths = []
    for block in _blocks("ini"):
        path = tmp_path / block.splitlines()[0].removeprefix("# ")
        path.write_text(block)
        paths.append(path)
    assert [path.suffix for path in paths] == [".service", ".timer"]
    done = subprocess.run(
        ["systemd-analyze", "verify", *paths],
        capture_output=True,
        text=True,
        env={**os.environ, "SYSTEMD_LOG_LEVEL": "warning"},
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_compare_is_as_the_readme_says(runs, monkeypatch):
    monkeypatch.chdir(runs)
    (arguments,) = re.findall(r"^    citation-support (compare .+)$", _README, re.M)
    assert run(*arguments.split()) == 4
