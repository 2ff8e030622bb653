"""The page of a document: each claim beside what the cited work says."""

from __future__ import annotations

import dataclasses
import hashlib
import itertools
import pathlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from pipeline.report.citation_view import (
    PARTS,
    CitationView,
    Part,
    view,
)
from pipeline.report.index_page import document_name, unjudged
from pipeline.report.page import RunFacts, write_page
from pipeline.report.spool import Row
from pipeline.report.tally import metadata
from pipeline.report.words import BANDS, DOCUMENT_STATUSES, REFERENCE_LABELS

_MARKS = (
    ("checked", "Looked at"),
    ("false_alarm", "False alarm"),
    ("confirmed", "Confirmed"),
)
_NUMBERS = (
    "none",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
)
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_MAX_NAME_CHARS = 60


@dataclasses.dataclass(frozen=True, slots=True)
class Group:
    """Citations of one bracket.

    Attributes:
      sentence: What they come to together; ``""`` for a citation alone.
      citations: The citations, worst first.
    """

    sentence: str
    citations: tuple[CitationView, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Place:
    """Where a document stands in the reading order.

    Attributes:
      rank: Its place, from 1.
      total: Documents in all.
      index_page: File name of the page of the index that lists it.
      previous: File name of the page before, or ``""``.
      next: File name of the page after, or ``""``.
    """

    rank: int
    total: int
    index_page: str
    previous: str
    next: str


def page_of(doc_id: str) -> str:
    """Returns the file name of a document's page: the same in every report."""
    digest = hashlib.sha256(doc_id.encode("utf-8", "surrogatepass")).hexdigest()[:10]
    readable = _UNSAFE.sub("-", doc_id)[-_MAX_NAME_CHARS:].strip("-.")
    return f"{readable or 'document'}-{digest}.html"


def write_document(
    folder: pathlib.Path,
    facts: RunFacts,
    document: Row,
    citations: Iterable[tuple[Row, Row | None]],
    references: Iterable[Row],
    place: Place,
) -> None:
    """Writes the page of one document.

    Args:
      folder: Folder of such pages.
      facts: The run.
      document: Its row of the documents table.
      citations: Rows of its citations, each with the row of its work, if any.
      references: Rows of the doubtful entries of its reference list.
      place: Its place in the reading order.
    """
    views = [view(row, work) for row, work in citations]
    write_page(
        folder / page_of(document["doc_id"]),
        "document.html",
        facts=facts,
        document=document,
        name=document_name(document),
        metadata=metadata(document),
        band=BANDS.get(document["band"]),
        why_no_band=_why_no_band(document),
        sentence=_sentence(document),
        parts=tuple(_parts(views)),
        references=tuple(references),
        labels=REFERENCE_LABELS,
        places={item.row["citation_id"]: item.row["ordinal"] for item in views},
        cited_at={item.row["lookup_key"]: item.row["ordinal"] for item in views},
        place=place,
        marks=_MARKS,
    )


def _why_no_band(document: Row) -> str:
    if document["status"] != "scored":
        return DOCUMENT_STATUSES[document["status"]].meaning
    return "None of its citations could be checked."


def _sentence(document: Row) -> str:
    total, selected = document["citations_total"], document["citations_selected"]
    if not selected:
        return f"{_count(total, 'citation')}, none of them to be checked."
    found = [
        (document["flagged"], "off topic"),
        (document["identity_mismatch"], "leading to another work"),
        (document["unclear"], "unclear"),
        (document["on_topic"], "on topic"),
        (unjudged(document), "not judged"),
    ]
    counted = ", ".join(f"{number} {what}" for number, what in found if number)
    return f"{_count(total, 'citation')}, of which {selected} were selected: {counted}."


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _parts(views: Sequence[CitationView]) -> Iterator[tuple[Part, list[Group]]]:
    """Yields the parts of the page that have something in them, worst first."""
    groups = sorted(_groups(views), key=lambda group: group.citations[0].sort_key)
    for part in PARTS:
        own = [group for group in groups if group.citations[0].part is part]
        if own:
            yield part, own


def _groups(views: Sequence[CitationView]) -> Iterator[Group]:
    """Yields the citations of each bracket together."""
    in_order = sorted(views, key=lambda v: (_bracket(v), v.row["ordinal"]))
    for _, members in itertools.groupby(in_order, key=_bracket):
        worst_first = tuple(sorted(members, key=lambda member: member.sort_key))
        yield Group(_group_sentence(worst_first), worst_first)


def _bracket(citation: CitationView) -> str:
    return str(citation.row["group_id"])


def _group_sentence(members: Sequence[CitationView]) -> str:
    if len(members) < 2:
        return ""
    counts = Counter(member.tags[0][1].name.lower() for member in members)
    found = ", ".join(f"{_spelt(number)} {name}" for name, number in counts.items())
    number = _spelt(len(members)).capitalize()
    return f"{number} works cited together: {found}. Each is judged by itself."


def _spelt(number: int) -> str:
    return _NUMBERS[number] if number < len(_NUMBERS) else f"{number:,}"
