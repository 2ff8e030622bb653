"""Writes pages that need nothing but themselves: style and script are in them."""

from __future__ import annotations

import base64
import dataclasses
import functools
import hashlib
import importlib.resources
import pathlib
from typing import Any

import jinja2
from markupsafe import Markup

_TEMPLATES = "templates"


@dataclasses.dataclass(frozen=True, slots=True)
class RunFacts:
    """What every page says of its run.

    Attributes:
      key: Tells this run from every other; the reviewer's marks are kept under it.
      name: Name of the folder.
      started: When it started, as people write it.
      version: Version of the program.
      is_complete: Whether enough could be checked.
      problems: Why it counts as incomplete.
      options: Options of the run by name.
    """

    key: str
    name: str
    started: str
    version: str
    is_complete: bool
    problems: tuple[str, ...]
    options: dict[str, Any]


def write_page(path: pathlib.Path, template: str, **values: Any) -> None:
    """Renders a template into a file.

    Args:
      path: The file.
      template: Name of the template.
      **values: What the template asks for.
    """
    environment = _environment()
    text = environment.get_template(template).render(**values)
    path.write_text(text, encoding="utf-8", newline="\n")


@functools.cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader(__package__, _TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    script = _asset("report.js")
    environment.globals.update(
        style=Markup(_asset("report.css")),
        script=Markup(script),
        # The browser then runs this script and no other, whatever a title holds.
        script_hash=_integrity(script),
    )
    environment.filters.update(number=_number, percent=percent)
    return environment


def percent(share: float | None) -> str:
    """Returns a share in [0, 1] as people write it; a dash for None."""
    if share is None:
        return "–"
    digits = 1 if 0 < share < 0.1 or 0.99 < share < 1 else 0
    return f"{100 * share:.{digits}f}\u202f%"


def signed(points: float) -> str:
    """Returns points as people write them, with their sign."""
    return f"{points:+.1f}".replace("-", "−")


def _number(value: int) -> str:
    return f"{value:,}"


def _asset(name: str) -> str:
    folder = importlib.resources.files(__package__) / _TEMPLATES
    return (folder / name).read_text(encoding="utf-8")


def _integrity(script: str) -> str:
    digest = hashlib.sha256(script.encode("utf-8")).digest()
    return "sha256-" + base64.b64encode(digest).decode("ascii")
