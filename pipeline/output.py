"""The folder of a run: checked before, filled aside, published at the end.

While a run is under way its tables are in ``.partial``.  Only when all of them
are complete do they take their place, and ``manifest.json`` comes last: a folder
with a manifest holds a whole run, and a killed run leaves none.
"""

from __future__ import annotations

import json
import os
import pathlib
import shutil
from typing import Any

import fasteners

from pipeline.exits import UsageError

TABLES = ("documents", "citations", "works", "failures")
_MANIFEST = "manifest.json"
_PARTIAL = ".partial"
_LOCK = ".lock"
# Says that a folder without manifest is what a killed run of ours left.
_MARK = ".citation-support"
_PROGRAM = "citation-support"


class RunFolder:
    """The output folder of one run.

    Args:
      path: The folder; made if it does not exist.
      overwrite: Whether an earlier run in it may be replaced.

    Raises:
      UsageError: If the folder holds something that is not ours to replace.
    """

    def __init__(self, path: pathlib.Path, *, overwrite: bool) -> None:
        self.path = path
        self.partial = path / _PARTIAL
        try:
            _check(path, overwrite)
        except OSError as error:
            raise UsageError(
                f"--output {path}: {error.strerror}; choose another folder"
            ) from error
        # Held until the process ends, however it ends.
        self._lock = fasteners.InterProcessLock(path / _LOCK)
        try:
            path.mkdir(parents=True, exist_ok=True)
            is_ours = self._lock.acquire(blocking=False)
            (path / _MARK).touch()
            self.partial.mkdir(exist_ok=True)
        except OSError as error:
            raise UsageError(
                f"cannot write to {path}: {error.strerror}; choose another --output"
            ) from error
        if not is_ours:
            raise UsageError(
                f"another run is writing to {path}; wait for it, or choose another "
                "--output"
            )

    def begin(self) -> None:
        """Removes what a killed run left behind."""
        shutil.rmtree(self.partial)
        self.partial.mkdir()

    def release(self) -> None:
        """Lets another run write to the folder."""
        self._lock.release()
        (self.path / _LOCK).unlink(missing_ok=True)

    def publish(self, manifest: dict[str, Any]) -> None:
        """Puts the tables in their place, and the manifest last."""
        (self.path / _MANIFEST).unlink(missing_ok=True)
        for table in TABLES:
            shutil.rmtree(self.path / table, ignore_errors=True)
            (self.partial / table).rename(self.path / table)
        draft = self.partial / _MANIFEST
        text = json.dumps({"program": _PROGRAM, **manifest}, indent=2)
        draft.write_text(text + "\n", encoding="utf-8")
        os.replace(draft, self.path / _MANIFEST)
        shutil.rmtree(self.partial)
        (self.path / _MARK).unlink(missing_ok=True)
        self.release()


def _check(path: pathlib.Path, overwrite: bool) -> None:
    if not path.exists():
        return
    if not path.is_dir():
        raise UsageError(f"--output {path} is a file; give a folder")
    names = {entry.name for entry in path.iterdir()}
    if _MANIFEST in names:
        if not _is_ours(path / _MANIFEST):
            raise UsageError(
                f"--output {path} has a {_MANIFEST} of another program; "
                "choose another folder"
            )
        if not overwrite:
            raise UsageError(
                f"--output {path} holds an earlier run; add --overwrite to replace it"
            )
    elif names - {_LOCK, _MARK, *((_PARTIAL, *TABLES) if _MARK in names else ())}:
        raise UsageError(
            f"--output {path} is not empty and holds no run; choose another folder"
        )


def _is_ours(manifest: pathlib.Path) -> bool:
    try:
        found = json.loads(manifest.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(found, dict) and found.get("program") == _PROGRAM
