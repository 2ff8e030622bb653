"""Bounds the time that one document may take."""

from __future__ import annotations

import ctypes
import threading
import time

_raise_in_thread = ctypes.pythonapi.PyThreadState_SetAsyncExc


class DocumentTimeout(Exception):
    """A document that took longer than it may."""

    # What the failures table calls it.
    failure_name = "timeout"

    def __init__(self, *arguments: object) -> None:
        # Raised by class in another thread, and so without a message of its own.
        super().__init__(*arguments or ("took longer than --document-timeout allows",))


class TimeLimit:
    """Raises ``DocumentTimeout`` in a ``with`` body that takes too long.

    The body is interrupted between two steps of Python code; one long call into C
    is interrupted when it returns.  One object serves one body at a time, on any
    thread; a single thread of its own watches all its bodies.

    Args:
      seconds: The limit; 0 for none.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._ends_at: float | None = None
        self._thread = 0
        if seconds:
            threading.Thread(target=self._watch, daemon=True).start()

    def __enter__(self) -> None:
        if self._seconds:
            with self._lock:
                self._thread = threading.get_ident()
                self._ends_at = time.monotonic() + self._seconds

    def __exit__(self, *_: object) -> None:
        if self._seconds:
            with self._lock:
                self._ends_at = None

    def _watch(self) -> None:
        while True:
            time.sleep(min(0.5, self._seconds / 4))
            with self._lock:
                if self._ends_at is not None and time.monotonic() >= self._ends_at:
                    # Again and again until the body ends: raised within a finaliser,
                    # an exception is lost.
                    _raise_in_thread(
                        ctypes.c_ulong(self._thread), ctypes.py_object(DocumentTimeout)
                    )
