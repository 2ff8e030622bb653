"""Makes text safe to write."""

from __future__ import annotations


def printable(text: str) -> str:
    """Returns ``text`` with lone surrogates escaped, which no encoding can write.

    They come from file names that are no UTF-8 and from half an escape in JSON.
    """
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
