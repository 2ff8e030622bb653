"""Reads a BibTeX or BibLaTeX database as references.  Pure; nothing raises.

The file is cut where an entry begins, so that a broken entry, such as one whose
braces do not match, costs no other.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from transforms.read_documents.bibtex_records import to_reference
from transforms.records import Reference

_ENTRY = re.compile(r"(?:^|(?<=[\s})]))@[ \t]{0,8}([A-Za-z]{1,40})[ \t]{0,8}[{(]")
_KEY = re.compile(r"\s*([^,\s{}\"]+)\s*,?")
_FIELD = re.compile(r"[\s,]*([A-Za-z][\w:.+/-]{0,60})\s*=\s*")
_NEXT_FIELD = re.compile(r"[,\n]\s{0,40}[A-Za-z][\w:.+/-]{0,60}\s{0,9}=")
_WORD = re.compile(r"[^\s,#{}\"=]+")
_JOINT = re.compile(r"\s*#\s*")
_BRACE = re.compile(r"[{}]")
_BRACE_OR_QUOTE = re.compile(r'[{}"]')
_END = re.compile(r"[\s,]*[})]")
_DELIMITERS = ("{", '"')
_MAX_BROKEN_VALUES = 8
_NO_WORKS = frozenset(["comment", "preamble", "string", "set", "xdata"])
_MONTHS = dict.fromkeys(
    [
        *("jan", "feb", "mar", "apr", "may", "jun"),
        *("jul", "aug", "sep", "oct", "nov", "dec"),
    ],
    "",
)


def read_bibtex(text: str, keys: Collection[str] | None = None) -> dict[str, Reference]:
    """Reads the entries of a database.

    Args:
      text: The database, decoded.
      keys: The entries to read; None for all.

    Returns:
      The references by key, in order.  Of several entries of one key the first
      counts; broken ones are left out.
    """
    bodies: dict[str, str] = {}
    kinds: dict[str, str] = {}
    strings: dict[str, str] = dict(_MONTHS)
    for kind, body in _entries(text):
        if kind == "string":
            strings.update(_fields(body, strings))
        elif kind not in _NO_WORKS and (match := _KEY.match(body)):
            bodies.setdefault(match[1], body[match.end() :])
            kinds.setdefault(match[1], kind)
    found: dict[str, Reference] = {}
    for name in bodies if keys is None else [k for k in bodies if k in keys]:
        fields = _inherit(_fields(bodies[name], strings), bodies, strings)
        if fields:
            found[name] = to_reference(name, fields, kinds[name])
    return found


def _entries(text: str) -> Iterator[tuple[str, str]]:
    """Yields the kind of each entry, and what stands behind its opening brace."""
    matches = list(_ENTRY.finditer(text))
    ends = [match.start() for match in matches[1:]] + [len(text)]
    for match, end in zip(matches, ends, strict=False):
        yield match[1].lower(), text[match.end() : end]


def _fields(body: str, strings: Mapping[str, str]) -> dict[str, str]:
    """Returns the fields of an entry by lower-case name; the first of a name counts."""
    fields: dict[str, str] = {}
    start = broken = 0
    while broken <= _MAX_BROKEN_VALUES:
        field = _FIELD.match(body, start)
        if field:
            value, start, closed = _value(body, field.end(), strings)
            broken += not closed
            if value.strip():
                fields.setdefault(field[1].lower(), value)
            continue
        # An entry ends at its brace; anything else may lack a comma or a value.
        following = None if _END.match(body, start) else _next_field(body, start)
        if not following:
            break
        start = following
    return fields


def _value(body: str, start: int, strings: Mapping[str, str]) -> tuple[str, int, bool]:
    """Returns a value, its parts joined, the offset behind it and if it is closed."""
    parts: list[str] = []
    while True:
        opening = body[start : start + 1]
        if opening in _DELIMITERS:
            end = _closing(body, start, opening)
            if end is None:
                end = _next_field(body, start + 1) or len(body)
                return "".join((*parts, body[start + 1 : end])), end, False
            parts.append(body[start + 1 : end])
            start = end + 1
        elif word := _WORD.match(body, start):
            parts.append(strings.get(word[0].lower(), word[0]))
            start = word.end()
        joint = _JOINT.match(body, start)
        if not joint:
            return "".join(parts), start, True
        start = joint.end()


def _closing(body: str, start: int, opening: str) -> int | None:
    """Returns the offset of the brace or quote that closes a value, if any does."""
    depth = 0
    pattern = _BRACE if opening == "{" else _BRACE_OR_QUOTE
    for match in pattern.finditer(body, start + (opening == '"')):
        if match[0] == "{":
            depth += 1
        elif match[0] == "}":
            depth -= 1
            if depth <= 0 and opening == "{":
                return match.start()
        elif depth <= 0:
            return match.start()
    return None


def _next_field(body: str, start: int) -> int | None:
    following = _NEXT_FIELD.search(body, start)
    return following.start() if following else None


def _inherit(
    fields: dict[str, str],
    bodies: Mapping[str, str],
    strings: Mapping[str, str],
) -> dict[str, str]:
    """Returns fields with those of the volume that the work is part of."""
    parent = bodies.get(fields.get("crossref", "").strip())
    if parent is None:
        return fields
    inherited = _fields(parent, strings)
    if title := inherited.pop("title", ""):
        inherited.setdefault("booktitle", title)
    for name in ("author", "subtitle", "doi", "url", "crossref"):
        inherited.pop(name, None)
    return {**inherited, **fields}
