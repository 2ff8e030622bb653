"""Web addresses of a cited work.  Pure; nothing here is ever fetched."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

# Page of a work by the index's own id of it.
_PAGES = {
    "semantic-scholar": "https://www.semanticscholar.org/paper/",
    "openalex": "https://openalex.org/",
    "europe-pmc": "https://europepmc.org/article/",
    "arxiv": "https://arxiv.org/abs/",
    "crossref": "https://search.crossref.org/search/works?from_ui=yes&q=",
}
_NAMES = {
    "semantic-scholar": "Semantic Scholar",
    "openalex": "OpenAlex",
    "europe-pmc": "Europe PMC",
    "arxiv": "arXiv",
    "crossref": "Crossref",
    "papers": "local index",
}
# Identifier column to the name it goes by and the address that resolves it.
_RESOLVERS = (
    ("doi", "doi:{}", "https://doi.org/"),
    ("pmid", "PubMed {}", "https://pubmed.ncbi.nlm.nih.gov/"),
    ("pmcid", "{}", "https://pmc.ncbi.nlm.nih.gov/articles/"),
    ("arxiv_id", "arXiv:{}", "https://arxiv.org/abs/"),
)


def source_name(source: str | None) -> str:
    """Returns the name of an index as people know it; ``""`` for none."""
    return _NAMES.get(source or "", source or "")


def work_links(work: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Lists where a work can be looked at.

    Args:
      work: A row of the works table.

    Returns:
      Pairs of a name and an https address: its identifiers, then its page at the
      index that knows it, where the index has pages.
    """
    links = [
        (name.format(work[column]), base + quote(work[column], safe="/"))
        for column, name, base in _RESOLVERS
        if work.get(column)
    ]
    source, paper_id = work.get("source"), work.get("paper_id")
    if source in _PAGES and paper_id:
        address = _PAGES[source] + quote(paper_id, safe="/")
        if address not in dict(map(reversed, links)):  # type: ignore[arg-type]
            links.append((source_name(source), address))
    return tuple(links)
