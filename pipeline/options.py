"""The options of a screening run, validated at construction."""

from __future__ import annotations

import dataclasses
import os
import pathlib
import re
from typing import Any

import platformdirs

from pipeline.exits import UsageError
from transforms.fetch_evidence.addresses import without_user
from transforms.fetch_evidence.settings import INDEXES
from transforms.fetch_evidence.sources.semantic_scholar import BASE_URL

# Options of Beam's that hold what nobody else may know.
_SECRET = re.compile("secret|token|password|access_key|connection_string")


def default_cache() -> pathlib.Path:
    """Returns the evidence cache in the user's cache folder."""
    return pathlib.Path(platformdirs.user_cache_dir("citation-support")) / (
        "evidence.sqlite"
    )


@dataclasses.dataclass(frozen=True, slots=True)
class ScreenOptions:
    """What to screen and how.

    Attributes:
      inputs: Files, folders and globs to read.
      output: Folder for the result tables.
      papers: Local index files (Parquet or JSON Lines).
      index: Names of the indexes to ask, in order; empty = papers if there are
        any, else Semantic Scholar.
      offline: Whether to answer from local files and the cache alone.
      cache: The evidence cache, a SQLite file.
      cache_ttl: Days that a work stays in the cache before it is asked for again,
        > 0; that an index lacks one is believed for a day.
      rate: Requests a second to Semantic Scholar, > 0; the others have their own.
      concurrency: Requests in flight at once, >= 1.
      max_citations: Citations checked per document; 0 = all.
      min_words: Words below which a document is not scored.
      numbered_citations: ``skip`` or ``check``.
      document_timeout: Seconds that reading a document, or extracting from it, may
        take; 0 = any.
      workers: Processes, >= 1.
      id_column: Parquet or JSON Lines column with the document ids.
      text_column: Parquet or JSON Lines column with the document texts.
      overwrite: Whether an earlier run in ``output`` may be replaced.
      report: Whether to write the report for people beside the tables.
      max_failed_share: Share of lookups or documents, in [0, 1], that may fail
        before the run counts as incomplete.
      semantic_scholar_url: Base URL of the Semantic Scholar Graph API.
      index_urls: Pairs of a network index and another base URL of its API.
      mailto: Contact address for the indexes that ask for one, or ``""``.
      beam: Further Beam options by name.

    Raises:
      UsageError: If a value is out of range.
    """

    inputs: tuple[str, ...]
    output: pathlib.Path
    papers: tuple[pathlib.Path, ...] = ()
    index: tuple[str, ...] = ()
    offline: bool = False
    cache: pathlib.Path = dataclasses.field(default_factory=default_cache)
    cache_ttl: float = 90.0
    rate: float = 1.0
    concurrency: int = 4
    max_citations: int = 8
    min_words: int = 200
    numbered_citations: str = "skip"
    document_timeout: float = 120.0
    workers: int = dataclasses.field(default_factory=lambda: os.cpu_count() or 1)
    id_column: str = "doc_id"
    text_column: str = "text"
    overwrite: bool = False
    report: bool = True
    max_failed_share: float = 0.2
    semantic_scholar_url: str = BASE_URL
    index_urls: tuple[tuple[str, str], ...] = ()
    mailto: str = ""
    beam: tuple[tuple[str, Any], ...] = ()

    def __post_init__(self) -> None:
        """Validates every value."""
        _require(bool(self.inputs), "give at least one INPUT")
        for name in ("rate", "cache_ttl"):
            value = getattr(self, name)
            flag = "--" + name.replace("_", "-")
            _require(value > 0, f"{flag} must be greater than 0, got {value}")
        for name, least in (
            ("concurrency", 1),
            ("max_citations", 0),
            ("min_words", 0),
            ("document_timeout", 0),
            ("workers", 1),
        ):
            value = getattr(self, name)
            flag = "--" + name.replace("_", "-")
            _require(value >= least, f"{flag} must be at least {least}, got {value}")
        share = self.max_failed_share
        _require(0 <= share <= 1, f"--max-failed-share must be in [0, 1], got {share}")
        _require(
            self.numbered_citations in ("skip", "check"),
            f"--numbered-citations is skip or check, got {self.numbered_citations!r}",
        )
        for name in ("id_column", "text_column"):
            flag = "--" + name.replace("_", "-")
            _require(bool(getattr(self, name)), f"{flag} must name a column")
        self._validate_index()

    def _validate_index(self) -> None:
        for name in self.index:
            known = ", ".join(INDEXES)
            _require(name in INDEXES, f"--index knows {known}; got {name!r}")
        _require(
            len(set(self.index)) == len(self.index),
            f"--index names an index twice: {','.join(self.index)}",
        )
        _require(
            "papers" not in self.index or bool(self.papers),
            "--index names papers, but no file is given: add --papers FILE",
        )
        _require(
            not self.papers or not self.index or "papers" in self.index,
            "--papers is given, but --index leaves papers out: add it there",
        )

    @property
    def indexes(self) -> tuple[str, ...]:
        """The indexes to ask, in order, with the default applied."""
        return self.index or (("papers",) if self.papers else ("semantic-scholar",))

    def describe(self) -> dict[str, Any]:
        """Returns the options as JSON values, without secrets, for the manifest."""
        values = {
            field.name: getattr(self, field.name) for field in dataclasses.fields(self)
        }
        values["index"] = self.indexes
        values["semantic_scholar_url"] = without_user(self.semantic_scholar_url)
        values["index_urls"] = [(n, without_user(url)) for n, url in self.index_urls]
        values["beam"] = {
            name: "***" if _SECRET.search(name) else value for name, value in self.beam
        }
        return {name: _as_json(value) for name, value in values.items()}


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise UsageError(message)


def _as_json(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [_as_json(item) for item in value]
    if isinstance(value, dict):
        return {key: _as_json(item) for key, item in value.items()}
    if isinstance(value, str | int | float | bool) or value is None:
        return value
    return str(value)
