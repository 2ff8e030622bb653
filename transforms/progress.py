"""How far a run is, told by every process that works on it.

Each process counts into a small file of its own, in one folder, and whoever wants to
know adds them up.  Nothing depends on it: where the folder cannot be written, or is on
another machine, less is known and all else goes on.
"""

from __future__ import annotations

import contextlib
import enum
import functools
import os
import pathlib
import struct
import tempfile
import threading
import time
from collections import Counter
from typing import IO, Final, Protocol


class Step(enum.StrEnum):
    """What is counted."""

    READ = "read"
    UNREADABLE = "unreadable"
    EXTRACTED = "extracted"
    SELECTED = "selected"
    LISTED = "listed"
    ASKED = "asked"
    FROM_CACHE = "from_cache"
    FROM_INDEX = "from_index"
    UNANSWERED = "unanswered"
    WAITING = "waiting"
    VERIFIED = "verified"
    ASSESSED = "assessed"


class Progress(Protocol):
    """Takes note of what is done.  May be called from several threads."""

    def add(self, step: Step, number: int = 1) -> None:
        """Counts ``number`` more of something; less, if it is negative."""


class _NoProgress:
    """Takes no note."""

    def add(self, step: Step, number: int = 1) -> None:
        """Does nothing."""


NO_PROGRESS: Final = _NoProgress()


def sleep(progress: Progress, seconds: float) -> None:
    """Sleeps, and counts as waiting meanwhile."""
    progress.add(Step.WAITING)
    time.sleep(seconds)
    progress.add(Step.WAITING, -1)


class ProgressFolder:
    """Counts into files of a folder, and adds up what all processes counted.

    Can be pickled.

    Args:
      path: The folder, which exists; it holds nothing else.
    """

    def __init__(self, path: pathlib.Path) -> None:
        self._path = str(path)

    def add(self, step: Step, number: int = 1) -> None:
        """Counts ``number`` more of something; less, if it is negative."""
        if number:
            _counts_file(self._path).add(step, number)

    def totals(self) -> Counter[Step]:
        """Returns the counts of all processes together."""
        totals: Counter[Step] = Counter()
        # Whatever cannot be read counts as nothing.
        with contextlib.suppress(OSError):
            for entry in pathlib.Path(self._path).iterdir():
                with contextlib.suppress(OSError, struct.error):
                    counts = _COUNTS.unpack(entry.read_bytes())
                    totals.update(dict(zip(Step, counts, strict=True)))
        return totals


_COUNTS = struct.Struct(f"<{len(Step)}q")


class _CountsFile:
    """The counts of this process, in a file of its own."""

    def __init__(self, folder: str) -> None:
        self._lock = threading.Lock()
        self._counts = dict.fromkeys(Step, 0)
        self._file: IO[bytes] | None = None
        with contextlib.suppress(OSError):
            handle, _ = tempfile.mkstemp(dir=folder)
            self._file = os.fdopen(handle, "wb", buffering=0)

    def add(self, step: Step, number: int) -> None:
        if self._file is None:
            return
        with self._lock:
            self._counts[step] += number
            written = _COUNTS.pack(*self._counts.values())
            # A full disk must not cost a run.
            with contextlib.suppress(OSError):
                os.pwrite(self._file.fileno(), written, 0)


# One, because the stages of a process hold copies of the folder.
@functools.lru_cache(maxsize=1)
def _counts_file(folder: str) -> _CountsFile:
    return _CountsFile(folder)
