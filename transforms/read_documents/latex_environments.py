"""Opens, closes and skips the environments of LaTeX."""

from __future__ import annotations

from transforms.read_documents import latex_commands as commands
from transforms.read_documents.latex_input import Source
from transforms.read_documents.latex_state import State

_LIST = "thebibliography"
_DOCUMENT = "document"


def begin(state: State, _: str, source: Source) -> None:
    """Opens an environment, or steps over one that holds no running text."""
    name = " ".join((source.group() or "").split())
    bare = name.rstrip("*")
    if name == _DOCUMENT:
        if not state.in_document:
            state.start_document()
    elif bare in commands.DROPPED_ENVIRONMENTS:
        _skip(state, name)
    else:
        state.end_paragraph()
        source.option()
        for _number in range(commands.ENVIRONMENT_ARGUMENTS.get(bare, 0)):
            source.group()


def end(state: State, _: str, source: Source) -> None:
    """Closes an environment; with the document, the file ends."""
    name = (source.group() or "").strip()
    if name == _DOCUMENT:
        state.end_file()
    else:
        state.end_paragraph()


def _skip(state: State, name: str) -> None:
    """Steps behind the end of an environment, if it has one."""
    # A macro of the document may stand for the beginning only.
    source = state.drop_done()
    if source is None:
        return
    closers = [f"\\end{{{name}}}"]
    closers += [f"\\{ender}" for ender in state.macros.enders.get(name, ())]
    found = [
        (at, closer) for closer in closers if (at := _find(source, closer)) is not None
    ]
    if not found:
        return
    at, closer = min(found)
    if name.startswith(_LIST):
        state.lists.append(source.text[source.at : at])
    source.at = at + len(closer)
    # Formulas and floats do not end the sentence that they stand in.
    state.write(" ")


def _find(source: Source, closer: str) -> int | None:
    """Returns where an environment is closed; a macro's name may begin another's."""
    at = source.find(closer)
    while (
        at is not None and closer[-1] != "}" and _goes_on(source.text, at + len(closer))
    ):
        following = source.text.find(closer, at + 1)
        at = following if following >= 0 else None
    return at


def _goes_on(text: str, at: int) -> bool:
    return text[at : at + 1].isalpha()
