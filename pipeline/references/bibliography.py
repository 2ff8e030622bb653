"""Reads one bibliography and checks its entries."""

from __future__ import annotations

import dataclasses
import datetime
import functools
import pathlib
from collections.abc import Sequence

from pipeline.exits import UsageError
from transforms.extract_citations.listed import first_entries
from transforms.extract_citations.references import parse_references
from transforms.fetch_evidence.costs import Stats
from transforms.fetch_evidence.reference_finder import ReferenceFinder
from transforms.read_documents.bibliography_file import read_bibliography
from transforms.read_documents.errors import UnreadableDocument
from transforms.read_documents.formats import read_document
from transforms.read_documents.siblings import FolderSiblings
from transforms.records import Reference
from transforms.reference_records import (
    Findings,
    ListedReference,
    ReferenceCheck,
    ReferenceLabel,
    Verdict,
)
from transforms.verify_references.decide import verify, without_check
from transforms.verify_references.fields import Setting
from transforms.verify_references.keys import key_of
from transforms.verify_references.venue_table import VenueTable


@dataclasses.dataclass(frozen=True, slots=True)
class CheckedBibliography:
    """A bibliography with what its entries came to.

    Attributes:
      checks: One for each entry, in order.
      costs: What asking the indexes cost.
      unasked: Why indexes could not be asked, one text for each reason.
    """

    checks: tuple[ReferenceCheck, ...]
    costs: Stats
    unasked: tuple[str, ...]

    def number(self, label: ReferenceLabel) -> int:
        """Returns how many entries got a label."""
        return sum(check.verdict.label is label for check in self.checks)


def read_entries(path: pathlib.Path) -> tuple[Reference, ...]:
    """Returns the entries of a bibliography, or of a document's reference list.

    Raises:
      UsageError: If the file cannot be read, or has no entry.
    """
    try:
        data = path.read_bytes()
        entries = read_bibliography(data, path.name)
        if entries is None:
            document = read_document(
                data,
                doc_id=path.name,
                path=str(path),
                siblings=FolderSiblings(str(path.parent)),
            )
            entries = document.references or parse_references(document.reference_text)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; check the path") from error
    except UnreadableDocument as error:
        raise UsageError(f"{path}: {error}") from error
    if not entries:
        raise UsageError(
            f"{path} has no reference list: give a .bib, RIS, CSL-JSON or EndNote XML"
            " file, or a document with one"
        )
    return entries


def check_entries(
    entries: Sequence[Reference],
    finder: ReferenceFinder,
    table: VenueTable,
    *,
    name: str,
) -> CheckedBibliography:
    """Checks entries, each distinct one once.

    Args:
      entries: The entries.
      finder: Asks the indexes.
      table: Which names are of one venue.
      name: Name of the bibliography.
    """
    setting = Setting(table, datetime.datetime.now(datetime.UTC).year)
    distinct = {key_of(entry): entry for entry in reversed(entries)}
    settled = functools.partial(_is_settled, setting)
    found = {f.key: f for f in finder.find(distinct.items(), settled)}
    firsts = first_entries(entries)
    checks = []
    for ordinal, (entry, first) in enumerate(zip(entries, firsts, strict=True), 1):
        key = key_of(entry)
        same_as = "" if first is entry else first.ref_id
        listed = ListedReference(name, entry, ordinal, same_as=same_as)
        verdict, findings = _verdict(entry, found[key], setting)
        check = ReferenceCheck(listed, key, verdict, findings.asked, findings.unasked)
        checks.append(check)
    reasons = dict.fromkeys(reason for check in checks for reason in check.unasked)
    return CheckedBibliography(tuple(checks), finder.take_stats(), tuple(reasons))


def _verdict(
    entry: Reference, findings: Findings, setting: Setting
) -> tuple[Verdict, Findings]:
    """Returns the verdict on an entry, and what it was made of."""
    try:
        return verify(entry, findings, setting), findings
    # One entry must not cost the verdicts on the others.
    except Exception as error:
        lost = without_check(findings, error)
        return verify(entry, lost, setting), lost


def _is_settled(setting: Setting, reference: Reference, findings: Findings) -> bool:
    return verify(reference, findings, setting).label is ReferenceLabel.EXACT
