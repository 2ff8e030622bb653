"""Finds author-year citations, from the year outward.  Pure.

Years are rare, so each is looked for first and its names are read backward from
it.  A single scan keeps the stack of open brackets, which tells a narrative year
("Ng (2015)") from one inside a bracket ("(Ng, 2015; Ode, 2016)").
"""

from __future__ import annotations

import dataclasses
import heapq
import re
from collections.abc import Iterator

from transforms.extract_citations.authors import Authors, read_authors
from transforms.extract_citations.markers import Marker
from transforms.records import CitationKind

# A bracket or a year.  One set of first characters keeps the scan fast.
_EVENT = re.compile(
    r"[(\[（［)\]）］12](?:(?<![12])|(?:(?<=1)[5-9]|(?<=2)0)\d\d(?!\d)(?![.,]\d{3}))"
)
_UNDATED = re.compile(
    r"(?<!\w)(?:in\s+press|n\.\s?d\.|forthcoming|submitted|in\s+preparation)(?!\w)"
)
_UNDATED_WORDS = (
    "in press",
    "n.d.",
    "n. d.",
    "forthcoming",
    "submitted",
    "preparation",
)
_OPEN, _CLOSE = "([（［", ")]）］"
# What belongs to a year: a reprint ("1998/2005"), a range, a letter.
_YEAR_TAIL = re.compile(
    r"(?:/(?P<reprint>(?:1[5-9]|20)\d\d))?(?:\s?[-‐-―]\s?(?:1[5-9]|20)?\d\d(?!\d))?"
    r"(?:\s?(?P<suffix>[a-z])(?![\w’']))?"
)
# "2003a,b": further letters of the same year.
_NEXT_SUFFIX = re.compile(r"\s?(?:,|&|and|-|–)\s?(?P<suffix>[a-z])(?![\w.’'])")
# A narrative marker goes to its closing bracket, over a locator: "(1996, p. 84)".
_CLOSING = re.compile(
    r"(?:\s?[,:](?!\s?\d{4})[^()\[\]（）［］;\d]{0,12}[\d–-]{1,12})?[)\]）］]"
)
# What ends an author list that stands in the open: ", 2015", "et al. 2015".
_LIST_END = re.compile(r"[,.ls]\s{1,2}$")
# What may stand between two years of one author list: "2001, 2003; and 2004".
_CONTINUATION = re.compile(r"[\s,;]*(?:(?:and|&|und|et)\s+)?$")
# What may follow a year that has neither comma nor "et al." before it.
_PLAIN_END = re.compile(
    r"\s*(?:[)\]）］,:]|;(?!\s*\d+[:(])|(?:and|for|in|cited|quoted|reviewed)\b|&|pp?\.|$)"
)
_MIN_LOST_CAPITALS = 3
_BLANK_LINE = "\n\n"
_MAX_BRACKET_CHARS = 2_000


@dataclasses.dataclass(slots=True)
class _Group:
    """An open bracket and the last author list that was read in it."""

    start: int
    after: int
    authors: Authors | None = None


class _CommaStyle:
    """Whether a document writes a comma between names and year in brackets.

    "(Lipofectamine 2000)" reads like "(Ode 2000)"; where a document otherwise
    writes "(Ode, 2000)", it is doubtful.
    """

    def __init__(self) -> None:
        self._with_comma = 0
        self._bare: set[int] = set()

    def note(self, authors: Authors, start: int) -> None:
        if authors.comma:
            self._with_comma += 1
        elif not authors.et_al and len(authors.surnames) == 1:
            self._bare.add(start)

    def doubt_the_odd(self, markers: list[Marker]) -> list[Marker]:
        if self._with_comma < max(3, 4 * len(self._bare)):
            return markers
        return [
            dataclasses.replace(m, doubtful=True) if m.start in self._bare else m
            for m in markers
        ]


def find_author_year(text: str) -> list[Marker]:
    """Returns the author-year citations of ``text`` in order of position.

    One marker is one work: ``2001, 2003a,b`` behind one name gives three.  A
    marker that reads as well as something else is ``doubtful``.
    """
    markers: list[Marker] = []
    style = _CommaStyle()
    stack: list[_Group] = []
    after = 0
    for event in _events(text):
        start = event.start()
        character = text[start]
        if character in _OPEN:
            stack.append(_Group(event.end(), event.end()))
        elif character in _CLOSE:
            if stack:
                stack.pop()
        elif start >= after and not _inside_word(text, start):
            group = _innermost(stack, text, start)
            found = list(_read_citations(text, event, group, after, style))
            if found:
                markers.extend(found)
                after = found[-1].end
                if group:
                    group.after = after
    return _trust_lost_capitals(style.doubt_the_odd(markers))


def _trust_lost_capitals(markers: list[Marker]) -> list[Marker]:
    """Trusts single lower-case names where a text has lost capitals throughout."""
    lower = [marker for marker in markers if marker.surnames[0].islower()]
    if sum(not marker.doubtful for marker in lower) < _MIN_LOST_CAPITALS:
        return markers
    return [
        dataclasses.replace(m, doubtful=False) if m.surnames[0].islower() else m
        for m in markers
    ]


def _events(text: str) -> Iterator[re.Match[str]]:
    """Yields brackets, years and what stands for a year, by position."""
    events = _EVENT.finditer(text)
    if not any(word in text for word in _UNDATED_WORDS):
        return events
    return heapq.merge(events, _UNDATED.finditer(text), key=re.Match.start)


def _inside_word(text: str, at: int) -> bool:
    before = text[at - 1] if at else " "
    return before.isalnum() or before in "._"


def _innermost(stack: list[_Group], text: str, at: int) -> _Group | None:
    """Returns the bracket around ``at``, unless an earlier paragraph left it open."""
    while stack:
        start = stack[-1].start
        if at - start <= _MAX_BRACKET_CHARS and text.find(_BLANK_LINE, start, at) < 0:
            return stack[-1]
        stack.pop()
    return None


def _read_citations(
    text: str,
    event: re.Match[str],
    group: _Group | None,
    after: int,
    style: _CommaStyle,
) -> Iterator[Marker]:
    """Yields the citations whose year is ``event``, letters after it included."""
    authors, start = _authors_of(text, event.start(), group, after)
    if authors is None:
        return
    tail = _YEAR_TAIL.match(text, event.end())
    assert tail is not None
    written = " ".join(event.group().split())
    in_years = written[0].isdigit()
    year = (tail["reprint"] or written) if in_years else written
    end = tail.end() if in_years else event.end()
    doubtful = authors.doubtful or not _ends_well(text, end, authors)
    if group:
        group.authors = authors
        if start >= group.start:
            style.note(authors, start)
    suffix = (tail["suffix"] or "") if in_years else ""
    in_sentence = group is not None and start < group.start
    closing = _CLOSING.match(text, end) if in_sentence else None
    whole = closing.end() if closing else end
    yield _marker(authors, start, whole, year, suffix, doubtful)
    while suffix and (more := _NEXT_SUFFIX.match(text, end)):
        suffix, end = more["suffix"], more.end()
        yield _marker(authors, more.start("suffix"), end, year, suffix, doubtful)


def _authors_of(
    text: str, at: int, group: _Group | None, after: int
) -> tuple[Authors | None, int]:
    """Returns the author list of the year at ``at`` and where its marker starts."""
    if group is None:
        if not _LIST_END.search(text, max(after, at - 4), at):
            return None, at
        authors = read_authors(text, after, at, narrative=True)
        if authors is None or not _stands_alone(authors):
            return None, at
        return authors, authors.start
    between = text[group.after : at]
    if not between.strip() and group.after == group.start:
        authors = read_authors(text, after, group.start - 1, narrative=True)
        if authors is None or authors.comma:
            return None, at
        if not text[group.start - 2].isspace():
            authors = dataclasses.replace(authors, doubtful=True)  # "PEG(2000)"
        return authors, authors.start
    if group.authors and _CONTINUATION.match(between):
        # "2014, submitted" is one work; "2018, in press" is two.
        return (None if text[at] == "s" else group.authors), at
    cut = between.rfind(";") + 1
    authors = read_authors(text, group.after + cut, at, narrative=False)
    return (authors, authors.start) if authors else (None, at)


def _stands_alone(authors: Authors) -> bool:
    """Tells whether a list before a year needs no bracket to be a citation."""
    return authors.et_al or (len(authors.surnames) > 1 and authors.comma)


def _ends_well(text: str, end: int, authors: Authors) -> bool:
    if authors.et_al or len(authors.surnames) > 1:
        return True
    return _PLAIN_END.match(text, end) is not None


def _marker(
    authors: Authors, start: int, end: int, year: str, suffix: str, doubtful: bool
) -> Marker:
    return Marker(
        start=start,
        end=end,
        kind=CitationKind.AUTHOR_YEAR,
        surnames=authors.surnames,
        et_al=authors.et_al,
        year=year,
        year_suffix=suffix,
        doubtful=doubtful,
    )
