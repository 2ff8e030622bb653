"""arXiv as a source of works."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from transforms.fetch_evidence.sources import arxiv_feed, queries
from transforms.fetch_evidence.sources.arxiv_feed import Feed
from transforms.fetch_evidence.sources.base import (
    BatchRefused,
    MalformedAnswer,
    SourceUnavailable,
)
from transforms.fetch_evidence.sources.http import HttpClient
from transforms.fetch_evidence.sources.request import Request
from transforms.fetch_evidence.sources.service import Service
from transforms.names import fold
from transforms.records import Work

NAME = arxiv_feed.NAME
# One request in three seconds over one connection, as its terms of use ask.
SERVICE = Service(
    NAME, "https://export.arxiv.org/api", 1 / 3, 1, decode=arxiv_feed.decode_feed
)

_BATCH_SIZE = 200
_MAX_LIST_CHARS = 3_000
_SEARCH_LIMIT = 30
# After so many ids that it calls malformed, something else is wrong.
_MAX_REFUSED = 10
# "math.GT/0309136" is "math/0309136" everywhere but in old texts.
_SUBJECT = re.compile(r"\.[A-Z]{2}(?=/)")
_REFUSED_ID = re.compile(r"incorrect_id_format_for_(.+)$")


class Arxiv:
    """Asks the arXiv API, for arXiv ids only.

    Args:
      client: Sends the requests and decodes feeds; this object closes it.
      base_url: Address of the API.
    """

    name = NAME
    is_remote = True
    batch_size = _BATCH_SIZE

    def __init__(self, client: HttpClient, base_url: str = SERVICE.base_url) -> None:
        self._client = client
        self._query_url = f"{base_url.rstrip('/')}/query"

    @property
    def requests_made(self) -> int:
        """Requests sent so far, repeats included."""
        return self._client.requests_made

    def by_ids(self, keys: Sequence[str]) -> list[Work | None]:
        """Looks works up by arXiv id; one request, and one for each id it refuses."""
        ids = {
            key: _SUBJECT.sub("", key.removeprefix("arxiv:"))
            for key in keys
            if key.startswith("arxiv:")
        }
        found: dict[str, Work] = {}
        for batch in queries.batches(
            dict.fromkeys(ids.values()), most=_BATCH_SIZE, most_chars=_MAX_LIST_CHARS
        ):
            # By id, because what is unknown is left out, and order is not kept.
            found |= {work.paper_id: work for work in self._listed(batch)}
        return [found.get(ids.get(key, "")) for key in keys]

    def by_title(self, title: str, surname: str, year: int | None) -> list[Work]:
        """Searches for the words of a title; one request."""
        words = queries.telling_words(title)
        if not words:
            return []
        return queries.like_titled(title, self._search(queries.any_of("ti", words)))

    def by_author_year(
        self, surnames: Sequence[str], year: int, terms: Sequence[str]
    ) -> list[Work]:
        """Searches for names and any of the words, a year either way; one request."""
        names = [fold(surname) for surname in surnames]
        if not all(names):
            return []
        clauses = [f'au:"{name}"' for name in names]
        if words := queries.telling_words(" ".join(terms)):
            clauses.append(queries.any_of("all", words))
        clauses.append(f"submittedDate:[{year - 1}01010000 TO {year + 1}12312359]")
        works = self._search(" AND ".join(clauses))
        return queries.of_author_and_year(surnames[0], year, works)

    def close(self) -> None:
        """Closes the connections."""
        self._client.close()

    def _listed(self, ids: Sequence[str]) -> list[Work]:
        """Returns works by id, in any order, without those of an id it refuses.

        One id that it does not like makes it refuse the whole list.
        """
        wanted = list(ids)
        for _ in range(_MAX_REFUSED):
            if not wanted:
                return []
            feed = self._ask({"id_list": ",".join(wanted)}, len(wanted))
            if not feed.error:
                return list(feed.works)
            refused = _REFUSED_ID.search(feed.error)
            if refused is None or refused[1] not in wanted:
                break
            wanted.remove(refused[1])
        raise BatchRefused("the list of ids was refused")

    def _search(self, query: str) -> list[Work]:
        feed = self._ask({"search_query": query}, _SEARCH_LIMIT)
        if feed.error:
            raise SourceUnavailable("the query was refused")
        return list(feed.works)

    def _ask(self, params: dict[str, str], limit: int) -> Feed:
        def parse(status: int, payload: Any) -> Feed:
            if isinstance(payload, Feed) and (status == 200 or payload.error):
                return payload
            if status == 200:
                raise MalformedAnswer("not a feed")
            raise SourceUnavailable(f"HTTP {status}")

        params = {**params, "max_results": str(limit)}
        return self._client.send(Request("GET", self._query_url, params), parse)
