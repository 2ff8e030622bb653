"""Reads the text of a PDF page as segments: pieces of one line, with their place.

Coordinates are in points from the lower left corner of the page.
"""

from __future__ import annotations

import collections
import ctypes
import dataclasses
import math
from collections.abc import Iterator
from typing import Any

import pypdfium2.raw as pdfium

# In em: the gap between two words that a justified line seldom has.
_MAX_WORD_GAP = 0.9
# In em: how far back a line may step, for an accent or a kern.
_MAX_STEP_BACK = 0.5
_MAX_TILT = 0.1
_MAX_PAGE_CHARS = 200_000
_FONT_NAME_BYTES = 128
_BOLD = ("bold", "black", "heavy", "semibd", "cmbx", "-medi")
# What PDFium gives for a hyphen at the end of a line.
_LINE_HYPHENS = "\x02\ufffe"
_REPLACED = "\ufffd"


@dataclasses.dataclass(frozen=True, slots=True)
class Segment:
    """Words of one line without a wide gap between them.

    Attributes:
      left: Left edge.
      right: Right edge.
      bottom: Lower edge, descenders included.
      top: Upper edge.
      text: The words, parted by single spaces.
      bold: Whether its font is a bold one.
    """

    left: float
    right: float
    bottom: float
    top: float
    text: str
    bold: bool = False

    @property
    def height(self) -> float:
        """Height of the line, about the size of its font."""
        return self.top - self.bottom

    @property
    def middle(self) -> float:
        """Height of its centre on the page."""
        return (self.top + self.bottom) / 2

    def is_beside(self, other: Segment) -> bool:
        """Tells whether both stand on one line, superscripts included."""
        shared = min(self.top, other.top) - max(self.bottom, other.bottom)
        return shared >= 0.5 * min(self.height, other.height)


@dataclasses.dataclass(slots=True)
class _Word:
    """A word with its box."""

    first: int
    box: tuple[float, float, float, float]
    text: str


def read_segments(text_page: Any) -> list[Segment]:
    """Returns the segments of a page in the order of its content stream.

    Text that runs up or down the page is left out.

    Args:
      text_page: A text page of PDFium.
    """
    segments: list[Segment] = []
    line: list[_Word] = []
    for word in _words(text_page):
        if line and (word is None or not _continues(line[-1], word)):
            segments.append(_segment(text_page, line))
            line = []
        if word is not None:
            line.append(word)
    if line:
        segments.append(_segment(text_page, line))
    return segments


def _words(page: Any) -> Iterator[_Word | None]:
    """Yields the words of a page, and None where PDFium sees a line end."""
    characters: list[str] = []
    first = last = 0
    for index in range(min(pdfium.FPDFText_CountChars(page), _MAX_PAGE_CHARS)):
        character = _character(pdfium.FPDFText_GetUnicode(page, index))
        ends_line = character in _LINE_HYPHENS or character in "\r\n"
        if character and not character.isspace():
            first = first if characters else index
            last = index
            characters.append("-" if ends_line else character)
        if (ends_line or character.isspace()) and characters:
            if word := _word(page, first, last, "".join(characters)):
                yield word
            characters = []
        if ends_line and character:
            yield None
    if characters and (word := _word(page, first, last, "".join(characters))):
        yield word


def _character(code: int) -> str:
    """Returns a character; U+FFFD for a glyph that stands for none."""
    if code in (0, 0xFFFD) or 0xE000 <= code < 0xF900:
        return _REPLACED
    if 0xD800 <= code < 0xE000 or code > 0x10FFFF:
        return _REPLACED
    character = chr(code)
    if code < 32 and character not in "\t\r\n\x02":
        return _REPLACED
    return character


def _word(page: Any, first: int, last: int, text: str) -> _Word | None:
    """Returns a word, or None where it does not run along the line."""
    angle = pdfium.FPDFText_GetCharAngle(page, first)
    if _MAX_TILT < angle < 2 * math.pi - _MAX_TILT:
        return None
    left, bottom, right, top = _box(page, first)
    if last != first:
        # The last character may be raised, as the mark of a note is.
        right = _box(page, last)[2]
    return _Word(first, (left, bottom, right, top), text)


def _box(page: Any, index: int) -> tuple[float, float, float, float]:
    rectangle = pdfium.FS_RECTF()
    pdfium.FPDFText_GetLooseCharBox(page, index, ctypes.byref(rectangle))
    return rectangle.left, rectangle.bottom, rectangle.right, rectangle.top


def _continues(before: _Word, word: _Word) -> bool:
    """Tells whether ``word`` follows ``before`` on its line."""
    left, bottom, right, top = before.box
    em = max(top - bottom, 1.0)
    gap = word.box[0] - right
    shared = min(top, word.box[3]) - max(bottom, word.box[1])
    height = min(em, word.box[3] - word.box[1])
    return -_MAX_STEP_BACK * em <= gap <= _MAX_WORD_GAP * em and shared >= 0.5 * height


def _segment(page: Any, line: list[_Word]) -> Segment:
    # A line may have words in other fonts; most of it tells its size.
    chars = collections.Counter[tuple[float, float]]()
    for word in line:
        chars[word.box[1], word.box[3]] += len(word.text)
    bottom, top = chars.most_common(1)[0][0]
    return Segment(
        left=line[0].box[0],
        right=max(word.box[2] for word in line),
        bottom=bottom,
        top=max(top, bottom + 1.0),
        text=" ".join(word.text for word in line),
        bold=_is_bold(page, line[0].first) and _is_bold(page, line[-1].first),
    )


def _is_bold(page: Any, index: int) -> bool:
    name = ctypes.create_string_buffer(_FONT_NAME_BYTES)
    flags = ctypes.c_int()
    size = pdfium.FPDFText_GetFontInfo(
        page, index, name, _FONT_NAME_BYTES, ctypes.byref(flags)
    )
    if not 0 < size <= _FONT_NAME_BYTES:
        return False
    written = name.value.decode("utf-8", "replace").lower()
    return any(mark in written for mark in _BOLD)
