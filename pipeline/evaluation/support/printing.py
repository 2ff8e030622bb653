"""Prints what was measured, and gives it as plain data."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Console
from rich.table import Table

from pipeline.evaluation.support.judging import Scored
from pipeline.evaluation.support.measure import Measured
from pipeline.evaluation.support.metrics import Interval
from transforms.records import Grade, Triage

_KINDS = (*(grade.value for grade in Grade), *(triage.value for triage in Triage))


def print_measured(console: Console, name: str, measured: Measured) -> None:
    """Prints the tables of one data set."""
    console.print(f"\n{name}: {measured.pairs} pairs", style="bold")
    if measured.contrasts:
        console.print(_contrasts(measured))
    console.print(_grades(measured))
    if measured.flags:
        console.print(_flags(measured))
    if measured.reliability:
        console.print(_reliability(measured))


def as_data(measured: Mapping[str, Measured]) -> dict[str, Any]:
    """Returns everything that was measured as plain data for JSON.

    Numbers that are not known are null; each item has what a baseline needs.
    """
    return {
        name: {
            **{
                field.name: _plain(getattr(one, field.name))
                for field in dataclasses.fields(one)
                if field.name != "items"
            },
            "items": {key: item_of(item) for key, item in one.items.items()},
        }
        for name, one in measured.items()
    }


def item_of(item: Scored) -> dict[str, Any]:
    """Returns what is kept of one pair."""
    return {
        "label": item.pair.label,
        "is_right": item.pair.is_right,
        "worth_a_minute": item.pair.worth,
        "coverage": item.coverage,
        "grade": item.grade.value,
        "topic_probability": item.triage.topic_probability,
        "triage": item.triage.triage.value,
    }


def _plain(value: Any) -> Any:
    if isinstance(value, Interval):
        return _plain(dataclasses.asdict(value))
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return None if isinstance(value, float) and math.isnan(value) else value


def _contrasts(measured: Measured) -> Table:
    table = _table("contrast", "measure", "method", ">value", ">95 % interval")
    for contrast, measures in measured.contrasts.items():
        for measure, methods in measures.items():
            for method, found in methods.items():
                sign = "+" if " - " in method else ""
                table.add_row(
                    contrast,
                    measure,
                    method,
                    f"{found.value:{sign}.3f}",
                    f"{found.low:{sign}.3f} to {found.high:{sign}.3f}",
                )
                contrast = measure = ""
    return table


def _grades(measured: Measured) -> Table:
    table = _table("share of", ">pairs", *(f">{kind}" for kind in _KINDS))
    for kind, shares in measured.grades.items():
        numbers = (f"{shares[name]:.1%}" for name in _KINDS)
        table.add_row(kind, str(int(shares["pairs"])), *numbers)
    return table


def _flags(measured: Measured) -> Table:
    labels = list(measured.flags["labels"])
    columns = (f">{label}" for label in labels)
    table = _table("triage", ">pairs", ">precision", ">recall", *columns)
    for triage in Triage:
        row = measured.flags[triage.value]
        shares = (f"{row['share of label'][label]:.1%}" for label in labels)
        figures = (f"{row[name]:.3f}" for name in ("precision", "recall"))
        table.add_row(triage.value, str(row["pairs"]), *figures, *shares)
    return table


def _reliability(measured: Measured) -> Table:
    table = _table("topic probability", ">pairs", ">mean", ">own, at even odds")
    for row in measured.reliability:
        table.add_row(
            f"{row['from']:.1f} to {row['to']:.1f}",
            str(int(row["pairs"])),
            f"{row['mean']:.3f}",
            f"{row['own']:.3f}",
        )
    return table


def _table(*columns: str) -> Table:
    table = Table(show_edge=False, pad_edge=False)
    for column in columns:
        justify: Any = "right" if column.startswith(">") else "left"
        table.add_column(column.removeprefix(">"), justify=justify)
    return table


def changes(
    before: Mapping[str, Mapping[str, str]], measured: Mapping[str, Measured]
) -> Iterator[str]:
    """Lists what became better or worse since a baseline, item by item.

    A gain is a right pair that is no longer off topic, or a wrong one that now is.

    Args:
      before: By data set, the triage of each pair by id.
      measured: By data set, what was measured now.
    """
    for name, one in measured.items():
        old = before.get(name, {})
        moved: dict[str, list[str]] = {"gained": [], "lost": []}
        for key, item in one.items.items():
            was, now = old.get(key), item.triage.triage.value
            flagged = [value == Triage.OFF_TOPIC.value for value in (was, now)]
            if was is None or flagged[0] == flagged[1]:
                continue
            is_gain = flagged[1] != _is_right(item)
            line = f"    {key} ({item.pair.label}): {was} -> {now}"
            moved["gained" if is_gain else "lost"].append(line)
        for change, lines in moved.items():
            yield f"{name}: {len(lines)} {change}"
            yield from sorted(lines)


def _is_right(item: Scored) -> bool:
    return item.pair.is_right if item.pair.worth is None else not item.pair.worth
