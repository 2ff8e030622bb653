"""Rids LaTeX source of comments, listings and branches not taken.  Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

_VERBATIM = ("verbatim", "verbatim*", "Verbatim", "lstlisting", "minted", "comment")

_NAMES = "|".join(map(re.escape, _VERBATIM))
# An escaped per cent sign begins no comment, nor does one in a link.  A comment takes
# its line feed along, unless a blank line follows.
_SKIP = re.compile(
    r"\\verb\*?(?P<mark>[^A-Za-z*\s])(?P<verb>[^\n]{0,500}?)(?P=mark)"
    r"|\\lstinline(?P<mark2>[!|+])(?P<verb2>[^\n]{0,500}?)(?P=mark2)"
    rf"|\\begin\{{(?P<name>{_NAMES})\}}"
    r"|\\(?:url|path|href|nolinkurl)\s{0,4}\{[^{}\n]{0,2000}\}"
    r"|\\."
    r"|%[^\n]*(?:\n(?![ \t]*\n)[ \t]*)?",
    re.DOTALL,
)
_SPECIAL = re.compile(r"[\\{}%&#_$~^]")
_ESCAPES = {
    "\\": "\\textbackslash{}",
    "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}",
}

_BRANCH = re.compile(
    r"\\(?:newif\s{0,9}\\if(?P<new>[A-Za-z]+)"
    r"|(?P<if>if(?:x|num|dim|odd|case|false|true|defined|csname|mmode|pdf|vmode|hmode"
    r"|inner|cat|eof|void|hbox|xetex|luatex|PDFTeX|XeTeX|LuaTeX)?)(?![A-Za-z@])"
    r"|if(?P<own>[A-Za-z]+)|(?P<else>else)(?![A-Za-z@])|(?P<fi>fi)(?![A-Za-z@])"
    r"|(?P<set>[A-Za-z]+?)(?P<value>true|false)(?![A-Za-z@]))"
)


def clean(source: str) -> str:
    """Returns LaTeX source without comments, listings and branches not taken.

    Code within a line (``verb``) stays, with its special characters escaped.  Of
    a condition that cannot be known the first branch is taken.
    """
    return _without_branches("".join(_without_comments(source)))


def _without_comments(source: str) -> Iterator[str]:
    start = 0
    match = _SKIP.search(source)
    while match:
        text, end = match[0], match.end()
        yield source[start : match.start()]
        if name := match["name"]:
            closing = f"\\end{{{name}}}"
            at = source.find(closing, end)
            # Without its end, a listing is the rest of the file, as it is for TeX.
            end = len(source) if at < 0 else at + len(closing)
        elif match["mark"] or match["mark2"]:
            yield _SPECIAL.sub(_escape, match["verb"] or match["verb2"] or "")
        elif text[0] == "\\":
            yield text
        start = end
        match = _SKIP.search(source, end)
    yield source[start:]


def _escape(match: re.Match[str]) -> str:
    return _ESCAPES.get(match[0], f"\\{match[0]}")


def _without_branches(source: str) -> str:
    if "\\fi" not in source:
        return source
    kept: list[str] = []
    values: dict[str, bool] = {}
    # Of each open condition, whether text in the present branch is printed.
    taken: list[bool] = []
    start = 0
    for match in _BRANCH.finditer(source):
        if not _is_branch(match, values):
            continue
        if all(taken):
            kept.append(source[start : match.start()])
        _enter(match, values, taken)
        start = match.end()
    if all(taken):
        kept.append(source[start:])
    return "".join(kept)


def _is_branch(match: re.Match[str], values: dict[str, bool]) -> bool:
    """Tells the words of conditions from others, such as ``ifthenelse``."""
    own = match["own"] or match["set"]
    return own is None or own in values


def _enter(match: re.Match[str], values: dict[str, bool], taken: list[bool]) -> None:
    """Opens, turns or closes a condition, or sets one of the document's own."""
    if new := match["new"]:
        values[new] = False
    elif match["if"]:
        taken.append(match["if"] != "iffalse")
    elif own := match["own"]:
        taken.append(values[own])
    elif name := match["set"]:
        if all(taken):
            values[name] = match["value"] == "true"
    elif taken and match["else"]:
        taken[-1] = not taken[-1]
    elif taken:
        taken.pop()
