"""The ``evaluate`` and ``fit`` commands."""

from __future__ import annotations

import argparse
import dataclasses
import json
import pathlib
from collections.abc import Callable, Mapping
from typing import Any

from rich.console import Console

from pipeline.evaluation.support.fitting import Targets, fit
from pipeline.evaluation.support.measure import Measured, measure
from pipeline.evaluation.support.pairs import Pair, read_pairs
from pipeline.evaluation.support.printing import as_data, changes, print_measured
from pipeline.evaluation.support.swaps import is_training
from pipeline.exits import EXIT_DONE, UsageError
from transforms.score_coverage.triage.files import (
    TriageFileError,
    load_background,
    load_judge,
)
from transforms.score_coverage.triage.model import ModelError, write_model

_EVALUATE = """
Measure the literal grade and the triage on labelled pairs of claims and cited works:
how well they tell right from wrong citations, with 95 % intervals, and what each flag
is worth.  Misattributions are made by swapping works, with a fixed seed.
""".strip()
_FIT = """
Fit the coefficients and thresholds of triage on the training half of labelled pairs,
and write them with their provenance.  The first file sets the thresholds.
""".strip()
_TARGETS = Targets()
_MIN_WIDTH = 120
_PARTS: Mapping[str, Callable[[Pair], bool]] = {
    "all": lambda pair: True,
    "training": is_training,
    "held": lambda pair: not is_training(pair),
}


def add_to(commands: argparse._SubParsersAction[Any]) -> None:
    """Adds the commands to a parser."""
    evaluate = _command(commands, "evaluate", "measure triage on labelled pairs")
    evaluate.description = _EVALUATE
    evaluate.epilog = "example: citation-support evaluate pairs.jsonl --json now.json"
    evaluate.add_argument(
        "--part", choices=list(_PARTS), default="all",
        help="pairs to count, split by cited work: what triage was fitted on, what "
        "was held back, or all (default: all)",
    )  # fmt: skip
    evaluate.add_argument(
        "--triage-model", type=pathlib.Path, metavar="FILE",
        help="measure this model, written by fit (default: the shipped one)",
    )  # fmt: skip
    evaluate.add_argument(
        "--baseline", type=pathlib.Path, metavar="FILE",
        help="an earlier --json, to list gains and losses against",
    )  # fmt: skip
    evaluate.add_argument(
        "--json", type=pathlib.Path, metavar="OUT", help="write everything as JSON"
    )
    evaluate.set_defaults(run=run_evaluate)
    fitting = _command(commands, "fit", "fit triage to labelled pairs")
    fitting.description = _FIT
    fitting.epilog = "example: citation-support fit pairs.jsonl --output triage.json"
    fitting.add_argument(
        "--output", type=pathlib.Path, required=True, metavar="FILE",
        help="model to write, for screen --triage-model",
    )  # fmt: skip
    fitting.add_argument(
        "--caught", type=float, default=_TARGETS.caught, metavar="SHARE",
        help="share of random swaps to be off topic "
        f"(default: {_TARGETS.caught:g})",
    )  # fmt: skip
    fitting.add_argument(
        "--passed", type=float, default=_TARGETS.passed, metavar="SHARE",
        help="share of random swaps to be on topic "
        f"(default: {_TARGETS.passed:g})",
    )  # fmt: skip
    fitting.set_defaults(run=run_fit)


def run_evaluate(given: argparse.Namespace) -> int:
    """Prints the measurements; returns the exit code.

    Raises:
      UsageError: If a file cannot be read or has too little in it.
    """
    before = _read_baseline(given.baseline) if given.baseline else {}
    data = _read(given.data)
    try:
        judge = load_judge(given.background, given.triage_model)
    except TriageFileError as error:
        raise UsageError(str(error)) from error
    measured: dict[str, Measured] = {}
    # Labels and names of files are the user's, and no markup.
    console = Console(soft_wrap=True, markup=False, emoji=False)
    # Narrower, the tables would lose what they say.
    console.width = max(console.width, _MIN_WIDTH)
    for name, pairs in data.items():
        measured[name] = measure(pairs, judge, given.seed, _PARTS[given.part])
        print_measured(console, name, measured[name])
    if given.baseline:
        for line in changes(before, measured):
            console.print(line, markup=False, highlight=False)
    if given.json:
        _write(given.json, json.dumps(as_data(measured), indent=1))
    return EXIT_DONE


def run_fit(given: argparse.Namespace) -> int:
    """Fits a model and writes it; returns the exit code.

    Raises:
      UsageError: If a file cannot be read, or the model is of no use.
    """
    for name in ("caught", "passed"):
        if not 0.0 < getattr(given, name) < 1.0:
            raise UsageError(f"--{name} must be between 0 and 1")
    targets = dataclasses.replace(_TARGETS, caught=given.caught, passed=given.passed)
    data = _read(given.data)
    try:
        background = load_background(given.background)
        model = fit(data, background, given.seed, targets)
    except TriageFileError as error:
        raise UsageError(str(error)) from error
    except ModelError as error:
        raise UsageError(f"the fit is of no use: {error}; give more pairs") from error
    _write(given.output, write_model(model))
    print(f"{given.output}: off topic up to {model.off_topic}, on topic above "
          f"{model.on_topic}")  # fmt: skip
    return EXIT_DONE


def _command(
    commands: argparse._SubParsersAction[Any], name: str, summary: str
) -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = commands.add_parser(
        name, help=summary, allow_abbrev=False
    )
    command.add_argument(
        "data", nargs="+", type=pathlib.Path, metavar="DATA",
        help="JSON Lines or Parquet with id, claim, title, abstract and label",
    )  # fmt: skip
    command.add_argument(
        "--background", type=pathlib.Path, metavar="FILE",
        help="word counts of your own archive, written by build-background",
    )  # fmt: skip
    command.add_argument(
        "--seed", type=int, default=0, metavar="N",
        help="seed of swaps and intervals (default: 0)",
    )  # fmt: skip
    return command


def _read(paths: list[pathlib.Path]) -> dict[str, list[Pair]]:
    data = {path.stem: read_pairs(path) for path in paths}
    if len(data) < len(paths):
        raise UsageError("two files of one name; results are told apart by name")
    return data


def _read_baseline(path: pathlib.Path) -> dict[str, dict[str, str]]:
    """Returns the triage of each pair of an earlier ``--json``, by data set."""
    try:
        loaded = json.loads(path.read_text(encoding="utf-8"))
        return {
            name: {key: item["triage"] for key, item in one["items"].items()}
            for name, one in loaded.items()
        }
    except (OSError, ValueError, RecursionError) as error:
        reason = str(error)
    except (AttributeError, KeyError, TypeError):
        reason = "not a measurement"
    raise UsageError(f"--baseline {path}: {reason}; make one with --json")


def _write(path: pathlib.Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; give another file") from error
