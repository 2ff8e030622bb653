"""Finds the reference lists of a text that does not mark them.  Pure.

A list is a heading such as ``References`` with lines behind it that look like
entries, or, where no heading is found, a run of such lines that ends the text.
"""

from __future__ import annotations

import itertools
import re
import statistics
from collections.abc import Mapping, Sequence

from transforms.read_documents.headings import bare_name, is_back_matter, is_usual

_MAX_HEADING_CHARS = 60
# Enough entries to tell a list from prose, and not the whole of a long list.
_LOOK_AT_LINES = 40
_MIN_ENTRY_SHARE = 0.5
_MIN_WRAPPED_SHARE = 0.25
_MIN_HEADLESS_ENTRIES = 3
_MAX_PASSED_ENTRIES = 2
_MAX_ENTRY_CHARS = 1500
_MAX_WRAPPED_LINE_CHARS = 130
# Longer than entries are, on the whole; a list run together is one or two lines.
_MAX_MEDIAN_CHARS = 700
_MAX_RUN_TOGETHER_LINES = 2
_MAX_CHARS_A_YEAR = 400

_NAMES = frozenset(
    [
        *("references", "reference", "reference list", "list of references"),
        *("references cited", "cited references", "references and notes"),
        *("notes and references", "references and further reading", "references list"),
        *("bibliography", "selected bibliography", "bibliographic references"),
        *("works cited", "work cited", "works consulted", "literature"),
        *("literature cited", "cited literature", "literature references"),
        *("further reading", "additional references", "online-only references"),
        *("supplementary references", "supplemental references", "main references"),
        *("methods references", "appendix references", "references for methods"),
        *("literatur", "literaturverzeichnis", "literaturangaben", "referenzen"),
        *("quellen", "quellenverzeichnis", "références", "références citées"),
        *("références bibliographiques", "bibliographie", "referencias"),
        *("referencias bibliográficas", "bibliografía", "bibliografia"),
        *("riferimenti", "riferimenti bibliografici", "referências"),
        *("referências bibliográficas", "referenties", "literatuur"),
        *("literatuurlijst", "referenser", "referanser", "referencer", "litteratur"),
        *("litteraturförteckning", "kildeliste", "källor", "lähteet", "kirjallisuus"),
        *("literatura", "piśmiennictwo", "kaynakça", "kaynaklar", "irodalom"),
        *("список литературы", "литература", "библиография", "参考文献", "引用文献"),
    ]
)
_YEAR = re.compile(
    r"(?<!\d)(?:1[5-9]|20)\d\d[a-z]?(?!\d)|\b(?:in press|forthcoming|n\.d\.)",
    re.IGNORECASE,
)
_LABEL = re.compile(r"\s*(?:\[[\w+]{1,12}\]|\(?\d{1,3}[.)\]]|\d{1,3}\s|[•*–-]\s)\s*")
# "Ng, A. B.", "Ng AB,", "van der Prell, C", "O'Ode-Ng J.", "Ode, Tamsin R."
_SURNAME = r"[^\W\d_a-z][\w'’-]{1,30}"
_AUTHOR = re.compile(
    rf"\s*(?:[a-z']{{1,4}}\s){{0,2}}{_SURNAME}(?:\s{_SURNAME}){{0,2}}"
    r"(?:,?\s(?:[^\W\d_a-z]\.?[\s-]?){1,4}(?=[,.;:&(\s]|$)"
    rf"|,\s{_SURNAME}(?:\s[^\W\d_a-z]\.?)?(?=[,.;]|\s(?:and|&)\s))"
)
# "World Health Organization. (2009)."
_DATED_START = re.compile(
    r"\W*(?:\d{1,3}\W{1,3})?[^\W\d_a-z][^\n]{2,120}?[.,(]\s?\(?(?:1[5-9]|20)\d\d"
)
_STARTS_LOWER = re.compile(r"[\W\d_]*[a-zà-öø-ÿ]")
_ENDS = (".", "!", "?", ":", ")", "]", "”", '"')
_UNDERLINE = re.compile(r"\s*[-=~_*]{3,}\s*$")


def find_reference_lists(
    lines: Sequence[str], levels: Mapping[int, int] | None = None
) -> list[range]:
    """Finds the lines that hold reference lists, headings included.

    Args:
      lines: The text, with a blank line between paragraphs.
      levels: Levels of the lines that the format marks as headings.

    Returns:
      Ranges of lines, in order.  A list ends before what is clearly headed as
      something else, at another reference heading, or with the text.
    """
    levels = levels or {}
    heads = [index for index in range(len(lines)) if _is_head(lines, index)]
    found: list[range] = []
    for head, limit in reversed(list(itertools.pairwise([*heads, len(lines)]))):
        end = _end(lines, head, limit, levels)
        entries = _entries(lines[head + 1 : end])
        # A bare heading that ends the text is a list that a tool was to fill in.
        is_bare = not entries and end == len(lines)
        # Before the last one, the heading may stand in a table of contents.
        if is_bare or looks_like_list(entries, strict=bool(found)):
            found.append(range(head, end))
    if not found and (start := _headless(lines)) < len(lines):
        found.append(range(start, len(lines)))
    return found[::-1]


def is_reference_heading(line: str) -> bool:
    """Tells whether ``line`` is the heading of a reference list and nothing else."""
    return (
        0 < len(line) <= _MAX_HEADING_CHARS
        and bare_name(line) in _NAMES
        and _STARTS_LOWER.match(line) is None
    )


def reference_lines(lines: Sequence[str]) -> list[str]:
    """Returns the lines of a list without its heading and the heading's rule."""
    body = list(lines)
    if body and is_reference_heading(body[0]):
        body = body[1:]
        if body and _UNDERLINE.match(body[0]):
            body = body[1:]
    return body


def looks_like_list(entries: Sequence[str], *, strict: bool = False) -> bool:
    """Tells whether non-blank lines are entries of a reference list.

    Args:
      entries: The lines.
      strict: Whether a sign of an entry is a label or author together with a year
        rather than any of them.

    Returns:
      True when most lines have a sign, or some do and all are short as wrapped
      lines are.
    """
    sample = entries[:_LOOK_AT_LINES]
    if not sample:
        return False
    if statistics.median(map(len, sample)) > _MAX_MEDIAN_CHARS:
        return len(entries) <= _MAX_RUN_TOGETHER_LINES and _is_run_together(sample)
    wrapped = all(len(line) <= _MAX_WRAPPED_LINE_CHARS for line in sample)
    share = _MIN_WRAPPED_SHARE if wrapped else _MIN_ENTRY_SHARE
    signs = sum(_has_sign(line, strict) for line in sample)
    return signs >= share * len(sample)


def _is_head(lines: Sequence[str], index: int) -> bool:
    """Tells a heading from a line of prose that holds nothing but the word."""
    if not is_reference_heading(lines[index]):
        return False
    before = lines[index - 1].strip() if index else ""
    return len(before) <= _MAX_HEADING_CHARS or before.endswith(_ENDS)


def _has_sign(line: str, strict: bool) -> bool:
    dated = _YEAR.search(line[:_MAX_ENTRY_CHARS]) is not None
    starts = (_LABEL.match(line) or _AUTHOR.match(line)) is not None
    return (dated and starts) if strict else (dated or starts)


def _is_run_together(lines: Sequence[str]) -> bool:
    years = sum(1 for line in lines for _ in _YEAR.finditer(line))
    return years * _MAX_CHARS_A_YEAR >= sum(map(len, lines))


def _entries(lines: Sequence[str]) -> list[str]:
    return [line for line in lines if line.strip() and not _UNDERLINE.match(line)]


def _end(lines: Sequence[str], head: int, limit: int, levels: Mapping[int, int]) -> int:
    """Returns where the list that ``head`` opens ends, at most ``limit``."""
    # Taken over all levels only where need be: there may be thousands of heads.
    deepest = levels[head] if head in levels else max(levels.values(), default=0)
    for index in range(head + 1, limit):
        line = lines[index]
        if levels.get(index, deepest + 1) <= deepest:
            return index
        alone = index > head + 1 and line and not lines[index - 1].strip()
        if alone and (is_back_matter(line) or is_usual(line)):
            return index
    return limit


def _headless(lines: Sequence[str]) -> int:
    """Returns where a run of entries that ends the text begins, or its end.

    Dated lines that do not begin as entries do are passed over, so that they count
    only between entries that do.
    """
    start, entries, passed, wrapped = len(lines), 0, 0, ""
    joined, number = False, 0
    for index in range(len(lines) - 1, -1, -1):
        line = lines[index]
        if not line.strip():
            if wrapped:
                break
            joined = False
            continue
        entry = f"{line}\n{wrapped}"
        dated = len(entry) <= _MAX_ENTRY_CHARS and _YEAR.search(entry) is not None
        # Of a long list of authors each line may look like the first.
        if (dated or joined) and _begins(line, number):
            entries += dated or passed > 0
            start, passed, wrapped = index, 0, ""
            joined, number = True, _number(line)
        elif dated and passed < _MAX_PASSED_ENTRIES and _DATED_START.match(line):
            passed, wrapped, joined = passed + 1, "", True
        elif len(line) <= _MAX_WRAPPED_LINE_CHARS and len(entry) <= _MAX_ENTRY_CHARS:
            wrapped = entry
        else:
            break
    return start if entries >= _MIN_HEADLESS_ENTRIES else len(lines)


def _begins(line: str, next_number: int) -> bool:
    """Tells whether a line begins as an entry does.

    Args:
      line: The line.
      next_number: The label of the entry behind it, or 0 where it has none.
    """
    label = _LABEL.match(line)
    if _AUTHOR.match(line, label.end() if label else 0):
        return True
    number = _number(line)
    if next_number:
        return 0 < number == next_number - 1
    return number > 0 and line.lstrip().startswith("[")


def _number(line: str) -> int:
    """Returns the number that labels an entry, or 0."""
    label = _LABEL.match(line)
    digits = label.group().strip(" \t[]().") if label else ""
    return int(digits) if digits.isdecimal() else 0
