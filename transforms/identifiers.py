"""Finds and normalises DOI, arXiv, PubMed and PubMed Central identifiers.

Canonical forms: a DOI is lower case without prefix, percent-encoding or trailing
punctuation; an arXiv id has no version; a PMID is digits; a PMCID is
``PMC<digits>``.  A *key* is a canonical form behind its kind: ``doi:10.1000/xyz``.
"""

from __future__ import annotations

import dataclasses
import re
import urllib.parse
from collections.abc import Iterator

from transforms.records import CitationKind

# Registrant codes may be long and subdivided: 10.99999.88.
_DOI = re.compile(
    r"10\.\d{4,9}(?:\.\d{1,9}){0,4}(?:/|%2[fF]|%252[fF])"
    # Longer ones are no DOIs, and trimming them would take long.
    r"[^\s\"“”‘’«»{}|\\^`\ud800-\udfff]{1,400}"
)
_ARXIV_NEW = r"\d{4}\.\s?\d{4,5}"
_ARXIV_OLD = r"[a-z]{2,8}(?:-[a-z]{2,3})?(?:\.[A-Z]{2})?/\d{7}"
_ARXIV = re.compile(
    r"(?:arxiv)(?:\.org/(?:abs|pdf|html)/|\s?(?:preprint\s)?:?\s?)"
    rf"(?P<id>{_ARXIV_NEW}|{_ARXIV_OLD})(?P<version>v\d{{1,2}})?(?:\.pdf)?(?![\w/])",
    re.IGNORECASE,
)
_ARXIV_ID = re.compile(rf"(?:{_ARXIV_NEW}|{_ARXIV_OLD})$")
_ARXIV_VERSION = re.compile(r"v\d{1,2}$")
_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(?P<id>.+)$", re.IGNORECASE)
_PMID = re.compile(
    r"(?:pubmed\.ncbi\.nlm\.nih\.gov/|pubmed/|PMID\s?:?\s?|PubMed\sID\s?:?\s?)"
    r"(?P<id>[1-9]\d{0,7})(?!\d)"
)
_PMCID = re.compile(r"PMC(?P<id>[1-9]\d{3,8})(?!\d)")
# What stands before an identifier and belongs to it: a link or a label.
_BEFORE = re.compile(
    r"(?:https?://)?(?:(?:dx\.|www\.)?doi\.org/(?:doi:)?|(?:www\.|export\.)?"
    r"|(?:www\.)?ncbi\.nlm\.nih\.gov/(?:pmc/articles/)?"
    r"|pmc\.ncbi\.nlm\.nih\.gov/articles/)\Z"
    r"|(?:doi|pmcid)\s{0,2}[:=]?\s{0,2}\Z",
    re.IGNORECASE,
)
_MAX_BEFORE_CHARS = 48

# Tails that landing pages and markup leave behind a DOI.
_DOI_TAIL = re.compile(
    r"(?:/(?:abstract|full|fulltext|pdf|epdf|meta|summary)|\.(?:pdf|full|abstract))$"
)
_MARKUP = re.compile(r"</?[a-zA-Z][a-zA-Z:-]*/?>?$|<(?=/)|&(?:lt|gt|amp|quot);?$")
_CLOSERS = {")": "(", "]": "[", ">": "<"}
_DIGITS_AND_STOP = tuple("0123456789.")
_PUNCTUATION = ".,;:!?'\"*_…·、。，；）】"


@dataclasses.dataclass(frozen=True, slots=True)
class Mention:
    """An identifier in running text.

    Attributes:
      start: Offset of the first character, prefix or link included.
      end: Offset one past the last character.
      kind: What kind of identifier it is.
      key: Its canonical key.
    """

    start: int
    end: int
    kind: CitationKind
    key: str


def find_identifiers(text: str) -> Iterator[Mention]:
    """Yields every identifier in ``text``; an arXiv DOI is an arXiv id.

    Yields:
      Mentions by kind, then position; mentions of one kind do not overlap.
    """
    for match in _DOI.finditer(text):
        written = _trim_doi(match.group())
        if text[max(0, match.start() - 1) : match.start()] in _DIGITS_AND_STOP:
            continue
        if (value := doi(written)) is None:
            continue
        arxiv = _ARXIV_DOI.match(value)
        key = f"doi:{value}"
        kind = CitationKind.DOI
        if arxiv and (arxiv_key := arxiv_id(arxiv["id"])):
            kind, key = CitationKind.ARXIV, f"arxiv:{arxiv_key}"
        start = _with_prefix(text, match.start())
        yield Mention(start, match.start() + len(written), kind, key)
    for match in _matches(_ARXIV, text, ("arXiv", "arxiv", "ArXiv", "ARXIV")):
        key = "arxiv:" + "".join(match["id"].split())
        start = _with_prefix(text, match.start())
        yield Mention(start, match.end(), CitationKind.ARXIV, key)
    for match in _matches(_PMID, text, ("PMID", "PubMed ID", "pubmed")):
        key = f"pmid:{match['id']}"
        start = _with_prefix(text, match.start())
        yield Mention(start, match.end(), CitationKind.PMID, key)
    for match in _matches(_PMCID, text, ("PMC",)):
        key = f"pmcid:PMC{match['id']}"
        start = _with_prefix(text, match.start())
        yield Mention(start, match.end(), CitationKind.PMCID, key)


def _matches(
    pattern: re.Pattern[str], text: str, words: tuple[str, ...]
) -> Iterator[re.Match[str]]:
    """Yields matches that begin with one of ``words``, which are found fast."""
    for word in words:
        at = text.find(word)
        while at >= 0:
            if not (at and text[at - 1].isalnum()) and (m := pattern.match(text, at)):
                yield m
            at = text.find(word, at + len(word))


def _with_prefix(text: str, start: int) -> int:
    """Returns where the link or label before an identifier begins."""
    before = _BEFORE.search(text, max(0, start - _MAX_BEFORE_CHARS), start)
    return before.start() if before else start


def doi(written: str | None) -> str | None:
    """Returns the canonical DOI in ``written``, or None where there is none.

    Args:
      written: A DOI in any form: bare, prefixed, as a link, percent-encoded.
    """
    match = _DOI.search(written or "")
    if match is None:
        return None
    value = _trim_doi(match.group())
    for _ in range(2):
        if "%" in value:
            value = urllib.parse.unquote(value)
    return value.lower() if "/" in value.rstrip("/") else None


def arxiv_id(written: str | None) -> str | None:
    """Returns the arXiv id in ``written`` without its version, or None."""
    value = re.sub(r"\s", "", written or "")
    match = _ARXIV_DOI.search(value) or _ARXIV.search(value)
    if match:
        value = match["id"]
    value = _ARXIV_VERSION.sub("", value.rstrip(_PUNCTUATION))
    return value if _ARXIV_ID.match(value) else None


def pmid(written: str | None) -> str | None:
    """Returns the PubMed id in ``written`` as digits, or None."""
    match = re.fullmatch(r"(?:PMID:?\s*)?0*([1-9]\d{0,7})", (written or "").strip())
    return match[1] if match else None


def pmcid(written: str | None) -> str | None:
    """Returns the PubMed Central id in ``written`` as ``PMC<digits>``, or None."""
    match = re.fullmatch(
        r"(?:PMCID:?\s*)?(?:PMC)?([1-9]\d{0,8})(?:\.\d+)?", (written or "").strip()
    )
    return f"PMC{match[1]}" if match else None


def typed(kind: str, written: str) -> tuple[CitationKind, str] | None:
    """Returns kind and canonical form of an identifier that a format labels.

    Args:
      kind: The format's name of the kind: ``doi``, ``pmid``, ``pmc``, ``arxiv``.
      written: The identifier as the format has it.
    """
    readers = {
        "doi": (CitationKind.DOI, doi),
        "pmid": (CitationKind.PMID, pmid),
        "pmc": (CitationKind.PMCID, pmcid),
        "pmcid": (CitationKind.PMCID, pmcid),
        "arxiv": (CitationKind.ARXIV, arxiv_id),
    }
    if kind.lower() not in readers:
        return None
    known, read = readers[kind.lower()]
    value = read(written)
    return (known, value) if value else None


def keys(
    *, doi: str | None, arxiv: str | None, pmid: str | None, pmcid: str | None
) -> tuple[str, ...]:
    """Returns the keys of canonical identifiers, the most telling first.

    An arXiv DOI is asked for as an arXiv id: indexes hold duplicates without
    abstract under the DOI.
    """
    found = []
    if doi and (match := _ARXIV_DOI.match(doi)):
        arxiv, doi = arxiv or arxiv_id(match["id"]), None
    if doi:
        found.append(f"doi:{doi}")
    if arxiv:
        found.append(f"arxiv:{arxiv}")
    if pmid:
        found.append(f"pmid:{pmid}")
    if pmcid:
        found.append(f"pmcid:{pmcid}")
    return tuple(found)


def _trim_doi(value: str) -> str:
    """Drops markup, punctuation and unbalanced brackets from the end of a DOI."""
    while value:
        shorter = _DOI_TAIL.sub("", _MARKUP.sub("", value)).rstrip(_PUNCTUATION)
        closer = shorter[-1:]
        opener = _CLOSERS.get(closer)
        if opener and shorter.count(opener) < shorter.count(closer):
            shorter = shorter[:-1]
        if shorter == value:
            break
        value = shorter
    return value
