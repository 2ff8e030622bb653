"""Tests of the output folder: whatever happens, it holds the old run or the new."""

from __future__ import annotations

import errno
import itertools
import json
import os
import shutil
import subprocess
import sys

import pytest

from pipeline.exits import RunFailed, UsageError
from pipeline.output import TABLES, RunFolder

# Publishes a run and is killed before its n-th change to the file system.
_KILLED = """
import os, pathlib, sys
from pipeline.output import RunFolder
from tests.test_output import fill

folder = RunFolder(pathlib.Path(sys.argv[1]), overwrite=True)
folder.begin()
fill(folder, "new")
left = int(sys.argv[2])

def kill(event, arguments):
    global left
    changes = event in ("os.rename", "os.remove", "os.rmdir", "os.mkdir")
    if changes or event == "open" and arguments[2] & os.O_CREAT:
        left -= 1
        if left < 0:
            os._exit(9)

sys.addaudithook(kill)
folder.publish({"run": "new"})
"""


def fill(folder: RunFolder, run: str) -> None:
    """Writes tables as a run does."""
    for table in TABLES:
        (folder.partial / table).mkdir()
        (folder.partial / table / f"{run}.parquet").write_text(run)


def publish(path, run):
    folder = RunFolder(path, overwrite=True)
    folder.begin()
    fill(folder, run)
    folder.publish({"run": run})


def published(path):
    """Returns which run a folder holds, once it is seen to be whole."""
    run = json.loads((path / "manifest.json").read_text())["run"]
    for table in TABLES:
        assert [file.name for file in (path / table).iterdir()] == [f"{run}.parquet"]
    return run


def test_a_run_killed_while_it_is_published_costs_no_run(tmp_path):
    outcomes = []
    for step in itertools.count():
        path = tmp_path / str(step)
        publish(path, "old")
        (path / "notes.txt").write_text("mine")
        killed = subprocess.run([sys.executable, "-c", _KILLED, path, str(step)])
        if killed.returncode == 0:
            break
        assert killed.returncode == 9
        if (path / "manifest.json").exists():
            published(path)
        RunFolder(path, overwrite=True).release()
        outcomes.append(published(path))
        assert (path / "notes.txt").read_text() == "mine"
        assert not (path / ".complete").exists()
    assert outcomes[:2] == ["old", "old"]
    # The manifest, five moves, four old tables with a file each, and the old manifest.
    assert outcomes[2:].count("new") == len(outcomes[2:]) >= 15
    assert published(path) == "new"


def test_what_a_killed_run_completed_is_an_earlier_run(tmp_path):
    publish(tmp_path, "old")
    folder = RunFolder(tmp_path, overwrite=True)
    fill(folder, "new")
    manifest = '{"program": "citation-support", "run": "new"}'
    (folder.partial / "manifest.json").write_text(manifest)
    folder.partial.rename(tmp_path / ".complete")
    folder.release()
    with pytest.raises(UsageError, match="holds an earlier run; add --overwrite"):
        RunFolder(tmp_path, overwrite=False)
    assert published(tmp_path) == "new"
    publish(tmp_path, "newest")
    assert published(tmp_path) == "newest"
    assert sorted(os.listdir(tmp_path)) == sorted([*TABLES, "manifest.json"])


def test_a_full_disk_is_said_in_one_line(tmp_path, monkeypatch):
    publish(tmp_path, "old")
    folder = RunFolder(tmp_path, overwrite=True)
    fill(folder, "new")

    def fail(path, *_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    with monkeypatch.context() as patch:
        patch.setattr(shutil, "rmtree", fail)
        with pytest.raises(RunFailed, match="cannot publish .* No space left"):
            folder.publish({"run": "new"})
    folder.release()
    RunFolder(tmp_path, overwrite=True).release()
    assert published(tmp_path) == "new"
