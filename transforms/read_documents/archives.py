"""Opens an archive of a LaTeX project.  Pure: bytes in, members out.

Only source is unpacked, into memory; an archive that would fill it, or that holds paths
that lead out of it, is refused.
"""

from __future__ import annotations

import gzip
import io
import lzma
import pathlib
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO

from transforms.read_documents.errors import UnreadableDocument
from transforms.read_documents.siblings import MAX_FILE_BYTES, clean_path

_ZIP = b"PK\x03\x04"
_GZIP = b"\x1f\x8b"
_TAR = b"ustar"
_TAR_AT = 257
_HEAD_BYTES = 1 << 10

# What a project's text may be in; figures stay packed.
_SUFFIXES = frozenset([".tex", ".ltx", ".latex", ".bib", ".bbl", ".txt", ".json"])
_MAX_MEMBERS = 5000
_MAX_BYTES = 64 << 20
_MAX_RATIO = 200
_MIN_BOMB_BYTES = 1 << 20
_MAX_STREAM_BYTES = 256 << 20
_DIRECTORY_ENTRY_BYTES = 46
_ZIP_END = b"PK\x05\x06"
_ZIP_END_BYTES = 22

_BROKEN = (
    *(zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, struct.error),
    *(EOFError, OSError, ValueError, RuntimeError, KeyError, IndexError),
    *(OverflowError, TypeError, AttributeError),
)
_TOO_LARGE = (
    "is an archive whose members are too many or too large when unpacked, as hostile "
    "files are: pack the LaTeX source alone"
)


def is_archive(data: bytes) -> bool:
    """Tells zip and tar files, the latter with or without gzip, by their content."""
    if data.startswith(_ZIP):
        return True
    head = data[:_HEAD_BYTES]
    if data.startswith(_GZIP):
        try:
            packed = data[: _HEAD_BYTES << 6]
            head = zlib.decompressobj(wbits=31).decompress(packed, _HEAD_BYTES)
        except zlib.error:
            return False
    return head[_TAR_AT:].startswith(_TAR)


def unpack(data: bytes) -> dict[str, bytes]:
    """Returns the source files of an archive by path.

    Args:
      data: A zip file, or a tar file, with or without gzip around it.

    Raises:
      UnreadableDocument: If the archive is broken, encrypted, too large when
        unpacked, or holds a path that leads out of it.
    """
    members: dict[str, bytes] = {}
    left = _MAX_BYTES
    try:
        for path, content in _zip(data) if data.startswith(_ZIP) else _tar(data):
            members[path] = content
            left -= len(content)
            if left < 0:
                raise UnreadableDocument(_TOO_LARGE)
    except _BROKEN:
        raise UnreadableDocument(
            "is an archive that cannot be unpacked; it may be cut short or encrypted: "
            "pack it again"
        ) from None
    return members


def _zip(data: bytes) -> Iterator[tuple[str, bytes]]:
    _check_directory(data)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for info in archive.infolist():
            path = _checked_path(info.filename)
            if info.is_dir() or not _is_source(path):
                continue
            packed = max(1, info.compress_size)
            if info.file_size > max(_MIN_BOMB_BYTES, _MAX_RATIO * packed):
                raise UnreadableDocument(_TOO_LARGE)
            with archive.open(info) as stream:
                yield path, _read(stream)


def _check_directory(data: bytes) -> None:
    """Raises UnreadableDocument before a huge directory is read."""
    end = data.rfind(_ZIP_END)
    if end < 0 or end + _ZIP_END_BYTES > len(data):
        return
    count, size_bytes = struct.unpack_from("<HI", data, end + 10)
    most = max(count, size_bytes // (8 * _DIRECTORY_ENTRY_BYTES))
    if most > _MAX_MEMBERS:
        raise UnreadableDocument(_TOO_LARGE)


def _tar(data: bytes) -> Iterator[tuple[str, bytes]]:
    stream: io.BufferedIOBase = io.BytesIO(data)
    if data.startswith(_GZIP):
        stream = gzip.GzipFile(fileobj=stream)
    with tarfile.open(fileobj=_Limited(stream, len(data)), mode="r|") as archive:
        for number, info in enumerate(archive):
            if number >= _MAX_MEMBERS:
                raise UnreadableDocument(_TOO_LARGE)
            path = _checked_path(info.name)
            # Links, devices and the like are no files.
            if not info.isreg() or not _is_source(path):
                continue
            member = archive.extractfile(info)
            if member is not None:
                yield path, _read(member)


class _Limited(io.BufferedIOBase):
    """Reads a stream up to what an archive of some size may unpack to.

    Args:
      stream: The stream.
      packed_bytes: Size of the archive.
    """

    def __init__(self, stream: io.BufferedIOBase, packed_bytes: int) -> None:
        super().__init__()
        self._stream = stream
        most = max(_MIN_BOMB_BYTES, _MAX_RATIO * packed_bytes)
        self._left = min(most, _MAX_STREAM_BYTES)

    def read(self, size: int | None = -1, /) -> bytes:
        """Reads up to ``size`` bytes, or raises UnreadableDocument at the limit."""
        data = self._stream.read(size)
        self._left -= len(data)
        if self._left < 0:
            raise UnreadableDocument(_TOO_LARGE)
        return data


def _read(stream: IO[bytes]) -> bytes:
    data = stream.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        raise UnreadableDocument(_TOO_LARGE)
    return data


def _checked_path(name: str) -> str:
    """Returns a member's path in its clean form."""
    is_absolute = name.startswith(("/", "\\"))
    path = clean_path(name)
    if is_absolute or (not path and name.strip("./\\")):
        raise UnreadableDocument(
            "is an archive with paths that lead out of it: pack it again"
        )
    return path


def _is_source(path: str) -> bool:
    hidden = any(part.startswith((".", "__MACOSX")) for part in path.split("/"))
    return pathlib.PurePosixPath(path).suffix.lower() in _SUFFIXES and not hidden
