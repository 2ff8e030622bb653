"""Decodes the bytes of a text document.  Pure: bytes in, text out."""

from __future__ import annotations

import codecs
import re
import unicodedata

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_NON_ASCII = bytes(range(128, 256))
_REPLACEMENT = "\ufffd"
_MARK = "\ufeff"

# Read as UTF-8, Latin-1 text is wrong at nearly every letter beyond ASCII, and
# UTF-8 text with a damaged spot at few of them.
_MAX_DAMAGED_SHARE = 0.1
# Composing takes quadratic time in a run of combining marks, inside C where nothing
# can interrupt it.  Thirty are the most that Unicode's stream-safe format allows.
_MARKS = "[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
_MANY_MARKS = re.compile(f"({_MARKS}{{30}}){_MARKS}+")
_ANY_MARK = re.compile(_MARKS)


def decode(data: bytes) -> str:
    """Returns ``data`` as text, in whichever of the usual encodings it is.

    UTF-8 and, with a byte-order mark, UTF-16; anything else is read as
    Windows-1252, which is Latin-1 with punctuation for its unused controls.
    Nothing raises: what cannot be decoded becomes U+FFFD.

    Args:
      data: The bytes of a text document.

    Returns:
      The text in NFC, without byte-order mark or NUL, with line feeds for newlines.
    """
    return _normalise(_to_text(data))


def _normalise(text: str) -> str:
    """Returns ``text`` in NFC, with line feeds, without NUL or byte-order mark.

    The mark is one only at the start: elsewhere it is a space without width.
    """
    if "\0" in text:
        text = text.replace("\0", "")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.isascii():
        return text
    text = text.lstrip(_MARK)
    # A run of 31 is at one character in 31, wherever it starts.
    if _ANY_MARK.search(text[::31]):
        text = _MANY_MARKS.sub(r"\1", text)
    if unicodedata.is_normalized("NFC", text):
        return text
    # Nothing composes with a line feed, and checking is far faster than composing.
    return "\n".join(map(_compose, text.split("\n")))


def _compose(line: str) -> str:
    if unicodedata.is_normalized("NFC", line):
        return line
    return unicodedata.normalize("NFC", line)


def _to_text(data: bytes) -> str:
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, errors="replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    damaged = data.decode("utf-8", errors="replace")
    beyond_ascii = len(data) - len(data.translate(None, _NON_ASCII))
    if damaged.count(_REPLACEMENT) <= _MAX_DAMAGED_SHARE * beyond_ascii:
        return damaged
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError:
        # Windows-1252 leaves five bytes undefined.
        return data.decode("latin-1")
