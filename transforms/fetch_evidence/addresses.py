"""Checks the addresses of network indexes.  Pure."""

from __future__ import annotations

import re
import urllib.parse

_SCHEMES = ("http", "https")
_USER = re.compile(r"//[^/?#]*@")
# Of what is no address, nothing tells where a password ends.
_PERHAPS_USER = re.compile(r"//.*@", re.DOTALL)
_NEVER_IN_A_URL = re.compile(r"[\s\x00-\x1f<>\"{}|\\^`]")
_HIDDEN = "//***@"


def check_address(name: str, url: str) -> None:
    """Checks that requests can be sent to an address.

    Args:
      name: What it is the address of, for the message.
      url: ``http://HOST[:PORT][/PATH]``, or with ``https``; user and password may
        stand before the host.

    Raises:
      ValueError: If it is no such address; says what is wrong, without a password.
    """
    if reason := _fault(url):
        shown = _PERHAPS_USER.sub(_HIDDEN, url)
        raise ValueError(
            f"the address of {name} {reason}, got {shown!r}: give"
            " http://HOST[:PORT][/PATH] or https://..."
        )


def without_user(url: str) -> str:
    """Returns an address with its user and password, if any, as ``***``."""
    return _USER.sub(_HIDDEN, url)


def _fault(url: str) -> str:
    """Returns what is wrong with an address, or ``""``."""
    try:
        parts = urllib.parse.urlsplit(url)
        host, port = parts.hostname or "", parts.port
        host.encode("idna")
    except ValueError:
        return "has no valid host or port"
    if parts.scheme not in _SCHEMES:
        return "must begin with http:// or https://"
    if not host or port == 0 or _NEVER_IN_A_URL.search(url):
        return "has no valid host or port"
    if parts.query or parts.fragment or url.endswith(("?", "#")):
        return "must have nothing after its path"
    return ""
