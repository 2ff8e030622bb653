"""Finds the headings of plain text, and turns headings into sections.  Pure.

A heading stands alone on a short line: numbered, a usual section name, or a line
between blank lines that does not end as a sentence does.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence

from transforms.records import Section

_MAX_HEADING_CHARS = 150
_MAX_HEADING_WORDS = 20
_USUAL_LEVEL = 1
_OTHER_LEVEL = 2

_MARKS = " \t\f\v#*_=~>[]"
_SENTENCE_ENDS = (".", ",", ";", ":", "!", "…", "-")
_NUMBER = re.compile(
    r"(?:(?:\d{1,2}(?:\.\d{1,2}){0,4}|[IVX]{1,5}|[A-H](?:\.\d{1,2}){0,4})[.):]?)\s+"
)
_DEPTH = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,4})[.)]?\s+[^\W\d_]")
_YEAR = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)")

_USUAL_NAMES = frozenset(
    [
        *("abstract", "summary", "introduction", "background", "related work"),
        *("motivation", "aims", "objectives", "hypotheses", "theory", "preliminaries"),
        *("methods", "method", "materials and methods", "methods and materials"),
        *("methodology", "online methods", "methods summary", "patients and methods"),
        *("experimental procedures", "experimental section", "experimental"),
        *("data", "data and methods", "materials", "participants", "procedure"),
        *("statistical analysis", "results", "findings", "experiments", "evaluation"),
        *("results and discussion", "discussion", "general discussion", "limitations"),
        *("conclusion", "conclusions", "concluding remarks", "future work", "outlook"),
        *("discussion and conclusions", "discussion and conclusion", "implications"),
        *("einleitung", "methoden", "ergebnisse", "diskussion", "zusammenfassung"),
        *("résumé", "méthodes", "résultats", "introducción", "métodos", "resultados"),
        *("discusión", "conclusiones", "resumen"),
    ]
)
# What may follow a reference list, alone or with more words on the line.
_BACK_MATTER = re.compile(
    r"(?:appendi(?:x|ces)|annex(?:es)?|anhang|anexos?|supplement\w*|supporting|"
    r"acknowledge?ments?|danksagung|remerciements|agradecimientos|"
    r"(?:figure|table)s?(?: and tables?)?(?: legends?| captions?)?$|"
    r"legends? (?:to|for|of) |captions? (?:to|for|of) |extended data|"
    r"authors?['’]? contributions?|author information|authors?['’]? note|"
    r"about the authors?|biograph(?:y|ies)|funding|financial disclosure|"
    r"(?:competing|conflicts?|declarations?|disclosures?)\b|"
    r"data (?:and code )?availability|code availability|ethics\b|"
    r"glossary|abbreviations|(?:end|foot)?notes$)",
)


@dataclasses.dataclass(frozen=True, slots=True)
class Heading:
    """A heading with its place in the text.

    Attributes:
      title: The heading as printed.
      start: Offset of its first character.
      level: Depth in the document, 1 for the outermost.
    """

    title: str
    start: int
    level: int


def nest(headings: Sequence[Heading], text: str) -> tuple[Section, ...]:
    """Returns the sections that ``headings`` open, in reading order.

    Args:
      headings: The headings by position.
      text: The text they stand in.

    Returns:
      One section a heading; it ends at the next heading that is not deeper, less
      white space.
    """
    ends = [len(text)] * len(headings)
    open_: list[int] = []
    for index, heading in enumerate(headings):
        while open_ and headings[open_[-1]].level >= heading.level:
            ends[open_.pop()] = heading.start
        open_.append(index)
    return tuple(
        Section(heading.title, heading.start, _before_space(text, end))
        for heading, end in zip(headings, ends, strict=True)
    )


def find_headings(text: str, *, skip: int = 0) -> Iterator[Heading]:
    """Yields the headings of plain text by position.

    Args:
      text: Text with blank lines between its paragraphs.
      skip: Offset before which no heading is looked for.
    """
    start, before = 0, ""
    lines = text.split("\n")
    for index, line in enumerate(lines):
        if start >= skip and 0 < len(line) <= _MAX_HEADING_CHARS:
            after = lines[index + 1] if index + 1 < len(lines) else ""
            level = _level(line, not before.strip(), not after.strip())
            if level:
                title = line.strip(_MARKS)
                yield Heading(title, start + line.index(title), level)
        start, before = start + len(line) + 1, line


def bare_name(line: str) -> str:
    """Returns a heading line for comparison: no marks, number, colon or case."""
    line = line.strip(_MARKS)
    number = _NUMBER.match(line)
    if number and number.end() < len(line):
        line = line[number.end() :]
    return " ".join(line.rstrip(_MARKS + ":.").casefold().split())


def is_usual(line: str) -> bool:
    """Tells whether ``line`` is a usual section name, such as ``2. Methods``."""
    return len(line) <= _MAX_HEADING_CHARS and bare_name(line) in _USUAL_NAMES


def is_back_matter(line: str) -> bool:
    """Tells whether ``line`` heads what may follow a reference list."""
    if len(line) > _MAX_HEADING_CHARS or line.rstrip().endswith(_SENTENCE_ENDS):
        return False
    return bool(_BACK_MATTER.match(bare_name(line))) and not _YEAR.search(line)


def _level(line: str, blank_before: bool, blank_after: bool) -> int:
    """Returns the level of a heading line, or 0 where it is none."""
    if not blank_before:
        return 0
    if is_usual(line):
        return _USUAL_LEVEL
    numbered = _DEPTH.match(line.strip(_MARKS))
    depth = numbered[1].count(".") + 1 if numbered else 0
    if not (blank_after or depth > 1) or not _can_be_heading(line):
        return 0
    if is_back_matter(line):
        return _USUAL_LEVEL
    return depth or _OTHER_LEVEL


def _can_be_heading(line: str) -> bool:
    line = line.strip()
    if line.endswith(_SENTENCE_ENDS) or len(line.split()) > _MAX_HEADING_WORDS:
        return False
    first = next((char for char in line if char.isalpha()), "")
    return first == first.upper() != "" and not _YEAR.search(line)


def _before_space(text: str, end: int) -> int:
    while end and text[end - 1].isspace():
        end -= 1
    return end
