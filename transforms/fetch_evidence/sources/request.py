"""A request to a network index."""

from __future__ import annotations

import dataclasses
import urllib.parse
from collections.abc import Mapping
from typing import Any


@dataclasses.dataclass(frozen=True, slots=True)
class Request:
    """One request.

    Attributes:
      method: ``GET`` or ``POST``.
      url: Address without query.
      params: Query parameters.
      body: What to send as JSON, or None.
      follows: Whether to go where the service says that the record has moved, once
        and on the same host; not for requests that carry a key.
      can_be_split: Whether a smaller request may be answered where this one makes
        the service fail; then it is tried twice only.
    """

    method: str
    url: str
    params: Mapping[str, str]
    body: Any = None
    follows: bool = False
    can_be_split: bool = False

    def moved(self, location: str) -> Request | None:
        """Returns the request to send where a redirect points, or None for none.

        Args:
          location: The ``Location`` header of the redirect, or ``""``.
        """
        here = urllib.parse.urlsplit(self.url)
        there = urllib.parse.urlsplit(urllib.parse.urljoin(self.url, location))
        is_near = (here.scheme, here.netloc) == (there.scheme, there.netloc)
        if not (self.follows and location and is_near):
            return None
        # The old parameters say better what is wanted than those of the redirect.
        url = there._replace(query="", fragment="").geturl()
        return dataclasses.replace(self, url=url, follows=False)
