"""Builds the report of a finished run."""

from __future__ import annotations

import datetime
import hashlib
import itertools
import pathlib
import shutil
from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from pipeline.counts import count
from pipeline.exits import RunFailed, UsageError
from pipeline.output import REPORT, REPORT_DRAFT, locked, read_manifest
from pipeline.report.document_page import Place, page_of, write_document
from pipeline.report.index_page import ROWS_A_PAGE, IndexWriter, page_name
from pipeline.report.page import RunFacts
from pipeline.report.spool import Row, Spool, batches
from pipeline.report.tally import Tally, tally

_KEY_CHARS = 16


def build_report(run: pathlib.Path, by: str | None = None) -> pathlib.Path:
    """Writes the pages of a run; an earlier report is replaced when all are there.

    Memory stays flat, and time grows with the run.  The same run makes the same pages.

    Args:
      run: Folder of a finished run.
      by: Metadata column to chart the support rate by; None to choose one.

    Returns:
      The page to open.

    Raises:
      UsageError: If there is no finished run, or no such column.
      RunFailed: If the tables cannot be read, or the pages not written.
    """
    manifest, written = read_manifest(run)
    facts = _facts(run, manifest, written)
    draft = run / REPORT_DRAFT
    try:
        with locked(run):
            shutil.rmtree(draft, ignore_errors=True)
            (draft / "documents").mkdir(parents=True)
            _write(run, draft, facts, manifest["inputs"]["documents"], by)
            shutil.rmtree(run / REPORT, ignore_errors=True)
            draft.rename(run / REPORT)
    except OSError as error:
        raise RunFailed(
            f"cannot write the report below {run}: {error.strerror or error}; the "
            "tables are untouched"
        ) from error
    except (pa.ArrowException, KeyError) as error:
        raise RunFailed(
            f"the tables in {run} are damaged, or of another version: {error}; screen "
            "again with --overwrite"
        ) from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return run / REPORT / page_name(1)


def _write(
    run: pathlib.Path,
    draft: pathlib.Path,
    facts: RunFacts,
    documents_in: int,
    by: str | None,
) -> None:
    totals = tally(run)
    _check_column(by, totals)
    counts = count(run, documents_in)
    failures = itertools.chain.from_iterable(batches(run / "failures"))
    index = IndexWriter(draft, facts, counts, totals, failures, by)
    path = draft / "spool.sqlite"
    with Spool(path) as spool:
        spool.fill(run)
        total = sum(counts.documents.values())
        for document, place in _placed(spool.documents(), total):
            doc_id = document["doc_id"]
            write_document(
                draft / "documents",
                facts,
                document,
                spool.citations(doc_id),
                spool.references(doc_id),
                place,
            )
            index.add(document, page_of(doc_id))
    index.close()
    path.unlink()


def _placed(documents: Iterator[Row], total: int) -> Iterator[tuple[Row, Place]]:
    """Yields each document with its neighbours in the reading order."""
    document = next(documents, None)
    previous = ""
    rank = 0
    while document is not None:
        following = next(documents, None)
        rank += 1
        yield (
            document,
            Place(
                rank=rank,
                total=total,
                index_page=page_name((rank - 1) // ROWS_A_PAGE + 1),
                previous=previous,
                next=page_of(following["doc_id"]) if following else "",
            ),
        )
        previous, document = page_of(document["doc_id"]), following


def _check_column(by: str | None, totals: Tally) -> None:
    if by is not None and by not in totals.columns:
        known = ", ".join(sorted(totals.columns)) or "none"
        raise UsageError(
            f"--by {by}: no metadata column of the run; there are: {known}"
        )


def _facts(run: pathlib.Path, manifest: dict[str, Any], written: bytes) -> RunFacts:
    started = datetime.datetime.fromisoformat(manifest["started_at"])
    return RunFacts(
        key=hashlib.sha256(written).hexdigest()[:_KEY_CHARS],
        name=run.resolve().name,
        started=f"{started.day} {started:%B %Y, %H:%M} UTC",
        version=manifest["version"],
        is_complete=manifest["status"] == "complete",
        problems=tuple(manifest["problems"]),
        options=manifest["options"],
    )
