"""Measures the pipeline against a plain loop, extraction speed and memory.

Every figure is of this run on this machine; the ratios are what to compare.
``python -m tests.bench [DOCUMENTS]`` (default 3,000).
"""

from __future__ import annotations

import contextlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time

from tests.bench import fetching
from tests.bench.corpus import sample_works, write_articles
from tests.bench.scoring import bench_scoring
from tests.screening import SAMPLE
from tests.stand_in.semantic_scholar import SemanticScholarService
from tests.stand_in.server import StandIn
from transforms.extract_citations.extract import ExtractSettings, extract
from transforms.records import Document

_ARTICLE_CHARS = 50_000
_PROPORTIONAL = re.compile(r"^Pss:\s+(\d+)", re.MULTILINE)
_LOOKUPS = 20_000
_REFERENCES = 40
_SAMPLE_SECONDS = 0.25


def main(number: int) -> None:
    """Runs all benchmarks and prints them."""
    with tempfile.TemporaryDirectory() as name:
        place = pathlib.Path(name)
        size = write_articles(place / "articles", number, _ARTICLE_CHARS)
        print(f"{number} documents, {size / 1e6:.0f} MB of text")
        _bench_extraction(place / "articles")
        with StandIn(SemanticScholarService(sample_works())) as index:
            url = index.url + SemanticScholarService.prefix
            _bench_pipeline(place, url)
            _bench_memory(place, url, number // 10)
        _bench_references(place, number)
    fetching.main(min(_LOOKUPS, 10 * number))


def _bench_extraction(folder: pathlib.Path) -> None:
    paths = sorted(folder.iterdir())[:300]
    documents = [
        Document(path.name, str(path), path.read_text(encoding="utf-8"))
        for path in paths
    ]
    settings = ExtractSettings()
    start = time.perf_counter()
    extracted = [extract(document, settings) for document in documents]
    seconds = time.perf_counter() - start
    headers = [found.header for found in extracted]
    megabytes = sum(path.stat().st_size for path in paths) / 1e6
    words = sum(header.words for header in headers)
    citations = sum(header.citations_total for header in headers)
    print(
        f"extraction: {megabytes / seconds:.1f} MB/s on one core, "
        f"{words / citations:.0f} words a citation"
    )
    bench_scoring([c for found in extracted for c in found.citations])


def _bench_pipeline(place: pathlib.Path, url: str) -> None:
    warm = _screen(place, "articles", url, workers=2)
    _measure("warm the cache", warm)
    loop = [
        *(sys.executable, "-m", "tests.bench.plain_loop", str(place / "articles")),
        *(str(place / "cache" / "evidence.sqlite"), url, str(place / "loop")),
    ]
    base = _measure("plain loop", loop)
    for workers in (1, 2):
        command = _screen(place, "articles", url, workers=workers)
        seconds = _measure(f"pipeline, {workers} worker(s)", command)
        print(f"  ratio to the loop: {seconds / base:.2f}")
    command = _screen(place, "articles", url, workers=2, checks="support,references")
    seconds = _measure("pipeline, 2 worker(s), references as well", command)
    print(f"  ratio to the loop: {seconds / base:.2f}")
    report = [sys.executable, "-m", "pipeline", "report", str(place / "out-articles")]
    seconds = _measure("report", report)
    print(f"  ratio to the loop: {seconds / base:.2f}")


def _bench_memory(place: pathlib.Path, url: str, number: int) -> None:
    for times in (1, 10):
        folder = f"articles-{times}"
        write_articles(place / folder, number, _ARTICLE_CHARS * times)
        command = _screen(place, folder, url, workers=1)
        _measure(f"{number} documents, {times} x the length", command)


def _bench_references(place: pathlib.Path, number: int) -> None:
    """Checks reference lists as long as those of journals, no entry twice."""
    folder = place / "articles-listed"
    write_articles(folder, number, _ARTICLE_CHARS, _REFERENCES)
    command = [
        *(sys.executable, "-m", "pipeline", "screen", str(folder), "--offline"),
        *("--papers", str(SAMPLE / "papers.parquet"), "--workers", "2", "--no-report"),
        *("--output", str(place / "out-listed"), "--cache", str(place / "listed")),
    ]
    _measure(f"{number} documents, {_REFERENCES} more references in each", command)


def _screen(
    place: pathlib.Path, folder: str, url: str, *, workers: int, checks: str = "support"
) -> list[str]:
    return [
        *(sys.executable, "-m", "pipeline", "screen", str(place / folder)),
        *("--output", str(place / f"out-{folder}"), "--overwrite"),
        *("--cache", str(place / "cache" / "evidence.sqlite"), "--rate", "10000"),
        *("--semantic-scholar-url", url, "--workers", str(workers), "--no-report"),
        *("--checks", checks),
    ]


def _measure(name: str, command: list[str]) -> float:
    """Runs a command; prints seconds and peak memory of its whole process group."""
    start = time.perf_counter()
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, start_new_session=True
    )
    peak = [0]
    watch = threading.Thread(target=_watch, args=(process, peak), daemon=True)
    watch.start()
    if code := process.wait():
        raise SystemExit(f"{name}: exit code {code}")
    seconds = time.perf_counter() - start
    print(f"{name}: {seconds:.1f} s, peak {peak[0] / 1e6:.0f} MB")
    return seconds


def _watch(process: subprocess.Popen[bytes], peak: list[int]) -> None:
    while process.poll() is None:
        peak[0] = max(peak[0], _group_bytes(process.pid))
        time.sleep(_SAMPLE_SECONDS)


def _group_bytes(group: int) -> int:
    """Returns the memory of a process group, what is shared counted once (Linux)."""
    total = 0
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                if os.getpgid(int(entry.name)) == group:
                    rollup = (entry / "smaps_rollup").read_text()
                    total += 1024 * int(_PROPORTIONAL.search(rollup)[1])
    return total


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3_000)
