"""Looks at what a run needs: packages, keys, indexes, cache, machine and folders."""

from __future__ import annotations

import concurrent.futures
import dataclasses
import enum
import os
import pathlib
import platform
import sys
import tempfile
from collections.abc import Iterator, Mapping
from importlib import metadata

from packaging.requirements import Requirement

from pipeline import __version__
from transforms.fetch_evidence.cache_file import CacheFileError, inspect
from transforms.fetch_evidence.settings import (
    KEY_VARIABLES,
    NETWORK_INDEXES,
    SEMANTIC_SCHOLAR,
    api_key,
)
from transforms.fetch_evidence.sources.reach import ANSWERS, reach

_PROGRAM = "citation-support"


class State(enum.StrEnum):
    """How something is."""

    GOOD = "ok"
    NOTE = "note"
    BROKEN = "BROKEN"


@dataclasses.dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at.

    Attributes:
      part: What was looked at.
      state: How it is; a run fails, or does harm, with what is broken.
      text: What was found, and what to do about it.
    """

    part: str
    state: State
    text: str


def examine(
    cache: pathlib.Path,
    urls: Mapping[str, str],
    *,
    offline: bool,
    timeout_seconds: float,
) -> list[Finding]:
    """Looks at everything; nothing that is wrong raises.

    Args:
      cache: The evidence cache.
      urls: Other addresses of network indexes, by name.
      offline: Whether to ask no network index.
      timeout_seconds: How long to wait for an index, > 0.
    """
    return [
        *_packages(),
        _key(),
        *([] if offline else _indexes(urls, timeout_seconds)),
        cache_state(cache),
        _machine(),
        folder("cache folder", cache.parent),
        folder("temporary folder", pathlib.Path(tempfile.gettempdir())),
    ]


def package(requirement: Requirement) -> Finding:
    """Tells whether a package is installed in a version that will do."""
    part, wanted = requirement.name, requirement.specifier
    cure = f"pip install '{part}{wanted}'"
    try:
        installed = metadata.version(part)
    except metadata.PackageNotFoundError:
        return Finding(part, State.BROKEN, f"not installed: {cure}")
    if not wanted.contains(installed, prereleases=True):
        text = f"{installed}, but {wanted} is needed: {cure}"
        return Finding(part, State.BROKEN, text)
    return Finding(part, State.GOOD, f"{installed} ({wanted})")


def cache_state(path: pathlib.Path) -> Finding:
    """Tells what a cache holds, and whether it can be read at all."""
    if not path.exists():
        return Finding("cache", State.NOTE, f"{path}: none yet; the first run makes it")
    try:
        info = inspect(path)
    except (CacheFileError, OSError) as error:
        return Finding("cache", State.BROKEN, str(error))
    entries, size = sum(info.answers.values()), info.size_bytes / 1e6
    text = f"{path}: {entries:,} answers, {size:.1f} MB"
    if info.outdated:
        text += f"; {info.outdated:,} of another version, see cache prune"
    return Finding("cache", State.GOOD, text)


def folder(part: str, path: pathlib.Path) -> Finding:
    """Tells whether files can be written to a folder, which is made if need be."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path) as file:
            file.write(b"\0")
    except OSError as error:
        text = f"{path}: {error.strerror}; make it writable, or choose another"
        return Finding(part, State.BROKEN, text)
    return Finding(part, State.GOOD, f"{path}: writable")


def _packages() -> Iterator[Finding]:
    """Yields the versions of program, Python and every package that is needed."""
    yield Finding(_PROGRAM, State.GOOD, __version__)
    yield Finding("Python", State.GOOD, f"{platform.python_version()} {sys.executable}")
    try:
        requirements = metadata.requires(_PROGRAM) or []
    except metadata.PackageNotFoundError:
        cure = "not installed as a package: pip install it"
        yield Finding(_PROGRAM, State.BROKEN, cure)
        return
    for text in requirements:
        requirement = Requirement(text)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            yield package(requirement)


def _key() -> Finding:
    part = f"key of {SEMANTIC_SCHOLAR}"
    if api_key(os.environ):
        return Finding(part, State.GOOD, "set")
    text = f"not set: slower, and may be refused; set {KEY_VARIABLES[0]}"
    return Finding(part, State.NOTE, text)


def _indexes(urls: Mapping[str, str], timeout_seconds: float) -> list[Finding]:
    def ask(name: str) -> Finding:
        key = api_key(os.environ) if name == SEMANTIC_SCHOLAR else ""
        url = urls.get(name, "")
        found = reach(name, url, key=key, timeout_seconds=timeout_seconds)
        state = State.GOOD if found.startswith(ANSWERS) else State.NOTE
        return Finding(name, state, found)

    with concurrent.futures.ThreadPoolExecutor(len(NETWORK_INDEXES)) as pool:
        return list(pool.map(ask, NETWORK_INDEXES))


def _machine() -> Finding:
    cores = os.cpu_count() or 1
    text = f"{cores} cores"
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        text += f", {total / 1e9:.1f} GB of memory"
    return Finding("machine", State.GOOD, text)
