"""A loopback server that stands in for the scholarly indexes.

It speaks real HTTP, so that clients are tested with sockets, headers and broken
bodies.  A service is a module of its own; faults are scripted, requests logged.
"""

from tests.stand_in.arxiv import ArxivService
from tests.stand_in.crossref import CrossrefService
from tests.stand_in.europe_pmc import EuropePmcService
from tests.stand_in.openalex import OpenAlexService
from tests.stand_in.semantic_scholar import SemanticScholarService
from tests.stand_in.server import Fault, LoggedRequest, Response, StandIn

__all__ = [
    "ArxivService",
    "CrossrefService",
    "EuropePmcService",
    "Fault",
    "LoggedRequest",
    "OpenAlexService",
    "Response",
    "SemanticScholarService",
    "StandIn",
]
