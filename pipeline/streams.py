"""Standard streams that fail nothing: what was done stays done if it cannot be told."""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import Any


def forgive() -> None:
    """Replaces standard output and error by streams that never raise.

    After a first error, what is written is dropped.  Characters that the encoding
    lacks are escaped.  Streams that have been replaced already are left alone.
    """
    for name, number in (("stdout", 1), ("stderr", 2)):
        stream = getattr(sys, name)
        if stream is None:
            # Closed; without this, the next file would get its number.
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115
        elif stream is getattr(sys, f"__{name}__"):
            stream.flush()
            setattr(sys, name, _forgiving(stream, number))


def lost_output() -> str:
    """Returns why standard output was not written in full, or ``""``.

    That nobody reads on, as of ``| head``, is no reason.
    """
    sys.stdout.flush()
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    error = raw.error if isinstance(raw, _Forgiving) else None
    if error is None or error.errno == errno.EPIPE:
        return ""
    return error.strerror or type(error).__name__


def flush() -> None:
    """Writes what is held back; to be called before a process ends at once."""
    sys.stdout.flush()
    sys.stderr.flush()


class _Forgiving(io.FileIO):
    """Drops what is written after a first error, which it keeps."""

    error: OSError | None = None

    def write(self, data: Any, /) -> int:
        if self.error is None:
            try:
                return super().write(data)
            except OSError as error:
                self.error = error
        return len(data)


def _forgiving(stream: io.TextIOWrapper, number: int) -> io.TextIOWrapper:
    return io.TextIOWrapper(
        io.BufferedWriter(_Forgiving(number, "w", closefd=False)),
        encoding=stream.encoding,
        errors="backslashreplace",
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )
