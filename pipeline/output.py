"""The folder of a run: checked before, filled aside, published at the end.

While a run is under way its tables are in ``.partial``.  Once all of them and the
manifest are complete, that becomes ``.complete`` in one step: before it an earlier run
is still whole, and after it the new one only has to be put in its place, which the
next start does where this one is killed.  ``manifest.json`` is moved last: a folder
with a manifest holds a whole run.
"""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import shutil
from collections.abc import Iterator
from typing import Any

import fasteners

from pipeline.exits import RunFailed, UsageError

TABLES = ("documents", "citations", "works", "references", "failures")
REPORT = "report"
REPORT_DRAFT = ".report"
_MANIFEST = "manifest.json"
_PARTIAL = ".partial"
_COMPLETE = ".complete"
_LOCK = ".lock"
# Says that a folder without manifest is what a killed run of ours left.
_MARK = ".citation-support"
_PROGRAM = "citation-support"


def read_manifest(path: pathlib.Path) -> tuple[dict[str, Any], bytes]:
    """Reads the manifest of a finished run.

    Args:
      path: Folder of the run.

    Returns:
      The manifest, and the bytes that it is written in.

    Raises:
      UsageError: If the folder holds no finished run.
    """
    try:
        written = (path / _MANIFEST).read_bytes()
        manifest = json.loads(written)
    except FileNotFoundError as error:
        raise UsageError(
            f"{path} holds no finished run: it has no {_MANIFEST}; give the --output "
            "of a screening"
        ) from error
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; check the path") from error
    except ValueError as error:
        raise UsageError(
            f"{path / _MANIFEST} is damaged; screen again with --overwrite"
        ) from error
    if not _is_manifest(manifest):
        raise UsageError(
            f"{path / _MANIFEST} is of another program; give a run of ours"
        )
    return manifest, written


@contextlib.contextmanager
def locked(path: pathlib.Path) -> Iterator[None]:
    """Keeps others from writing to the folder of a run.

    Raises:
      UsageError: If another does.
      OSError: If the folder cannot be written to.
    """
    lock = fasteners.InterProcessLock(path / _LOCK)
    if not lock.acquire(blocking=False):
        raise UsageError(f"a run is writing to {path}; wait for it")
    try:
        yield
    finally:
        lock.release()
        (path / _LOCK).unlink(missing_ok=True)


class RunFolder:
    """The output folder of one run.

    Puts a run in its place that was killed while it was published.

    Args:
      path: The folder; made if it does not exist.
      overwrite: Whether an earlier run in it may be replaced.

    Raises:
      UsageError: If the folder holds something that is not ours to replace.
    """

    def __init__(self, path: pathlib.Path, *, overwrite: bool) -> None:
        self.path = path
        self.partial = path / _PARTIAL
        self._complete = path / _COMPLETE
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
            if not self._lock.acquire(blocking=False):
                raise UsageError(
                    f"another run is writing to {path}; wait for it, or choose another "
                    "--output"
                )
            self._put_in_place()
            if (path / _MANIFEST).exists() and not overwrite:
                self.release()
                raise UsageError(_holds_a_run(path))
            (path / _MARK).touch()
            self.partial.mkdir(exist_ok=True)
        except OSError as error:
            raise UsageError(
                f"cannot write to {path}: {error.strerror}; choose another --output"
            ) from error

    def begin(self) -> None:
        """Removes what a killed run left behind."""
        shutil.rmtree(self.partial)
        self.partial.mkdir()

    def release(self) -> None:
        """Lets another run write to the folder."""
        self._lock.release()
        (self.path / _LOCK).unlink(missing_ok=True)

    def publish(self, manifest: dict[str, Any]) -> None:
        """Puts the tables in their place, and the manifest last.

        Raises:
          RunFailed: If a file cannot be written or moved.  An earlier run is untouched,
            or the new one is put in its place at the next start.
        """
        text = json.dumps({"program": _PROGRAM, **manifest}, indent=2)
        try:
            (self.partial / _MANIFEST).write_text(text + "\n", encoding="utf-8")
            self.partial.rename(self._complete)
            self._put_in_place()
            (self.path / _MARK).unlink(missing_ok=True)
        except OSError as error:
            raise RunFailed(
                f"cannot publish in {self.path}: {error.strerror} ({error.filename}); "
                "make it writable, with room for the tables, and run again"
            ) from error
        self.release()

    def _put_in_place(self) -> None:
        """Moves a complete run to its place; begins where it was broken off."""
        if not self._complete.exists():
            return
        if (self._complete / _MANIFEST).exists():
            (self.path / _MANIFEST).unlink(missing_ok=True)
            # It tells of the earlier run.
            _remove(self.path / REPORT)
            for table in TABLES:
                # What has been moved already is not there.
                if (self._complete / table).exists():
                    _remove(self.path / table)
                    (self._complete / table).rename(self.path / table)
            os.replace(self._complete / _MANIFEST, self.path / _MANIFEST)
        shutil.rmtree(self._complete)


def _remove(folder: pathlib.Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)


def _check(path: pathlib.Path, overwrite: bool) -> None:
    """Raises UsageError before anything is written to a folder that is not ours."""
    if not path.exists():
        return
    if not path.is_dir():
        raise UsageError(f"--output {path} is a file; give a folder")
    if _is_ours(path / _COMPLETE / _MANIFEST):
        return
    names = {entry.name for entry in path.iterdir()}
    ours = (
        {_PARTIAL, _COMPLETE, REPORT, REPORT_DRAFT, *TABLES}
        if _MARK in names
        else set()
    )
    if _MANIFEST in names:
        if not _is_ours(path / _MANIFEST):
            raise UsageError(
                f"--output {path} has a {_MANIFEST} of another program; "
                "choose another folder"
            )
        if not overwrite:
            raise UsageError(_holds_a_run(path))
    elif names - {_LOCK, _MARK} - ours:
        raise UsageError(
            f"--output {path} is not empty and holds no run; choose another folder"
        )


def _holds_a_run(path: pathlib.Path) -> str:
    return f"--output {path} holds an earlier run; add --overwrite to replace it"


def _is_ours(manifest: pathlib.Path) -> bool:
    try:
        found = json.loads(manifest.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return _is_manifest(found)


def _is_manifest(found: Any) -> bool:
    return isinstance(found, dict) and found.get("program") == _PROGRAM
