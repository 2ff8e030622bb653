"""Reads the author lists of BibTeX.  Pure.

The forms of a name are those of BibTeX: ``First von Last``, ``von Last, First`` and
``von Last, Jr, First``; words in braces stay together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from transforms.read_documents.latex_symbols import print_plain

_OTHERS = frozenset(["others", "et al", "et al."])
_ET_AL = "et al."
_EXTENDED = re.compile(r"\s*(?:family|given)\s*=", re.IGNORECASE)
_INITIALS = re.compile(r"\s*(?:[^\W\d_]\.?[-\s]?){1,4}")
_SPECIAL = "{\\"


def read_names(field: str) -> tuple[str, ...]:
    """Returns the names of an author field as ``Family, Given``.

    An organisation, which BibTeX wants in braces, is its name without a comma.  Where
    the list ends in ``and others``, the last is ``et al.``.
    """
    names = [print_name(part) for part in _split_list(field)]
    return tuple(_ET_AL if name in _OTHERS else name for name in names if name)


def print_name(source: str) -> str:
    """Returns one name as ``Family, Given``."""
    source = source.replace("~", " ").strip()
    if _is_braced(source):
        return print_plain(source).replace(",", "")
    if _EXTENDED.match(source):
        return _print_extended(source)
    parts = [part.strip() for part in _split(source, ",") if part.strip()]
    if len(parts) > 1:
        family, given = parts[0], [parts[-1], *parts[1:-1]]
        return _join(family, " ".join(given))
    words = _split(parts[0], " ") if parts else []
    start = _family_start(words)
    return _join(" ".join(words[start:]), " ".join(words[:start]))


def are_initials(part: str) -> bool:
    """Tells ``A. B.`` from a name; a short name is not all in capitals."""
    return part == part.upper() and _INITIALS.fullmatch(part) is not None


def _split_list(field: str) -> list[str]:
    """Returns the names of a list as written, whatever it is that joins them."""
    field = " ".join(field.split())
    if _is_braced(field) and " and " in field and field.count(",") > 1:
        # Some exporters put a second pair of braces around every value.
        field = field[1:-1]
    names = _split(field, " and ")
    if len(names) > 1:
        return names
    if ";" in field:
        return _split(field, ";")
    parts = _split(field, ",")
    if len(parts) < 3:
        return names
    if len(parts) > 3 and all(map(are_initials, parts[1::2])):
        return [", ".join(parts[i : i + 2]) for i in range(0, len(parts), 2)]
    whole = all(len(part.split()) > 1 for part in parts)
    return parts if whole else names


def _split(source: str, joint: str) -> list[str]:
    """Splits at ``joint`` outside braces."""
    parts: list[str] = []
    depth = 0
    # Braces stay together by counting those of each part.
    for part in re.split(re.escape(joint), source, flags=re.IGNORECASE):
        if depth > 0:
            parts[-1] += joint + part
        else:
            parts.append(part)
        depth += part.count("{") - part.count("}")
    return parts


def _is_braced(source: str) -> bool:
    """Tells whether one pair of braces encloses all of ``source``."""
    if not (source.startswith("{") and source.endswith("}")):
        return False
    if source.startswith(_SPECIAL):
        # An accented letter in braces begins a name like any other.
        return False
    return "{" not in source[1:-1] or len(list(_depth_zeros(source))) == 1


def _depth_zeros(source: str) -> Iterator[int]:
    """Yields the offsets of the braces that close an outermost pair."""
    depth = 0
    for at, char in enumerate(source):
        depth += (char == "{") - (char == "}")
        if char == "}" and depth <= 0:
            yield at


def _family_start(words: Sequence[str]) -> int:
    """Returns where the family name begins in ``First von Last``."""
    for at, word in enumerate(words[:-1]):
        # "von" begins with the first word in lower case, never the first of all.
        if at and _is_lower(word):
            return at
    return max(0, len(words) - 1)


def _is_lower(word: str) -> bool:
    if word.startswith("{") and not word.startswith(_SPECIAL):
        return False
    letter = next((char for char in print_plain(word) if char.isalpha()), "")
    return letter.islower()


def _print_extended(source: str) -> str:
    """Returns a name that BibLaTeX gives part by part: ``family=Ng, given=Ada``."""
    parts = {}
    for part in _split(source, ","):
        name, _, value = part.partition("=")
        parts[name.strip().lower()] = print_plain(value.strip(' "'))
    prefix, family = parts.get("prefix", ""), parts.get("family", "")
    return _join(f"{prefix} {family}".strip(), parts.get("given", ""))


def _join(family: str, given: str) -> str:
    family, given = print_plain(family).replace(",", ""), print_plain(given)
    return f"{family}, {given}" if family and given else family or given
