"""Bounds the time that one answer may take as a whole.

A time-out of ``requests`` bounds each wait for data only: a server that sends a byte
every few seconds would keep a request alive for ever.
"""

from __future__ import annotations

import contextlib
import socket
import threading
import types
from typing import Any

import requests
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.response import HTTPResponse

_of_thread = threading.local()


class AnswerTooSlow(requests.RequestException):
    """An answer that was not there in time."""


class Deadline:
    """Hangs up on an answer that is received in its ``with`` body and not in time.

    The body must send one request, on the thread that entered it, through a session
    with a ``PunctualAdapter``.  It ends with ``AnswerTooSlow`` where time ran out,
    whatever came by then: headers or a body that are cut may look whole.

    Args:
      seconds: Time for connecting, headers and body together, > 0.
    """

    def __init__(self, seconds: float) -> None:
        self._timer = threading.Timer(seconds, self._hang_up)
        self._timer.daemon = True
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._is_over = False

    def __enter__(self) -> None:
        _of_thread.deadline = self
        self._timer.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: types.TracebackType | None,
    ) -> None:
        self._timer.cancel()
        _of_thread.deadline = None
        if self._is_over and (error is None or isinstance(error, Exception)):
            raise AnswerTooSlow from None

    def watch(self, connected: socket.socket | None) -> None:
        """Takes the connection that the answer will come through.

        Raises:
          AnswerTooSlow: If time has run out already.
        """
        with self._lock:
            self._socket = connected
            if self._is_over:
                raise AnswerTooSlow

    def _hang_up(self) -> None:
        with self._lock:
            self._is_over = True
            if self._socket is not None:
                # Whoever reads from it is woken, and finds the end of the data.
                with contextlib.suppress(OSError):
                    self._socket.shutdown(socket.SHUT_RDWR)


class PunctualAdapter(HTTPAdapter):
    """Shows each connection to the deadline of the thread that reads from it."""

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        """Makes the pools of direct connections."""
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = _POOLS

    def proxy_manager_for(self, proxy: str, **kwargs: Any) -> Any:
        """Makes the pools of connections through a proxy."""
        manager = super().proxy_manager_for(proxy, **kwargs)
        # SOCKS has connections of its own.
        if not proxy.lower().startswith("socks"):
            manager.pool_classes_by_scheme = _POOLS
        return manager


class _Connection(HTTPConnection):
    def getresponse(self) -> HTTPResponse:  # type: ignore[override]
        _show(self.sock)
        return super().getresponse()


class _SecureConnection(HTTPSConnection):
    def getresponse(self) -> HTTPResponse:  # type: ignore[override]
        _show(self.sock)
        return super().getresponse()


class _Pool(HTTPConnectionPool):
    ConnectionCls = _Connection


class _SecurePool(HTTPSConnectionPool):
    ConnectionCls = _SecureConnection


_POOLS = {"http": _Pool, "https": _SecurePool}


def _show(connected: socket.socket | None) -> None:
    deadline: Deadline | None = getattr(_of_thread, "deadline", None)
    if deadline is not None:
        deadline.watch(connected)
