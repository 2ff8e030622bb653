"""Reads the body of an answer without trusting its size."""

from __future__ import annotations

import requests

_CHUNK_BYTES = 64 << 10


class BodyTooLarge(requests.RequestException):
    """An answer that is larger than any index sends."""


def read_body(response: requests.Response, max_bytes: int) -> bytes:
    """Returns the body of a streamed response, unpacked.

    Args:
      response: The response to a request with ``stream=True``.
      max_bytes: How large it may be once unpacked.

    Raises:
      BodyTooLarge: If it is larger.
      requests.RequestException: If it cannot be read to its end.
    """
    body = bytearray()
    with response:
        for chunk in response.iter_content(_CHUNK_BYTES):
            body += chunk
            if len(body) > max_bytes:
                raise BodyTooLarge(f"over {max_bytes} bytes")
    return bytes(body)
