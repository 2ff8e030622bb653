"""The ``completion`` command: prints what makes a shell complete command lines."""

from __future__ import annotations

import argparse
import functools
from collections.abc import Iterator
from typing import Any

from pipeline.exits import EXIT_DONE

_EPILOG = """
bash, for good:
  mkdir -p ~/.local/share/bash-completion/completions
  citation-support completion \\
      > ~/.local/share/bash-completion/completions/citation-support

zsh, in ~/.zshrc:
  autoload -U +X compinit bashcompinit && compinit && bashcompinit
  eval "$(citation-support completion)"
""".strip()

# What it leaves open, the shell completes to files.
_SCRIPT = """\
_citation_support() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" place="" flags="" words=""
    local before="${{COMP_WORDS[COMP_CWORD-1]}}"
    if [ "$COMP_CWORD" -gt 1 ]; then place="${{COMP_WORDS[1]}}"; fi
    if [ "$COMP_CWORD" -gt 2 ]; then
        case "$place/${{COMP_WORDS[2]}}" in
{deeper}
        esac
    fi
    case "$place" in
{places}
    esac
    case "$place $before" in
{choices}
    esac
    case "$word" in -*) words="$flags" ;; esac
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F _citation_support citation-support
"""


def add_to(
    commands: argparse._SubParsersAction[Any], program: argparse.ArgumentParser
) -> None:
    """Adds the command to a parser.

    Args:
      commands: Where to add it.
      program: The parser of the whole program, complete when the command runs.
    """
    command = commands.add_parser(
        "completion",
        help="print what makes bash or zsh complete command lines",
        description="Print a script that makes bash or zsh complete commands, flags "
        "and files.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    command.set_defaults(run=functools.partial(run, program))


def run(program: argparse.ArgumentParser, given: argparse.Namespace) -> int:
    """Prints the script; returns the exit code."""
    print(script(program), end="")
    return EXIT_DONE


def script(program: argparse.ArgumentParser) -> str:
    """Returns the script for the commands and flags of a parser."""
    parsers = dict(_parsers(program, ""))
    deeper = [f'        {name}) place="{name}" ;;' for name in parsers if "/" in name]
    choices = [
        f'    "{place} {flag}") words="{" ".join(action.choices)}" ;;'
        for place, parser in parsers.items()
        for action in _shown(parser)
        if action.choices is not None
        for flag in action.option_strings
    ]
    places = [
        f'    "{place}") flags="{_flags(parser)}" words="{_commands(parser)}" ;;'
        for place, parser in parsers.items()
    ]
    return _SCRIPT.format(
        deeper="\n".join(deeper),
        choices="\n".join(choices),
        places="\n".join(places),
    )


def _parsers(
    parser: argparse.ArgumentParser, place: str
) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Yields a parser and those below it, by their place: ``cache/info``."""
    yield place, parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, below in action.choices.items():
                yield from _parsers(below, f"{place}/{name}" if place else name)


def _flags(parser: argparse.ArgumentParser) -> str:
    return " ".join(flag for a in _shown(parser) for flag in a.option_strings)


def _commands(parser: argparse.ArgumentParser) -> str:
    return " ".join(
        name
        for action in _shown(parser)
        if isinstance(action, argparse._SubParsersAction)
        for name in action.choices
    )


def _shown(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    return [a for a in parser._actions if a.help != argparse.SUPPRESS]
