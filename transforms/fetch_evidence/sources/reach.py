"""Tells whether a network index answers, and whether it takes the key."""

from __future__ import annotations

import time

import requests

from transforms.fetch_evidence.sources import (
    arxiv,
    crossref,
    europe_pmc,
    openalex,
    semantic_scholar,
)
from transforms.fetch_evidence.sources.deadline import Deadline
from transforms.fetch_evidence.sources.session import open_session

# How the words for an index that can be used begin.
ANSWERS = "answers"

_MODULES = (semantic_scholar, openalex, crossref, europe_pmc, arxiv)
_BASE_URLS = {module.NAME: module.SERVICE.base_url for module in _MODULES}
# The root of this one is open to everybody, whatever the key.
_PATHS = {semantic_scholar.NAME: "/paper/ARXIV:1706.03762"}
_REFUSED = (401, 403)
_THROTTLED = 429


def reach(name: str, url: str = "", *, key: str = "", timeout_seconds: float) -> str:
    """Asks an index once, whatever its rate limit; returns what came of it, in words.

    Args:
      name: Name of the index, as in ``--index``.
      url: Another address of its API, or ``""``.
      key: API key, or ``""``.
      timeout_seconds: How long to wait for an answer, > 0.

    Returns:
      ``answers in 0.2 s``, or else why it cannot be used.
    """
    start = time.monotonic()
    try:
        with (
            open_session(1) as session,
            Deadline(timeout_seconds),
            session.get(
                (url or _BASE_URLS[name]).rstrip("/") + _PATHS.get(name, ""),
                headers={"x-api-key": key} if key else {},
                timeout=timeout_seconds,
                allow_redirects=False,
                stream=True,
            ) as response,
        ):
            status = response.status_code
    # An address or a key that cannot be sent is a ValueError.
    except (requests.RequestException, ValueError) as error:
        kind = type(error).__name__
        return f"cannot be reached ({kind}): check network, proxy and address"
    seconds = time.monotonic() - start
    if status in _REFUSED:
        whom = "the API key" if key else "this client"
        return f"refuses {whom}: HTTP {status}"
    if status == _THROTTLED:
        return f"is throttling: HTTP {status}"
    if status >= 500:
        return f"is out of order: HTTP {status}"
    return f"{ANSWERS} in {seconds:.1f} s"
