"""Finds the bibliography of a document among the files beside it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from transforms.read_documents.bibitems import read_bibitems
from transforms.read_documents.bibtex import read_bibtex
from transforms.read_documents.csl_json import read_csl_json
from transforms.read_documents.decode import decode
from transforms.read_documents.latex_source import clean
from transforms.read_documents.siblings import Siblings
from transforms.records import Reference

# Reads the entries of some keys, or of all where they are None.
Reader: TypeAlias = Callable[[Collection[str] | None], Mapping[str, Reference]]

_ALL = "*"
_MAX_FILES = 50


def find_references(
    keys: Sequence[str], readers: Iterable[Reader]
) -> dict[str, Reference]:
    """Returns the entries that a document cites.

    Args:
      keys: Their keys, in the order in which they are cited; ``*`` stands for all.
      readers: Where to look for them, the best first; none is asked in vain.

    Returns:
      The entries by key, those cited by their key first and in that order.
    """
    wanted = dict.fromkeys(key for key in keys if key != _ALL)
    found: dict[str, Reference] = {}
    for reader in readers:
        missing = [key for key in wanted if key not in found]
        if missing or _ALL in keys:
            entries = reader(None if _ALL in keys else frozenset(missing))
            found = {**entries, **found}
    ordered = {key: found[key] for key in wanted if key in found}
    return {**ordered, **found} if _ALL in keys else ordered


def readers(
    names: Sequence[str], siblings: Siblings, suffixes: Sequence[str]
) -> Iterator[Reader]:
    """Yields readers of the bibliographies beside a document.

    Args:
      names: The files that the document names, with or without suffix.
      siblings: The files beside it.
      suffixes: What a bibliography may end with; where none that is named is there,
        the only file of a suffix is taken.
    """
    named = [n for name in names[:_MAX_FILES] for n in _candidates(name, suffixes)]
    is_there = False
    for name in named:
        if (data := siblings.read(name)) is not None:
            is_there = True
            yield functools.partial(_read, name, data)
    for suffix in () if is_there else suffixes:
        beside = siblings.names(suffix)
        if len(beside) == 1 and (data := siblings.read(beside[0])) is not None:
            yield functools.partial(_read, beside[0], data)


def list_reader(source: str) -> Reader:
    """Returns a reader of a list of ``bibitem`` in LaTeX without comments."""
    return lambda keys: read_bibitems(source)


def _candidates(name: str, suffixes: Sequence[str]) -> Iterator[str]:
    if name.lower().endswith(tuple(suffixes)):
        yield name
    else:
        yield from (f"{name}{suffix}" for suffix in suffixes[:1])


def _read(
    name: str, data: bytes, keys: Collection[str] | None
) -> Mapping[str, Reference]:
    text = decode(data)
    if name.lower().endswith(".json"):
        return read_csl_json(text, keys)
    if name.lower().endswith(".bbl"):
        return read_bibitems(clean(text))
    return read_bibtex(text, keys)
