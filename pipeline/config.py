"""Reads the flags of a command from a TOML file."""

from __future__ import annotations

import argparse
import difflib
import pathlib
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pipeline.exits import UsageError

# What a file cannot say.
_NOT_IN_FILE = ("help", "config")


def completed(
    command: argparse.ArgumentParser, given: argparse.Namespace, path: pathlib.Path
) -> argparse.Namespace:
    """Returns a command line with what a file says where it says nothing itself.

    Args:
      command: The parser of the command; its flags are None unless given.
      given: The command line.
      path: The file.  Its keys are flags without dashes, and ``inputs``.

    Raises:
      UsageError: If the file cannot be read, or a key or value of it is none.
    """
    known = dict(_named(command._actions))
    found = {}
    for key, value in _load(path).items():
        action = known.get(key.replace("_", "-"))
        if action is None:
            raise UsageError(
                f"--config {path}: unknown key {key}{_nearest(key, known)}"
            )
        try:
            found[action.dest] = _value(action, value)
        except (argparse.ArgumentTypeError, ValueError) as error:
            raise UsageError(
                f"--config {path}: {key} = {value!r}: {error}; correct it"
            ) from error
    # An empty list is what a command line without inputs has.
    own = {k: v for k, v in vars(given).items() if v is not None and v != []}
    return argparse.Namespace(**{**vars(given), **found, **own})


def _load(path: pathlib.Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            return tomllib.load(file)
    except OSError as error:
        raise UsageError(
            f"--config {path}: {error.strerror}; check the path"
        ) from error
    except ValueError as error:  # Neither TOML nor, perhaps, UTF-8.
        raise UsageError(f"--config {path}: {error}; correct the file") from error


def _named(
    actions: Iterable[argparse.Action],
) -> Iterator[tuple[str, argparse.Action]]:
    """Yields the flags that people may set, by the name that a file calls them."""
    for action in actions:
        name = action.option_strings[0] if action.option_strings else action.dest
        if action.help != argparse.SUPPRESS and action.dest not in _NOT_IN_FILE:
            yield name.lstrip("-"), action


def _nearest(key: str, known: Mapping[str, argparse.Action]) -> str:
    near = difflib.get_close_matches(key.replace("_", "-"), known, n=1)
    return f"; did you mean {near[0]}?" if near else "; see --help for the keys"


def _value(action: argparse.Action, value: Any) -> Any:
    """Returns a value of the file as the command line would give it.

    Raises:
      ArgumentTypeError: If it is of another type than the flag.
      ValueError: If it does not read as what the flag takes.
    """
    if isinstance(action, argparse.BooleanOptionalAction):
        if not isinstance(value, bool):
            raise argparse.ArgumentTypeError("is true or false")
        return value
    is_many = action.nargs in ("*", "+") or isinstance(action, argparse._AppendAction)
    if is_many:
        items = value if isinstance(value, list) else [value]
        return [_item(action, item) for item in items]
    return _item(action, value)


def _item(action: argparse.Action, value: Any) -> Any:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    wants_number = action.type in (int, float)
    if is_number != wants_number or not isinstance(value, str | int | float):
        raise argparse.ArgumentTypeError(
            "is a number" if wants_number else "is text, in quotes"
        )
    if action.choices is not None and value not in action.choices:
        raise argparse.ArgumentTypeError(f"is one of {', '.join(action.choices)}")
    return action.type(str(value)) if callable(action.type) else value
