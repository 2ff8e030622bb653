"""Invented works that the tests of sources and resolver share."""

from __future__ import annotations

import dataclasses
import json
import pathlib
from collections.abc import Iterable

from transforms.records import Work

QUILLS = Work(
    source="papers",
    paper_id="q1",
    title="Depth-first quills in cold estuaries",
    abstract="Quills of the estuary grow depth-first where the water stays cold.",
    authors=("Ode, Tamsin",),
    year=2014,
    doi="10.99999/quills.1",
    pmid="41000001",
)
LANTERNS = Work(
    source="papers",
    paper_id="q2",
    title="Lantern drift under β-waves: part 2",
    abstract="Lanterns drift at a speed that β-waves alone explain in calm weather.",
    authors=("Marlo van der Prell", "Ng, Ada"),
    year=2015,
    doi="10.99999/lanterns.2",
    pmcid="PMC4100002",
)
SNAILS = Work(
    source="papers",
    paper_id="q3",
    title="Snail migration on tidal clocks",
    abstract="Snails migrate by tidal clocks that keep running in constant darkness.",
    authors=("Sjøstrand, Kari", "Ode, Tamsin", "Lim, P."),
    year=2016,
    arxiv_id="2199.01234",
)
BARE = Work(
    source="papers",
    paper_id="q4",
    title="A primer on tidal quills",
    abstract="",
    authors=("Ode, Tamsin",),
    year=1991,
    doi="10.99999/primer",
)
WORKS = (QUILLS, LANTERNS, SNAILS, BARE)
# The same, each with an identifier of every kind.
EVERYWHERE = tuple(
    dataclasses.replace(
        work,
        doi=work.doi or f"10.99999/everywhere.{number}",
        arxiv_id=work.arxiv_id or f"2198.0000{number}",
        pmid=work.pmid or f"4200000{number}",
        pmcid=work.pmcid or f"PMC420000{number}",
    )
    for number, work in enumerate(WORKS)
)


def write_json_lines(path: pathlib.Path, works: Iterable[Work]) -> pathlib.Path:
    """Writes works as a file that can be given as papers."""
    lines = [
        json.dumps(
            {
                "paper_id": work.paper_id,
                "title": work.title,
                "abstract": work.abstract or None,
                "authors": list(work.authors),
                "year": work.year,
                "doi": work.doi,
                "arxiv_id": work.arxiv_id,
                "pmid": work.pmid,
                "pmcid": work.pmcid,
                "venue": work.venue,
                "volume": work.volume,
                "pages": work.pages,
            }
        )
        for work in works
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
