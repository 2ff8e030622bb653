"""Turns what Beam says of a failed element into a failure record.  No Beam."""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

from transforms.records import Failure

_Element = TypeVar("_Element")

# What ``with_exception_handling`` puts out: the element, and the class, repr and
# formatted traceback of the exception.
Bad: TypeAlias = tuple[_Element, tuple[type[BaseException], str, list[str]]]

_MAX_TEXT_CHARS = 200

# Only our own frames say where to look; Beam has a ``transforms`` package too.
_FRAME = re.compile(r'\s*File "([^"\n]*)", line (\d+)')
_OUR_FILE = re.compile(r"(?:^|[/\\])((?:transforms|pipeline)[/\\][^\"]*)$")
_BEAM_FILE = re.compile(r"[/\\]apache_beam[/\\]")


def to_failure(bad: Bad[Any], stage: str, element_id: Callable[[Any], str]) -> Failure:
    """Describes a failed element without its content.

    The text of an exception may quote what was being read, so only a short first
    line is kept, and none of a Unicode error, which holds the bytes.

    Args:
      bad: The element with its exception, from ``with_exception_handling``.
      stage: Name of the stage that failed.
      element_id: Gives the identifier of a failed element.

    Returns:
      The record; its message says what was raised and where, on one line.
    """
    element, (error, _, trace) = bad
    name: str = getattr(error, "failure_name", error.__name__)
    message = f"{name} at {where}" if (where := _raised_at(trace)) else name
    if text := _text(error, trace):
        message = f"{message}: {text}"
    return Failure(stage, element_id(element), name, message)


def failure_of(error: Exception, stage: str, element_id: str) -> Failure:
    """Describes an exception that was caught here, as ``to_failure`` does.

    Args:
      error: The exception.
      stage: Name of the stage that failed.
      element_id: Identifier of the failed element.
    """
    caught = (type(error), "", traceback.format_exception(error))
    return to_failure((None, caught), stage, lambda _: element_id)


def _raised_at(trace: list[str]) -> str:
    """Returns ``package/module.py:line`` of our innermost frame, or ``""``."""
    for entry in reversed(trace):
        frame = _FRAME.match(entry)
        if not frame or _BEAM_FILE.search(frame[1]):
            continue
        if ours := _OUR_FILE.search(frame[1]):
            return f"{ours[1]}:{frame[2]}"
    return ""


def _text(error: type[BaseException], trace: list[str]) -> str:
    """Returns the first line of the exception's text, or ``""`` if it must not show."""
    if issubclass(error, UnicodeError):
        return ""
    prefix = f"{error.__qualname__}: "
    if error.__module__ not in ("builtins", "__main__"):
        prefix = f"{error.__module__}.{prefix}"
    for entry in reversed(trace):
        if entry.startswith(prefix):
            line = entry.removeprefix(prefix).partition("\n")[0].strip()
            return line if len(line) <= _MAX_TEXT_CHARS else ""
    return ""
