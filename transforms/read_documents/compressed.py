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
_FIRST_CHUNK_BYTES = 1 << 10
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
    packed = memoryview(data)
    unpacked = bytearray()
    # A gzip file may have several members, and zeros behind the last.
    while packed[: len(_MAGIC)] == _MAGIC:
        try:
            packed = _unpack_member(packed, unpacked, limit)
        except zlib.error:
            raise UnreadableDocument(
                "is a broken gzip file: compress it again"
            ) from None
    return bytes(unpacked)


def inner_path(path: str) -> str:
    """Returns the path of a gzip file as it was before it was compressed."""
    return path[: -len(_SUFFIX)] if path.lower().endswith(_SUFFIX) else path


def _unpack_member(packed: memoryview, unpacked: bytearray, limit: int) -> memoryview:
    """Appends what the first member holds; returns what is behind that member."""
    member = zlib.decompressobj(_GZIP_WINDOW)
    # What is given and not used is copied: at once, for each of many members, that
    # would be the whole rest of the file.
    size, at = _FIRST_CHUNK_BYTES, 0
    while not member.eof:
        chunk = packed[at : at + size]
        if not chunk:
            raise UnreadableDocument("is a gzip file that is cut short: copy it again")
        unpacked += member.decompress(chunk, limit - len(unpacked) + 1)
        if len(unpacked) > limit:
            raise UnreadableDocument(
                f"unpacks to over {limit >> 20} MB, as hostile files do: decompress it "
                "or split it"
            )
        at += len(chunk)
        size *= 2
    return packed[at - len(member.unused_data) :]
