"""Reads the citation commands of LaTeX, natbib and BibLaTeX.  Pure."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from transforms.read_documents.citation_text import Form, Mark
from transforms.read_documents.latex_input import Source
from transforms.read_documents.latex_symbols import print_plain

_NAME = re.compile(r"[A-Za-z]*cite[A-Za-z]*", re.IGNORECASE)
_NO_CITATIONS = frozenset(
    [
        *("citestyle", "setcitestyle", "citereset", "declarecitecommand", "citetext"),
        *("citesetup", "defcitealias", "mancite", "citeindextrue", "citeindexfalse"),
        *("citepunct", "citename", "citenamefont", "citedelim", "multicitedelim"),
        *("declareautocitecommand", "declaremulticitecommand", "ateverycite"),
    ]
)
_FORMS = {
    **dict.fromkeys(["citet", "textcite", "citea", "citetalias"], "narrative"),
    **dict.fromkeys(["textcites", "shortcitea", "citealiast", "ccite"], "narrative"),
    **dict.fromkeys(["citealp", "citealt", "citenp", "shortcitenp"], "bare"),
    **dict.fromkeys(["fullcite", "footfullcite", "onlinecite", "bibentry"], "bare"),
    **dict.fromkeys(["citeauthor", "citefullauthor", "citeauthornp"], "authors"),
    **dict.fromkeys(["citeyear", "citedate", "citeyearnp", "citeurldate"], "year"),
    **dict.fromkeys(["citeyearpar"], "bracketed year"),
    **dict.fromkeys(["citetitle"], "title"),
}  # fmt: skip
_PARENTHETICAL = frozenset(
    [
        *("cite", "citep", "parencite", "autocite", "footcite", "smartcite"),
        *("supercite", "cites", "parencites", "autocites", "footcites", "nocite"),
    ]
)
_MARK_FORMS = {
    "narrative": Form.NARRATIVE,
    "authors": Form.AUTHORS,
    "year": Form.YEAR,
    "bracketed year": Form.YEAR,
    "title": Form.TITLE,
}
_BRACKETED = frozenset(["", "bracketed year"])
_MAX_GROUPS = 200


@dataclasses.dataclass(frozen=True, slots=True)
class Note:
    """What stands before or behind a citation, as source.

    Attributes:
      source: The note in LaTeX; it may cite, too.
    """

    source: str


Part: TypeAlias = str | Mark | Note


@dataclasses.dataclass(frozen=True, slots=True)
class _Group:
    """The keys of one pair of braces with the notes before them."""

    before: str
    after: str
    keys: tuple[str, ...]


def is_citation(name: str) -> bool:
    """Tells whether the command ``name`` cites, as far as its name says."""
    return (
        "cite" in name.lower()
        and _NAME.fullmatch(name) is not None
        and name.lower() not in _NO_CITATIONS
    ) or name == "bibentry"


def is_usual_citation(name: str) -> bool:
    """Tells whether ``name`` is a command of natbib or BibLaTeX."""
    return name.lower() in _FORMS or name.lower() in _PARENTHETICAL


def read_keys(source: Source) -> tuple[str, ...]:
    """Reads an argument that lists keys."""
    return _split(source.group() or "")


def read_citation(name: str, source: Source) -> list[Part]:
    """Reads the arguments of a citation command.

    Args:
      name: The command, without backslash or star.
      source: The source, right behind the command.

    Returns:
      What the citation prints, in order; nothing where it cites nothing.
    """
    lower = name.lower()
    form = _FORMS.get(lower, "")
    outer = _notes(source, "(") if lower.endswith("cites") else ("", "")
    groups = list(_groups(source, several=lower.endswith("cites")))
    if not any(group.keys for group in groups):
        return []
    if form == "narrative":
        return _narrative(groups)
    parts = _list(groups, _MARK_FORMS.get(form, Form.CITED), outer)
    return ["(", *parts, ")"] if form in _BRACKETED else parts


def _groups(source: Source, *, several: bool) -> Iterator[_Group]:
    for _ in range(_MAX_GROUPS if several else 1):
        before, after = _notes(source, "[")
        keys = source.group()
        if keys is None:
            return
        yield _Group(before, after, _split(keys))


def _notes(source: Source, opener: str) -> tuple[str, str]:
    """Reads the notes before and behind; a single one stands behind."""
    first = source.option(opener)
    second = source.option(opener) if first is not None else None
    return ("", first or "") if second is None else (first or "", second)


def _split(keys: str) -> tuple[str, ...]:
    return tuple(key for part in keys.split(",") if (key := " ".join(part.split())))


def _narrative(groups: Sequence[_Group]) -> list[Part]:
    parts: list[Part] = []
    for group in groups:
        for at, key in enumerate(group.keys):
            last = at == len(group.keys) - 1
            note = print_plain(group.after) if last else ""
            mark = Mark(key, Form.NARRATIVE, key, note)
            before = group.before.strip() if not at else ""
            parts += ["; "] * bool(parts)
            parts += [Note(before), " ", mark] if before else [mark]
    return parts


def _list(groups: Sequence[_Group], form: Form, outer: tuple[str, str]) -> list[Part]:
    """Returns ``see Ng, 2015; Ode, 2016, p. 3`` as parts."""
    parts: list[Part] = []
    for group in groups:
        parts += ["; "] * bool(parts and group.keys)
        if before := group.before.strip():
            parts += [Note(before), " "]
        for at, key in enumerate(group.keys):
            parts += ["; "] * bool(at)
            parts.append(Mark(key, form, key))
        if after := group.after.strip():
            parts += [", ", Note(after)]
    before, after = (note.strip() for note in outer)
    if before:
        parts = [Note(before), " ", *parts]
    return [*parts, ", ", Note(after)] if after else parts
