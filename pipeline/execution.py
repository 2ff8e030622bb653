"""Runs the dataflow, shows how far it is, and counts what it cost."""

from __future__ import annotations

import contextlib
import dataclasses
import pathlib
from typing import Any

import apache_beam as beam

from pipeline import graph, interrupts
from pipeline.exits import RunFailed
from pipeline.options import ScreenOptions
from pipeline.progress_display import shown
from pipeline.runner import make_pipeline
from transforms.extract_citations.extract import ExtractSettings
from transforms.fetch_evidence.costs import Stats
from transforms.fetch_evidence.settings import FetchSettings
from transforms.progress import NO_PROGRESS, Progress, ProgressFolder
from transforms.read_documents.inputs import Inputs
from transforms.score_coverage.triage.judge import Judge

_MAX_ERROR_CHARS = 300
# What a worker asks a local index for together is held in memory.
_LANES_OF_WORKER = 8


def run_graph(
    options: ScreenOptions,
    inputs: Inputs,
    fetch: FetchSettings,
    judge: Judge,
    tables: pathlib.Path,
    *,
    quiet: bool,
) -> Costs:
    """Runs the dataflow.

    Args:
      options: How to screen.
      inputs: What to screen.
      fetch: Where evidence comes from.
      judge: What cited works are judged by.
      tables: Folder to write the tables to.
      quiet: Whether to show no progress.

    Returns:
      What asking the network indexes cost.

    Raises:
      RunFailed: If the run broke off.
    """
    workers = max(1, min(options.workers, len(inputs.sources)))
    progress = NO_PROGRESS if quiet else _progress_below(tables)
    plan = _plan(options, inputs, fetch, judge, tables, progress, workers)
    pipeline = make_pipeline(workers, dict(options.beam))
    graph.build(pipeline, plan)
    display = (
        shown(progress, inputs.documents)
        if isinstance(progress, ProgressFolder)
        else contextlib.nullcontext()
    )
    try:
        with display, interrupts.heeded():
            result = pipeline.run()
            result.wait_until_finish()
    except Exception as error:
        if "KeyboardInterrupt" in str(error):
            raise KeyboardInterrupt from error
        raise RunFailed(
            f"the run broke off: {_first_line(error)}; run again, and see "
            "citation-support doctor"
        ) from error
    return Costs(
        _counted(result, "fetch_evidence"), _counted(result, "verify_references")
    )


def _plan(
    options: ScreenOptions,
    inputs: Inputs,
    fetch: FetchSettings,
    judge: Judge,
    tables: pathlib.Path,
    progress: Progress,
    workers: int,
) -> graph.Plan:
    return graph.Plan(
        sources=inputs.sources,
        id_column=options.id_column,
        text_column=options.text_column,
        extract=ExtractSettings(
            max_citations=options.max_citations,
            min_words=options.min_words,
            check_support="support" in options.checks,
            check_numbered=options.numbered_citations == "check",
            timeout_seconds=options.document_timeout,
        ),
        fetch=fetch,
        judge=judge,
        lanes=1 if fetch.asks_network else workers * _LANES_OF_WORKER,
        tables=tables,
        progress=progress,
        check_references="references" in options.checks,
        venues=options.venue_tables,
    )


def _progress_below(folder: pathlib.Path) -> ProgressFolder:
    path = folder / "progress"
    # Without it, less is shown.
    with contextlib.suppress(OSError):
        path.mkdir()
    return ProgressFolder(path)


def _first_line(error: Exception) -> str:
    """Returns what was raised; a worker's error comes as a whole traceback."""
    lines = [line for line in str(error).splitlines() if line.strip()]
    text = (
        lines[-1] if lines and lines[0].startswith("Traceback") else "".join(lines[:1])
    )
    return f"{type(error).__name__}: {text[:_MAX_ERROR_CHARS]}"


@dataclasses.dataclass(frozen=True, slots=True)
class Costs:
    """What asking the network indexes cost, by name.

    Attributes:
      evidence: For the evidence of citations.
      references: For the check of references.
    """

    evidence: dict[str, int]
    references: dict[str, int]

    @property
    def all(self) -> dict[str, int]:
        """Both together."""
        return {name: n + self.references[name] for name, n in self.evidence.items()}


def _counted(result: Any, stage: str) -> dict[str, int]:
    """Returns the counters of a stage that tell what asking cost."""
    wanted = beam.metrics.MetricsFilter().with_namespace(stage)
    counters = result.metrics().query(wanted)["counters"]
    found = {c.key.metric.name: c.result for c in counters}
    return {
        field.name: int(found.get(field.name) or 0)
        for field in dataclasses.fields(Stats)
    }
