"""Reads the body of an answer without trusting its size."""

from __future__ import annotations

import requests

# Ten times what an index sends at most.
MAX_BYTES = 100 << 20
_CHUNK_BYTES = 64 << 10


class BodyTooLarge(requests.RequestException):
    """An answer that is larger than any index sends."""


def read_body(response: requests.Response) -> bytes:
    """Returns the body of a streamed response, unpacked.

    Args:
      response: The response to a request with ``stream=True``.

    Raises:
      BodyTooLarge: If it is over 100 MB once unpacked.
      requests.RequestException: If it cannot be read to its end.
    """
    body = bytearray()
    with response:
        for chunk in response.iter_content(_CHUNK_BYTES):
            body += chunk
            if len(body) > MAX_BYTES:
                raise BodyTooLarge(f"over {MAX_BYTES} bytes")
    return bytes(body)
