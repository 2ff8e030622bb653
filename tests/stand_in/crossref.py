"""Crossref: single records, lists by DOI, and search."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping
from typing import Any

from tests.stand_in.search import ranked, split_name
from tests.stand_in.server import LoggedRequest, Response
from transforms.records import Work

_PARAMETERS = frozenset(
    [
        *("query.bibliographic", "query.author", "query.title", "filter", "rows"),
        *("select", "mailto"),
    ]
)


class CrossrefService:
    """Answers as the service does, over works of the tests' own.

    Args:
      works: What it knows; those without a DOI are left out.
    """

    prefix = "/crossref"

    def __init__(self, works: Iterable[Work]) -> None:
        self._works = [work for work in works if work.doi]
        self._by_doi = {work.doi: work for work in self._works}

    def answer(self, request: LoggedRequest) -> Response:
        """Answers one request."""
        path = request.path.removeprefix(f"{self.prefix}/works")
        if path:
            work = self._by_doi.get(path.removeprefix("/").lower())
            if work is None:
                return Response(404, b"Resource not found.", content_type="text/plain")
            return _envelope("work", _record(work))
        if unknown := set(request.query) - _PARAMETERS:
            return _invalid(f"Parameter {min(unknown)} specified but there is no such")
        return self._list(request.query)

    def _list(self, query: Mapping[str, str]) -> Response:
        filters = [part.partition(":") for part in query.get("filter", "").split(",")]
        if any(name and not value for name, _, value in filters):
            return _invalid("Filter is not well formed")
        works = list(self._works)
        if dois := {value.lower() for name, _, value in filters if name == "doi"}:
            works = [work for work in reversed(works) if work.doi in dois]
        bounds = {
            name: int(value) for name, _, value in filters if name.endswith("date")
        }
        works = [
            work
            for work in works
            if bounds.get("from-pub-date", 0)
            <= (work.year or 0)
            <= bounds.get("until-pub-date", 9999)
        ]
        asked = [text for name, text in query.items() if name.startswith("query.")]
        if asked:
            # Whatever shares a word is a hit.
            works = ranked(asked, works, everywhere=True)
        rows = int(query.get("rows", 20))
        items = [{**_record(work), "score": 42.0} for work in works[:rows]]
        message = {"total-results": len(works), "items": items, "items-per-page": rows}
        return _envelope("work-list", message)


def _envelope(kind: str, message: Any) -> Response:
    return Response.json(
        {
            "status": "ok",
            "message-type": kind,
            "message-version": "1.0.0",
            "message": message,
        }
    )


def _invalid(reason: str) -> Response:
    fault = {"type": "parameter-not-allowed", "value": "?", "message": reason}
    return Response.json(
        {
            "status": "failed",
            "message-type": "validation-failure",
            "message": [fault],
        },
        400,
    )


def _record(work: Work) -> dict[str, Any]:
    assert work.doi is not None
    record: dict[str, Any] = {
        "DOI": work.doi.upper(),
        "title": [work.title.partition(": ")[0]],
        "subtitle": [part] if (part := work.title.partition(": ")[2]) else [],
        "author": [_author(name) for name in work.authors],
        "issued": {"date-parts": [[work.year]]},
    }
    if work.venue:
        record["container-title"] = [work.venue]
    record |= {"volume": work.volume, "page": work.pages, "type": "journal-article"}
    if "retraction" in work.notices:
        record["updated-by"] = [{"type": "retraction", "DOI": "10.99999/notice"}]
    if work.abstract:
        record["abstract"] = (
            "<jats:title>Abstract</jats:title>"
            f"<jats:p>{html.escape(work.abstract)}</jats:p>"
        )
    return record


def _author(name: str) -> dict[str, str]:
    family, given = split_name(name)
    return {"given": given, "family": family, "sequence": "first"}
