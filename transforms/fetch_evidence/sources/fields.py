"""Reads fields of records from outside, whatever their type turns out to be.  Pure."""

from __future__ import annotations

import re
from typing import Any

from transforms import identifiers
from transforms.fetch_evidence.sources.base import MalformedAnswer

_YEARS = range(1000, 2200)
_RETRACTED = re.compile(r"(?:RETRACTED\b|Retracted(?:[ :]+article\b|:))", re.IGNORECASE)


def text(value: Any) -> str:
    """Returns a text field; a number of an id counts, any other type is nothing."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value.strip() if isinstance(value, str) else ""


def whole(value: Any) -> int | None:
    """Returns a year that is given as a number or as digits, else None."""
    digits = text(value)
    if not (digits.isascii() and digits.isdecimal() and len(digits) == 4):
        return None
    return int(digits) if int(digits) in _YEARS else None


def notices(title: str, *, is_retracted: bool = False) -> tuple[str, ...]:
    """Returns the editorial notices on a work: ``retraction`` or none.

    Args:
      title: Title in the record; publishers mark it where a work is retracted.
      is_retracted: Whether the record says so in another way.
    """
    return ("retraction",) if is_retracted or _RETRACTED.match(title) else ()


def first(value: Any) -> str:
    """Returns a text field, or the first of a list of them."""
    return text(next(iter(value), "")) if isinstance(value, list) else text(value)


def items(value: Any, what: str) -> list[Any]:
    """Returns a list.

    Args:
      value: What should be one.
      what: Its name, for the message.

    Raises:
      MalformedAnswer: If it is none.
    """
    if not isinstance(value, list):
        raise MalformedAnswer(f"{what} is not a list")
    return value


def split_doi(written: str) -> tuple[str | None, str | None]:
    """Returns the DOI and the arXiv id in a field; the DOI of a preprint is an id."""
    doi = identifiers.doi(written)
    if doi and doi.startswith("10.48550/") and (arxiv := identifiers.arxiv_id(doi)):
        return None, arxiv
    return doi, None


def full_name(family: str, given: str, other: str = "") -> str:
    """Returns a name as ``Family, Given``; of a group, the one that it has."""
    return f"{family}, {given}" if family and given else family or other or given
