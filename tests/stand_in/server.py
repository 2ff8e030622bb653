"""The server: connections, faults and the request log."""

from __future__ import annotations

import contextlib
import dataclasses
import http.server
import io
import json
import socket
import threading
import time
import types
import urllib.parse
from collections.abc import Mapping
from typing import IO, Any, Protocol

_DRIP_SECONDS = 0.05


@dataclasses.dataclass(frozen=True, slots=True)
class LoggedRequest:
    """A request as it arrived.

    Attributes:
      method: ``GET`` or ``POST``.
      path: Decoded path without query.
      query: Parameters, the last of each name.
      headers: Headers by lower-case name.
      body: JSON value of the body, or None.
      time: Wall-clock time of arrival, seconds.
    """

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: Any
    time: float


@dataclasses.dataclass(frozen=True, slots=True)
class Response:
    """An answer.

    Attributes:
      status: HTTP status.
      body: Bytes of the body.
      headers: Headers besides length and type.
      content_type: Media type.
    """

    status: int
    body: bytes
    headers: Mapping[str, str] = dataclasses.field(default_factory=dict)
    content_type: str = "application/json"

    @classmethod
    def json(cls, value: Any, status: int = 200) -> Response:
        """Makes a JSON answer, with the line end that the real services send."""
        return cls(status, json.dumps(value).encode() + b"\n")


@dataclasses.dataclass(frozen=True, slots=True)
class Fault:
    """What goes wrong with one request; parts left out are as they would be.

    Attributes:
      status: Status in place of the right one; with the body of no content unless
        ``body`` is given.
      body: Body in place of the right one.
      headers: Further headers.
      content_type: Media type of ``body``.
      delay_seconds: Wait before the answer.
      closes: Whether the connection is reset without an answer.
      is_cut: Whether only half of the body is sent.
      drips: What is sent a byte at a time, with a pause after each: ``"headers"``,
        ``"body"``, or ``""`` for neither.
      has_length: Whether the length of the body is said; if not, it ends with the
        connection.
    """

    status: int | None = None
    body: bytes | None = None
    headers: Mapping[str, str] = dataclasses.field(default_factory=dict)
    content_type: str = "application/json"
    delay_seconds: float = 0.0
    closes: bool = False
    is_cut: bool = False
    drips: str = ""
    has_length: bool = True


class Service(Protocol):
    """One of the services that a stand-in offers."""

    prefix: str

    def answer(self, request: LoggedRequest) -> Response:
        """Answers a request whose path begins with ``prefix``."""


class StandIn:
    """Serves on a free port of the loopback interface while its context is open.

    Args:
      services: What it offers, told apart by the prefix of the path.
    """

    def __init__(self, *services: Service) -> None:
        self.requests: list[LoggedRequest] = []
        self._services = services
        self._faults: list[tuple[str, Fault]] = []
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.stand_in = self
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> StandIn:
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.01,), daemon=True
        )
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: types.TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def fail(self, *faults: Fault, times: int = 1, path: str = "") -> None:
        """Queues faults for the next requests.

        Args:
          faults: What happens, one a request, in order.
          times: How often the whole sequence is queued.
          path: Only requests whose path contains this are meant.
        """
        with self._lock:
            self._faults += [(path, fault) for fault in faults] * times

    def heal(self) -> None:
        """Drops the faults that have not happened yet."""
        with self._lock:
            self._faults.clear()

    def asked(self, path: str = "") -> list[LoggedRequest]:
        """Returns the requests so far whose path contains ``path``."""
        return [request for request in self.requests if path in request.path]

    def take(self, request: LoggedRequest) -> tuple[Response, Fault]:
        """Logs a request and returns its answer with what is to go wrong."""
        with self._lock:
            self.requests.append(request)
            fault = self._next_fault(request.path)
        response = Response.json({"message": "Not Found"}, 404)
        for service in self._services:
            if request.path.startswith(service.prefix):
                response = service.answer(request)
        changes: dict[str, Any] = {"headers": {**response.headers, **fault.headers}}
        if fault.status is not None:
            changes |= {"status": fault.status, "body": b""}
        if fault.body is not None:
            changes |= {"body": fault.body, "content_type": fault.content_type}
        return dataclasses.replace(response, **changes), fault

    def _next_fault(self, path: str) -> Fault:
        for number, (part, fault) in enumerate(self._faults):
            if part in path:
                del self._faults[number]
                return fault
        return Fault()


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64
    stand_in: StandIn

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Keeps clients that hang up out of the test output."""


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Headers and body in one packet: else each answer waits 40 ms for an ACK.
    wbufsize = -1
    server: _Server

    def do_GET(self) -> None:
        self._handle()

    def do_POST(self) -> None:
        self._handle()

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing; requests are logged as records."""

    def _handle(self) -> None:
        parts = urllib.parse.urlsplit(self.path)
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        request = LoggedRequest(
            method=self.command,
            path=urllib.parse.unquote(parts.path),
            query=dict(urllib.parse.parse_qsl(parts.query, keep_blank_values=True)),
            headers={name.lower(): value for name, value in self.headers.items()},
            body=json.loads(body) if body else None,
            time=time.time(),
        )
        response, fault = self.server.stand_in.take(request)
        time.sleep(fault.delay_seconds)
        if fault.closes:
            self._reset()
            return
        self._send(response, fault)

    def _send(self, response: Response, fault: Fault) -> None:
        whole = self.wfile
        if fault.drips == "headers":
            self.wfile = _Drip(whole)
        self.send_response(response.status)
        for name, value in response.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", response.content_type)
        if fault.has_length:
            self.send_header("Content-Length", str(len(response.body)))
        self.end_headers()
        body = response.body
        self.wfile = _Drip(whole) if fault.drips == "body" else whole
        self.wfile.write(body[: len(body) // 2] if fault.is_cut else body)
        self.wfile.flush()
        self.close_connection = fault.is_cut or not fault.has_length

    def _reset(self) -> None:
        self.close_connection = True
        # Closing with unsent linger makes it a reset instead of an end.
        with contextlib.suppress(OSError):
            self.connection.setsockopt(
                socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0"
            )
            self.connection.close()


class _Drip(io.BufferedIOBase):
    """Writes a byte at a time."""

    def __init__(self, stream: IO[bytes]) -> None:
        super().__init__()
        self._stream = stream

    def write(self, data: Any, /) -> int:
        for number in range(len(data)):
            self._stream.write(data[number : number + 1])
            self._stream.flush()
            time.sleep(_DRIP_SECONDS)
        return len(data)

    def flush(self) -> None:
        self._stream.flush()
