"""Parses the reference list of a text document into entries.  Pure."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from transforms import identifiers
from transforms.records import CitationKind, Reference

_LABEL = re.compile(
    r"\s*(?:\[(?P<square>\d{1,4})\]\s*|\((?P<round>\d{1,4})\)\s+"
    r"|(?P<plain>\d{1,4})(?:[.)]\s+|\.(?=[^\W\d_])))(?=\S)"
)
_BULLET = re.compile(r"\s*[-*•]\s+")
# How an entry begins: "Ode, T.", "van der Prell A,", "World Tide Office (2009)".
_ENTRY_START = re.compile(
    r"\s*(?:[a-zà-ÿ'’]{1,4}\s){0,3}[^\W\d_a-zà-ÿ][\w'’‐-]+"
    r"(?:,\s|\s[A-Z]{1,3}\b|\s[A-Z]\.|(?:\s[\w&'’-]+){0,8}\s?\((?:1[5-9]|20)\d\d)"
)
_YEAR = r"(?P<year>(?:1[5-9]|20)\d\d)(?P<suffix>[a-z])?"
_YEAR_IN_BRACKETS = re.compile(rf"[(\[]{_YEAR}(?:,[^()\[\]]{{1,20}})?[)\]][.,:]?\s*")
_YEAR_STOPPED = re.compile(
    rf"(?<=[.,]\s)(?<!\bvol\. )(?<!\bno\. ){_YEAR}[.,:]\s+(?=\S)"
)
_ANY_YEAR = re.compile(
    rf"(?<![\w/.–-])(?<!\bvol\. )(?<!\bno\. )(?<!\bpp\. ){_YEAR}(?![\w/–-])"
)
# A title may hold quotes of its own.
_QUOTED = re.compile(
    r"“(?P<curly>.{8,500})”(?=[\s,.]|$)|\"(?P<straight>.{8,500})\"(?=[\s,.]|$)"
)
_STOP = re.compile(r"[.?!]\s+(?=\S)")
_TITLE_END = re.compile(
    r"(?<!\bvs)(?<!\bsp)(?<!\bspp)(?<!\bSt)(?<!\bDr)(?<!\bMt)(?<!\bNo)(?<!\bVol)"
    r"(?<!\b[A-Z]\.[A-Z])[.?!](?=\s+(?:[^\W_a-z]|[a-z]+[A-Z])|\s*$)"
)
# What follows a title: "Quills, 3(2), 14", "Quills 3:14", "https://...".
_VENUE = re.compile(r"[^.?!]{0,120}?(?:,\s|\s)(?:vol\.\s?)?\d|\s*https?:")
_PROSE = re.compile(r"(?<!\w)(?!and\b|with\b|della\b)[a-zà-ÿ]{4,}")
_MAX_AUTHOR_CHARS = 4_000
_BETWEEN_NAMES = re.compile(
    r"\s*(?:,\s*(?:and|&|und|et)\s+|[,;]|\s(?:and|&|und|et)\s)\s*"
)
_GIVEN = re.compile(r"(?:[^\W\d_a-zà-ÿ][a-z]?\.[\s‐-]?){1,4}|[A-Z]{1,4}")
_FAMILY_GIVEN = re.compile(
    r"(?P<family>.{2,60}?)\s(?P<given>[A-Z]{1,4}|(?:[A-Z]\.[\s-]?){1,4})"
)
_GIVEN_FAMILY = re.compile(
    r"(?P<given>(?:[^\W\d_a-zà-ÿ][a-z]?\.[\s‐-]?){1,4})\s?(?P<family>[^\W\d_].{1,60})"
)
_OTHERS = re.compile(r",?\s+et\s+al\.?,?$")
_NO_NAME = frozenset(["et al", "et al.", "eds", "eds.", "ed", "ed.", "...", "…", ""])


def parse_references(reference_text: str) -> tuple[Reference, ...]:
    """Returns the entries of a reference list as printed, in order.

    Args:
      reference_text: The list without its heading; entries one a line, one a
        paragraph, or wrapped over lines.
    """
    return tuple(
        _parse_entry(entry, number)
        for number, entry in enumerate(_split_entries(reference_text), start=1)
    )


def _split_entries(text: str) -> Iterator[str]:
    """Yields entries with white space folded; wrapped lines are joined."""
    blocks = [block for block in re.split(r"\n\s*\n", text) if block.strip()]
    for block in blocks:
        lines = [line for line in block.splitlines() if line.strip()]
        if not _each_line_is_an_entry(lines):
            lines = _join_wrapped(lines)
        for line in lines:
            yield " ".join(line.split())


def _each_line_is_an_entry(lines: list[str]) -> bool:
    # Most lines of a wrapped entry have no year.
    dated = sum(bool(_ANY_YEAR.search(line)) for line in lines)
    return dated >= 0.8 * len(lines) and _begins_entry(lines[-1])


def _join_wrapped(lines: list[str]) -> list[str]:
    labelled = sum(bool(_LABEL.match(line)) for line in lines) > 1
    entries: list[list[str]] = []
    complete = False
    for line in lines:
        begins = bool(_LABEL.match(line)) if labelled else _begins_entry(line)
        # The second line of an entry may begin with a co-author.
        if not entries or (begins and (labelled or complete)):
            entries.append([line])
            complete = False
        else:
            entries[-1].append(line)
        complete = complete or _ANY_YEAR.search(line) is not None
    return [_joined(entry) for entry in entries]


def _joined(lines: list[str]) -> str:
    """Joins the lines of an entry; a word that is cut at a line's end is mended."""
    parts: list[str] = []
    for line in map(str.strip, lines):
        cut = bool(parts) and parts[-1].endswith("-")
        if cut and line[:1].islower():
            parts[-1] = parts[-1][:-1]
        elif parts and not cut and not parts[-1].endswith("/"):
            parts.append(" ")
        parts.append(line)
    return "".join(parts)


def _begins_entry(line: str) -> bool:
    return bool(_LABEL.match(line) or _BULLET.match(line) or _ENTRY_START.match(line))


def _parse_entry(raw: str, number: int) -> Reference:
    label_match = _LABEL.match(raw)
    label = "".join(filter(None, label_match.groups())) if label_match else ""
    body = raw[label_match.end() :] if label_match else raw
    body = body[bullet.end() :] if (bullet := _BULLET.match(body)) else body
    found: dict[CitationKind, str] = {}
    for mention in identifiers.find_identifiers(body):
        found.setdefault(mention.kind, mention.key.partition(":")[2])
    quoted = _QUOTED.search(body)
    year = _find_year(body, quoted.end() if quoted else 0)
    author_text, title = _authors_and_title(body, year, quoted)
    return Reference(
        ref_id=f"ref-{number}",
        raw=raw,
        authors=_parse_authors(author_text),
        year=int(year["year"]) if year else None,
        year_suffix=(year["suffix"] or "") if year else "",
        title=title,
        doi=found.get(CitationKind.DOI),
        arxiv_id=found.get(CitationKind.ARXIV),
        pmid=found.get(CitationKind.PMID),
        pmcid=found.get(CitationKind.PMCID),
        label=label,
    )


def _find_year(body: str, title_end: int) -> re.Match[str] | None:
    """Finds the year, but not in a quoted title that ends at ``title_end``."""
    return (
        _YEAR_IN_BRACKETS.search(body)
        or _YEAR_STOPPED.search(body)
        or _ANY_YEAR.search(body, title_end)
        or _ANY_YEAR.search(body)
    )


def _authors_and_title(
    body: str, year: re.Match[str] | None, quoted: re.Match[str] | None
) -> tuple[str, str]:
    if year and _authors_end_at(body, year):
        authors, rest = body[: year.start()], body[year.end() :]
    elif quoted:
        authors, rest = body, ""
    else:
        # Vancouver: authors, a full stop, the title, and the year further on.
        end = _authors_stop(body)
        authors, rest = body[:end], body[end:]
    if quoted:
        title = quoted["curly"] or quoted["straight"]
        return authors[: quoted.start()], title.strip().rstrip(",.")
    return authors, _title_at_start(rest.lstrip(" .,:"))


def _title_at_start(text: str) -> str:
    """Returns the title that ``text`` begins with.

    A question mark ends it only where a venue follows: "Who digs? Moles" goes on.
    """
    for end in _TITLE_END.finditer(text):
        if end.group() == ".":
            return text[: end.start()].strip()
        if _VENUE.match(text, end.end()):
            return text[: end.end()].strip()
    return text.strip()


def _authors_end_at(body: str, year: re.Match[str]) -> bool:
    """Tells whether only names stand before ``year``."""
    if year.start() > _MAX_AUTHOR_CHARS or year.re is _ANY_YEAR:
        return False
    prose = len(_PROSE.findall(body, 0, year.start()))
    return prose == 0 or (prose == 1 and year.re is _YEAR_IN_BRACKETS)


def _authors_stop(body: str) -> int:
    """Returns the offset one past the full stop behind which prose begins."""
    stops = [stop.start() + 1 for stop in _STOP.finditer(body, 0, _MAX_AUTHOR_CHARS)]
    for at, following in itertools.pairwise([*stops, len(body)]):
        if _PROSE.search(body, at, following):
            return at
    return stops[0] if stops else 0


def _parse_authors(text: str) -> tuple[str, ...]:
    """Returns names as ``Family, Given``; an organisation as printed."""
    text = _OTHERS.sub("", text.strip(" ,(").removesuffix("(Eds.)"))
    names: list[str] = []
    personal = False
    for piece in _BETWEEN_NAMES.split(text):
        together = _FAMILY_GIVEN.fullmatch(piece.rstrip("."))
        together = together or _GIVEN_FAMILY.fullmatch(piece.rstrip("."))
        if names and "," not in names[-1] and _GIVEN.fullmatch(piece):
            names[-1] += f", {piece}"
            personal = True
        elif together:
            names.append(f"{together['family']}, {together['given'].strip()}")
            personal = True
        elif piece not in _NO_NAME:
            names.append(piece)
    if personal:
        return tuple(names)
    whole = text.rstrip(". ")
    return (whole,) if 0 < len(whole) <= 160 else ()
