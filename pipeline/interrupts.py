"""Ends a run at the first Ctrl-C, without what others would say of it."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import threading
from collections.abc import Iterator
from types import FrameType

from pipeline.exits import EXIT_FAILED

INTERRUPTED = "interrupted; the same command starts over"

_ending = threading.Event()


def is_ending() -> bool:
    """Whether Ctrl-C was pressed: then what fails, fails because of it."""
    return _ending.is_set()


@contextlib.contextmanager
def heeded() -> Iterator[None]:
    """Raises ``KeyboardInterrupt`` in the body; a second Ctrl-C ends the process.

    Where Ctrl-C is ignored, as in a background job, or is somebody else's, nothing is
    changed.
    """
    is_ours = (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )
    if not is_ours:
        yield
        return
    signal.signal(signal.SIGINT, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _interrupt(number: int, frame: FrameType | None) -> None:
    if _ending.is_set():
        os.write(2, f"citation-support: error: {INTERRUPTED}\n".encode())
        os._exit(EXIT_FAILED)
    _ending.set()
    # Of the workers that end, Beam tells at length.
    logging.disable(logging.CRITICAL)
    signal.default_int_handler(number, frame)
