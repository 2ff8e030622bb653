"""Runs a screening, from options to exit code."""

from __future__ import annotations

import dataclasses
import datetime
import logging
import os
import pathlib
import platform
import time
from importlib import metadata
from typing import Any

from pipeline import __version__
from pipeline.counts import RunCounts, broken_laws, count
from pipeline.execution import Costs, run_graph
from pipeline.exits import EXIT_DONE, EXIT_INCOMPLETE, RunFailed, UsageError
from pipeline.health import problems as find_problems
from pipeline.options import ScreenOptions
from pipeline.output import RunFolder
from pipeline.report.reading_list import reading_list
from pipeline.report.summary import Outcome, per_thousand, ratio_to_floor, tell
from pipeline.runner import check_flags
from transforms.fetch_evidence.opening import open_resolver
from transforms.fetch_evidence.settings import SEMANTIC_SCHOLAR, FetchSettings, api_key
from transforms.fetch_evidence.sources.papers_file import PapersError
from transforms.read_documents.inputs import InputError, Inputs, expand
from transforms.score_coverage.triage.files import load_judge
from transforms.score_coverage.triage.judge import Judge
from transforms.verify_references.venue_table import read_venues

_READ_FIRST = 10

_log = logging.getLogger(__name__)


def screen(
    options: ScreenOptions, *, quiet: bool = False, as_json: bool = False
) -> int:
    """Screens the inputs, publishes the tables and says what came of it.

    Args:
      options: What to screen and how.
      quiet: Whether to say nothing but what went wrong.
      as_json: Whether to print the outcome as one JSON object.

    Returns:
      ``EXIT_DONE``, or ``EXIT_INCOMPLETE`` when too much could not be checked.

    Raises:
      UsageError: If the request cannot be run as given; nothing was started.
      RunFailed: If the run broke off; an earlier run in the folder is untouched.
    """
    started = datetime.datetime.now(datetime.UTC)
    clock = _Clock()
    inputs, fetch, judge = _prepare(options)
    folder = RunFolder(options.output, overwrite=options.overwrite)
    folder.begin()
    clock.lap("prepare")
    costs = run_graph(options, inputs, fetch, judge, folder.partial, quiet=quiet)
    requests = costs.all
    clock.lap("run")
    counts = count(folder.partial, inputs.documents)
    if broken := broken_laws(counts):
        raise RunFailed(
            f"the tables do not add up: {'; '.join(broken)}; please report this defect"
        )
    lacks_key = SEMANTIC_SCHOLAR in fetch.index and not api_key(os.environ)
    problems = find_problems(
        counts, requests, options.max_failed_share, lacks_key=lacks_key
    )
    clock.lap("count")
    manifest = {
        "version": __version__,
        "status": "incomplete" if problems else "complete",
        "problems": problems,
        "started_at": started.isoformat(timespec="seconds"),
        "seconds": clock.laps,
        **_account(options, inputs, counts, costs),
    }
    folder.publish(manifest)
    report = _report(options, problems)
    leads = reading_list(options.output, _READ_FIRST)
    outcome = Outcome(
        options.output, manifest, counts, requests, leads, problems, report
    )
    tell(outcome, quiet=quiet, as_json=as_json)
    return EXIT_INCOMPLETE if problems else EXIT_DONE


def _account(
    options: ScreenOptions, inputs: Inputs, counts: RunCounts, costs: Costs
) -> dict[str, Any]:
    """Returns what the manifest tells of what was asked for and what it came to."""
    return {
        "options": options.describe(),
        "inputs": {"files": inputs.files, "documents": inputs.documents},
        "counts": _described(counts),
        "requests": {**costs.all, "ratio_to_floor": ratio_to_floor(costs.all)},
        "reference_requests": per_thousand(costs.references, counts.references_total),
        "environment": _environment(),
    }


def _report(options: ScreenOptions, problems: list[str]) -> pathlib.Path | None:
    """Writes the pages; that they cannot be written is one problem more."""
    if not options.report:
        return None
    # Drawing takes a while to import, which should not delay the start.
    from pipeline.report.build import build_report

    try:
        return build_report(options.output)
    except (RunFailed, UsageError) as error:
        problems.append(f"no report: {error}")
        return None


class _Clock:
    """Takes the seconds of each part of a run."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = time.monotonic()

    def lap(self, name: str) -> None:
        now = time.monotonic()
        self.laps[name] = round(now - self._last, 3)
        _log.info("%s: %.1f s", name, self.laps[name])
        self._last = now


def _prepare(options: ScreenOptions) -> tuple[Inputs, FetchSettings, Judge]:
    """Checks everything that can be wrong before anything is started."""
    check_flags(dict(options.beam))
    try:
        judge = load_judge(options.background, options.triage_model)
        inputs = expand(
            options.inputs,
            exclude=(*options.papers, options.output),
            id_column=options.id_column,
            text_column=options.text_column,
        )
        fetch = options.fetch_settings()
        open_resolver(fetch).close()
        read_venues(*options.venue_tables)
    except (InputError, PapersError, RuntimeError, ValueError) as error:
        raise UsageError(str(error)) from error
    except OSError as error:
        raise UsageError(
            f"{error.filename}: {error.strerror}; check the path"
        ) from error
    return inputs, fetch, judge


def _environment() -> dict[str, str]:
    return {
        "python": platform.python_version(),
        "apache_beam": metadata.version("apache-beam"),
    }


def _described(counts: RunCounts) -> dict[str, Any]:
    described = dataclasses.asdict(counts)
    del described["sums"]
    return {
        **described,
        "checked": counts.checked,
        "support_rate": counts.support_rate,
        "unchecked_share": counts.unchecked_share,
    }
