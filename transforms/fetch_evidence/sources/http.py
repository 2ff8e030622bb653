"""A patient HTTP client: rate limit, back-off and key handling in one place.

No message of it holds a key, an address or a query, since queries are made of
document text.
"""

from __future__ import annotations

import dataclasses
import json
import logging
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import requests
import tenacity
from requests.adapters import HTTPAdapter

from transforms.fetch_evidence.rate_limit import RateLimit
from transforms.fetch_evidence.sources.backoff import (
    backoff_seconds,
    retry_after_seconds,
)
from transforms.fetch_evidence.sources.base import MalformedAnswer, SourceUnavailable

_Parsed = TypeVar("_Parsed")

_TRIES = 6
_KEY_HEADER = "x-api-key"
_KEY_REFUSED = frozenset([401, 403])
_THROTTLED = 429
_TRANSIENT = frozenset([408, 425, 429])
# Their bodies say more than their numbers: what to make of them is the source's.
_ANSWERS = frozenset([200, 400, 404])

_log = logging.getLogger(__name__)
# It logs addresses with their queries, which are made of document text.
logging.getLogger("urllib3").setLevel(logging.ERROR)


@dataclasses.dataclass(frozen=True, slots=True)
class Request:
    """One request.

    Attributes:
      method: ``GET`` or ``POST``.
      url: Address without query.
      params: Query parameters.
      body: What to send as JSON, or None.
    """

    method: str
    url: str
    params: Mapping[str, str]
    body: Any = None


class _Again(Exception):
    """Asks for another try."""

    def __init__(self, reason: str, delay_seconds: float) -> None:
        super().__init__(reason)
        self.reason = reason
        self.delay_seconds = delay_seconds


def open_session(connections: int) -> requests.Session:
    """Opens a session that keeps connections alive for so many threads."""
    session = requests.Session()
    adapter = HTTPAdapter(pool_maxsize=connections)
    session.mount("http://", adapter)
    session.mount("https://", adapter)
    session.headers["User-Agent"] = "citation-support"
    return session


class HttpClient:
    """Sends requests to one service, each try under its rate limit.

    Throttling makes everybody on the machine pause.  A key that is refused twice
    is dropped for as long as this object lives.

    Args:
      name: Name of the service, for messages.
      session: Where requests go through; this object closes it.
      limit: The rate limit of the service.
      key: API key, or ``""``.
      timeout_seconds: Bound on connecting, and on each wait for data, > 0.
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
        timeout_seconds: float = 30.0,
        first_delay_seconds: float = 2.0,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.time,
    ) -> None:
        key = key.strip()
        if not key.isascii() or not key.isprintable():
            # Without the key itself: this ends up in logs.
            raise ValueError(
                f"the API key of {name} cannot be sent: check its characters"
            )
        self.requests_made = 0
        self._name = name
        self._session = session
        self._limit = limit
        self._key = key
        self._timeout_seconds = timeout_seconds
        self._first_delay_seconds = first_delay_seconds
        self._sleep = sleep
        self._clock = clock
        self._lock = threading.Lock()
        self._refusals = 0

    def send(self, request: Request, parse: Callable[[int, Any], _Parsed]) -> _Parsed:
        """Sends a request until it is answered, six times at most.

        Args:
          request: What to send.
          parse: Makes a result of status (200, 400 or 404) and JSON value (None if
            a 400 or 404 has none).  It may raise ``MalformedAnswer`` for another
            try, and ``SourceUnavailable`` to give up.

        Raises:
          SourceUnavailable: If there is no answer, or none that can be read.
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
        self._limit.wait()
        key = self._key
        with self._lock:
            self.requests_made += 1
        try:
            response = self._session.request(
                request.method,
                request.url,
                params=request.params,
                json=request.body,
                headers={_KEY_HEADER: key} if key else {},
                timeout=self._timeout_seconds,
                # Following one could carry the key to another host.
                allow_redirects=False,
            )
        except requests.RequestException as error:
            raise _Again(type(error).__name__, backoff) from None
        self._check_status(response, key, backoff)
        try:
            return parse(response.status_code, _payload(response))
        except MalformedAnswer as error:
            raise _Again(f"malformed answer: {error.reason}", backoff) from None

    def _check_status(
        self, response: requests.Response, key: str, backoff: float
    ) -> None:
        """Raises unless the body is to be read."""
        status = response.status_code
        if status in _ANSWERS:
            self._refusals = 0
            return
        if status in _KEY_REFUSED and key:
            self._note_refusal(key, status)
            raise _Again(f"HTTP {status}", 0.0)
        if status not in _TRANSIENT and status < 500:
            raise SourceUnavailable(f"HTTP {status}")
        asked = response.headers.get("Retry-After", "")
        delay = max(backoff, retry_after_seconds(asked, self._clock()))
        if status == _THROTTLED:
            # The next try waits in line with everybody else.
            self._limit.cool_down(delay)
            delay = 0.0
        raise _Again(f"HTTP {status}", delay)

    def _note_refusal(self, key: str, status: int) -> None:
        """Drops the key at its second refusal in a row."""
        with self._lock:
            self._refusals += 1
            if self._refusals < 2 or key != self._key:
                return
            self._key = ""
        _log.warning(
            "%s refuses the API key (HTTP %d): going on without it, which is slower"
            " and may fail; check that the key is valid",
            self._name,
            status,
        )


def _delay(state: tenacity.RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    return error.delay_seconds if isinstance(error, _Again) else 0.0


def _payload(response: requests.Response) -> Any:
    """Returns the JSON value of a body; None for an error page without one.

    Raises:
      MalformedAnswer: If the body should be JSON and is not.
    """
    try:
        return json.loads(response.content)
    except ValueError:
        if response.status_code != 200:
            return None
        raise MalformedAnswer("not JSON") from None
