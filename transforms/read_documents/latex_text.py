"""Turns LaTeX source into running text with citations.  Pure but for its siblings.

TeX is not run: commands are dropped and their arguments printed, unless a table says
otherwise.  Each character is looked at a bounded number of times.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import TypeAlias

from transforms.read_documents import latex_commands as commands
from transforms.read_documents import latex_symbols as symbols
from transforms.read_documents.latex_citations import (
    is_citation,
    is_usual_citation,
    read_citation,
    read_keys,
)
from transforms.read_documents.latex_environments import begin, end
from transforms.read_documents.latex_formulas import print_formula, skip_formula
from transforms.read_documents.latex_input import Source
from transforms.read_documents.latex_macros import DEFINING, Macros
from transforms.read_documents.latex_source import clean
from transforms.read_documents.latex_state import State
from transforms.read_documents.siblings import Siblings

_Method: TypeAlias = Callable[[State, str, Source], None]

_TOKEN = re.compile(
    r"(?P<text>[^\\{}$]+)|\\(?P<word>@*[A-Za-z]+[A-Za-z@]*)\*?(?P<space>[ \t]*)"
    r"|\\(?P<control>.)|(?P<mark>[{}$\\])",
    re.DOTALL,
)
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n\s*")
_FILE_NAME = re.compile(r"[ \t]*([^\s{}\\%]{1,200})")
_ACCENTS = frozenset("`'^\"~=.bcdHkrtuv")
_SPECIAL = str.maketrans({"&": " ", "#": None})


def read_latex(source: str, siblings: Siblings) -> State:
    """Reads a document with all that it inputs.

    Args:
      source: The main file.
      siblings: The files that it may input.

    Returns:
      Its text, and what it says of its bibliography.
    """
    state = State(siblings, Macros(_is_known))
    state.push(clean(source))
    while (top := state.next_source()) is not None:
        _step(state, top)
    state.finish()
    return state


def _step(state: State, source: Source) -> None:
    """Reads one token."""
    token = _TOKEN.match(source.text, source.at)
    if not token:
        state.pop()
        return
    start, source.at = source.at, token.end()
    if text := token["text"]:
        _write_text(state, text)
    elif (word := token["word"] or token["control"]) and _write_accent(
        state, source, word, start
    ):
        return
    elif token["word"]:
        _do_word(state, token["word"], source, token["space"])
    elif token["control"]:
        _do_control(state, token["control"], source)
    elif token["mark"] == "{":
        state.open_brace()
    elif token["mark"] == "}":
        state.close_group()
    elif token["mark"] == "$":
        is_display = source.text.startswith("$$", start)
        source.at += is_display
        skip_formula(state, source, "$$" if is_display else "$")


def _write_text(state: State, text: str) -> None:
    text = symbols.print_ligatures(text.translate(_SPECIAL))
    first, *others = _PARAGRAPH_END.split(text) if "\n" in text else (text,)
    state.write(first)
    for paragraph in others:
        state.end_paragraph()
        state.write(paragraph)


def _write_accent(state: State, source: Source, word: str, start: int) -> bool:
    """Writes an accented letter, if ``word`` is an accent."""
    accent = symbols.ACCENT.match(source.text, start) if word in _ACCENTS else None
    if accent is None:
        return False
    source.at = accent.end()
    state.write(symbols.compose(accent))
    return True


def _do_word(state: State, name: str, source: Source, space: str) -> None:
    """Does what a command says."""
    if name in state.macros:
        if state.macros.keeps_space(name):
            source.at -= len(space)
        state.push(state.macros.expand(name, source))
    elif method := _METHODS.get(name):
        method(state, name, source)
    elif is_citation(name):
        state.push_parts(read_citation(name, source))
    elif (count := commands.DROPPED.get(name)) is not None:
        _drop(source, count)
    elif name in symbols.SYMBOLS:
        state.write(symbols.SYMBOLS[name])
    elif not space and source.text.startswith("[", source.at):
        # An option of a command that is not known is no text.
        source.option()


def _do_control(state: State, control: str, source: Source) -> None:
    if control in "([":
        skip_formula(state, source, "\\)" if control == "(" else "\\]")
        return
    state.write(symbols.CONTROLS.get(control, ""))
    if control == "\\":
        source.at += source.text.startswith("*", source.at)
        if source.text.startswith("[", source.at):
            source.option()


def _drop(source: Source, count: int) -> None:
    """Steps over arguments, as far as there are any."""
    for _ in range(count):
        while source.option() is not None:
            pass
        if source.group() is None:
            return


def _define(state: State, name: str, source: Source) -> None:
    state.macros.define(name, source)


def _list_uncited(state: State, _: str, source: Source) -> None:
    state.uncited.extend(read_keys(source))


def _start_heading(state: State, name: str, source: Source) -> None:
    state.end_paragraph()
    source.option()
    level = commands.HEADINGS[name]
    state.open_group(source, functools.partial(state.end_paragraph, level))


def _divert_title(state: State, _: str, source: Source) -> None:
    source.option()
    # A title set again, as in the supplement of a paper, is not the document's.
    state.divert(source, state.title if not state.title.paragraphs else state.spare)


def _divert_note(state: State, _: str, source: Source) -> None:
    source.option()
    state.divert(source, state.notes)


def _input(state: State, name: str, source: Source) -> None:
    folder = f"{source.group() or ''}/" if name in commands.IMPORTS else ""
    written = source.group()
    if written is None and (bare := _FILE_NAME.match(source.text, source.at)):
        written, source.at = bare[1], bare.end()
    if file := (written or "").strip(' "\t\n'):
        state.input(f"{folder}{file}.tex", f"{folder}{file}")


def _name_bibliography(state: State, _: str, source: Source) -> None:
    source.option()
    state.bibliographies.extend(read_keys(source))


def _start_item(state: State, _: str, source: Source) -> None:
    state.end_paragraph()
    if label := source.option():
        state.push(f"{label} ")


def _end_paragraph(state: State, _: str, source: Source) -> None:
    state.end_paragraph()


def _end_file(state: State, _: str, source: Source) -> None:
    state.end_file()


def _print_styled(state: State, name: str, source: Source) -> None:
    _drop(source, commands.STYLED[name])


def _print_first(state: State, _: str, source: Source) -> None:
    first = source.argument()
    source.group()
    state.push(first)


def _print_second(state: State, _: str, source: Source) -> None:
    source.group()
    _print_first(state, "", source)


def _print_verbatim(state: State, _: str, source: Source) -> None:
    state.write(source.argument())


def _bracket(state: State, _: str, source: Source) -> None:
    state.write("(")
    if not state.open_group(source, functools.partial(state.write, ")")):
        state.write(")")


_METHODS: dict[str, _Method] = {
    **dict.fromkeys(DEFINING, _define),
    **dict.fromkeys(commands.HEADINGS, _start_heading),
    **dict.fromkeys(commands.FOOTNOTES, _divert_note),
    **dict.fromkeys((*commands.INPUTS, *commands.IMPORTS), _input),
    **dict.fromkeys(commands.BIBLIOGRAPHIES, _name_bibliography),
    **dict.fromkeys(commands.STYLED, _print_styled),
    **dict.fromkeys(commands.FIRST_OF_TWO, _print_first),
    **dict.fromkeys(commands.SECOND_OF_THREE, _print_second),
    **dict.fromkeys(["url", "path", "nolinkurl"], _print_verbatim),
    **{"begin": begin, "end": end, "title": _divert_title, "nocite": _list_uncited},
    **{"item": _start_item, "bibitem": _start_item, "par": _end_paragraph},
    **{"endinput": _end_file, "citetext": _bracket, "ensuremath": print_formula},
}


def _is_known(name: str) -> bool:
    """Tells the commands that mean something whatever the document says."""
    return name in _METHODS or is_usual_citation(name)
