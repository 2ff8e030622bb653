"""Opens the clients of the network indexes against a stand-in."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Callable
from typing import Any

from tests.stand_in import (
    ArxivService,
    CrossrefService,
    EuropePmcService,
    OpenAlexService,
    SemanticScholarService,
)
from tests.stand_in.clock import FakeTime
from transforms.fetch_evidence.rate_limit import RateLimit
from transforms.fetch_evidence.sources import (
    arxiv,
    crossref,
    europe_pmc,
    openalex,
    semantic_scholar,
)
from transforms.fetch_evidence.sources.base import Source
from transforms.fetch_evidence.sources.http import HttpClient
from transforms.fetch_evidence.sources.service import Service
from transforms.fetch_evidence.sources.session import open_session


@dataclasses.dataclass(frozen=True, slots=True)
class Network:
    """A network index and its stand-in.

    Attributes:
      service: What the client knows of it.
      open: Makes the source of a client and a base URL.
      stand_in: Makes the stand-in of works.
      path: Path of the base URL on the stand-in.
      asks: Kinds of identifier that it can be asked for.
      gives: Kinds of identifier that its records carry.
    """

    service: Service
    open: Callable[[HttpClient, str], Source]
    stand_in: Callable[..., Any]
    path: str
    asks: tuple[str, ...]
    gives: tuple[str, ...]


_ALL = ("doi", "arxiv", "pmid", "pmcid")
_BIOMEDICAL = ("doi", "pmid", "pmcid")
NETWORKS = {
    "semantic-scholar": Network(
        *(semantic_scholar.SERVICE, semantic_scholar.SemanticScholar),
        *(SemanticScholarService, "/graph/v1", _ALL, _ALL),
    ),
    "openalex": Network(
        *(openalex.SERVICE, openalex.OpenAlex),
        *(OpenAlexService, "/openalex", _BIOMEDICAL, _BIOMEDICAL),
    ),
    "crossref": Network(
        *(crossref.SERVICE, crossref.Crossref),
        *(CrossrefService, "/crossref", ("doi",), ("doi",)),
    ),
    "europe-pmc": Network(
        *(europe_pmc.SERVICE, europe_pmc.EuropePmc),
        *(EuropePmcService, EuropePmcService.prefix, _BIOMEDICAL, _BIOMEDICAL),
    ),
    "arxiv": Network(
        *(arxiv.SERVICE, arxiv.Arxiv),
        *(ArxivService, "/api", ("arxiv",), ("arxiv", "doi")),
    ),
}


def open_client(
    name: str, folder: pathlib.Path, fake: FakeTime, mailto: str = ""
) -> HttpClient:
    """Opens the HTTP client of an index, as the program does but for the time."""
    service = NETWORKS[name].service
    limit = RateLimit(
        folder / "limit.sqlite",
        name,
        service.per_second,
        clock=fake.clock,
        sleep=fake.sleep,
    )
    return HttpClient(
        name,
        open_session(service.in_flight, mailto),
        limit,
        in_flight=service.in_flight,
        decode=service.decode,
        is_final=service.is_final,
        sleep=fake.sleep,
        clock=fake.clock,
    )
