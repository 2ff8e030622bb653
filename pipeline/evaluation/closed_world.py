"""A closed world of bibliographic records that references are looked up in."""

from __future__ import annotations

import gzip
import heapq
import json
import math
import pathlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from transforms import identifiers
from transforms.names import family_name, fold
from transforms.records import Reference, Work
from transforms.reference_records import Findings, Led
from transforms.titles import main_title, normalise_title
from transforms.verify_references.identifiers import is_arxiv_id
from transforms.verify_references.titles import compare_titles
from transforms.verify_references.words import content_words, title_words

NAME = "records"

_MIN_MAIN_CHARS = 15
_RARE_WORDS = 8
_FUZZY_BEST = 25
# A word of more titles than these tells too little.
_MAX_POSTINGS = 3_000
_YEARS_APART = 2
_MIN_SIMILARITY = 0.6


class ClosedWorld:
    """Finds the records that may be of a reference; what is not here does not exist.

    Args:
      works: Every record.
    """

    def __init__(self, works: Iterable[Work]) -> None:
        self._works = list(works)
        self._by_id: dict[str, list[int]] = defaultdict(list)
        self._by_title: dict[str, list[int]] = defaultdict(list)
        self._by_word: dict[str, list[int]] = defaultdict(list)
        self._by_author: dict[tuple[str, int], list[int]] = defaultdict(list)
        for number, work in enumerate(self._works):
            self._add(number, work)

    def __len__(self) -> int:
        return len(self._works)

    def find(
        self,
        reference: Reference,
        *,
        hidden: Collection[str] = (),
        resolves: bool | None = None,
    ) -> Findings:
        """Returns what a complete index would say to a reference.

        Args:
          reference: The entry.
          hidden: DOIs of records to leave out, as if they were not there; others of
            their titles are left out with them.
          resolves: Whether the entry's DOI resolves, or None where nobody knows.
        """
        gone = self._hidden(hidden)
        found: dict[int, None] = {}
        led = []
        for key in _keys(reference):
            known = [n for n in self._by_id.get(key, ()) if n not in gone]
            found.update(dict.fromkeys(known))
            work = self._works[known[0]] if known else None
            is_unknown = work is None and resolves is False
            led.append(Led(key, work, is_unknown))
        for number in (*self._titled(reference), *self._fuzzy(reference, gone)):
            if number not in gone:
                found[number] = None
        for number in self._authored(reference):
            if number not in gone and self._is_like(reference, number):
                found[number] = None
        return Findings(
            key=reference.ref_id,
            works=tuple(self._works[number] for number in found),
            led=tuple(led),
            asked=(NAME,),
            is_complete=True,
        )

    def _add(self, number: int, work: Work) -> None:
        for key in identifiers.keys(
            doi=work.doi, arxiv=work.arxiv_id, pmid=work.pmid, pmcid=work.pmcid
        ):
            self._by_id[key].append(number)
        for key in _title_keys(work.title):
            self._by_title[key].append(number)
        for word in set(content_words(title_words(work.title))):
            self._by_word[word].append(number)
        if work.authors and work.year:
            surname = fold(family_name(work.authors[0]))
            self._by_author[surname, work.year].append(number)

    def _hidden(self, dois: Collection[str]) -> frozenset[int]:
        gone = {number for doi in dois for number in self._by_id.get(f"doi:{doi}", ())}
        titled = {
            other
            for number in gone
            for other in self._by_title[_letters(self._works[number].title)]
        }
        return frozenset(gone | titled)

    def _titled(self, reference: Reference) -> list[int]:
        keys = _title_keys(reference.title)
        return [number for key in keys for number in self._by_title.get(key, ())]

    def _fuzzy(self, reference: Reference, gone: Collection[int]) -> list[int]:
        """Returns the records that share most of the title's rare words."""
        words = set(content_words(title_words(reference.title)))
        postings = {w: self._by_word[w] for w in words if w in self._by_word}
        rare = heapq.nsmallest(
            _RARE_WORDS, postings, key=lambda word: (len(postings[word]), word)
        )
        weights: dict[int, float] = defaultdict(float)
        for word in rare:
            if len(postings[word]) <= _MAX_POSTINGS or not weights:
                weight = math.log(len(self._works) / len(postings[word]))
                for number in postings[word]:
                    weights[number] += weight
        best = heapq.nsmallest(
            _FUZZY_BEST,
            (n for n in weights if n not in gone),
            key=lambda n: (-weights[n], n),
        )
        return [number for number in best if self._is_like(reference, number)]

    def _is_like(self, reference: Reference, number: int) -> bool:
        match = compare_titles(reference.title, self._works[number].title)
        return match.similarity >= _MIN_SIMILARITY

    def _authored(self, reference: Reference) -> list[int]:
        if not reference.authors or reference.year is None:
            return []
        surname = fold(family_name(reference.authors[0]))
        return [
            number
            for year in range(
                reference.year - _YEARS_APART, reference.year + _YEARS_APART + 1
            )
            for number in self._by_author.get((surname, year), ())
        ]


def read_records(path: pathlib.Path) -> list[Work]:
    """Returns the records of a file, a JSON object a line, which may be gzipped.

    Raises:
      OSError: If it cannot be read.
      ValueError: If a line is no record.
    """
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as lines:
        return [work_of(json.loads(line)) for line in lines if line.strip()]


def work_of(record: Mapping[str, Any]) -> Work:
    """Returns the work in a record.

    Raises:
      ValueError: If it is none.
    """
    try:
        return Work(
            source=NAME,
            paper_id=record["record_id"],
            title=record["title"],
            authors=tuple(record["authors"]),
            year=_year(record["year"]),
            doi=identifiers.doi(record["doi"]),
            arxiv_id=identifiers.arxiv_id(record["arxiv_id"]),
            venue=record["venue"],
            volume=record["volume"],
            pages=record["first_page"],
        )
    except (KeyError, TypeError) as error:
        raise ValueError(f"not a record: {error}") from error


def reference_of(item: Mapping[str, Any]) -> Reference:
    """Returns the reference in an item of the data.

    Raises:
      ValueError: If it is none.
    """
    try:
        doi = identifiers.doi(item["doi"])
        return Reference(
            ref_id=item["id"],
            raw=item.get("citation", ""),
            authors=tuple(item["authors"]),
            year=_year(item["year"]),
            title=item["title"],
            venue=item["venue"],
            doi=doi,
            arxiv_id=identifiers.arxiv_id(item["arxiv_id"])
            or identifiers.arxiv_id(doi),
            volume=item.get("vol", ""),
            pages=item.get("page", ""),
        )
    except (KeyError, TypeError) as error:
        raise ValueError(f"not a reference: {error}") from error


def _keys(reference: Reference) -> tuple[str, ...]:
    doi, arxiv = reference.doi, reference.arxiv_id
    keys = [f"doi:{doi}"] if doi and not identifiers.arxiv_id(doi) else []
    if arxiv and is_arxiv_id(arxiv):
        keys.append(f"arxiv:{arxiv}")
    return tuple(keys)


def _title_keys(title: str) -> list[str]:
    keys = [_letters(title)]
    main = _letters(main_title(title))
    if len(main) >= _MIN_MAIN_CHARS and main != keys[0]:
        keys.append(main)
    return [key for key in keys if key]


def _letters(title: str) -> str:
    return normalise_title(title).replace(" ", "")


def _year(written: Any) -> int | None:
    return int(written) if str(written).isdigit() else None
