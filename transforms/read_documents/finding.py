"""Finds files: by name, in folders and by pattern.  Links are followed once."""

from __future__ import annotations

import dataclasses
import fnmatch
import glob
import os
import pathlib
import stat
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from transforms.read_documents.errors import InputError

# They go with a manuscript in LaTeX or Markdown and are none.
_COMPANIONS = frozenset([".bib", ".bbl", ".bst", ".cls", ".sty", ".csl"])
_ANY_DEPTH = "**"

_Identity: TypeAlias = tuple[int, int]


@dataclasses.dataclass(frozen=True, slots=True)
class File:
    """A file that was found.

    Attributes:
      path: Its path as given or found.
      depth: How many parts of the path, from its end, make its id.
      is_given: Whether it was named itself rather than found in a folder.
    """

    path: str
    depth: int
    is_given: bool


def find(given: str) -> Iterator[File]:
    """Yields the files that one input stands for.

    Args:
      given: A file, a folder or a glob.

    Raises:
      InputError: If a path is missing, a pattern matches nothing, or a folder cannot
        be listed.
    """
    if os.path.exists(given):
        yield from _find_path(given)
        return
    if not glob.has_magic(given):
        raise InputError(f"no such file or folder: {given}; check the path")
    matches = sorted(_glob(given))
    if not matches:
        raise InputError(f"nothing matches the pattern: {given}; check it")
    for match in matches:
        yield from _find_path(match)


def _find_path(path: str) -> Iterator[File]:
    if os.path.isdir(path):
        yield from _find_below(path)
    elif _is_readable_kind(path):
        yield File(path, 1, is_given=True)
    else:
        raise InputError(f"neither a file nor a folder: {path}; give one of them")


def _find_below(folder: str) -> Iterator[File]:
    """Yields the documents in ``folder`` and below it, sorted by path."""
    paths = [
        os.path.join(parent, name)
        for parent, _, names in _walk(folder, lambda name: not _is_hidden(name))
        for name in names
        if not _is_hidden(name) and not _is_companion(name)
    ]
    for path in sorted(paths):
        if _is_readable_kind(path):
            depth = len(pathlib.PurePath(os.path.relpath(path, folder)).parts)
            yield File(path, depth, is_given=False)


def _glob(pattern: str) -> Iterator[str]:
    """Yields what matches; the library's own follows links in circles."""
    parts = pattern.split(os.sep)
    if _ANY_DEPTH not in parts:
        yield from glob.iglob(pattern)
        return
    at = parts.index(_ANY_DEPTH)
    wanted = [part for part in parts[at:] if part]
    enters_hidden = any(map(_is_hidden, wanted))
    # Where the pattern begins with a slash, there is nothing before it.
    for base in glob.iglob(os.sep.join([*parts[:at], ""])) if at else [""]:
        root = base or os.curdir
        if _matches([], wanted):
            yield root
        for parent, folders, names in _walk(
            root, lambda name: enters_hidden or not _is_hidden(name)
        ):
            above = os.path.relpath(parent, root).split(os.sep)
            above = [] if above == [os.curdir] else above
            # A slash at the end stands for folders only.
            for name in folders if not parts[-1] else (*folders, *names):
                if _matches([*above, name], wanted):
                    yield os.path.join(base, *above, name)


def _matches(names: Sequence[str], patterns: Sequence[str]) -> bool:
    """Tells whether the parts of a path match those of a pattern."""
    if not patterns:
        return not names
    if patterns[0] == _ANY_DEPTH:
        return _matches(names, patterns[1:]) or (
            bool(names) and not _is_hidden(names[0]) and _matches(names[1:], patterns)
        )
    return (
        bool(names)
        and (_is_hidden(patterns[0]) or not _is_hidden(names[0]))
        and fnmatch.fnmatchcase(names[0], patterns[0])
        and _matches(names[1:], patterns[1:])
    )


def _walk(
    folder: str, enters: Callable[[str], bool]
) -> Iterator[tuple[str, list[str], list[str]]]:
    """Yields each folder with the folders and files in it, sorted.

    The library's own calls itself for each level, which there may be too many of.
    """
    entered = {_identity(os.stat(folder))}
    pending = [folder]
    while pending:
        parent = pending.pop()
        folders, names = _listed(parent)
        inside = []
        for name, identity in folders:
            if identity not in entered and enters(name):
                entered.add(identity)
                inside.append(name)
        yield parent, inside, names
        pending.extend(os.path.join(parent, name) for name in reversed(inside))


def _listed(folder: str) -> tuple[list[tuple[str, _Identity]], list[str]]:
    """Returns the folders in a folder, and the names of what else is there."""
    folders: list[tuple[str, _Identity]] = []
    names: list[str] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if _is_folder(entry):
                    folders.append((entry.name, _identity(entry.stat())))
                else:
                    names.append(entry.name)
    except OSError as error:
        raise InputError(
            f"cannot list the folder: {error.filename}; {error.strerror}"
        ) from error
    return sorted(folders), sorted(names)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # A link that leads to itself.
        return False


def _identity(status: os.stat_result) -> _Identity:
    """Returns what tells a folder from all others, however it is reached."""
    return status.st_dev, status.st_ino


def _is_hidden(name: str) -> bool:
    return name.startswith(".")


def _is_companion(name: str) -> bool:
    return pathlib.PurePath(name).suffix.lower() in _COMPANIONS


def _is_readable_kind(path: str) -> bool:
    """Tells files, and links to nothing, from pipes, sockets and devices."""
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except OSError:
        return True
