"""Measures citation extraction on documents whose citations are known.

Gold data is a folder with ``gold.jsonl``, one document a line: ``id``, ``text_path``
(plain text beside it), ``citations`` (each with ``start``, ``end``, ``text`` and
``rid`` or ``rid_list``, the keys of its references), and optionally ``refs`` (by key,
each with ``authors`` as "Family, Given"), ``source_path``, the document in its own
format, and ``bib_paths``, the bibliographies that belong to it.
"""

from __future__ import annotations

import dataclasses
import json
import pathlib
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pipeline.exits import UsageError
from transforms.extract_citations.extract import ExtractSettings, extract
from transforms.names import fold
from transforms.read_documents.errors import UnreadableDocument
from transforms.read_documents.formats import read_document
from transforms.read_documents.siblings import (
    FolderSiblings,
    MemberSiblings,
    Siblings,
)
from transforms.records import Citation, CitationKind, Document

_ALL = ExtractSettings(max_citations=0, min_words=0)
_GOLD_YEAR = re.compile(r"((?:1[5-9]|20)\d\d)([a-z]?)\b")


@dataclasses.dataclass(slots=True)
class Tally:
    """What was found of what is there, item by item.

    Attributes:
      found: Gold items that were found.
      missed: Gold items that were not.
      wrong: Items that were found and are not in the gold data.
    """

    found: set[str] = dataclasses.field(default_factory=set)
    missed: set[str] = dataclasses.field(default_factory=set)
    wrong: set[str] = dataclasses.field(default_factory=set)

    def add(self, document: str, gold: set[str], seen: set[str]) -> None:
        """Adds the items of one document."""
        self.found |= {f"{document}|{item}" for item in gold & seen}
        self.missed |= {f"{document}|{item}" for item in gold - seen}
        self.wrong |= {f"{document}|{item}" for item in seen - gold}

    @property
    def precision(self) -> float:
        """Share of what was found that is right; 1 where nothing was found."""
        return _share(len(self.found), len(self.wrong))

    @property
    def recall(self) -> float:
        """Share of what is there that was found; 1 where nothing is there."""
        return _share(len(self.found), len(self.missed))

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


@dataclasses.dataclass(slots=True)
class Measurement:
    """What one folder of gold data came to.

    Attributes:
      documents: Documents measured.
      tallies: ``keys`` (distinct first surname and year a document), ``spans``
        (years of citations in the text, by place) and ``anchors`` (citations that
        the format itself marks and links).
      megabytes_per_second: Speed of extraction from plain text, one core.
    """

    documents: int
    tallies: dict[str, Tally]
    megabytes_per_second: float


def measure(folder: pathlib.Path) -> Measurement:
    """Extracts the citations of every gold document and compares them.

    Args:
      folder: The folder with ``gold.jsonl``.

    Raises:
      UsageError: If the folder has no gold data, or a line is no JSON.
    """
    tallies = {name: Tally() for name in ("keys", "spans", "anchors")}
    size, seconds, number = 0, 0.0, 0
    for gold in _read_gold(folder):
        number += 1
        text = (folder / gold["text_path"]).read_text(encoding="utf-8")
        start = time.perf_counter()
        document = Document(gold["id"], gold["text_path"], text)
        citations = extract(document, _ALL).citations
        seconds += time.perf_counter() - start
        size += len(text.encode())
        dated = [c for c in citations if c.kind is CitationKind.AUTHOR_YEAR]
        if keys := _gold_keys(gold):
            tallies["keys"].add(gold["id"], keys, set(map(_key, dated)))
        lettered = [c for c in dated if _GOLD_YEAR.search(c.marker)]
        years = set(map(_year_place, lettered))
        tallies["spans"].add(gold["id"], _gold_years(gold), years)
        if source := gold.get("source_path") or gold.get("raw_path"):
            beside = [folder / path for path in gold.get("bib_paths") or ()]
            found = _anchors(folder / source, beside)
            tallies["anchors"].add(gold["id"], _gold_anchors(gold), found)
    return Measurement(number, tallies, size / 1e6 / seconds if seconds else 0.0)


def _read_gold(folder: pathlib.Path) -> Iterator[dict[str, Any]]:
    path = folder / "gold.jsonl"
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                yield _checked(line, f"{path}, line {number}")
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; give a gold folder") from error


def _checked(line: str, place: str) -> dict[str, Any]:
    try:
        gold = json.loads(line)
    except ValueError as error:
        raise UsageError(f"{place}: not JSON; correct the line") from error
    for name in ("id", "text_path", "citations"):
        if not isinstance(gold, dict) or name not in gold:
            raise UsageError(f"{place}: has no {name}; add it")
    checked: dict[str, Any] = gold
    return checked


def _share(right: int, other: int) -> float:
    return right / (right + other) if right + other else 1.0


def _key(citation: Citation) -> str:
    surname = fold(citation.surnames[0]).replace(" ", "") if citation.surnames else ""
    return f"{surname} {citation.year}{citation.year_suffix}"


def _gold_keys(gold: Mapping[str, Any]) -> set[str]:
    keys = set()
    for citation in gold["citations"]:
        year = _GOLD_YEAR.search(citation["text"])
        entry = gold.get("refs", {}).get(citation.get("rid"), {})
        authors = entry.get("authors") or [""]
        surname = fold(authors[0].split(",")[0]).replace(" ", "")
        if year and surname:
            keys.add(f"{surname} {year[1]}{year[2]}")
    return keys


def _gold_years(gold: Mapping[str, Any]) -> set[str]:
    """Returns where the years of the gold citations stand in the text."""
    return {
        str(citation["start"] + year.start())
        for citation in gold["citations"]
        for year in _GOLD_YEAR.finditer(citation["text"])
    }


def _year_place(citation: Citation) -> str:
    """Returns where the year of a citation stands in the text."""
    years = list(_GOLD_YEAR.finditer(citation.marker))
    return str(citation.marker_start + (years[-1].start() if years else 0))


def _anchors(path: pathlib.Path, beside: list[pathlib.Path]) -> set[str]:
    """Returns the linked citations that the format marks, numbered by entry."""
    siblings: Siblings = FolderSiblings(str(path.parent))
    if beside:
        siblings = MemberSiblings(
            {
                "/".join(file.parts[level:]): file.read_bytes()
                for file in beside
                for level in range(len(file.parts))
            }
        )
    try:
        document = read_document(
            path.read_bytes(), doc_id=path.name, path=str(path), siblings=siblings
        )
    except UnreadableDocument:
        return set()
    listed = {reference.ref_id for reference in document.references}
    ids = (i for anchor in document.anchors for i in anchor.ref_ids if i in listed)
    return _numbered(ids)


def _gold_anchors(gold: Mapping[str, Any]) -> set[str]:
    return _numbered(
        entry
        for citation in gold["citations"]
        for entry in citation.get("rid_list") or [citation.get("rid")]
        if entry
    )


def _numbered(ids: Iterable[str]) -> set[str]:
    """Tells repeated ids apart by how often each was there before."""
    counts: dict[str, int] = {}
    for entry in ids:
        counts[entry] = counts.get(entry, 0) + 1
    return {f"{i} #{n}" for i, total in counts.items() for n in range(1, total + 1)}
