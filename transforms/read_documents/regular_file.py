"""Opens files, and nothing that would make a reader wait."""

from __future__ import annotations

import os
import stat
from typing import IO

from transforms.read_documents.errors import UnreadableDocument


def open_regular(path: str) -> IO[bytes]:
    """Opens a file to read.

    What was a file when it was found may be a pipe by now, and nobody write to it.

    Raises:
      OSError: If it cannot be opened.
      UnreadableDocument: If it is a pipe, a socket or a device.
    """
    stream = open(path, "rb", opener=_open_at_once)  # noqa: SIM115 - the caller's
    if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
        stream.close()
        raise UnreadableDocument("is a pipe or a device, and no file: copy it to one")
    return stream


def _open_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)
