"""Where evidence comes from: the options that commands which look works up share."""

from __future__ import annotations

import dataclasses
import pathlib

import platformdirs

from pipeline.exits import UsageError
from transforms.fetch_evidence.settings import INDEXES, FetchSettings
from transforms.fetch_evidence.sources.semantic_scholar import BASE_URL


def default_cache() -> pathlib.Path:
    """Returns the evidence cache in the user's cache folder."""
    return pathlib.Path(platformdirs.user_cache_dir("citation-support")) / (
        "evidence.sqlite"
    )


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceOptions:
    """Where evidence comes from.

    Attributes:
      papers: Local index files (Parquet or JSON Lines).
      index: Names of the indexes to ask, in order; empty = papers if there are
        any, else Semantic Scholar.
      offline: Whether to answer from local files and the cache alone.
      cache: The evidence cache, a SQLite file.
      cache_ttl: Days that a work stays in the cache before it is asked for again,
        > 0; that an index lacks one is believed for a day.
      rate: Requests a second to Semantic Scholar, > 0; the others have their own.
      concurrency: Requests in flight at once, >= 1.
      semantic_scholar_url: Base URL of the Semantic Scholar Graph API.
      index_urls: Pairs of a network index and another base URL of its API.
      mailto: Contact address for the indexes that ask for one, or ``""``.

    Raises:
      UsageError: If a value is out of range.
    """

    papers: tuple[pathlib.Path, ...] = ()
    index: tuple[str, ...] = ()
    offline: bool = False
    cache: pathlib.Path = dataclasses.field(default_factory=default_cache)
    cache_ttl: float = 90.0
    rate: float = 1.0
    concurrency: int = 4
    semantic_scholar_url: str = BASE_URL
    index_urls: tuple[tuple[str, str], ...] = ()
    mailto: str = ""

    def __post_init__(self) -> None:
        for name in ("rate", "cache_ttl"):
            value = getattr(self, name)
            require(value > 0, f"{flag(name)} must be greater than 0, got {value}")
        require_least(self, concurrency=1)
        for name in self.index:
            known = ", ".join(INDEXES)
            require(name in INDEXES, f"--index knows {known}; got {name!r}")
        require(
            len(set(self.index)) == len(self.index),
            f"--index names an index twice: {','.join(self.index)}",
        )
        require(
            "papers" not in self.index or bool(self.papers),
            "--index names papers, but no file is given: add --papers FILE",
        )
        require(
            not self.papers or not self.index or "papers" in self.index,
            "--papers is given, but --index leaves papers out: add it there",
        )

    @property
    def indexes(self) -> tuple[str, ...]:
        """The indexes to ask, in order, with the default applied."""
        return self.index or (("papers",) if self.papers else ("semantic-scholar",))

    def fetch_settings(self) -> FetchSettings:
        """Returns these options as the library takes them.

        Raises:
          UsageError: If an address is none.
        """
        try:
            return FetchSettings(
                index=self.indexes,
                cache_path=self.cache,
                state_folder=self.cache.parent,
                papers=self.papers,
                offline=self.offline,
                rate_per_second=self.rate,
                concurrency=self.concurrency,
                find_days=self.cache_ttl,
                semantic_scholar_url=self.semantic_scholar_url,
                urls=self.index_urls,
                mailto=self.mailto,
            )
        except ValueError as error:
            is_address = str(error).startswith("mailto")
            flags = "--mailto" if is_address else "--index-url, --semantic-scholar-url"
            raise UsageError(f"{error}; correct {flags}") from error


def flag(name: str) -> str:
    """Returns the flag of an option."""
    return "--" + name.replace("_", "-")


def require(condition: bool, message: str) -> None:
    """Raises ``UsageError`` with the message unless the condition holds."""
    if not condition:
        raise UsageError(message)


def require_least(options: object, **least: int) -> None:
    """Raises ``UsageError`` if an option is below the least that it may be."""
    for name, bound in least.items():
        value = getattr(options, name)
        require(value >= bound, f"{flag(name)} must be at least {bound}, got {value}")
