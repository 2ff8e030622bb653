"""OpenAlex as a source of works.

Without a key a day's budget is a thousand lists or a hundred searches; records
asked for one by one are free.
"""

from __future__ import annotations

import urllib.parse
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from transforms import identifiers
from transforms.fetch_evidence.abstracts import clean_abstract, plain_text
from transforms.fetch_evidence.sources import queries
from transforms.fetch_evidence.sources.base import (
    BatchRefused,
    MalformedAnswer,
    SourceUnavailable,
)
from transforms.fetch_evidence.sources.fields import (
    items,
    notices,
    split_doi,
    text,
    whole,
)
from transforms.fetch_evidence.sources.http import HttpClient
from transforms.fetch_evidence.sources.request import Request
from transforms.fetch_evidence.sources.service import Service, is_blocked
from transforms.names import fold
from transforms.records import Work

NAME = "openalex"

_FIELDS = (
    "id,doi,ids,title,publication_year,authorships,abstract_inverted_index"
    ",primary_location,biblio,is_retracted"
)
_BATCH_SIZE = 100
_MAX_FILTER_CHARS = 3_000
_SEARCH_LIMIT = 50
_MAX_QUERY_CHARS = 500
_THROTTLED = 429
# No short pause is meant: the budget comes back at midnight.
_SPENT_SECONDS = 600.0
# Positions are numbers from outside, and some records hold whole books.
_MAX_ABSTRACT_WORDS = 5_000


def is_spent(status: int, headers: Mapping[str, str]) -> bool:
    """Tells whether the day's budget is spent, or this client is blocked."""
    if status != _THROTTLED:
        return is_blocked(status, headers)
    left = (
        _number(headers.get(f"X-RateLimit-Remaining{unit}", ""))
        for unit in ("", "-USD")
    )
    pause = _number(headers.get("Retry-After", ""))
    return any(n is not None and n <= 0 for n in left) or (pause or 0) > _SPENT_SECONDS


SERVICE = Service(NAME, "https://api.openalex.org", 10.0, 4, is_final=is_spent)


class OpenAlex:
    """Asks the OpenAlex API.

    It is not asked for arXiv ids: under the DOIs of arXiv it may hold another
    work, which nothing but a title can tell.

    Args:
      client: Sends the requests; this object closes it.
      base_url: Address of the API.
      mailto: Contact address, or ``""``.
    """

    name = NAME
    is_remote = True
    batch_size = _BATCH_SIZE

    def __init__(
        self, client: HttpClient, base_url: str = SERVICE.base_url, mailto: str = ""
    ) -> None:
        self._client = client
        self._works_url = f"{base_url.rstrip('/')}/works"
        self._params = {"select": _FIELDS} | ({"mailto": mailto} if mailto else {})

    @property
    def requests_made(self) -> int:
        """Requests sent so far, repeats included."""
        return self._client.requests_made

    def by_ids(self, keys: Sequence[str]) -> list[Work | None]:
        """Looks works up by identifier.

        One request for the DOIs, one for the PubMed ids, and one for each that a
        list cannot be asked for.
        """
        found: dict[str, Work] = {}
        singles: list[str] = []
        for kind in ("doi", "pmid"):
            of_kind = [key for key in keys if key.startswith(f"{kind}:")]
            # In a filter a comma would begin another.
            listed = [key.partition(":")[2] for key in of_kind if "," not in key]
            singles += [key for key in of_kind if "," in key]
            for batch in queries.batches(
                listed, most=_BATCH_SIZE, most_chars=_MAX_FILTER_CHARS
            ):
                if len(batch) == 1:
                    singles.append(f"{kind}:{batch[0]}")
                else:
                    found |= queries.by_identifier(self._filtered(kind, batch))
        singles += [key for key in keys if key.startswith("pmcid:")]
        for key in singles:
            if work := self._single(key):
                found[key] = work
        return [found.get(key) for key in keys]

    def by_title(self, title: str, surname: str, year: int | None) -> list[Work]:
        """Searches for the words of a title; one request."""
        query = fold(title)[:_MAX_QUERY_CHARS]
        if not query:
            return []
        return queries.like_titled(title, self._list({"search": query}))

    def by_author_year(
        self, surnames: Sequence[str], year: int, terms: Sequence[str]
    ) -> list[Work]:
        """Searches for words of the claim, a year either way; one request.

        The search does not look at names, so without words there is nothing to ask.
        """
        words = queries.telling_words(" ".join(terms))
        if not words:
            return []
        works = self._list(
            {
                "search": queries.any_of("", words),
                "filter": f"publication_year:{year - 1}-{year + 1}",
            }
        )
        return queries.of_author_and_year(surnames[0], year, works)

    def close(self) -> None:
        """Closes the connections."""
        self._client.close()

    def _filtered(self, kind: str, values: Sequence[str]) -> list[Work]:
        return self._list({"filter": f"{kind}:{'|'.join(values)}"}, _BATCH_SIZE)

    def _list(
        self, params: Mapping[str, str], limit: int = _SEARCH_LIMIT
    ) -> list[Work]:
        def parse(status: int, payload: Any) -> list[Work]:
            if status == 400:
                raise BatchRefused("HTTP 400")
            if status != 200:
                raise SourceUnavailable(f"HTTP {status}")
            if not isinstance(payload, dict) or "results" not in payload:
                raise MalformedAnswer("no results")
            return [_work(record) for record in items(payload["results"], "results")]

        params = {**params, **self._params, "per_page": str(limit)}
        return self._client.send(Request("GET", self._works_url, params), parse)

    def _single(self, key: str) -> Work | None:
        """Asks for one record, which is free, and follows it where it was merged."""

        def parse(status: int, payload: Any) -> Work | None:
            # With a web page for a body, which says nothing.
            if status == 404:
                return None
            if status != 200:
                raise SourceUnavailable(f"HTTP {status}")
            return _work(payload)

        url = f"{self._works_url}/{urllib.parse.quote(key, safe='/:')}"
        return self._client.send(Request("GET", url, self._params, follows=True), parse)


def _work(record: Any) -> Work:
    """Returns the work in a record.

    Raises:
      MalformedAnswer: If it is no record.
    """
    if not isinstance(record, dict) or not text(record.get("id")):
        raise MalformedAnswer("a record has no id")
    ids = record.get("ids")
    ids = ids if isinstance(ids, dict) else {}
    place = record.get("biblio")
    place = place if isinstance(place, dict) else {}
    doi, arxiv_id = split_doi(text(record.get("doi")))
    return Work(
        source=NAME,
        paper_id=_last_part(record["id"]),
        title=plain_text(text(record.get("title"))),
        abstract=clean_abstract(_abstract(record.get("abstract_inverted_index"))),
        authors=tuple(_authors(record.get("authorships"))),
        year=whole(record.get("publication_year")),
        doi=doi,
        arxiv_id=arxiv_id,
        pmid=identifiers.pmid(_last_part(text(ids.get("pmid")))),
        pmcid=identifiers.pmcid(_last_part(text(ids.get("pmcid")))),
        venue=_venue(record.get("primary_location")),
        volume=text(place.get("volume")),
        pages=text(place.get("first_page")),
        notices=notices(
            text(record.get("title")), is_retracted=record.get("is_retracted") is True
        ),
    )


def _venue(location: Any) -> str:
    source = location.get("source") if isinstance(location, dict) else None
    return text(source.get("display_name")) if isinstance(source, dict) else ""


def _abstract(index: Any) -> str:
    """Returns the text of an inverted index: its words by position, gaps closed."""
    if not isinstance(index, dict):
        return ""
    # Sorted, not laid out: one odd position must not cost the memory of a list.
    placed = sorted(
        (position, word)
        for word, positions in index.items()
        if isinstance(positions, list)
        for position in positions
        if isinstance(position, int) and position >= 0
    )
    return " ".join(word for _, word in placed[:_MAX_ABSTRACT_WORDS])


def _authors(authorships: Any) -> Iterable[str]:
    for authorship in authorships if isinstance(authorships, list) else ():
        author = authorship.get("author") if isinstance(authorship, dict) else None
        name = text(author.get("display_name")) if isinstance(author, dict) else ""
        if name:
            yield name


def _last_part(address: str) -> str:
    return address.rstrip("/").rpartition("/")[2]


def _number(written: str) -> float | None:
    try:
        return float(written)
    except ValueError:
        return None
