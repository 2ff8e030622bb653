"""Semantic Scholar's Academic Graph: batch, title match and search."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from rapidfuzz import fuzz, process

from tests.stand_in.server import LoggedRequest, Response
from transforms.names import fold
from transforms.records import Work
from transforms.titles import normalise_title

_MAX_BATCH = 500
_MAX_HITS = 1000
_MIN_MATCH = 70.0
_FIELDS = frozenset(
    [
        *("paperId", "corpusId", "externalIds", "title", "abstract", "year"),
        *("authors", "openAccessPdf", "venue", "publicationDate", "citationCount"),
    ]
)
_NOTICE = (
    "Notice: The following paper fields have been elided by the publisher:"
    " {'abstract'}. Paper or abstract available at https://doi.org/10.99999/none"
)


class SemanticScholarService:
    """Answers as the service does, over works of the tests' own.

    Args:
      works: What it knows.
      elided: Ids of works whose abstract a publisher withholds.
      keys: API keys that it accepts; None accepts any.
      poisonous: Ids that spoil the whole batch that they are in.
      most_records: Records of a batch that it has room for in an answer.
      most_ids: Ids in a batch that it looks up before time is out.
    """

    prefix = "/graph/v1"

    def __init__(
        self,
        works: Iterable[Work],
        *,
        elided: Collection[str] = (),
        keys: Collection[str] | None = None,
        poisonous: Collection[str] = (),
        most_records: int = _MAX_BATCH,
        most_ids: int = _MAX_BATCH,
    ) -> None:
        self._records = [_record(work, work.paper_id in elided) for work in works]
        self._keys = keys
        self._poisonous = frozenset(poisonous)
        self._most_records = most_records
        self._most_ids = most_ids
        self._by_id: dict[str, int] = {}
        self._by_word: dict[str, list[int]] = defaultdict(list)
        self._titles: list[str] = []
        self._by_title: dict[str, int] = {}
        for number, record in enumerate(self._records):
            for written in _ids(record):
                self._by_id.setdefault(written.casefold(), number)
            for word in _words(record):
                self._by_word[word].append(number)
            title = normalise_title(record["title"])
            self._titles.append(title)
            self._by_title.setdefault(title, number)

    def answer(self, request: LoggedRequest) -> Response:
        """Answers one request."""
        key = request.headers.get("x-api-key")
        if key is not None and self._keys is not None and key not in self._keys:
            return Response.json({"message": "Forbidden"}, 403)
        fields = request.query.get("fields", "paperId,title").split(",")
        if unknown := [name for name in fields if name not in _FIELDS]:
            error = f"Unrecognized or unsupported fields: {unknown}"
            return Response.json({"error": error}, 400)
        path = request.path.removeprefix(self.prefix)
        if path == "/paper/batch" and request.method == "POST":
            return self._batch(request.body["ids"], fields)
        if path == "/paper/search/match":
            return self._match(request.query.get("query", ""), fields)
        if path == "/paper/search":
            return self._search(request.query, fields)
        return Response.json({"message": "Not Found"}, 404)

    def _batch(self, ids: list[str], fields: list[str]) -> Response:
        if len(ids) > _MAX_BATCH:
            return Response.json({"error": "Too many ids"}, 400)
        if len(ids) > self._most_ids:
            return Response.json({"message": "Endpoint request timed out"}, 504)
        if not self._poisonous.isdisjoint(ids):
            return Response.json({"error": "Invalid paper id"}, 400)
        found = [self._by_id.get(str(written).casefold()) for written in ids]
        if all(number is None for number in found):
            return Response.json({"error": "No valid paper ids given"}, 400)
        if sum(number is not None for number in found) > self._most_records:
            error = "Response would exceed maximum size. Ask for fewer papers."
            return Response.json({"error": error}, 400)
        return Response.json(
            [None if n is None else _part(self._records[n], fields) for n in found]
        )

    def _match(self, query: str, fields: list[str]) -> Response:
        title = normalise_title(query)
        if (number := self._by_title.get(title)) is not None:
            similarity = 100.0
        elif best := process.extractOne(
            title, self._titles, scorer=fuzz.ratio, score_cutoff=_MIN_MATCH
        ):
            _, similarity, number = best
        else:
            return Response.json({"error": "Title match not found"}, 404)
        part = _part(self._records[number], fields)
        return Response.json({"data": [{**part, "matchScore": 2.5 * similarity}]})

    def _search(self, query: Mapping[str, str], fields: list[str]) -> Response:
        offset, limit = int(query.get("offset", 0)), int(query.get("limit", 100))
        if offset + limit >= _MAX_HITS or limit > 100:
            error = "Relevance search offset + limit must be < 1000"
            return Response.json({"error": error}, 400)
        hits = self._hits(query.get("query", ""), query.get("year", ""))
        if not hits:
            # Without "data", as the real one.
            return Response.json({"total": 0, "offset": 0})
        page = [_part(self._records[n], fields) for n in hits[offset : offset + limit]]
        answer = {"total": len(hits), "offset": offset, "data": page}
        if offset + limit < len(hits):
            answer["next"] = offset + limit
        return Response.json(answer)

    def _hits(self, text: str, years: str) -> list[int]:
        # Documented: hyphenated terms find nothing; observed: nor do apostrophes.
        if re.search("[-\u2010-\u2015\u2019]", text):
            return []
        scores = Counter(
            number for word in fold(text).split() for number in self._by_word[word]
        )
        low, high = _year_range(years)
        return [
            number
            for number, _ in sorted(scores.items(), key=lambda hit: (-hit[1], hit[0]))
            if low <= (self._records[number]["year"] or 0) <= high
        ]


def _year_range(written: str) -> tuple[int, int]:
    """Returns the bounds of ``2019``, ``2016-2020``, ``2010-``, ``-2015`` or ``""``."""
    first, dash, last = written.partition("-")
    return int(first or 0), int(last or (9999 if dash or not first else first))


def _record(work: Work, is_elided: bool) -> dict[str, Any]:
    ids = {
        "DOI": work.doi,
        "ArXiv": work.arxiv_id,
        "PubMed": work.pmid,
        "PubMedCentral": work.pmcid.removeprefix("PMC") if work.pmcid else None,
    }
    return {
        "paperId": work.paper_id,
        "externalIds": {name: value for name, value in ids.items() if value},
        "title": work.title,
        "abstract": None if is_elided else work.abstract or None,
        "year": work.year,
        "venue": work.venue,
        "authors": [{"authorId": None, "name": name} for name in work.authors],
        "openAccessPdf": {
            "url": "",
            "status": None,
            "license": None,
            "disclaimer": _NOTICE if is_elided else "",
        },
    }


def _ids(record: Mapping[str, Any]) -> list[str]:
    ids = record["externalIds"]
    named = {"DOI": "DOI", "ArXiv": "ARXIV", "PubMed": "PMID", "PubMedCentral": "PMCID"}
    written = [f"{named[kind]}:{value}" for kind, value in ids.items()]
    # A bare DOI passes as well.
    return [record["paperId"], *written, *([ids["DOI"]] if "DOI" in ids else [])]


def _words(record: Mapping[str, Any]) -> set[str]:
    authors = " ".join(author["name"] for author in record["authors"])
    parts = (record["title"], record["abstract"] or "", authors, str(record["year"]))
    return set(fold(" ".join(parts)).split())


def _part(record: Mapping[str, Any], fields: list[str]) -> dict[str, Any]:
    return {name: record.get(name) for name in ("paperId", *fields)}
