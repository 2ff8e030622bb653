"""The Semantic Scholar Academic Graph as a source of works."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from transforms import identifiers
from transforms.fetch_evidence.abstracts import clean_abstract
from transforms.fetch_evidence.sources import fields
from transforms.fetch_evidence.sources.base import (
    BatchRefused,
    MalformedAnswer,
    SourceUnavailable,
)
from transforms.fetch_evidence.sources.http import HttpClient
from transforms.fetch_evidence.sources.request import Request
from transforms.fetch_evidence.sources.service import Service
from transforms.names import clean, same_surname
from transforms.records import Work

NAME = "semantic-scholar"
BASE_URL = "https://api.semanticscholar.org/graph/v1"
# What a key is good for; without one, less.
SERVICE = Service(NAME, BASE_URL, 1.0, 4)

# ``openAccessPdf`` says whether a publisher withholds the abstract.
_FIELDS = "title,abstract,year,authors,externalIds,openAccessPdf,venue"
_PREFIXES = {"doi": "DOI", "arxiv": "ARXIV", "pmid": "PMID", "pmcid": "PMCID"}
_BATCH_SIZE = 500
# Larger ones have made the service fail.
_SAFE_BATCH_SIZE = 50
_SEARCH_LIMIT = 50
# Longer "titles" are misread entries, and an address has its limits.
_MAX_QUERY_CHARS = 500
_NO_VALID_IDS = "No valid paper ids given"
_TOO_LARGE = "Response would exceed maximum size"
_BAD_REQUESTS = ("Unrecognized or unsupported fields", "Unacceptable query params")
_ELIDED = re.compile(r"elided by the publisher:[^.]*'abstract'")
_NO_TITLE_MATCH = "Title match not found"


class SemanticScholar:
    """Asks the Academic Graph API.

    Args:
      client: Sends the requests; this object closes it.
      base_url: Address of the API, without a slash at its end.
    """

    name = NAME
    is_remote = True
    batch_size = _BATCH_SIZE

    def __init__(self, client: HttpClient, base_url: str = BASE_URL) -> None:
        self._client = client
        self._base_url = base_url.rstrip("/")

    @property
    def requests_made(self) -> int:
        """Requests sent so far, repeats included."""
        return self._client.requests_made

    def by_ids(self, keys: Sequence[str]) -> list[Work | None]:
        """Looks works up by identifier; one request."""
        if not keys:
            return []

        def parse(status: int, payload: Any) -> list[Work | None]:
            # The service's word for a batch that it knows nothing of.
            if status == 400 and _error(payload) == _NO_VALID_IDS:
                return [None] * len(keys)
            _require_whole(status, _error(payload))
            if not isinstance(payload, list) or len(payload) != len(keys):
                raise MalformedAnswer("not a list of one record for each id")
            # By position: a merged record comes back under another id.
            return [_work(record) for record in payload]

        ids = [_paper_id(key) for key in keys]
        request = Request(
            "POST",
            f"{self._base_url}/paper/batch",
            {"fields": _FIELDS},
            {"ids": ids},
            can_be_split=len(ids) > _SAFE_BATCH_SIZE,
        )
        return self._client.send(request, parse)

    def by_title(self, title: str, surname: str, year: int | None) -> list[Work]:
        """Returns what the index takes for the best match; one request."""

        def parse(status: int, payload: Any) -> list[Work]:
            if status == 404 and _error(payload) == _NO_TITLE_MATCH:
                return []
            _require_ok(status)
            # A match has been seen bare as well.
            is_bare = isinstance(payload, dict) and "paperId" in payload
            return _works([payload]) if is_bare else _listed(payload)

        query = _plain(title)
        if not query:
            return []
        params = {"query": query, "fields": _FIELDS}
        url = f"{self._base_url}/paper/search/match"
        return self._client.send(Request("GET", url, params), parse)

    def by_author_year(
        self, surnames: Sequence[str], year: int, terms: Sequence[str]
    ) -> list[Work]:
        """Searches for names and words, a year either way; one request.

        The search ranks by names and words together.  Only works that have an
        author of the first surname are returned: most others share a word.
        """

        def parse(status: int, payload: Any) -> list[Work]:
            _require_ok(status)
            return [
                work
                for work in _listed(payload)
                if any(same_surname(surnames[0], author) for author in work.authors)
            ]

        query = _plain(" ".join([*surnames, *terms]))
        if not query:
            return []
        params = {
            "query": query,
            "year": f"{year - 1}-{year + 1}",
            "limit": str(_SEARCH_LIMIT),
            "fields": _FIELDS,
        }
        url = f"{self._base_url}/paper/search"
        return self._client.send(Request("GET", url, params), parse)

    def close(self) -> None:
        """Closes the connections."""
        self._client.close()


def _paper_id(key: str) -> str:
    kind, _, value = key.partition(":")
    return (
        f"{_PREFIXES[kind]}:{value.removeprefix('PMC') if kind == 'pmcid' else value}"
    )


def _plain(text: str) -> str:
    """Returns a query that the search understands: it finds nothing with a hyphen."""
    return clean(text).replace("-", " ")[:_MAX_QUERY_CHARS].strip()


def _require_ok(status: int) -> None:
    if status != 200:
        raise SourceUnavailable(f"HTTP {status}")


def _require_whole(status: int, error: str) -> None:
    """Raises unless a batch was answered.

    One bad id spoils a batch, and the records of many may be too much for one
    answer: that a smaller batch can cure.
    """
    if status == 400 and error and not error.startswith(_BAD_REQUESTS):
        is_too_large = error.startswith(_TOO_LARGE)
        raise BatchRefused(f"HTTP {status}", is_too_large=is_too_large)
    _require_ok(status)


def _error(payload: Any) -> str:
    error = payload.get("error") if isinstance(payload, dict) else None
    return error if isinstance(error, str) else ""


def _listed(payload: Any) -> list[Work]:
    """Returns the works of a search answer, which has no ``data`` if there is none."""
    if not isinstance(payload, dict):
        raise MalformedAnswer("not an object")
    if "data" not in payload and payload.get("total") != 0:
        raise MalformedAnswer("no data")
    records = payload.get("data", [])
    if not isinstance(records, list):
        raise MalformedAnswer("data is not a list")
    return _works(records)


def _works(records: Sequence[Any]) -> list[Work]:
    return [work for work in map(_work, records) if work is not None]


def _work(record: Any) -> Work | None:
    """Returns the work in a record, or None for an empty one.

    Raises:
      MalformedAnswer: If it is no record.
    """
    if record is None:
        return None
    if not isinstance(record, dict):
        raise MalformedAnswer("a record is not an object")
    if not record.get("paperId"):
        return None
    ids = record.get("externalIds")
    ids = ids if isinstance(ids, dict) else {}
    abstract = clean_abstract(fields.text(record.get("abstract")))
    return Work(
        source=NAME,
        paper_id=str(record["paperId"]),
        title=fields.text(record.get("title")),
        abstract=abstract,
        authors=_authors(record.get("authors")),
        year=fields.whole(record.get("year")),
        doi=identifiers.doi(fields.text(ids.get("DOI"))),
        arxiv_id=identifiers.arxiv_id(fields.text(ids.get("ArXiv"))),
        pmid=identifiers.pmid(fields.text(ids.get("PubMed"))),
        pmcid=identifiers.pmcid(fields.text(ids.get("PubMedCentral"))),
        is_withheld=not abstract and _is_elided(record.get("openAccessPdf")),
        venue=fields.text(record.get("venue")),
        notices=fields.notices(fields.text(record.get("title"))),
    )


def _is_elided(access: Any) -> bool:
    """Tells whether the publisher keeps the abstract from the index."""
    notice = access.get("disclaimer") if isinstance(access, dict) else None
    return _ELIDED.search(fields.text(notice)) is not None


def _authors(listed: Any) -> tuple[str, ...]:
    authors = listed if isinstance(listed, list) else []
    names = (fields.text(a.get("name")) for a in authors if isinstance(a, dict))
    return tuple(name for name in names if name)
