"""OpenAlex: single records, lists by filter, and search."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from tests.stand_in.search import ranked, words
from tests.stand_in.server import LoggedRequest, Response
from transforms.records import Work

_MAX_VALUES = 100
_PAGE = b"<!doctype html><title>404 Not Found</title><h1>Not Found</h1>"


class OpenAlexService:
    """Answers as the service does, over works of the tests' own.

    Args:
      works: What it knows.
      merged: Other keys (``pmcid:PMC1``) that a record has moved from, with the
        key of the record.
      budget: Lists and searches that it answers before the day's budget is spent.
    """

    prefix = "/openalex"

    def __init__(
        self,
        works: Iterable[Work],
        *,
        merged: Mapping[str, str] | None = None,
        budget: int = 1_000_000,
    ) -> None:
        self._works = list(works)
        self._merged = merged or {}
        self._budget = budget
        self._by_key: dict[str, int] = {}
        for number, work in enumerate(self._works):
            doi = work.doi or (work.arxiv_id and f"10.48550/arxiv.{work.arxiv_id}")
            for kind, value in (
                ("doi", doi),
                ("pmid", work.pmid),
                ("pmcid", work.pmcid),
            ):
                if value:
                    self._by_key.setdefault(f"{kind}:{value}", number)
            self._by_key[f"W{number + 1}"] = number

    def answer(self, request: LoggedRequest) -> Response:
        """Answers one request."""
        path = request.path.removeprefix(f"{self.prefix}/works")
        fields = request.query.get("select", "").split(",")
        if path:
            return self._single(path.removeprefix("/"), fields)
        if self._budget <= 0:
            headers = {"X-RateLimit-Remaining": "0", "Retry-After": "40000"}
            body = b'{"error":"Rate limit exceeded","message":"Insufficient budget"}'
            return Response(429, body, headers)
        self._budget -= 1
        return self._list(request.query, fields)

    def _single(self, key: str, fields: list[str]) -> Response:
        if key in self._merged:
            number = self._by_key[self._merged[key]]
            location = f"{self.prefix}/works/W{number + 1}"
            return Response(301, b"", {"Location": location}, "text/html")
        if key.lower() not in {known.lower() for known in self._by_key}:
            return Response(404, _PAGE, content_type="text/html; charset=utf-8")
        return Response.json(self._record(self._by_key[key], fields))

    def _list(self, query: Mapping[str, str], fields: list[str]) -> Response:
        filters = dict(
            part.split(":", 1) for part in query.get("filter", "").split(",") if part
        )
        found = list(range(len(self._works)))
        for kind in ("doi", "pmid"):
            if kind in filters:
                values = filters[kind].split("|")
                if len(values) > _MAX_VALUES:
                    return Response.json({"error": "Invalid query parameters"}, 400)
                numbers = {self._by_key.get(f"{kind}:{value}") for value in values}
                # In an order of its own.
                found = [n for n in reversed(found) if n in numbers]
        if years := filters.get("publication_year"):
            low, _, high = years.partition("-")
            found = [
                n for n in found if int(low) <= (self._works[n].year or 0) <= int(high)
            ]
        if search := query.get("search"):
            found = self._searched(search, found)
        results = [self._record(n, fields) for n in found[: int(query["per_page"])]]
        meta = {"count": len(found), "page": 1, "per_page": int(query["per_page"])}
        return Response.json({"meta": meta, "results": results, "group_by": []})

    def _searched(self, query: str, among: list[int]) -> list[int]:
        """All words must occur in title or abstract, unless OR is between them."""
        either = " OR " in query
        wanted = words(re.sub(r"[()]|\bOR\b", " ", query))
        works = [self._works[n] for n in among]
        hits = ranked(wanted, works, everywhere=True)
        return [
            among[works.index(work)]
            for work in hits
            if either or wanted <= words(f"{work.title} {work.abstract}")
        ]

    def _record(self, number: int, fields: list[str]) -> dict[str, Any]:
        work = self._works[number]
        doi = work.doi or (work.arxiv_id and f"10.48550/arxiv.{work.arxiv_id}")
        address = f"https://openalex.org/W{number + 1}"
        ids = {"openalex": address}
        if doi:
            ids["doi"] = f"https://doi.org/{doi}"
        if work.pmid:
            ids["pmid"] = f"https://pubmed.ncbi.nlm.nih.gov/{work.pmid}"
        if work.pmcid:
            ids["pmcid"] = f"https://www.ncbi.nlm.nih.gov/pmc/articles/{work.pmcid}"
        record = {
            "id": address,
            "doi": ids.get("doi"),
            "ids": ids,
            "title": work.title,
            "publication_year": work.year,
            "authorships": [
                {
                    "author_position": "first",
                    "author": {"id": "A1", "display_name": name},
                }
                for name in work.authors
            ],
            "abstract_inverted_index": inverted(work.abstract),
            "primary_location": {"source": {"display_name": work.venue}},
            "biblio": {"volume": work.volume, "issue": None, "first_page": work.pages},
            "is_retracted": "retraction" in work.notices,
        }
        return {name: record[name] for name in fields if name in record}


def inverted(abstract: str) -> dict[str, list[int]] | None:
    """Returns an abstract as positions by word; null if there is none."""
    index: dict[str, list[int]] = defaultdict(list)
    for position, word in enumerate(abstract.split()):
        index[word].append(position)
    # By alphabet, as nobody may rely on the order.
    return dict(sorted(index.items())) or None
