"""Measures how fast evidence is fetched, and how well a rate is kept.

``python -m tests.bench.fetching [LOOKUPS]`` (default 20,000).
"""

from __future__ import annotations

import contextlib
import functools
import multiprocessing
import pathlib
import sys
import tempfile
import time

import apache_beam as beam
from apache_beam.options.pipeline_options import PipelineOptions

from tests.bench.index_server import index_server, work
from transforms.fetch_evidence.lookup import lookup_for
from transforms.fetch_evidence.opening import open_resolver
from transforms.fetch_evidence.rate_limit import RateLimit
from transforms.fetch_evidence.settings import FetchSettings
from transforms.fetch_evidence.stage import FetchEvidence
from transforms.records import (
    Citation,
    CitationKind,
    CitingDocument,
    DocumentHeader,
    DocumentStatus,
    Reference,
)
from transforms.score_coverage.stage import ScoreCoverage
from transforms.score_coverage.triage.files import load_judge

_NO_LIMIT = 1e6
_PER_SECOND = 20.0
_CALLS = 60
_PROCESSES = 2


def main(number: int) -> None:
    """Runs the measurements and prints them."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with index_server(number) as url:
            for what in ("an empty cache", "a full cache"):
                _bench_lookups(folder, url, number, what)
        _bench_rate(folder)


def _bench_lookups(folder: pathlib.Path, url: str, number: int, what: str) -> None:
    settings = FetchSettings(
        index=("semantic-scholar",),
        cache_path=folder / "cache.sqlite",
        state_folder=folder,
        rate_per_second=_NO_LIMIT,
        semantic_scholar_url=url,
    )
    citations = [_citation(n) for n in range(number)]
    start = time.perf_counter()
    counts = _fetch_and_join(settings, citations)
    seconds = time.perf_counter() - start
    if counts.get("checked") != number:
        raise SystemExit(f"{counts.get('checked')} of {number} lookups were joined")
    print(
        f"{number} lookups, half by DOI and half by title, {what}: {seconds:.1f} s,"
        f" {60 * number / seconds:,.0f} a minute;"
        f" {counts.get('requests', 0)} requests, floor {counts['floor']}"
    )


def _fetch_and_join(
    settings: FetchSettings, citations: list[Citation]
) -> dict[str, int]:
    """Runs the two stages; returns their counters."""
    header = DocumentHeader(
        *("d", "d.txt", "", 400, DocumentStatus.SCORED),
        *(len(citations), 0, len(citations), "{}", ""),
    )
    root = beam.Pipeline(options=PipelineOptions(["--runner=FnApiRunner"]))
    lookups = [lookup_for(citation) for citation in citations]
    evidence, _ = (
        root
        | "Lookups" >> beam.Create(lookups)
        | FetchEvidence(functools.partial(open_resolver, settings))
    )
    document = CitingDocument(header, tuple(citations))
    keys = tuple(lookup.key for lookup in lookups)
    documents = root | "Document" >> beam.Create([(document, keys)])
    notes = root | "NoNotes" >> beam.Create([])
    _ = (documents, evidence, notes) | ScoreCoverage(load_judge(None, None))
    result = root.run()
    result.wait_until_finish()
    counters = result.metrics().query()["counters"]
    return {counter.key.metric.name: counter.result for counter in counters}


def _citation(number: int) -> Citation:
    cited = work(number)
    claim = f"Kind {number} of quill grew in cold estuaries."
    return Citation(
        *(f"d#{number}", "d", number, CitationKind.AUTHOR_YEAR),
        *("", 0, 0, claim, 0, len(claim), claim),
        reference=Reference(
            *(f"r{number}", "raw", cited.authors, cited.year),
            title=cited.title,
            doi=cited.doi if number % 2 else None,
        ),
    )


def _bench_rate(folder: pathlib.Path) -> None:
    start = time.time()
    context = multiprocessing.get_context("spawn")
    with context.Pool(_PROCESSES) as pool:
        places = [folder / "rate.sqlite"] * _PROCESSES
        slots = sorted(sum(pool.map(_call, places, chunksize=1), []))
    seconds = slots[-1] - slots[0]
    rate = (len(slots) - 1) / seconds
    gap = min(b - a for a, b in zip(slots, slots[1:], strict=False))
    print(
        f"limit {_PER_SECOND:.0f}/s over {_PROCESSES} processes: {rate:.2f}/s"
        f" ({rate / _PER_SECOND - 1:+.1%}) over {len(slots)} calls, least gap"
        f" {1000 * gap:.0f} ms, {time.time() - start:.1f} s with the start"
    )


def _call(path: pathlib.Path) -> list[float]:
    limit = RateLimit(path, "bench", _PER_SECOND)
    called = []
    for _ in range(_CALLS):
        limit.wait()
        called.append(time.time())
    return called


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
