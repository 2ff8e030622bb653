"""A patient HTTP client: rate limit, back-off and key in one place.

No message of it holds a key, an address or a query, since queries are made of
document text.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import requests
import tenacity

from transforms.fetch_evidence.rate_limit import RateLimit
from transforms.fetch_evidence.sources.api_key import ApiKey
from transforms.fetch_evidence.sources.backoff import (
    backoff_seconds,
    retry_after_seconds,
)
from transforms.fetch_evidence.sources.base import (
    BatchRefused,
    MalformedAnswer,
    SourceUnavailable,
)
from transforms.fetch_evidence.sources.body import read_body
from transforms.fetch_evidence.sources.deadline import Deadline
from transforms.fetch_evidence.sources.request import Request
from transforms.fetch_evidence.sources.service import decode_json

_Parsed = TypeVar("_Parsed")

_TRIES = 6
_KEY_HEADER = "x-api-key"
_KEY_REFUSED = frozenset([401, 403])
_THROTTLED = 429
_TRANSIENT = frozenset([408, 425, 429])
# What a service says that took too long over too much.
_OVERLOADED = frozenset([500, 502, 504])
_TRIES_BEFORE_SPLIT = 2
# Their bodies say more than their numbers: what to make of them is the source's.
_ANSWERS = frozenset([200, 400, 404])
_MOVED = frozenset([301, 302, 307, 308])
_MAX_ERROR_CHARS = 200
# Ten times what an index sends at most.
_MAX_BODY_BYTES = 100 << 20

_log = logging.getLogger(__name__)
# It logs addresses with their queries, which are made of document text.
logging.getLogger("urllib3").setLevel(logging.ERROR)


class _Again(Exception):
    """Asks for another try."""

    def __init__(self, reason: str, delay_seconds: float) -> None:
        super().__init__(reason)
        self.reason = reason
        self.delay_seconds = delay_seconds


class HttpClient:
    """Sends requests to one service, each try under its rate limit.

    Throttling makes everybody on the machine pause.  A key that is refused twice is
    dropped, and a service that will answer nothing more left alone, for good.

    Args:
      name: Name of the service, for messages.
      session: Where requests go through; this object closes it.
      limit: The rate limit of the service.
      key: API key, or ``""``.
      in_flight: Requests at once, >= 1.
      decode: Makes a value of a body, or raises ``MalformedAnswer``.
      is_final: Tells from status and headers whether to leave the service alone.
      timeout_seconds: Bound on connecting, and on each wait for data, > 0.
      answer_seconds: Bound on a whole answer, > 0.
      max_body_bytes: Bound on its body once unpacked, > 0.
      first_delay_seconds: Pause after a first failure; doubles with each further.
      sleep: Blocks for a number of seconds.
      clock: Wall-clock time in seconds.

    Raises:
      ValueError: If the key cannot be sent in a header.
    """

    def __init__(
        self,
        name: str,
        session: requests.Session,
        limit: RateLimit,
        *,
        key: str = "",
        in_flight: int = 4,
        decode: Callable[[bytes], Any] = decode_json,
        is_final: Callable[[int, Mapping[str, str]], bool] = lambda *_: False,
        timeout_seconds: float = 30.0,
        answer_seconds: float = 120.0,
        max_body_bytes: int = _MAX_BODY_BYTES,
        first_delay_seconds: float = 2.0,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.requests_made = 0
        self._name = name
        self._session = session
        self._limit = limit
        self._key = ApiKey(name, key)
        self._in_flight = threading.BoundedSemaphore(in_flight)
        self._decode = decode
        self._is_final = is_final
        self._timeout_seconds = timeout_seconds
        self._answer_seconds = answer_seconds
        self._max_body_bytes = max_body_bytes
        self._first_delay_seconds = first_delay_seconds
        self._sleep = sleep
        self._clock = clock
        self._lock = threading.Lock()
        self._closed = ""

    def send(self, request: Request, parse: Callable[[int, Any], _Parsed]) -> _Parsed:
        """Sends a request until it is answered, six times at most.

        Args:
          request: What to send.
          parse: Makes a result of status (200, 400 or 404) and value (of an error page
            without one, the start of its text).  It may raise ``MalformedAnswer`` for
            another try, and ``SourceUnavailable`` to give up.

        Raises:
          SourceUnavailable: If there is no answer, or none that can be read; if a
            smaller request may have one, it is a ``BatchRefused``.
        """
        retrying = tenacity.Retrying(
            stop=tenacity.stop_after_attempt(_TRIES),
            wait=_delay,
            retry=tenacity.retry_if_exception_type(_Again),
            sleep=self._sleep,
            reraise=True,
        )
        try:
            for attempt in retrying:
                with attempt:
                    number = attempt.retry_state.attempt_number
                    return self._try(request, parse, number)
        except _Again as error:
            # The cause would carry address and query.
            reason = f"{error.reason}, {_TRIES} tries"
            raise SourceUnavailable(reason) from None
        raise AssertionError("tenacity ends with a result or an exception")

    def close(self) -> None:
        """Closes the session."""
        self._session.close()

    def _try(
        self, request: Request, parse: Callable[[int, Any], _Parsed], number: int
    ) -> _Parsed:
        """Sends a request once.

        Raises:
          _Again: If another try may help.
          SourceUnavailable: If none will.
        """
        backoff = backoff_seconds(number, self._first_delay_seconds)
        key = self._key.value
        try:
            response, body = self._sent(request, key)
        except requests.RequestException as error:
            raise _Again(type(error).__name__, backoff) from None
        location = response.headers.get("Location", "")
        if response.status_code in _MOVED and (moved := request.moved(location)):
            return self._try(moved, parse, number)
        status = response.status_code
        is_last = request.can_be_split and number >= _TRIES_BEFORE_SPLIT
        if is_last and status in _OVERLOADED:
            raise BatchRefused(f"HTTP {status}, {number} tries", is_too_large=True)
        self._check_status(response, key, backoff)
        try:
            return parse(status, self._payload(status, body))
        except MalformedAnswer as error:
            raise _Again(f"malformed answer: {error.reason}", backoff) from None

    def _sent(self, request: Request, key: str) -> tuple[requests.Response, bytes]:
        """Sends a request when its turn comes; returns the response and its body."""
        with self._in_flight:
            if self._closed:
                raise SourceUnavailable(self._closed)
            self._limit.wait()
            with self._lock:
                self.requests_made += 1
            with Deadline(self._answer_seconds):
                response = self._session.request(
                    request.method,
                    request.url,
                    params=request.params,
                    json=request.body,
                    headers={_KEY_HEADER: key} if key else {},
                    timeout=self._timeout_seconds,
                    # Following one could carry the key to another host.
                    allow_redirects=False,
                    stream=True,
                )
                return response, read_body(response, self._max_body_bytes)

    def _check_status(
        self, response: requests.Response, key: str, backoff: float
    ) -> None:
        """Raises unless the body is to be read."""
        status = response.status_code
        if status in _ANSWERS:
            self._key.accept()
            return
        if status in _KEY_REFUSED and key:
            self._key.refuse(key, status)
            raise _Again(f"HTTP {status}", 0.0)
        if self._is_final(status, response.headers):
            self._close(status)
            raise SourceUnavailable(self._closed)
        if status not in _TRANSIENT and status < 500:
            raise SourceUnavailable(f"HTTP {status}")
        asked = response.headers.get("Retry-After", "")
        delay = max(backoff, retry_after_seconds(asked, self._clock()))
        if status == _THROTTLED:
            # The next try waits in line with everybody else.
            self._limit.cool_down(delay)
            delay = 0.0
        raise _Again(f"HTTP {status}", delay)

    def _close(self, status: int) -> None:
        """Sends nothing more, and says so once."""
        with self._lock:
            is_news, self._closed = not self._closed, f"HTTP {status}, asked no more"
        if not is_news:
            return
        _log.warning(
            "%s will answer nothing more (HTTP %d) and is left alone: its budget is"
            " spent, or it blocks this client",
            self._name,
            status,
        )

    def _payload(self, status: int, body: bytes) -> Any:
        """Returns the value of a body; for an error page, the start of its text."""
        try:
            return self._decode(body)
        except MalformedAnswer:
            if status == 200:
                raise
            return body[:_MAX_ERROR_CHARS].decode(errors="replace").strip()


def _delay(state: tenacity.RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    return error.delay_seconds if isinstance(error, _Again) else 0.0
