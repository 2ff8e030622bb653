"""Steps over the formulas of LaTeX, and prints the plainest of them."""

from __future__ import annotations

import re

from transforms.read_documents import latex_symbols as symbols
from transforms.read_documents.latex_input import Source
from transforms.read_documents.latex_state import State

_PARAGRAPH_END = re.compile(r"\n[ \t]*\n")
_CITES = re.compile(
    r"\\[A-Za-z]{0,20}cite[A-Za-z]{0,20}\*?(?:\s{0,9}\[[^\]]{0,200}\]){0,2}"
    r"\s{0,9}\{[^{}]{0,2000}\}"
)


def skip_formula(state: State, source: Source, closer: str) -> None:
    """Steps over a formula; a short one that is little but a number is printed."""
    closing = _formula_end(source, closer)
    if closing is None:
        return
    formula = source.text[source.at : closing]
    source.at = closing + len(closer)
    if "cite" in formula:
        state.push(" ".join(_CITES.findall(formula)))
    elif closer in ("$", "\\)"):
        state.write(symbols.print_formula(formula) or "")
    else:
        state.write(" ")


def print_formula(state: State, _: str, source: Source) -> None:
    """Prints the formula that is the argument of a command."""
    state.write(symbols.print_formula(source.argument()) or "")


def _formula_end(source: Source, closer: str) -> int | None:
    """Returns where a formula ends; one never goes on behind a blank line."""
    closing = source.find(closer)
    while closing is not None and source.text[closing - 1] == "\\" and closer == "$":
        following = source.text.find(closer, closing + 1)
        closing = following if following >= 0 else None
    if closing is None or _PARAGRAPH_END.search(source.text, source.at, closing):
        return None
    return closing
