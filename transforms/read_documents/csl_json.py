"""Reads a bibliography in CSL-JSON as references.  Pure; nothing raises."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from transforms import identifiers
from transforms.read_documents.latex_symbols import print_plain
from transforms.records import Reference

_YEAR = re.compile(r"(?<!\d)((?:1[5-9]|20)\d\d)([a-z]?)(?!\w)")
_TAG = re.compile(r"</?(?:i|b|sup|sub|span|sc|em)(?:\s[^<>]{0,200})?>")
_VENUES = ("container-title", "collection-title", "publisher")


def read_csl_json(
    text: str, keys: Collection[str] | None = None
) -> dict[str, Reference]:
    """Reads the items of a bibliography.

    Args:
      text: The JSON: a list of items, or an object that holds one.
      keys: The items to read; None for all.

    Returns:
      The references by id, in order; what is no item is left out.
    """
    found: dict[str, Reference] = {}
    for item in _items(text):
        key = item.get("id", item.get("citation-key"))
        if isinstance(key, str | int) and (keys is None or str(key) in keys):
            found.setdefault(str(key), _reference(str(key), item))
    return found


def _items(text: str) -> list[dict[str, Any]]:
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        return []
    if isinstance(parsed, dict):
        parsed = parsed.get("references", parsed.get("items"))
    if not isinstance(parsed, list):
        return []
    return [item for item in parsed if isinstance(item, dict)]


def _reference(key: str, item: Mapping[str, Any]) -> Reference:
    authors = tuple(_names(item.get("author"))) or tuple(_names(item.get("editor")))
    title = _text(item, "title").rstrip(" .")
    venue = next(filter(None, (_text(item, name) for name in _VENUES)), "")
    year = _YEAR.search(_date(item.get("issued")))
    doi, url = identifiers.doi(_text(item, "DOI")), _text(item, "URL")
    printed_names = ", ".join(name.replace(",", "") for name in authors)
    printed_doi = f"doi:{doi}" if doi else ""
    parts = (printed_names, year[0] if year else "", title, venue, printed_doi)
    return Reference(
        ref_id=key,
        raw=". ".join(filter(None, parts)),
        authors=authors,
        year=int(year[1]) if year else None,
        year_suffix=year[2] if year else "",
        title=title,
        venue=venue,
        doi=doi or identifiers.doi(url),
        arxiv_id=identifiers.arxiv_id(_text(item, "arxiv") or url),
        pmid=identifiers.pmid(_text(item, "PMID")),
        pmcid=identifiers.pmcid(_text(item, "PMCID")),
        volume=_text(item, "volume"),
        pages=_text(item, "page"),
        work_type=_text(item, "type"),
    )


def _names(names: Any) -> Iterator[str]:
    for name in names if isinstance(names, list) else ():
        if not isinstance(name, dict):
            continue
        particle = _text(name, "non-dropping-particle") or _text(
            name, "dropping-particle"
        )
        family = f"{particle} {_text(name, 'family')}".strip()
        given = f"{_text(name, 'given')} {_text(name, 'suffix')}".strip()
        if family:
            yield f"{family}, {given}" if given else family
        elif literal := _text(name, "literal") or given:
            yield literal.replace(",", "")


def _date(date: Any) -> str:
    """Returns a date as text that begins with its year."""
    if not isinstance(date, dict):
        return ""
    parts = date.get("date-parts")
    while isinstance(parts, list) and parts:
        parts = parts[0]
    if isinstance(parts, str | int):
        return str(parts)
    return _text(date, "literal") or _text(date, "raw")


def _text(item: Mapping[str, Any], name: str) -> str:
    value = item.get(name, "")
    if not isinstance(value, str | int):
        return ""
    return print_plain(_TAG.sub("", str(value)))
