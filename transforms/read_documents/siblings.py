"""Gives a reader the files that stand beside the one it reads.

A manuscript in LaTeX or Markdown keeps its bibliography, and often its chapters, in
files of their own.  Nothing outside the folder or archive is ever read.
"""

from __future__ import annotations

import dataclasses
import itertools
import os
import pathlib
from collections.abc import Mapping
from typing import Protocol

from transforms.read_documents.errors import UnreadableDocument
from transforms.read_documents.regular_file import open_regular

MAX_FILE_BYTES = 32 << 20
# Beyond that, a folder is a corpus rather than the home of one manuscript.
_MAX_LISTED = 1000


class Siblings(Protocol):
    """The files beside a document."""

    def read(self, name: str) -> bytes | None:
        """Returns the content of a file, or None where it must or can not be read.

        Args:
          name: Path of the file, relative to the document's folder, with slashes.
        """
        ...

    def names(self, suffix: str) -> tuple[str, ...]:
        """Returns the names of the files right beside the document, sorted.

        Args:
          suffix: How they end, in lower case, with its dot.
        """
        ...


@dataclasses.dataclass(frozen=True, slots=True)
class NoSiblings:
    """A document that stands alone."""

    def read(self, name: str) -> bytes | None:
        """Returns None."""
        return None

    def names(self, suffix: str) -> tuple[str, ...]:
        """Returns no names."""
        return ()


NO_SIBLINGS: Siblings = NoSiblings()


@dataclasses.dataclass(frozen=True, slots=True)
class FolderSiblings:
    """The files in a folder and below it.

    Attributes:
      folder: The folder that the document is in.
    """

    folder: str

    def read(self, name: str) -> bytes | None:
        """Returns a file of at most 32 MB; links that lead out are not followed."""
        relative = clean_path(name)
        if not relative:
            return None
        try:
            root = os.path.realpath(self.folder)
            real = os.path.realpath(os.path.join(root, relative))
            if not real.startswith(os.path.join(root, "")):
                return None
            with open_regular(real) as stream:
                data = stream.read(MAX_FILE_BYTES + 1)
        except (OSError, ValueError, UnreadableDocument):
            # A name may be too long, or hold what no file name can.
            return None
        return data if len(data) <= MAX_FILE_BYTES else None

    def names(self, suffix: str) -> tuple[str, ...]:
        """Returns the names with ``suffix``; none in a folder of very many files."""
        try:
            with os.scandir(self.folder or ".") as entries:
                listed = [e.name for e in itertools.islice(entries, _MAX_LISTED + 1)]
        except OSError:
            return ()
        if len(listed) > _MAX_LISTED:
            return ()
        return tuple(sorted(name for name in listed if _ends(name, suffix)))


@dataclasses.dataclass(frozen=True, slots=True)
class MemberSiblings:
    """The members of an archive.

    Attributes:
      members: Their contents by path within the archive.
      folder: Path of the document's folder within the archive, or ``""``.
    """

    members: Mapping[str, bytes]
    folder: str = ""

    def read(self, name: str) -> bytes | None:
        """Returns a member; ``..`` may lead up, never out of the archive."""
        return self.members.get(clean_path(f"{self.folder}/{name}"))

    def names(self, suffix: str) -> tuple[str, ...]:
        """Returns the names of the members in the document's own folder."""
        paths = map(pathlib.PurePosixPath, self.members)
        here = pathlib.PurePosixPath(self.folder)
        return tuple(
            sorted(p.name for p in paths if p.parent == here and _ends(p.name, suffix))
        )


def clean_path(path: str) -> str:
    """Returns a relative path without ``.`` and ``..``, or ``""`` if it leads out."""
    parts: list[str] = []
    for part in path.replace("\\", "/").split("/"):
        if part == "..":
            if not parts:
                return ""
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    if any("\0" in part or ":" in part for part in parts):
        return ""
    return "/".join(parts)


def _ends(name: str, suffix: str) -> bool:
    return name.lower().endswith(suffix) and not name.startswith(".")
