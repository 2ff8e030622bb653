"""Rebuilds paragraphs and reference entries from the lines of a PDF.  Pure."""

from __future__ import annotations

import collections
import dataclasses
import itertools
import re
import statistics
from collections.abc import Iterable, Iterator, Sequence

from transforms.read_documents.headings import is_usual
from transforms.read_documents.pdf_layout import MAX_SIZE_CHANGE, Line
from transforms.read_documents.pdf_references import (
    ENDS_SENTENCE,
    entry_bounds,
    split_lists,
)
from transforms.read_documents.reference_section import (
    is_reference_heading,
)

# Of the usual distance of two lines: what parts paragraphs.
_MAX_LEADING = 1.3
# In em.
_MIN_INDENT = 0.6
_FLUSH = 0.3
# Of the width of the column: how much the last line of a paragraph is short of it.
_MIN_SHORT = 0.15
_STARTS_SENTENCE = re.compile(r"[\"'“‘(\[¿¡]{0,2}(?:[^\W\d_a-zß-öø-ÿ]|\d)")
_GOES_ON = re.compile(r"[a-zß-öø-ÿ(\[,;]")
_BALL = re.compile(r"[•●▪◦■]")
_BULLET = re.compile(r"(?:[–—*-]|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)])\s")
_CAPTION = re.compile(
    r"(?:(?:supplementary|supplemental|extended data|online)\s)?"
    r"(?:fig(?:ure)?s?\.?|tables?|scheme|box|plate|algorithm)\s?"
    r"(?:[SA-E]?\d{1,3}|[IVX]{1,5})(?:\s?[.:|]|\s?$)",
    re.IGNORECASE,
)
_MAX_CAPTION_CHARS = 3000
_MAX_PASSED = 6


@dataclasses.dataclass(frozen=True, slots=True)
class Paragraph:
    """Lines that make a paragraph, a heading or a reference entry.

    Attributes:
      text: Its lines, parted by line feeds.
      size: Height of its first line, about the size of its font, in points.
      is_display: Whether it is set in bold or larger than the text.
      page: Page of its first line, from 0.
      is_wrapped: Whether it is a line of a reference list with nothing to tell where
        an entry begins.
    """

    text: str
    size: float
    is_display: bool
    page: int
    is_wrapped: bool = False


def build_paragraphs(lines: Sequence[Line]) -> list[Paragraph]:
    """Returns the paragraphs of a document in reading order, without captions.

    A sentence that a figure, a footnote or the end of a page parts is joined again.

    Args:
      lines: The lines of all pages in reading order.
    """
    if not lines:
        return []
    body = _body_size(lines)
    leading = _leadings(lines)
    built: list[Paragraph] = []
    for is_list, part in split_lists(lines):
        if is_list:
            built.extend(_entries(part, body))
            continue
        groups = _split_text(part, leading)
        paragraphs = (_paragraph(group, body) for group in groups)
        built.extend(_rejoin([p for p in paragraphs if not _is_caption(p)], body))
    return built


def _paragraph(lines: Sequence[Line], body: float) -> Paragraph:
    size = statistics.median(line.place.height for line in lines)
    large = size > body * (1 + MAX_SIZE_CHANGE)
    bold = all(line.place.bold for line in lines)
    text = "\n".join(line.text for line in lines)
    return Paragraph(text, size, large or bold, lines[0].page)


def _body_size(lines: Iterable[Line]) -> float:
    """Returns the height of line that most of the text has."""
    sizes: collections.Counter[float] = collections.Counter()
    for line in lines:
        sizes[round(line.place.height * 2) / 2] += len(line.text)
    return sizes.most_common(1)[0][0]


def _leadings(lines: Sequence[Line]) -> float:
    """Returns the usual distance between lines, in heights of a line."""
    distances = [
        (before.place.middle - line.place.middle) / before.place.height
        for before, line in itertools.pairwise(lines)
        if line.is_below(before) and not line.changes_size(before)
    ]
    usual = [d for d in distances if 0.5 < d < 3]
    return statistics.median(usual) if usual else 1.2


def _split_text(lines: Sequence[Line], leading: float) -> Iterator[list[Line]]:
    """Yields running text by paragraph."""
    group: list[Line] = []
    for line in lines:
        if group and _begins_paragraph(group[-1], line, leading):
            yield group
            group = []
        group.append(line)
    if group:
        yield group


def _begins_paragraph(before: Line, line: Line, leading: float) -> bool:
    if line.changes_size(before) or before.place.bold != line.place.bold:
        return True
    if is_usual(line.text) or is_usual(before.text):
        return True
    if is_reference_heading(line.text) or _BALL.match(line.text):
        return True
    complete = ENDS_SENTENCE.search(before.text) is not None
    below = line.is_below(before)
    if below and line.gap(before) > _MAX_LEADING * leading:
        return complete or not _GOES_ON.match(line.text)
    if (complete or not below) and _CAPTION.match(line.text):
        return True
    if not complete:
        return False
    return (
        _is_short(before) and _STARTS_SENTENCE.match(line.text) is not None
    ) or _is_indented(before, line)


def _is_short(line: Line) -> bool:
    return line.right - line.place.right > _MIN_SHORT * (line.right - line.left)


def _is_indented(before: Line, line: Line) -> bool:
    """Tells whether a line is set in, and the one before it is not."""
    em = line.place.height
    if _BULLET.match(line.text):
        return True
    if line.place.left - line.left < _MIN_INDENT * em:
        return False
    return before.place.left - before.left < _FLUSH * em or before.page != line.page


def _entries(lines: Sequence[Line], body: float) -> Iterator[Paragraph]:
    """Yields a reference list by entry, or by line where nothing tells entries."""
    bounds = entry_bounds(lines)
    for start, end in bounds or itertools.pairwise(range(len(lines) + 1)):
        entry = _paragraph(lines[start:end], body)
        yield dataclasses.replace(entry, is_display=False, is_wrapped=not bounds)


def _is_caption(paragraph: Paragraph) -> bool:
    text = paragraph.text
    return len(text) <= _MAX_CAPTION_CHARS and _CAPTION.match(text) is not None


def _rejoin(paragraphs: Sequence[Paragraph], body: float) -> list[Paragraph]:
    """Joins a paragraph that ends within a sentence to where it goes on.

    What stands between in another size, such as footnotes, is moved behind it.
    """
    joined: list[Paragraph] = []
    unfinished = -1
    for paragraph in paragraphs:
        is_text = abs(paragraph.size - body) <= MAX_SIZE_CHANGE * body
        is_text = is_text and not paragraph.is_display
        if is_text and unfinished >= 0 and _GOES_ON.match(paragraph.text):
            first = joined[unfinished]
            text = f"{first.text}\n{paragraph.text}"
            joined[unfinished] = dataclasses.replace(first, text=text)
        else:
            joined.append(paragraph)
            if is_text:
                unfinished = len(joined) - 1
        last = joined[unfinished].text if unfinished >= 0 else "."
        if ENDS_SENTENCE.search(last) or len(joined) - unfinished > _MAX_PASSED:
            unfinished = -1
    return joined
