"""Folders of finished runs for tests of the report, from the golden rows.

``python -m tests.report_run FOLDER DOCUMENTS`` makes one of any size, for measuring.
"""

from __future__ import annotations

import json
import pathlib
import sys
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.output import TABLES
from tests.screening import GOLDEN
from transforms import tables

Rows: TypeAlias = dict[str, list[dict[str, Any]]]


def golden_rows() -> Rows:
    """Returns the rows of the sample run, by table."""
    found: Rows = {}
    for table in TABLES:
        lines = (GOLDEN / f"{table}.jsonl").read_text(encoding="utf-8").splitlines()
        found[table] = [json.loads(line) for line in lines]
    for row in found["documents"]:
        row["path"] = f"manuscripts/{row['doc_id']}"
    return found


def repeated(rows: Rows, documents: int) -> Rows:
    """Returns as many documents as asked for, each a copy with a name of its own.

    Args:
      rows: The rows to copy from.
      documents: Documents to return.
    """
    of_document: dict[str, list[dict[str, Any]]] = {}
    for row in rows["citations"]:
        of_document.setdefault(row["doc_id"], []).append(row)
    copies: Rows = {**rows, "documents": [], "citations": []}
    for number in range(documents):
        original = rows["documents"][number % len(rows["documents"])]
        doc_id = f"{number:05}-{original['doc_id']}"
        facts = {"journal": f"Journal {number % 7}", "editor": f"Editor {number}"}
        copies["documents"].append(
            {**original, "doc_id": doc_id, "metadata": json.dumps(facts)}
        )
        for row in of_document.get(original["doc_id"], ()):
            ids = {"doc_id": doc_id, "citation_id": f"{doc_id}#{row['ordinal']}"}
            copies["citations"].append({**row, **ids})
    return copies


def write_run(folder: pathlib.Path, rows: Rows, **manifest: Any) -> pathlib.Path:
    """Writes the tables and the manifest of a run.

    Args:
      folder: Folder of the run; made if it does not exist.
      rows: Rows of each table.
      **manifest: What the manifest says otherwise than by default.

    Returns:
      The folder.
    """
    for table in TABLES:
        schema = getattr(tables, table.upper())
        (folder / table).mkdir(parents=True, exist_ok=True)
        written = pa.Table.from_pylist(rows.get(table, []), schema)
        pq.write_table(written, folder / table / "part-0.parquet", compression="zstd")
    documents = len(rows["documents"]) + len(rows["failures"])
    said = {
        "program": "citation-support",
        "version": "0.1.0",
        "status": "complete",
        "problems": [],
        "started_at": "2026-01-02T03:04:05+00:00",
        "options": {"max_citations": 8, "index": ["papers"], "offline": True},
        "inputs": {"files": 1, "documents": documents},
        **manifest,
    }
    (folder / "manifest.json").write_text(json.dumps(said), encoding="utf-8")
    return folder


if __name__ == "__main__":
    write_run(pathlib.Path(sys.argv[1]), repeated(golden_rows(), int(sys.argv[2])))
