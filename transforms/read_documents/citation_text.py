"""Writes citation keys as a reader would see them: Ng et al., 2015.  Pure.

LaTeX and Markdown cite by key; the bibliography says who and when that is.
"""

from __future__ import annotations

import dataclasses
import enum
from collections import defaultdict
from collections.abc import Mapping

from transforms.records import Reference

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_MAX_TITLE_WORDS = 6
_OTHERS = "et al."
_NO_DATE = "n.d."


class Form(enum.StrEnum):
    """What of a work a citation prints."""

    CITED = "cited"
    NARRATIVE = "narrative"
    AUTHORS = "authors"
    YEAR = "year"
    TITLE = "title"


@dataclasses.dataclass(frozen=True, slots=True)
class Mark:
    """A citation of one work, before its bibliography is known.

    Attributes:
      key: Its key in the bibliography.
      form: What of the work is printed.
      written: What is printed where no bibliography has the key.
      note: What a narrative citation adds behind the year, e.g. ``p. 3``.
    """

    key: str
    form: Form
    written: str
    note: str = ""


def print_mark(mark: Mark, references: Mapping[str, Reference]) -> str:
    """Returns the text of a citation, on one line.

    Args:
      mark: The citation.
      references: The bibliography by key, as :func:`tell_apart` returns it.
    """
    reference = references.get(mark.key)
    if reference is None:
        return mark.written
    year = f"{reference.year or _NO_DATE}{reference.year_suffix}"
    match mark.form:
        case Form.NARRATIVE:
            inner = f"{year}, {mark.note}" if mark.note else year
            return f"{authors_label(reference, 'and')} ({inner})"
        case Form.AUTHORS:
            return authors_label(reference, "and")
        case Form.YEAR:
            return year
        case Form.TITLE if reference.title:
            return reference.title
    return f"{authors_label(reference, '&')}, {year}"


def authors_label(reference: Reference, joint: str) -> str:
    """Returns the authors as a citation names them.

    Args:
      reference: The entry; one without authors is called by its title or key.
      joint: What joins two names: ``and`` or ``&``.
    """
    names = [author.partition(",")[0].strip() for author in reference.authors]
    if not names:
        words = reference.title.split()[:_MAX_TITLE_WORDS]
        return " ".join(words) or reference.ref_id
    if len(names) == 1:
        return names[0]
    if len(names) == 2 and names[1] != _OTHERS:
        return f"{names[0]} {joint} {names[1]}"
    return f"{names[0]} {_OTHERS}"


def tell_apart(references: Mapping[str, Reference]) -> dict[str, Reference]:
    """Returns the entries with letters on the years that would otherwise be alike.

    Args:
      references: Entries by key, in the order in which they are cited.
    """
    alike: defaultdict[tuple[str, int], list[str]] = defaultdict(list)
    for key, reference in references.items():
        if reference.year and not reference.year_suffix:
            alike[authors_label(reference, "&"), reference.year].append(key)
    lettered = dict(references)
    for keys in alike.values():
        if len(keys) > 1:
            for key, letter in zip(keys, _LETTERS, strict=False):
                lettered[key] = dataclasses.replace(references[key], year_suffix=letter)
    return lettered
