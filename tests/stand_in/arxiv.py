"""arXiv: its Atom feed by ids and by search."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

from tests.stand_in.search import ranked
from tests.stand_in.server import LoggedRequest, Response
from transforms.names import fold
from transforms.records import Work

_ATOM = "application/atom+xml; charset=utf-8"
_ID = re.compile(r"(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?")
_CLAUSE = re.compile(r"(?:ti|all):(\w+)")
_DATES = re.compile(r"submittedDate:\[(\d{4})\d{8} TO (\d{4})\d{8}\]")


class ArxivService:
    """Answers as the service does, over works of the tests' own.

    Args:
      works: What it knows; those without an arXiv id are left out.
      error_status: Status of its error feeds; an older server says 200.
      refused: Ids that it calls malformed beside those that are.
    """

    prefix = "/api/query"

    def __init__(
        self,
        works: Iterable[Work],
        *,
        error_status: int = 400,
        refused: Iterable[str] = (),
    ) -> None:
        self._works = [work for work in works if work.arxiv_id]
        self._error_status = error_status
        self._refused = set(refused)

    def answer(self, request: LoggedRequest) -> Response:
        """Answers one request."""
        limit = int(request.query.get("max_results", 10))
        if written := request.query.get("id_list"):
            ids = written.split(",")
            for one in ids:
                if one in self._refused or not _ID.fullmatch(one):
                    return self._error(f"incorrect id format for {one}")
            # Unknown ones are left out, and the order is its own.
            works = [work for work in reversed(self._works) if work.arxiv_id in ids]
        else:
            works = self._searched(request.query.get("search_query", ""))
        return feed(map(entry, works[:limit]))

    def _searched(self, query: str) -> list[Work]:
        works = self._works
        for name in re.findall(r'au:"([^"]+)"', query):
            wanted = set(fold(name).split())
            works = [
                work
                for work in works
                if any(wanted <= set(fold(author).split()) for author in work.authors)
            ]
        if dates := _DATES.search(query):
            low, high = map(int, dates.groups())
            works = [work for work in works if low <= (work.year or 0) <= high]
        found = _CLAUSE.findall(query)
        return ranked(found, works, everywhere="all:" in query) if found else works

    def _error(self, reason: str) -> Response:
        address = f"http://arxiv.org/api/errors#{reason.replace(' ', '_')}"
        body = (
            f"<entry><id>{html.escape(address)}</id><title>Error</title>"
            f"<summary>{html.escape(reason)}</summary></entry>"
        )
        return feed([body], self._error_status)


def feed(entries: Iterable[str], status: int = 200) -> Response:
    """Returns an Atom feed of entries."""
    body = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<feed xmlns="http://www.w3.org/2005/Atom"'
        ' xmlns:arxiv="http://arxiv.org/schemas/atom">'
        f"<title>arXiv Query</title>{''.join(entries)}</feed>"
    )
    return Response(status, body.encode(), content_type=_ATOM)


def entry(work: Work) -> str:
    """Returns a work as an Atom entry, its lines broken as the real ones are."""
    authors = "".join(
        f"<author><name>{html.escape(name)}</name></author>" for name in work.authors
    )
    doi = f"<arxiv:doi>{html.escape(work.doi)}</arxiv:doi>" if work.doi else ""
    title = html.escape(work.title).replace(" ", "\n  ", 1)
    summary = html.escape(work.abstract).replace(" ", "\n", 2)
    return (
        f"<entry><id>http://arxiv.org/abs/{work.arxiv_id}v2</id>"
        f"<published>{work.year}-03-01T00:00:00Z</published>"
        f"<title>{title}</title><summary>  {summary}\n</summary>{authors}{doi}</entry>"
    )
