"""Unpacks a document that is compressed with gzip.  Pure: bytes in, bytes out."""

from __future__ import annotations

import zlib

from transforms.read_documents.errors import UnreadableDocument

_MAGIC = b"\x1f\x8b"
_GZIP_WINDOW = 31
_MAX_BYTES = 1 << 29
# Text is seldom a tenth of its size; what is a hundredth unpacks to little but one
# letter again and again.
_MAX_RATIO = 100
_FREE_BYTES = 1 << 24
_SUFFIX = ".gz"


def is_gzip(data: bytes) -> bool:
    """Tells whether ``data`` begins as a gzip file does."""
    return data.startswith(_MAGIC)


def unpack(data: bytes) -> bytes:
    """Returns what a gzip file holds.

    Raises:
      UnreadableDocument: If it is broken or unpacks to far more than it is.
    """
    limit = min(_MAX_BYTES, max(_FREE_BYTES, _MAX_RATIO * len(data)))
    parts: list[bytes] = []
    size = 0
    while data.startswith(_MAGIC):
        member = zlib.decompressobj(_GZIP_WINDOW)
        try:
            parts.append(member.decompress(data, limit - size + 1))
        except zlib.error:
            raise UnreadableDocument(
                "is a broken gzip file: compress it again"
            ) from None
        size += len(parts[-1])
        if size > limit:
            raise UnreadableDocument(
                f"unpacks to over {limit >> 20} MB, as hostile files do: decompress it "
                "or split it"
            )
        if not member.eof:
            raise UnreadableDocument("is a gzip file that is cut short: copy it again")
        # A gzip file may have several members, and zeros behind the last.
        data = member.unused_data
    return b"".join(parts)


def inner_path(path: str) -> str:
    """Returns the path of a gzip file as it was before it was compressed."""
    return path[: -len(_SUFFIX)] if path.lower().endswith(_SUFFIX) else path
