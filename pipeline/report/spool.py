"""The tables of a run, brought on disk into the order that pages need them.

The tables hold documents and citations in any order.  Sorting them in memory would
take as much of it as the run is large; a temporary SQLite file takes none.
"""

from __future__ import annotations

import json
import pathlib
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import pyarrow.compute as pc
import pyarrow.dataset as ds

from transforms.reference_records import ReferenceLabel

Row: TypeAlias = dict[str, Any]

_ROWS_AT_ONCE = 512
_KEYS = {
    "documents": ("doc_id", "priority", "score"),
    "citations": ("doc_id", "ordinal", "lookup_key"),
    "works": ("lookup_key",),
    "references": ("doc_id", "ordinal"),
}
_SCHEMA = """
CREATE TABLE documents (doc_id TEXT, priority REAL, score REAL, row TEXT);
CREATE TABLE citations (doc_id TEXT, ordinal INTEGER, lookup_key TEXT, row TEXT);
CREATE TABLE works (lookup_key TEXT, row TEXT);
CREATE TABLE "references" (doc_id TEXT, ordinal INTEGER, row TEXT);
"""
_INDEXES = """
CREATE INDEX by_rank ON documents (priority DESC, score DESC, doc_id);
CREATE INDEX by_document ON citations (doc_id, ordinal);
CREATE INDEX by_key ON works (lookup_key);
CREATE INDEX by_list ON "references" (doc_id, ordinal);
"""
# A null sorts last where the order is descending.
_READING_ORDER = "SELECT row FROM documents ORDER BY priority DESC, score DESC, doc_id"
_REFERENCES = 'SELECT row FROM "references" WHERE doc_id = ? ORDER BY ordinal'
# Entries that are right, or of which nothing can be told, are not shown.
_DOUBTFUL = ds.field("label").isin(
    [ReferenceLabel.MAJOR.value, ReferenceLabel.MINOR.value]
) | (pc.list_value_length(ds.field("notices")) > 0)
_OF_DOCUMENT = """
SELECT citations.row, works.row
FROM citations LEFT JOIN works USING (lookup_key)
WHERE doc_id = ? ORDER BY ordinal
"""


class Spool:
    """A temporary file with the rows of a run; a context manager.

    Args:
      path: Where the file is made; it must not exist.
    """

    def __init__(self, path: pathlib.Path) -> None:
        self._database = sqlite3.connect(path, isolation_level=None)
        # Whoever is interrupted starts over: nothing needs to be safe.
        self._database.executescript(
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + _SCHEMA
        )

    def __enter__(self) -> Spool:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def fill(self, run: pathlib.Path) -> None:
        """Copies the tables in; to be called once, before anything is read.

        Args:
          run: Folder of a finished run.
        """
        self._database.execute("BEGIN")
        for table, keys in _KEYS.items():
            wanted = _DOUBTFUL if table == "references" else None
            self._copy(run / table, table, keys, wanted)
        self._database.execute("COMMIT")
        self._database.executescript(_INDEXES)

    def documents(self) -> Iterator[Row]:
        """Yields the documents in reading order: worst first, unscored ones last."""
        for (row,) in self._database.execute(_READING_ORDER):
            yield json.loads(row)

    def citations(self, doc_id: str) -> Iterator[tuple[Row, Row | None]]:
        """Yields the citations of a document with the work of each, if it has one."""
        for citation, work in self._database.execute(_OF_DOCUMENT, (doc_id,)):
            yield json.loads(citation), work and json.loads(work)

    def references(self, doc_id: str) -> Iterator[Row]:
        """Yields the doubtful entries of a document's reference list, in order."""
        for (row,) in self._database.execute(_REFERENCES, (doc_id,)):
            yield json.loads(row)

    def _copy(
        self,
        folder: pathlib.Path,
        table: str,
        keys: Sequence[str],
        wanted: pc.Expression | None,
    ) -> None:
        marks = ", ".join("?" * (len(keys) + 1))
        statement = f'INSERT INTO "{table}" VALUES ({marks})'
        for batch in batches(folder, wanted=wanted):
            rows = (_keyed(row, keys) for row in batch)
            self._database.executemany(statement, rows)


def batches(
    folder: pathlib.Path,
    columns: list[str] | None = None,
    *,
    wanted: pc.Expression | None = None,
) -> Iterator[list[Row]]:
    """Yields the rows of a table a few at a time, so that memory stays flat.

    Args:
      folder: Folder of the table.
      columns: The columns to read; None for all.
      wanted: Which rows to read; None for all.
    """
    dataset = ds.dataset(folder, format="parquet")
    for batch in dataset.to_batches(
        columns=columns,
        filter=wanted,
        batch_size=_ROWS_AT_ONCE,
        batch_readahead=1,
        fragment_readahead=1,
    ):
        yield batch.to_pylist()


def _keyed(row: Mapping[str, Any], keys: Sequence[str]) -> tuple[Any, ...]:
    return (*map(row.get, keys), json.dumps(row, ensure_ascii=False, default=str))
