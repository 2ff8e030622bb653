"""What the client of a network index has to know of it."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from typing import Any

from transforms.fetch_evidence.sources.base import MalformedAnswer

_BLOCKED = 403


def decode_json(body: bytes) -> Any:
    """Returns the JSON value of a body.

    Raises:
      MalformedAnswer: If it is none.
    """
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise MalformedAnswer("not JSON") from None


def is_blocked(status: int, headers: Mapping[str, str]) -> bool:
    """Tells whether an index that takes no key refuses this client."""
    return status == _BLOCKED


@dataclasses.dataclass(frozen=True, slots=True)
class Service:
    """A network index, as its client sees it.

    Attributes:
      name: Its name, as in ``--index``.
      base_url: Address of its API.
      per_second: Requests a second that it asks clients to keep to.
      in_flight: Requests at once that it asks them to keep to.
      decode: Makes a value of a body, or raises ``MalformedAnswer``.
      is_final: Tells from status and headers whether it will answer nothing more
        today, so that asking again would only do harm.
    """

    name: str
    base_url: str
    per_second: float
    in_flight: int
    decode: Callable[[bytes], Any] = decode_json
    is_final: Callable[[int, Mapping[str, str]], bool] = is_blocked
