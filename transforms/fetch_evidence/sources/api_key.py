"""An API key that is let go of when it is refused."""

from __future__ import annotations

import logging
import threading

_MAX_REFUSALS = 2

_log = logging.getLogger(__name__)


class ApiKey:
    """A key for as long as it is accepted; refused twice in a row, it is dropped.

    Args:
      service: Name of the service, for messages.
      value: The key, or ``""``.

    Raises:
      ValueError: If the key cannot be sent in a header.
    """

    def __init__(self, service: str, value: str) -> None:
        value = value.strip()
        if not value.isascii() or not value.isprintable():
            # Without the key itself: this ends up in logs.
            raise ValueError(
                f"the API key of {service} cannot be sent: check the characters of"
                " the environment variable that holds it"
            )
        self.value = value
        self._service = service
        self._refusals = 0
        self._lock = threading.Lock()

    def accept(self) -> None:
        """Notes that a request was answered."""
        self._refusals = 0

    def refuse(self, value: str, status: int) -> None:
        """Notes that a request with the key was refused, and says so when it counts.

        Args:
          value: The key that the request was sent with.
          status: HTTP status of the refusal.
        """
        with self._lock:
            self._refusals += 1
            if self._refusals < _MAX_REFUSALS or value != self.value:
                return
            self.value = ""
        _log.warning(
            "%s refuses the API key (HTTP %d): going on without it, which is slower"
            " and may fail; check that the key is valid",
            self._service,
            status,
        )
