"""The yardstick: a plain loop over the functions that the pipeline runs.

``python -m tests.bench.plain_loop FOLDER CACHE URL OUTPUT``
"""

from __future__ import annotations

import pathlib
import sys
from collections import defaultdict

import pyarrow as pa
import pyarrow.parquet as pq

from transforms import tables
from transforms.extract_citations.extract import ExtractSettings, extract
from transforms.fetch_evidence.lookup import lookup_for, merge
from transforms.fetch_evidence.opening import open_resolver
from transforms.fetch_evidence.settings import FetchSettings
from transforms.read_documents.formats import read_document
from transforms.records import Citation, DocumentHeader, Evidence, Lookup
from transforms.score_coverage.assess import assess, score_document
from transforms.score_coverage.triage.document import judge_document
from transforms.score_coverage.triage.files import load_judge
from transforms.write_results import rows


def main(folder: str, cache: str, url: str, output: str) -> None:
    """Screens ``folder`` in one loop, for support alone, and writes the tables."""
    headers, citations = _extract_all(pathlib.Path(folder))
    evidence = _fetch_all(citations, pathlib.Path(cache), url)
    judge = load_judge(None, None)
    by_document = defaultdict(list)
    for citation in citations:
        key = lookup_for(citation).key
        assessment = assess(citation, key, evidence[key])
        by_document[citation.doc_id].append(assessment)
    judged = {key: judge_document(found, judge) for key, found in by_document.items()}
    scores = [
        score_document(header, judged.get(header.doc_id, ())) for header in headers
    ]
    assessments = [item for found in judged.values() for item in found]
    place = pathlib.Path(output)
    place.mkdir(parents=True)
    for name, schema, found in (
        ("documents", tables.DOCUMENTS, map(rows.document_row, scores)),
        ("citations", tables.CITATIONS, map(rows.citation_row, assessments)),
        ("works", tables.WORKS, map(rows.work_row, evidence.values())),
    ):
        table = pa.Table.from_pylist(list(found), schema=schema)
        pq.write_table(table, place / f"{name}.parquet", compression="zstd")


def _extract_all(folder: pathlib.Path) -> tuple[list[DocumentHeader], list[Citation]]:
    headers: list[DocumentHeader] = []
    citations: list[Citation] = []
    for path in sorted(folder.iterdir()):
        document = read_document(path.read_bytes(), doc_id=path.name, path=str(path))
        extracted = extract(document, ExtractSettings())
        headers.append(extracted.header)
        citations += extracted.citations
    return headers, citations


def _fetch_all(
    citations: list[Citation], cache: pathlib.Path, url: str
) -> dict[str, Evidence]:
    by_key: dict[str, list[Lookup]] = defaultdict(list)
    for citation in citations:
        lookup = lookup_for(citation)
        by_key[lookup.key].append(lookup)
    settings = FetchSettings(
        index=("semantic-scholar",),
        cache_path=cache,
        state_folder=cache.parent,
        semantic_scholar_url=url,
    )
    resolver = open_resolver(settings)
    lookups = [merge(group) for group in by_key.values()]
    found = {evidence.key: evidence for evidence in resolver.resolve(lookups)}
    resolver.close()
    return found


if __name__ == "__main__":
    main(*sys.argv[1:])
