"""Local files of works as a source."""

from __future__ import annotations

import json
import logging
import pathlib
import sqlite3
import threading
from collections.abc import Iterable, Sequence
from typing import Any

from rapidfuzz import fuzz, process

from transforms.fetch_evidence.damaged import inode, is_damage
from transforms.fetch_evidence.match import CLOSE_TITLE
from transforms.fetch_evidence.ranking import claim_overlap
from transforms.fetch_evidence.sources.fields import notices
from transforms.fetch_evidence.sources.papers_file import NAME
from transforms.fetch_evidence.sources.papers_index import (
    connect,
    prepare,
    surname_keys,
)
from transforms.records import Work
from transforms.titles import main_title, normalise_title

_BATCH_SIZE = 500
# Longer "titles" are misread entries.
_MAX_TITLE_CHARS = 1_000
# A title of fewer words begins many others, and of those that it begins these suffice.
_MAIN_TITLE_WORDS = 2
_MAX_SUBTITLES = 20
_COLUMNS = (
    "works.paper_id, works.title, works.abstract, works.authors, works.year,"
    " works.doi, works.arxiv_id, works.pmid, works.pmcid,"
    " works.venue, works.volume, works.pages"
)
_BY_AUTHOR_YEAR = (
    "FROM first_authors JOIN works ON works.id = first_authors.work"
    " WHERE first_authors.surname IN ({marks})"
    " AND first_authors.year BETWEEN ? AND ?"
)

_log = logging.getLogger(__name__)


class Papers:
    """Answers from an index of local files of works, which it builds if need be.

    An index that proves to be damaged is built anew, once.

    Args:
      paths: Parquet or JSON Lines files.
      folder: Where indexes are kept.

    Raises:
      PapersError: If a file cannot be used.
    """

    name = NAME
    is_remote = False
    batch_size = _BATCH_SIZE
    requests_made = 0

    def __init__(self, paths: Sequence[pathlib.Path], folder: pathlib.Path) -> None:
        self._lock = threading.Lock()
        self._paths = paths
        self._folder = folder
        self._is_rebuilt = False
        self._open()

    def by_ids(self, keys: Sequence[str]) -> list[Work | None]:
        """Looks works up by identifier; of several, one with an abstract."""
        rows = self._select(
            f"SELECT key, {_COLUMNS} FROM identifiers"
            " JOIN works ON works.id = identifiers.work"
            f" WHERE key IN ({_marks(keys)}) ORDER BY lacks_abstract, work",
            keys,
        )
        works: dict[str, Work] = {}
        for key, *row in rows:
            if key not in works:
                works[key] = _work(row)
        return [works.get(key) for key in keys]

    def by_title(self, title: str, surname: str, year: int | None) -> list[Work]:
        """Returns works of this title, with or without a subtitle, else alike ones."""
        normalised = normalise_title(title)
        if not normalised:
            return []
        main = normalise_title(main_title(title[:_MAX_TITLE_CHARS]))
        rows = self._select(
            f"SELECT {_COLUMNS} FROM works WHERE normalised_title IN (?, ?)"
            " ORDER BY normalised_title <> ?, id",
            [normalised, main or normalised, normalised],
        )
        if not rows and len(normalised.split()) >= _MAIN_TITLE_WORDS:
            # "!" comes right after the space, which any subtitle begins with.
            rows = self._select(
                f"SELECT {_COLUMNS} FROM works WHERE normalised_title > ?"
                " AND normalised_title < ? ORDER BY id LIMIT ?",
                [f"{normalised} ", f"{normalised}!", _MAX_SUBTITLES],
            )
        if not rows and year is not None:
            rows = self._alike(normalised, surname_keys(surname), year)
        return [_work(row) for row in rows]

    def by_author_year(
        self, surnames: Sequence[str], year: int, terms: Sequence[str]
    ) -> list[Work]:
        """Returns all works of the first surname, a year either way.

        Those that share most words with the claim come first.
        """
        keys = sorted(surname_keys(surnames[0]))
        query = _BY_AUTHOR_YEAR.format(marks=_marks(keys))
        rows = self._select(
            f"SELECT DISTINCT works.id, {_COLUMNS} {query} ORDER BY works.id",
            [*keys, year - 1, year + 1],
        )
        works = [_work(row[1:]) for row in rows]
        return sorted(works, key=lambda work: -claim_overlap(terms, work))

    def close(self) -> None:
        """Closes the index."""
        self._connection.close()

    def _alike(
        self, normalised: str, surnames: Iterable[str], year: int
    ) -> list[tuple[Any, ...]]:
        """Returns rows of an author, a year either way, with a title much like this."""
        keys = sorted(surnames)
        query = _BY_AUTHOR_YEAR.format(marks=_marks(keys))
        titles = dict(
            self._select(
                f"SELECT works.id, works.normalised_title {query} ORDER BY works.id",
                [*keys, year - 1, year + 1],
            )
        )
        alike = process.extract(
            normalised,
            titles,
            scorer=fuzz.ratio,
            score_cutoff=100 * CLOSE_TITLE,
            limit=None,
        )
        ids = sorted(number for _, _, number in alike)
        return self._select(
            f"SELECT {_COLUMNS} FROM works WHERE id IN ({_marks(ids)}) ORDER BY id", ids
        )

    def _select(self, query: str, values: Sequence[str | int]) -> list[tuple[Any, ...]]:
        with self._lock:
            try:
                return self._connection.execute(query, values).fetchall()
            except sqlite3.DatabaseError as error:
                if self._is_rebuilt or not is_damage(error):
                    raise
                self._rebuild(error)
                return self._connection.execute(query, values).fetchall()

    def _open(self) -> None:
        self._index = prepare(self._paths, self._folder)
        self._inode = inode(self._index)
        self._connection = connect(self._index)

    def _rebuild(self, error: Exception) -> None:
        self._is_rebuilt = True
        self._connection.close()
        # Another process may have been faster.
        if inode(self._index) == self._inode:
            _log.warning("%s is damaged (%s): it is built anew", self._index, error)
            self._index.unlink(missing_ok=True)
        self._open()


def _marks(values: Iterable[object]) -> str:
    return ",".join("?" for _ in values)


def _work(row: Sequence[Any]) -> Work:
    paper_id, title, abstract, authors, year, *others = row
    doi, arxiv_id, pmid, pmcid, venue, volume, pages = others
    return Work(
        source=NAME,
        paper_id=paper_id,
        title=title,
        abstract=abstract,
        authors=tuple(json.loads(authors)),
        year=year,
        doi=doi,
        arxiv_id=arxiv_id,
        pmid=pmid,
        pmcid=pmcid,
        venue=venue,
        volume=volume,
        pages=pages,
        notices=notices(title),
    )
