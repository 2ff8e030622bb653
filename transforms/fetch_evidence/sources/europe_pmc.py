"""Europe PMC as a source of works: biomedicine, and preprints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
from transforms.names import clean
from transforms.records import Work

NAME = "europe-pmc"
SERVICE = Service(NAME, "https://www.ebi.ac.uk/europepmc/webservices/rest", 5.0, 4)

_BATCH_SIZE = 50
_MAX_QUERY_CHARS = 3_000
_SEARCH_LIMIT = 50
# One work may have records of several kinds: article, preprint, full text.
_RECORDS_PER_ID = 4
_RETRACTED = "retracted publication"
_PREPRINTS = "PPR"


class EuropePmc:
    """Asks the Europe PMC web service; it knows no arXiv ids.

    Args:
      client: Sends the requests; this object closes it.
      base_url: Address of the service.
    """

    name = NAME
    is_remote = True
    batch_size = _BATCH_SIZE

    def __init__(self, client: HttpClient, base_url: str = SERVICE.base_url) -> None:
        self._client = client
        self._search_url = f"{base_url.rstrip('/')}/search"

    @property
    def requests_made(self) -> int:
        """Requests sent so far, repeats included."""
        return self._client.requests_made

    def by_ids(self, keys: Sequence[str]) -> list[Work | None]:
        """Looks works up by identifier; one request, more for very long DOIs."""
        found: dict[str, Work] = {}
        clauses = filter(None, map(_id_clause, keys))
        for batch in queries.batches(
            clauses, most=_BATCH_SIZE, most_chars=_MAX_QUERY_CHARS
        ):
            works = self._search(" OR ".join(batch), _RECORDS_PER_ID * len(batch))
            found = queries.by_identifier(works) | found
        return [found.get(key) for key in keys]

    def by_title(self, title: str, surname: str, year: int | None) -> list[Work]:
        """Searches for the words of a title, a year either way; one request."""
        words = queries.telling_words(title)
        if not words:
            return []
        query = queries.any_of("TITLE", words)
        if year is not None:
            query += f" AND {_years(year)}"
        return queries.like_titled(title, self._search(query))

    def by_author_year(
        self, surnames: Sequence[str], year: int, terms: Sequence[str]
    ) -> list[Work]:
        """Searches for names and any of the words, a year either way; one request."""
        names = [clean(surname).replace('"', "") for surname in surnames]
        if not all(names):
            return []
        clauses = [f'AUTH:"{name}"' for name in names]
        clauses.append(_years(year))
        if words := queries.telling_words(" ".join(terms)):
            clauses.append(queries.any_of("", words))
        works = self._search(" AND ".join(clauses))
        return queries.of_author_and_year(surnames[0], year, works)

    def close(self) -> None:
        """Closes the connections."""
        self._client.close()

    def _search(self, query: str, limit: int = _SEARCH_LIMIT) -> list[Work]:
        def parse(status: int, payload: Any) -> list[Work]:
            if status == 400:
                raise BatchRefused("HTTP 400")
            if status != 200:
                raise SourceUnavailable(f"HTTP {status}")
            listed = payload.get("resultList") if isinstance(payload, dict) else None
            if not isinstance(listed, dict):
                raise MalformedAnswer("no result list")
            return [_work(record) for record in items(listed.get("result"), "result")]

        params = {
            "query": query,
            "resultType": "core",
            "format": "json",
            "pageSize": str(limit),
        }
        return self._client.send(Request("GET", self._search_url, params), parse)


def _id_clause(key: str) -> str:
    """Returns the clause that asks for an identifier, or ``""`` if none can."""
    kind, _, value = key.partition(":")
    if kind == "doi":
        return f'DOI:"{value}"'
    if kind == "pmid":
        return f"(EXT_ID:{value} AND SRC:MED)"
    return f"PMCID:{value}" if kind == "pmcid" else ""


def _years(year: int) -> str:
    return f"PUB_YEAR:[{year - 1} TO {year + 1}]"


def _work(record: Any) -> Work:
    """Returns the work in a record.

    Raises:
      MalformedAnswer: If it is no record.
    """
    if not isinstance(record, dict) or not text(record.get("id")):
        raise MalformedAnswer("a record has no id")
    issue = record.get("journalInfo")
    issue = issue if isinstance(issue, dict) else {}
    doi, arxiv_id = split_doi(text(record.get("doi")))
    return Work(
        source=NAME,
        paper_id=f"{text(record.get('source'))}/{text(record['id'])}",
        # Every title here ends like a sentence.
        title=plain_text(text(record.get("title"))).removesuffix("."),
        abstract=clean_abstract(text(record.get("abstractText"))),
        authors=tuple(_authors(record)),
        year=whole(record.get("pubYear")),
        doi=doi,
        arxiv_id=arxiv_id,
        pmid=identifiers.pmid(text(record.get("pmid"))),
        pmcid=identifiers.pmcid(text(record.get("pmcid"))),
        venue=_journal(issue) or _repository(record),
        volume=text(issue.get("volume")),
        pages=text(record.get("pageInfo")),
        notices=notices(
            text(record.get("title")), is_retracted=_RETRACTED in _kinds(record)
        ),
    )


def _journal(issue: dict[str, Any]) -> str:
    journal = issue.get("journal")
    return text(journal.get("title")) if isinstance(journal, dict) else ""


def _repository(record: dict[str, Any]) -> str:
    """Returns where a preprint is posted, or ``""``."""
    if text(record.get("source")) != _PREPRINTS:
        return ""
    details = record.get("bookOrReportDetails")
    name = text(details.get("publisher")) if isinstance(details, dict) else ""
    return name or "preprint"


def _kinds(record: dict[str, Any]) -> list[str]:
    """Returns the kinds of publication that a record names, in lower case."""
    listed = record.get("pubTypeList")
    kinds = listed.get("pubType") if isinstance(listed, dict) else None
    return [text(kind).lower() for kind in kinds] if isinstance(kinds, list) else []


def _authors(record: dict[str, Any]) -> Iterator[str]:
    """Yields names, family name first, from the list or else from the line."""
    listed = record.get("authorList")
    authors = listed.get("author") if isinstance(listed, dict) else None
    if not isinstance(authors, list):
        line = text(record.get("authorString")).removesuffix(".")
        yield from filter(None, map(str.strip, line.split(",")))
        return
    for author in authors:
        if isinstance(author, dict):
            given = text(author.get("firstName")) or text(author.get("initials"))
            other = text(author.get("fullName")) or text(author.get("collectiveName"))
            if name := full_name(text(author.get("lastName")), given, other):
                yield name
