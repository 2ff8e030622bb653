"""Finds the authors of a reference list by name in a sentence.  Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Set

from transforms.names import family_name, fold
from transforms.records import Reference

# Without a possessive 's: "Ode's colleagues".
_WORD = re.compile(r"[^\W\d_]+(?:['’](?!s\b)[^\W\d_]+)*")
_MIN_NAME_CHARS = 2


def surnames_of(references: Iterable[Reference]) -> frozenset[str]:
    """Collects the folded words of the family names of all authors."""
    return frozenset(
        word
        for reference in references
        for author in reference.authors
        for word in fold(family_name(author)).split()
        if len(word) >= _MIN_NAME_CHARS
    )


def named_in(text: str, surnames: Set[str]) -> tuple[str, ...]:
    """Returns those of ``surnames`` that ``text`` names.

    Args:
      text: A sentence as printed.
      surnames: Folded words of family names.

    Returns:
      The words, folded, each once, in order of appearance.  The first word of a
      sentence is capitalised in any case, and CHO is no name: neither counts.
    """
    if not surnames:
        return ()
    words = _WORD.findall(text)[1:]
    found = (fold(word) for word in words if word[0].isupper() and not word.isupper())
    return tuple(dict.fromkeys(word for word in found if word in surnames))
