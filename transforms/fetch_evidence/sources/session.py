"""Opens HTTP sessions that say who asks."""

from __future__ import annotations

import requests

from transforms.fetch_evidence.sources.deadline import PunctualAdapter


def open_session(connections: int, mailto: str = "") -> requests.Session:
    """Opens a session that keeps connections alive for so many threads.

    Args:
      connections: How many threads.
      mailto: Where services can reach whoever asks, or ``""``.
    """
    session = requests.Session()
    adapter = PunctualAdapter(pool_maxsize=connections)
    session.mount("http://", adapter)
    session.mount("https://", adapter)
    contact = f" (mailto:{mailto})" if mailto else ""
    session.headers["User-Agent"] = f"citation-support{contact}"
    return session
