"""Crossref as a source of works.  One in five of its records has an abstract."""

from __future__ import annotations

import urllib.parse
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from transforms.fetch_evidence.abstracts import clean_abstract, plain_text
from transforms.fetch_evidence.sources import queries
from transforms.fetch_evidence.sources.base import (
    BatchRefused,
    MalformedAnswer,
    SourceUnavailable,
)
from transforms.fetch_evidence.sources.fields import (
    first,
    full_name,
    items,
    notices,
    split_doi,
    text,
    whole,
)
from transforms.fetch_evidence.sources.http import HttpClient
from transforms.fetch_evidence.sources.request import Request
from transforms.fetch_evidence.sources.service import Service
from transforms.names import clean, fold
from transforms.records import Work

NAME = "crossref"

_FIELDS = "DOI,title,subtitle,author,issued,abstract,container-title,volume,page,type"
# A book or a preprint has no container; its publisher says where it came out.
_PREPRINT = "posted-content"
# More would make long addresses of long DOIs.
_BATCH_SIZE = 25
_MAX_FILTER_CHARS = 2_000
_SEARCH_LIMIT = 20
_MAX_QUERY_CHARS = 500
_UNKNOWN = "Resource not found."

SERVICE = Service(NAME, "https://api.crossref.org", 1.0, 1)
# For whoever gives an address; the rates are those of lists, the strictest.
POLITE = Service(NAME, SERVICE.base_url, 3.0, 3)


class Crossref:
    """Asks the Crossref REST API, for DOIs only; arXiv registers its own elsewhere.

    Args:
      client: Sends the requests; this object closes it.
      base_url: Address of the API.
      mailto: Contact address, or ``""``; with one, more is allowed.
    """

    name = NAME
    is_remote = True
    batch_size = _BATCH_SIZE

    def __init__(
        self, client: HttpClient, base_url: str = SERVICE.base_url, mailto: str = ""
    ) -> None:
        self._client = client
        self._works_url = f"{base_url.rstrip('/')}/works"
        self._params = {"mailto": mailto} if mailto else {}

    @property
    def requests_made(self) -> int:
        """Requests sent so far, repeats included."""
        return self._client.requests_made

    def by_ids(self, keys: Sequence[str]) -> list[Work | None]:
        """Looks works up by DOI: one request for all, and one for each with a comma."""
        found: dict[str, Work] = {}
        dois = [key.removeprefix("doi:") for key in keys if key.startswith("doi:")]
        dois = [doi for doi in dois if split_doi(doi)[0]]
        # In a filter a comma would begin another.
        singles = [doi for doi in dois if "," in doi]
        listed = [doi for doi in dois if "," not in doi]
        for batch in queries.batches(
            listed, most=_BATCH_SIZE, most_chars=_MAX_FILTER_CHARS
        ):
            if len(batch) == 1:
                singles += batch
            else:
                found |= queries.by_identifier(self._filtered(batch))
        for doi in singles:
            if work := self._single(doi):
                found[f"doi:{doi}"] = work
        return [found.get(key) for key in keys]

    def by_title(self, title: str, surname: str, year: int | None) -> list[Work]:
        """Searches as for a reference entry; one request."""
        if not queries.telling_words(title):
            return []
        entry = clean(f"{title[:_MAX_QUERY_CHARS]} {surname} {year or ''}")
        return queries.like_titled(title, self._search({"query.bibliographic": entry}))

    def by_author_year(
        self, surnames: Sequence[str], year: int, terms: Sequence[str]
    ) -> list[Work]:
        """Searches for names and words, a year either way; one request."""
        names = clean(" ".join(surnames))
        if not names:
            return []
        params = {
            "query.author": names,
            "filter": f"from-pub-date:{year - 1},until-pub-date:{year + 1}",
        }
        if terms:
            params["query.bibliographic"] = clean(" ".join(terms))
        return queries.of_author_and_year(surnames[0], year, self._search(params))

    def close(self) -> None:
        """Closes the connections."""
        self._client.close()

    def _filtered(self, dois: Sequence[str]) -> list[Work]:
        filters = ",".join(f"doi:{doi}" for doi in dois)
        return self._search({"filter": filters}, _BATCH_SIZE)

    def _search(
        self, params: Mapping[str, str], limit: int = _SEARCH_LIMIT
    ) -> list[Work]:
        def parse(status: int, payload: Any) -> list[Work]:
            if status == 400:
                raise BatchRefused("HTTP 400")
            message = _message(status, payload)
            if "items" not in message:
                raise MalformedAnswer("no items")
            return [_work(record) for record in items(message["items"], "items")]

        params = {**params, **self._params, "select": _FIELDS, "rows": str(limit)}
        return self._client.send(Request("GET", self._works_url, params), parse)

    def _single(self, doi: str) -> Work | None:
        def parse(status: int, payload: Any) -> Work | None:
            # In plain text; a wrong address answers otherwise.
            if status == 404 and payload == _UNKNOWN:
                return None
            return _work(_message(status, payload))

        url = f"{self._works_url}/{urllib.parse.quote(doi, safe='')}"
        return self._client.send(Request("GET", url, self._params), parse)


def _message(status: int, payload: Any) -> Mapping[str, Any]:
    """Returns what is in the envelope.

    Raises:
      SourceUnavailable: If the request was refused.
      MalformedAnswer: If there is no envelope.
    """
    if status != 200:
        raise SourceUnavailable(f"HTTP {status}")
    message = payload.get("message") if isinstance(payload, dict) else None
    if not isinstance(message, dict):
        raise MalformedAnswer("no message")
    return message


def _work(record: Any) -> Work:
    """Returns the work in a record.

    Raises:
      MalformedAnswer: If it is no record.
    """
    written = text(record.get("DOI")) if isinstance(record, dict) else ""
    if not written:
        raise MalformedAnswer("a record has no DOI")
    doi, arxiv_id = split_doi(written)
    return Work(
        source=NAME,
        paper_id=written.lower(),
        title=_with_subtitle(record),
        abstract=clean_abstract(text(record.get("abstract"))),
        authors=tuple(_authors(record.get("author"))),
        year=_year(record.get("issued")),
        doi=doi,
        arxiv_id=arxiv_id,
        venue=plain_text(first(record.get("container-title")) or _repository(record)),
        volume=text(record.get("volume")),
        pages=text(record.get("page")),
        notices=notices(
            _title(record.get("title")), is_retracted=_is_retracted(record)
        ),
    )


def _repository(record: Mapping[str, Any]) -> str:
    """Returns where a preprint is posted, which only single records say, or ``""``."""
    if text(record.get("type")) != _PREPRINT:
        return ""
    named = record.get("institution")
    named = named[0] if isinstance(named, list) and named else named
    name = text(named.get("name")) if isinstance(named, dict) else ""
    return name or text(record.get("group-title")) or "preprint"


def _is_retracted(record: Mapping[str, Any]) -> bool:
    """Tells whether an update retracts the work; only single records list them."""
    updates = record.get("updated-by")
    return any(
        isinstance(update, dict) and text(update.get("type")) == "retraction"
        for update in (updates if isinstance(updates, list) else ())
    )


def _with_subtitle(record: Mapping[str, Any]) -> str:
    """Returns title and subtitle, which some publishers give apart and some twice."""
    title, subtitle = _title(record.get("title")), _title(record.get("subtitle"))
    if not title or not subtitle or fold(subtitle) in fold(title):
        return title
    return f"{title}: {subtitle}"


def _title(titles: Any) -> str:
    """Returns the first title of a list, which may be empty."""
    written = titles if isinstance(titles, list) else [titles]
    return next(filter(None, (plain_text(text(title)) for title in written)), "")


def _authors(authors: Any) -> Iterator[str]:
    """Yields names, family name first; a group has only one."""
    for author in authors if isinstance(authors, list) else ():
        if isinstance(author, dict):
            family, given = text(author.get("family")), text(author.get("given"))
            if name := full_name(family, given, text(author.get("name"))):
                yield name


def _year(issued: Any) -> int | None:
    """Returns the year of ``{"date-parts": [[2014, 3]]}``, or None."""
    parts = issued.get("date-parts") if isinstance(issued, dict) else None
    while isinstance(parts, list) and parts:
        parts = parts[0]
    return whole(parts)
