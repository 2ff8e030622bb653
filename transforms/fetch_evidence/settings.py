"""How evidence is fetched."""

from __future__ import annotations

import dataclasses
import pathlib
import re
from collections.abc import Mapping, Sequence

from transforms.fetch_evidence.addresses import check_address
from transforms.fetch_evidence.sources import (
    arxiv,
    crossref,
    europe_pmc,
    openalex,
    papers_file,
    semantic_scholar,
)

PAPERS = papers_file.NAME
SEMANTIC_SCHOLAR = semantic_scholar.NAME
NETWORK_INDEXES = (
    SEMANTIC_SCHOLAR,
    openalex.NAME,
    crossref.NAME,
    europe_pmc.NAME,
    arxiv.NAME,
)
INDEXES = (PAPERS, *NETWORK_INDEXES)

# Never a setting: settings are pickled, shipped and printed.
KEY_VARIABLES = ("SEMANTIC_SCHOLAR_API_KEY", "S2_API_KEY")

# It goes into a header, between brackets.
_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9.-]+")


@dataclasses.dataclass(frozen=True, slots=True)
class FetchSettings:
    """Where evidence comes from, and at what pace.  Can be pickled; holds no key.

    Attributes:
      index: Names of the indexes to ask, in this order.
      cache_path: File in which answers of network indexes are kept across runs.
      state_folder: Where the index of local papers and the rate limit are kept;
        shared by all processes of the machine.
      papers: Local files of works, for the index ``papers``.
      offline: Whether network indexes are asked through the cache alone.
      rate_per_second: Requests a second to Semantic Scholar, > 0; the others have
        rates of their own.
      concurrency: Requests in flight, >= 1; an index may allow fewer.
      mailto: Contact address for the indexes that ask for one, or ``""``.
      urls: Pairs of a network index and another address of its API.
      semantic_scholar_url: Address of the Semantic Scholar API, unless ``urls`` has
        one.
      timeout_seconds: Bound on connecting, and on each wait for data, > 0.
      first_delay_seconds: Pause after a failed request; doubles up to two minutes.
      failures_in_a_row: After how many failed requests an index is left alone, >= 1.
      find_days: Days that an answer with the work stays in the cache, > 0.
      miss_days: Days that one without it does, >= 0.

    Raises:
      ValueError: If a value is out of range, or index and papers do not fit.
    """

    index: tuple[str, ...]
    cache_path: pathlib.Path
    state_folder: pathlib.Path
    papers: tuple[pathlib.Path, ...] = ()
    offline: bool = False
    rate_per_second: float = 1.0
    concurrency: int = 4
    mailto: str = ""
    urls: tuple[tuple[str, str], ...] = ()
    semantic_scholar_url: str = semantic_scholar.BASE_URL
    timeout_seconds: float = 30.0
    first_delay_seconds: float = 2.0
    failures_in_a_row: int = 5
    find_days: float = 90.0
    miss_days: float = 1.0

    def __post_init__(self) -> None:
        _check_index(self.index, self.papers)
        _check_urls(self)
        if self.mailto and not _ADDRESS.fullmatch(self.mailto):
            raise ValueError(f"mailto must be an e-mail address, got {self.mailto!r}")
        for name, value, least in (
            ("concurrency", self.concurrency, 1),
            ("failures_in_a_row", self.failures_in_a_row, 1),
            ("first_delay_seconds", self.first_delay_seconds, 0),
            ("miss_days", self.miss_days, 0),
        ):
            if not value >= least:
                raise ValueError(f"{name} must be at least {least}, got {value}")
        for name, value in (
            ("rate_per_second", self.rate_per_second),
            ("timeout_seconds", self.timeout_seconds),
            ("find_days", self.find_days),
        ):
            if not value > 0:
                raise ValueError(f"{name} must be positive, got {value}")

    @property
    def asks_network(self) -> bool:
        """Whether requests may go out; if so, one lane keeps the rate limit."""
        return not self.offline and any(name in NETWORK_INDEXES for name in self.index)


def api_key(environment: Mapping[str, str]) -> str:
    """Returns the API key of Semantic Scholar, or ``""`` if there is none."""
    keys = (environment.get(name, "").strip() for name in KEY_VARIABLES)
    return next((key for key in keys if key), "")


def _check_index(index: Sequence[str], papers: Sequence[pathlib.Path]) -> None:
    if not index:
        raise ValueError(f"index must name at least one of {', '.join(INDEXES)}")
    for name in index:
        if name not in INDEXES:
            raise ValueError(f"index must be of {', '.join(INDEXES)}, got {name!r}")
    if len(set(index)) < len(index):
        raise ValueError(f"index names one index twice: {', '.join(index)}")
    if PAPERS in index and not papers:
        raise ValueError("index papers needs at least one file of papers")
    if papers and PAPERS not in index:
        raise ValueError(
            f"papers are given, but index is {', '.join(index)}: add {PAPERS} to it"
        )


def _check_urls(settings: FetchSettings) -> None:
    names = [name for name, _ in settings.urls]
    for name in names:
        if name not in NETWORK_INDEXES:
            known = ", ".join(NETWORK_INDEXES)
            raise ValueError(f"an address can be given for {known}, not for {name!r}")
        if names.count(name) > 1:
            raise ValueError(f"{name} is given two addresses: leave one out")
    for name, url in (
        (SEMANTIC_SCHOLAR, settings.semantic_scholar_url),
        *settings.urls,
    ):
        check_address(name, url)
