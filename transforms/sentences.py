"""Finds the sentence around an offset.  Pure; looks only at one paragraph.

Sentence bounds in scholarly prose are mostly decided by what does *not* end a
sentence: ``et al.``, ``Fig. 2``, ``E. coli``, initials, decimals, a bracket that
is still open, a citation that follows the full stop.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Sequence

Span = tuple[int, int]

# Longer paragraphs are looked at in pieces, so that cost stays linear.
_WINDOW_CHARS = 20_000

_PARAGRAPH_BREAK = re.compile(r"\n[^\S\n]*\n\s*|\n(?=[ \t]*(?:[-*•‣◦–]|\d{1,2}[.)])\s)")
# A terminator, what may close after it, and citations by number behind it.
# Each character has one way to match, and a run of stops one place to begin, so that
# the time is linear.
_STOP = re.compile(
    r"(?<![.!?…])[.!?…]++[\"'”’»)\]]*+"
    r"(?:\[\d[\d,;\s–-]{0,30}\]|[⁰¹²³⁴-⁹][,–⁻]?)*+(?=\s)|[。！？]"
)
_LAST_WORD = re.compile(r"[^\s(\[“\"‘/]+$")
_NEXT_WORD = re.compile(r"\s*[\"'“‘«(\[]*([^\W\d_](?:[\w’'-])*)?")
_MAX_WORD_CHARS = 40
_MAX_BRACKET_CHARS = 800

# Abbreviations that never end a sentence: something always follows them.
_NEVER_LAST = frozenset(
    [
        *("fig", "figs", "eq", "eqs", "eqn", "e.g", "i.e", "cf", "vs", "viz", "dr"),
        *("mr", "mrs", "ms", "prof", "st", "nr", "vol", "vols", "pp", "p", "ch"),
        *("sec", "sect", "secs", "ref", "refs", "tab", "tabs", "suppl", "supp", "ex"),
        *("approx", "ca", "c", "resp", "esp", "incl", "ed", "eds", "trans", "subsp"),
        *("var", "cv", "gen", "col", "maj", "capt", "lt", "sgt", "rev", "hon", "pres"),
        *("gov", "sen", "rep", "mt", "ft", "z.b", "u.a", "bzw", "vgl", "p.ex", "app"),
        *("dept", "univ", "ser", "art", "para", "thm", "lem", "def", "prop", "cor"),
        *("s.d", "s.e", "w.r.t", "a.k.a", "i.v", "i.p", "s.c", "et"),
    ]
)
# Abbreviations that may end a sentence: the word after them decides.
_MAYBE_LAST = frozenset(
    [
        *("al", "etc", "yr", "yrs", "hr", "hrs", "min", "sec", "wk", "wks", "mo", "d"),
        *("sp", "spp", "inc", "ltd", "co", "corp", "jr", "sr", "no", "nos", "u.s"),
        *("u.k", "u.s.a", "e.u", "u.n", "d.c", "a.m", "p.m", "ph.d", "m.d", "b.c"),
        *("a.d", "est", "max", "avg", "exp", "op", "cit", "ibid", "wt", "conc"),
        *("jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct"),
        *("nov", "dec"),
    ]
)
_STARTERS = frozenset(
    [
        *("the", "this", "these", "those", "that", "there", "their", "they", "it"),
        *("its", "in", "we", "our", "a", "an", "he", "she", "his", "her", "however"),
        *("although", "while", "when", "since", "as", "at", "on", "for", "from", "to"),
        *("by", "with", "if", "here", "such", "some", "many", "most", "both", "all"),
        *("other", "others", "another", "moreover", "furthermore", "thus", "hence"),
        *("therefore", "finally", "first", "second", "third", "next", "then", "one"),
        *("two", "three", "after", "before", "during", "despite", "because", "under"),
        *("similarly", "conversely", "interestingly", "importantly", "notably", "no"),
        *("additionally", "consistent", "based", "using", "each", "further", "given"),
        *("i", "you", "what", "why", "how", "where", "which", "not", "nor", "but"),
        *("and", "yet", "so", "also", "only", "even", "see", "data", "results"),
    ]
)


class SentenceFinder:
    """Finds the sentences around offsets that come in rising order.

    Args:
      text: The document text.
      breaks: Sorted offsets at which a paragraph ends besides blank lines and
        list items: where headings begin and end.
      markers: Spans of all citation markers by position.
    """

    def __init__(
        self, text: str, breaks: Sequence[int] = (), markers: Sequence[Span] = ()
    ) -> None:
        self._text = text
        self._breaks = breaks
        self._markers = markers
        self._sentences: list[Span] = []
        self._settled = 0
        self._window: Span = (0, 0)

    def around(self, offset: int) -> tuple[Span, Span | None]:
        """Returns the sentence around ``offset`` and the one before it.

        Returns:
          Half-open spans; the second is None for the first sentence of a paragraph.
        """
        if not self._sentences or not self._sentences[0][0] <= offset < self._settled:
            self._split(offset)
        starts = [start for start, _ in self._sentences]
        index = max(0, bisect.bisect_right(starts, offset) - 1)
        before = self._sentences[index - 1] if index else None
        return self._sentences[index], before

    def _split(self, offset: int) -> None:
        start, end = paragraph_at(self._text, offset, self._breaks)
        whole = end
        if end - start > _WINDOW_CHARS:
            # Offsets that lie close together share a window.
            middle = offset - (offset - start) % (_WINDOW_CHARS // 4)
            start = max(start, middle - _WINDOW_CHARS // 2)
            end = min(end, middle + _WINDOW_CHARS // 2)
        if (start, end) == self._window:
            return
        self._window = start, end
        low = bisect.bisect_left(self._markers, (start, 0))
        high = bisect.bisect_left(self._markers, (end, 0))
        self._sentences = split_sentences(
            self._text, start, end, self._markers[low:high]
        ) or [(offset, offset + 1)]
        # The last sentence of a piece may go on in the next.
        self._settled = end if end == whole else self._sentences[-1][0]


def paragraph_at(text: str, offset: int, breaks: Sequence[int] = ()) -> Span:
    """Returns the paragraph around ``offset``.

    Args:
      text: The document text.
      offset: An offset in it.
      breaks: Sorted offsets at which a paragraph ends besides blank lines and
        list items: where headings begin and end.
    """
    start, end = 0, len(text)
    at = bisect.bisect_right(breaks, offset)
    if at:
        start = breaks[at - 1]
    if at < len(breaks):
        end = breaks[at]
    start = _last_break(text, start, offset)
    following = _PARAGRAPH_BREAK.search(text, offset, end)
    return start, following.start() if following else end


def split_sentences(
    text: str, start: int, end: int, markers: Sequence[Span] = ()
) -> list[Span]:
    """Splits ``text[start:end]``, one paragraph, into sentences.

    Args:
      text: The document text.
      start: Offset of the paragraph's first character.
      end: Offset one past its last character.
      markers: Spans of citation markers by position; none is ever split, and one
        that stands alone behind a full stop belongs to the sentence before.

    Returns:
      Spans in order, without surrounding white space, none empty.
    """
    sentences: list[Span] = []
    begin = start
    for stop in _STOP.finditer(text, start, end):
        if _ends_sentence(text, begin, stop, end, markers):
            _append(sentences, text, begin, stop.end())
            begin = stop.end()
    _append(sentences, text, begin, end)
    return sentences


def _last_break(text: str, start: int, offset: int) -> int:
    """Returns where the paragraph around ``offset`` begins, at or after ``start``."""
    window = 2_000
    while True:
        low = max(start, offset - window)
        # A list item is known by what follows the break, so look a little further.
        ends = map(re.Match.end, _PARAGRAPH_BREAK.finditer(text, low, offset + 16))
        found = [end for end in ends if end <= offset]
        if found and (found[-1] > low + 1 or low == start):
            return found[-1]
        if low == start:
            return start
        window *= 4


def _append(sentences: list[Span], text: str, begin: int, end: int) -> None:
    while begin < end and text[begin].isspace():
        begin += 1
    while end > begin and text[end - 1].isspace():
        end -= 1
    if begin < end:
        sentences.append((begin, end))


def _ends_sentence(
    text: str, begin: int, stop: re.Match[str], end: int, markers: Sequence[Span]
) -> bool:
    at = stop.start()
    if stop.group() in "。！？":
        return True
    index = bisect.bisect_right(markers, (at, end + 1)) - 1
    if index >= 0 and markers[index][0] <= at < markers[index][1] - 1:
        return False
    if _lone_citation_follows(text, stop.end(), end, markers):
        return False
    following = _NEXT_WORD.match(text, stop.end(), end)
    word = following[1] if following else None
    if word and word[0].islower() and not any(c.isupper() for c in word):
        return False
    if _bracket_is_open(text, begin, at, end):
        return False
    return stop.group()[0] != "." or not _is_abbreviation(text, begin, at, stop, word)


def _is_abbreviation(
    text: str, begin: int, at: int, stop: re.Match[str], following: str | None
) -> bool:
    """Tells whether the full stop at ``at`` belongs to the word before it."""
    if stop.group().startswith(".."):
        return False
    last = _LAST_WORD.search(text, max(begin, at - _MAX_WORD_CHARS), at)
    if last is None:
        return True
    word = last.group()
    folded = word.casefold()
    starter = following is not None and following.casefold() in _STARTERS
    starter = starter and following is not None and following[0].isupper()
    if folded in _NEVER_LAST:
        return not (starter and folded in ("c", "p", "ft", "et"))
    if folded in _MAYBE_LAST:
        return not starter and following != ""
    if len(word) == 1 and word.isupper() or _is_dotted(word):
        return not starter
    # "1. Rates fell": a list number, not a sentence.
    return word.isdigit() and last.start() == begin


def _is_dotted(word: str) -> bool:
    """Tells whether ``word`` is initials with inner full stops: ``J.P``, ``U.S.A``."""
    parts = word.split(".")
    return len(parts) > 1 and all(len(part) == 1 and part.isalpha() for part in parts)


def _lone_citation_follows(
    text: str, at: int, end: int, markers: Sequence[Span]
) -> bool:
    """Tells whether a bracket of citations alone follows: ``fell. (Ode, 2015)``."""
    while at < end and text[at].isspace() and text[at] != "\n":
        at += 1
    if at >= end or text[at] not in "([":
        return False
    close = text.find(")" if text[at] == "(" else "]", at, min(end, at + 300))
    if close < 0:
        return False
    index = bisect.bisect_left(markers, (at, 0))
    inside = index < len(markers) and markers[index][0] <= at + 2
    rest = text[close + 1 : close + 3].strip()
    return inside and (not rest or rest[0] in ".;" or rest[0].isupper())


def _bracket_is_open(text: str, begin: int, at: int, end: int) -> bool:
    """Tells whether the sentence has opened a bracket that closes only later."""
    low, high = max(begin, at - _MAX_BRACKET_CHARS), min(end, at + _MAX_BRACKET_CHARS)
    for opener, closer in ("()", "[]"):
        opened = text.count(opener, low, at) - text.count(closer, low, at)
        if opened <= 0 or text.startswith(opener, begin):
            continue
        close = text.find(closer, at, high)
        if close >= 0 and text.count(opener, at, close) < opened + 1:
            return True
    return False
