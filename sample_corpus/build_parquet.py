"""Build the two Parquet files of the sample corpus from ``source/``.

``papers.parquet`` is the local index: one row a line of ``source/works.jsonl``.
``manuscripts/submissions.parquet`` holds three manuscripts: one row an entry of
``source/submissions.json``, its text from ``source/submissions/``.

Run it from any directory: ``python sample_corpus/build_parquet.py``.  The same
sources and the same version of pyarrow give the same bytes.
"""

from __future__ import annotations

import datetime
import json
import pathlib

import pyarrow as pa
import pyarrow.parquet as pq

_HERE = pathlib.Path(__file__).resolve().parent
_SOURCE = _HERE / "source"

PAPERS = pa.schema(
    {
        "paper_id": pa.string(),
        "doi": pa.string(),
        "arxiv_id": pa.string(),
        "pmid": pa.string(),
        "title": pa.string(),
        "abstract": pa.string(),
        "year": pa.int64(),
        "authors": pa.list_(pa.string()),
    }
)

SUBMISSIONS = pa.schema(
    {
        "doc_id": pa.string(),
        "text": pa.string(),
        "journal": pa.string(),
        "received": pa.date32(),
    }
)


def read_papers(path: pathlib.Path) -> pa.Table:
    """Read the invented works.

    Args:
      path: JSON Lines, one object a work, with the columns of ``PAPERS`` as keys.

    Returns:
      The works in the order of the file.

    Raises:
      ValueError: If two works share a ``paper_id``.
    """
    lines = path.read_text(encoding="utf-8").splitlines()
    works = [json.loads(line) for line in lines]
    ids = [work["paper_id"] for work in works]
    if len(set(ids)) != len(ids):
        raise ValueError(f"{path}: paper_id is not unique")
    return pa.Table.from_pylist(works, schema=PAPERS)


def read_submissions(metadata: pathlib.Path, texts: pathlib.Path) -> pa.Table:
    """Read the manuscripts that are kept as rows of a table.

    Args:
      metadata: JSON list of objects with doc_id, file, journal and received
        (ISO 8601 date).
      texts: Folder of the text files that ``file`` names.

    Returns:
      The manuscripts in the order of the metadata.
    """
    rows = [
        {
            "doc_id": entry["doc_id"],
            "text": (texts / entry["file"]).read_text(encoding="utf-8"),
            "journal": entry["journal"],
            "received": datetime.date.fromisoformat(entry["received"]),
        }
        for entry in json.loads(metadata.read_text(encoding="utf-8"))
    ]
    return pa.Table.from_pylist(rows, schema=SUBMISSIONS)


def main() -> None:
    """Write both Parquet files next to this script."""
    papers = read_papers(_SOURCE / "works.jsonl")
    submissions = read_submissions(
        _SOURCE / "submissions.json", _SOURCE / "submissions"
    )
    pq.write_table(papers, _HERE / "papers.parquet", compression="zstd")
    pq.write_table(
        submissions, _HERE / "manuscripts" / "submissions.parquet", compression="zstd"
    )


if __name__ == "__main__":
    main()
