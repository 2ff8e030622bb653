"""Names indexes as people call them.  Pure."""

from __future__ import annotations

from collections.abc import Iterable

from transforms.records import Work

_NAMES = {
    "papers": "local papers",
    "semantic-scholar": "Semantic Scholar",
    "openalex": "OpenAlex",
    "crossref": "Crossref",
    "europe-pmc": "Europe PMC",
    "arxiv": "arXiv",
}


def display(name: str) -> str:
    """Returns an index as people call it."""
    return _NAMES.get(name, name)


def said_by(work: Work) -> str:
    """Returns the index that a record is from, with its venue where it has one."""
    name = display(work.source)
    return f"{name}, {work.venue}" if work.venue else name


def listed(names: Iterable[str]) -> str:
    """Returns names in words: ``Crossref and arXiv``."""
    shown = [display(name) for name in names]
    if len(shown) < 2:
        return "".join(shown)
    return f"{', '.join(shown[:-1])} and {shown[-1]}"
