"""The options of a screening run, validated at construction."""

from __future__ import annotations

import dataclasses
import os
import pathlib
import re
from typing import Any

from pipeline.evidence_options import EvidenceOptions, flag, require, require_least
from transforms.fetch_evidence.addresses import without_user

# Options of Beam's that hold what nobody else may know.
_SECRET = re.compile("secret|token|password|access_key|connection_string")


CHECKS = ("support", "references")


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class ScreenOptions(EvidenceOptions):
    """What to screen and how.

    Attributes:
      inputs: Files, folders and globs to read.
      output: Folder for the result tables.
      max_citations: Citations checked per document; 0 = all.
      min_words: Words below which a document is not scored.
      numbered_citations: ``skip`` or ``check``.
      checks: What to check: ``support``, ``references`` or both.
      venue_tables: Further tables of what venues are called.
      background: Table of word counts that triage uses; None = the shipped one.
      triage_model: Coefficients and thresholds of triage; None = the shipped ones.
      document_timeout: Seconds that reading a document, or extracting from it, may
        take; 0 = any.
      workers: Processes, >= 1.
      id_column: Parquet or JSON Lines column with the document ids.
      text_column: Parquet or JSON Lines column with the document texts.
      overwrite: Whether an earlier run in ``output`` may be replaced.
      report: Whether to write the report for people beside the tables.
      max_failed_share: Share of lookups or documents, in [0, 1], that may fail
        before the run counts as incomplete.
      beam: Further Beam options by name.

    Raises:
      UsageError: If a value is out of range.
    """

    inputs: tuple[str, ...]
    output: pathlib.Path
    max_citations: int = 8
    min_words: int = 200
    numbered_citations: str = "skip"
    checks: tuple[str, ...] = CHECKS
    venue_tables: tuple[pathlib.Path, ...] = ()
    background: pathlib.Path | None = None
    triage_model: pathlib.Path | None = None
    document_timeout: float = 120.0
    workers: int = dataclasses.field(default_factory=lambda: os.cpu_count() or 1)
    id_column: str = "doc_id"
    text_column: str = "text"
    overwrite: bool = False
    report: bool = True
    max_failed_share: float = 0.2
    beam: tuple[tuple[str, Any], ...] = ()

    def __post_init__(self) -> None:
        # Slots make another class of this, which super() would not know.
        EvidenceOptions.__post_init__(self)
        require(bool(self.inputs), "give at least one INPUT")
        require_least(self, max_citations=0, min_words=0, document_timeout=0, workers=1)
        share = self.max_failed_share
        require(0 <= share <= 1, f"--max-failed-share must be in [0, 1], got {share}")
        require(
            self.numbered_citations in ("skip", "check"),
            f"--numbered-citations is skip or check, got {self.numbered_citations!r}",
        )
        known = ", ".join(CHECKS)
        require(bool(self.checks), f"--checks must name at least one of {known}")
        for check in self.checks:
            require(check in CHECKS, f"--checks knows {known}; got {check!r}")
        for name in ("id_column", "text_column"):
            require(bool(getattr(self, name)), f"{flag(name)} must name a column")

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


def _as_json(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [_as_json(item) for item in value]
    if isinstance(value, dict):
        return {key: _as_json(item) for key, item in value.items()}
    if isinstance(value, str | int | float | bool) or value is None:
        return value
    return str(value)
