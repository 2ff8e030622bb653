"""Europe PMC: the search of its web service."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from tests.stand_in.search import ranked, split_name
from tests.stand_in.server import LoggedRequest, Response
from transforms.names import fold
from transforms.records import Work

_YEARS = re.compile(r"PUB_YEAR:\[(\d+) TO (\d+)\]")
_FREE = re.compile(r"(?:^|AND )\(([^:]+?)\)(?: AND|$)")


class EuropePmcService:
    """Answers as the service does, over works of the tests' own.

    Args:
      works: What it knows.
    """

    prefix = "/europepmc/webservices/rest"

    def __init__(self, works: Iterable[Work]) -> None:
        self._works = list(works)

    def answer(self, request: LoggedRequest) -> Response:
        """Answers one request."""
        query = request.query.get("query", "")
        size = int(request.query.get("pageSize", 25))
        if request.path != f"{self.prefix}/search" or not query or size > 1000:
            return Response.json({"errCode": 404, "errMsg": "Invalid request"}, 404)
        works = self._found(query)
        return Response.json(
            {
                "version": "6.9",
                "hitCount": len(works),
                "request": {"queryString": query, "pageSize": size},
                "resultList": {"result": [_record(work) for work in works[:size]]},
            }
        )

    def _found(self, query: str) -> list[Work]:
        ids = {
            *(f"doi:{doi.lower()}" for doi in re.findall(r'DOI:"([^"]+)"', query)),
            *(
                f"pmid:{pmid}"
                for pmid in re.findall(r"EXT_ID:(\d+) AND SRC:MED", query)
            ),
            *re.findall(r"PMCID:(PMC\d+)", query),
        }
        if ids:
            # In an order of its own.
            return [
                work
                for work in reversed(self._works)
                if {f"doi:{work.doi}", f"pmid:{work.pmid}", work.pmcid} & ids
            ]
        return self._searched(query)

    def _searched(self, query: str) -> list[Work]:
        works = self._works
        if years := _YEARS.search(query):
            low, high = map(int, years.groups())
            works = [work for work in works if low <= (work.year or 0) <= high]
        for name in re.findall(r'AUTH:"([^"]+)"', query):
            wanted = set(fold(name).split())
            works = [
                work
                for work in works
                if any(wanted <= set(fold(author).split()) for author in work.authors)
            ]
        if titled := re.findall(r"TITLE:(\w+)", query):
            works = ranked(titled, works, everywhere=False)
        if free := _FREE.search(query):
            works = ranked(free[1].split(" OR "), works, everywhere=True)
        return works


def _record(work: Work) -> dict[str, Any]:
    names = [split_name(name) for name in work.authors]
    record: dict[str, Any] = {
        "id": work.pmid or work.pmcid or f"PPR{work.paper_id}",
        "source": "MED" if work.pmid else "PMC" if work.pmcid else "PPR",
        "title": f"{work.title}.",
        "authorString": ", ".join(f"{f} {g[:1]}" for f, g in names) + ".",
        "authorList": {
            "author": [
                {
                    "fullName": f"{family} {given[:1]}",
                    "firstName": given,
                    "lastName": family,
                    "initials": given[:1],
                }
                for family, given in names
            ]
        },
        "pubYear": str(work.year),
        "pageInfo": work.pages,
        "journalInfo": {"volume": work.volume, "journal": {"title": work.venue}},
        "pubTypeList": {
            "pubType": ["Retracted Publication" for _ in work.notices] or ["article"]
        },
    }
    known = {"pmid": work.pmid, "pmcid": work.pmcid, "doi": work.doi}
    record |= {name: value for name, value in known.items() if value}
    return record | ({"abstractText": work.abstract} if work.abstract else {})
