"""Opens indexes and cache as settings say."""

from __future__ import annotations

import dataclasses
import functools
import os
from collections.abc import Callable
from typing import TypeVar

from transforms.fetch_evidence.addresses import without_user
from transforms.fetch_evidence.cache import EvidenceCache
from transforms.fetch_evidence.rate_limit import RateLimit
from transforms.fetch_evidence.reference_finder import ReferenceFinder
from transforms.fetch_evidence.resolver import Resolver
from transforms.fetch_evidence.settings import (
    PAPERS,
    SEMANTIC_SCHOLAR,
    FetchSettings,
    api_key,
)
from transforms.fetch_evidence.sources import (
    arxiv,
    crossref,
    europe_pmc,
    openalex,
    semantic_scholar,
)
from transforms.fetch_evidence.sources.arxiv import Arxiv
from transforms.fetch_evidence.sources.base import Source
from transforms.fetch_evidence.sources.crossref import Crossref
from transforms.fetch_evidence.sources.europe_pmc import EuropePmc
from transforms.fetch_evidence.sources.http import HttpClient
from transforms.fetch_evidence.sources.offline import Offline
from transforms.fetch_evidence.sources.openalex import OpenAlex
from transforms.fetch_evidence.sources.papers import Papers
from transforms.fetch_evidence.sources.semantic_scholar import SemanticScholar
from transforms.fetch_evidence.sources.service import Service
from transforms.fetch_evidence.sources.session import open_session
from transforms.progress import NO_PROGRESS, Progress, sleep

_Asking = TypeVar("_Asking")


def open_resolver(
    settings: FetchSettings, progress: Progress = NO_PROGRESS
) -> Resolver:
    """Opens indexes and cache; builds the index of local papers if need be.

    The API key of Semantic Scholar is taken from the environment of the process.

    Args:
      settings: Where evidence comes from.
      progress: Takes note of questions, answers and waiting.

    Raises:
      PapersError: If a file of works cannot be used.
    """
    return _open(Resolver, settings, progress)


def open_finder(
    settings: FetchSettings, progress: Progress = NO_PROGRESS
) -> ReferenceFinder:
    """Opens the same indexes and cache for references.

    Args:
      settings: Where evidence comes from.
      progress: Takes note of questions, answers and waiting.

    Raises:
      PapersError: If a file of works cannot be used.
    """
    return _open(ReferenceFinder, settings, progress)


def _open(
    asking: Callable[..., _Asking], settings: FetchSettings, progress: Progress
) -> _Asking:
    """Opens what asks the indexes, whatever it asks about."""
    return asking(
        [_open_source(name, settings, progress) for name in settings.index],
        _open_cache(settings),
        offline=settings.offline,
        concurrency=settings.concurrency,
        failures_in_a_row=settings.failures_in_a_row,
        progress=progress,
    )


def _open_cache(settings: FetchSettings) -> EvidenceCache:
    return EvidenceCache(
        settings.cache_path,
        find_days=settings.find_days,
        miss_days=settings.miss_days,
        is_read_only=settings.offline,
    )


def _open_source(name: str, settings: FetchSettings, progress: Progress) -> Source:
    if name == PAPERS:
        return Papers(settings.papers, settings.state_folder)
    if settings.offline:
        return Offline(name)
    service = _service(name, settings)
    # A limit belongs to a service, not to a name: a stand-in has its own.
    limit = RateLimit(
        settings.state_folder / "rate_limit.sqlite",
        without_user(service.base_url),
        service.per_second,
        sleep=functools.partial(sleep, progress),
    )
    in_flight = min(settings.concurrency, service.in_flight)
    client = HttpClient(
        name,
        open_session(in_flight, settings.mailto),
        limit,
        key=api_key(os.environ) if name == SEMANTIC_SCHOLAR else "",
        in_flight=in_flight,
        decode=service.decode,
        is_final=service.is_final,
        timeout_seconds=settings.timeout_seconds,
        first_delay_seconds=settings.first_delay_seconds,
    )
    return _client_of(name, client, service.base_url, settings.mailto)


def _service(name: str, settings: FetchSettings) -> Service:
    """Returns what is to be known of a network index under these settings."""
    url = dict(settings.urls).get(name)
    if name == SEMANTIC_SCHOLAR:
        return dataclasses.replace(
            semantic_scholar.SERVICE,
            base_url=url or settings.semantic_scholar_url,
            per_second=settings.rate_per_second,
            in_flight=settings.concurrency,
        )
    service = {
        openalex.NAME: openalex.SERVICE,
        crossref.NAME: crossref.POLITE if settings.mailto else crossref.SERVICE,
        europe_pmc.NAME: europe_pmc.SERVICE,
        arxiv.NAME: arxiv.SERVICE,
    }[name]
    return dataclasses.replace(service, base_url=url or service.base_url)


def _client_of(name: str, client: HttpClient, url: str, mailto: str) -> Source:
    match name:
        case openalex.NAME:
            return OpenAlex(client, url, mailto)
        case crossref.NAME:
            return Crossref(client, url, mailto)
        case europe_pmc.NAME:
            return EuropePmc(client, url)
        case arxiv.NAME:
            return Arxiv(client, url)
        case _:
            return SemanticScholar(client, url)
