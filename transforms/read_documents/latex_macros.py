"""Keeps and expands the commands that a LaTeX document defines itself.  Pure."""

from __future__ import annotations

import dataclasses
import re
from collections import defaultdict
from collections.abc import Callable

from transforms.read_documents.latex_input import Source

DEFINING = frozenset(
    [
        *("newcommand", "renewcommand", "providecommand", "DeclareRobustCommand"),
        *("def", "gdef", "edef", "xdef", "let"),
    ]
)
_NAME = re.compile(r"\s{0,9}\{?\s{0,9}\\([A-Za-z@]+|.)\s{0,9}\}?")
_PARAMETERS = re.compile(r"([^{}\\]{0,100})(?=\{)")
_NUMBERED = re.compile(r"(?:#\d)*")
_EQUALS = re.compile(r"\s{0,9}=?\s{0,9}\\([A-Za-z@]+)")
_PARAMETER = re.compile(r"#([1-9])")
_ENDS = re.compile(r"\s*\\end\s*\{([^{}]{1,40})\}")
_MAX_ARGUMENTS = 9
_MAX_CHARS = 4 << 20
# A command that stands for itself costs something as well.
_MIN_CHARS = 64
_MAX_BODY_CHARS = 20_000


@dataclasses.dataclass(frozen=True, slots=True)
class _Macro:
    """A command with what it stands for."""

    body: str
    arguments: int = 0
    default: str | None = None


class Macros:
    """The commands of one document.

    Args:
      is_known: Tells the commands that have a meaning here whatever the document says.
    """

    def __init__(self, is_known: Callable[[str], bool]) -> None:
        self._is_known = is_known
        self._macros: dict[str, _Macro] = {}
        self._left = _MAX_CHARS
        # The commands that end an environment, by its name.
        self.enders: defaultdict[str, list[str]] = defaultdict(list)

    def __contains__(self, name: str) -> bool:
        return name in self._macros

    def keeps_space(self, name: str) -> bool:
        """Tells whether the space behind a command is printed."""
        return "\\xspace" in self._macros[name].body

    def define(self, kind: str, source: Source) -> None:
        """Reads a definition; one that cannot be expanded simply is left out.

        Args:
          kind: The defining command.
          source: The source, right behind it.
        """
        name = _NAME.match(source.text, source.at)
        if not name:
            return
        source.at = name.end()
        if kind == "let":
            macro = self._read_let(source)
        elif kind.endswith("def"):
            macro = _read_def(source)
        else:
            macro = _read_newcommand(source)
        if macro is None or self._is_known(name[1]):
            return
        if len(macro.body) <= _MAX_BODY_CHARS:
            self._macros[name[1]] = macro
        if ends := _ENDS.match(macro.body):
            self.enders[ends[1]].append(name[1])

    def expand(self, name: str, source: Source) -> str:
        """Reads the arguments of a command and returns what it stands for.

        Returns:
          Source to read next; nothing once a document has expanded to 4 MB.
        """
        macro = self._macros[name]
        arguments: list[str] = []
        if macro.default is not None and macro.arguments:
            option = source.option()
            arguments.append(macro.default if option is None else option)
        while len(arguments) < macro.arguments:
            arguments.append(source.argument())
        body = macro.body
        # Checked before it is built: arguments may be used many times over.
        longest = max(map(len, arguments), default=0)
        self._left -= _MIN_CHARS + len(body) + body.count("#") * longest
        if self._left < 0:
            return ""
        return _PARAMETER.sub(lambda m: _argument(arguments, int(m[1])), body)

    def _read_let(self, source: Source) -> _Macro | None:
        target = _EQUALS.match(source.text, source.at)
        if not target:
            return None
        source.at = target.end()
        return self._macros.get(target[1], _Macro(f"\\{target[1]} "))


def _argument(arguments: list[str], number: int) -> str:
    return arguments[number - 1] if number <= len(arguments) else ""


def _read_def(source: Source) -> _Macro | None:
    parameters = _PARAMETERS.match(source.text, source.at)
    if not parameters:
        return None
    source.at = parameters.end()
    body = source.group()
    written = "".join(parameters[1].split())
    if body is None or not _NUMBERED.fullmatch(written):
        return None
    return _Macro(body, written.count("#"))


def _read_newcommand(source: Source) -> _Macro | None:
    count = source.option()
    default = source.option() if count is not None else None
    body = source.group()
    if body is None:
        return None
    number = (count or "0").strip()
    if not (number.isdecimal() and number.isascii()) or int(number) > _MAX_ARGUMENTS:
        return None
    return _Macro(body, int(number), default)
