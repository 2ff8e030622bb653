"""Reads labelled pairs: a claim, the work that it cites, and what a reader says of it.

A file is JSON Lines or Parquet, one pair a row.  Columns:

    id, claim, title, abstract    needed
    label                         what a reader says: supported, not_supported, ...;
                                  or reader_1 and reader_2, kept where they agree
    worth_a_minute                whether an editor should look; or .._1 and .._2,
                                  true where both say so
    previous                      the sentence before the claim
    section                       heading of the section that it stands in
    marker                        the citation as printed, within the claim
    group                         the citing document (or citing_doi, doc_id)
    work                          the cited work (or cited_doi, cited_pmcid, ...)
    authors                       of the cited work, a list
    origin                        swapped, where the work is not the one cited

In a claim, ⟦T⟧ or CITED stands for the citation that is judged, ⟦O⟧ or OTHER for
another one.
"""

from __future__ import annotations

import dataclasses
import json
import pathlib
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.exits import UsageError
from transforms.extract_citations.all_markers import find_markers
from transforms.extract_citations.claims import strip_markers
from transforms.extract_citations.clauses import clause_of
from transforms.extract_citations.links import ReferenceList
from transforms.printable import printable
from transforms.records import Document
from transforms.sentences import Span

# Labels by which a pair counts as rightly cited, lower case.
RIGHT_LABELS = frozenset(["supported", "supports", "cited_unverified", "own", "right"])
DISPUTED = "disputed"
UNLABELLED = "unlabelled"

_NEEDED = ("id", "claim", "title", "abstract")
_WORTHS = ("worth_a_minute", "worth_a_minute_1", "worth_a_minute_2")
_GROUPS = ("group", "citing_doi", "doc_id")
_WORKS = ("work", "cited_doi", "cited_pmcid", "s2_corpus_id")
_TARGET = re.compile(r"⟦T⟧|<\|(?:multi_)?cit\|>|CITED(?:\+OTHERS)?\b")
_OTHER = re.compile(r"⟦O⟧|<\|other_cit\|>|\bOTHER\b")


@dataclasses.dataclass(frozen=True, slots=True)
class Pair:
    """One claim with the work that it is held against.

    Attributes:
      pair_id: Identifier, unique in its data set.
      claim: The sentence as given, markers and all.
      target: Span in ``claim`` of the citation that is judged; empty at the end of
        the claim where none is marked.
      clause: Span in ``claim`` of the part that this citation closes.
      claim_unmarked: The claim without markers.
      previous: The sentence before it, without markers, or ``""``.
      section: Heading of its section, or ``""``.
      title: Title of the work.
      abstract: Abstract of the work.
      authors: Names of its authors; empty if not known.
      label: The label, lower case.
      worth: Whether the pair is worth an editor's minute; None if nobody said.
      is_swapped: Whether the work is known not to be the one cited.
      group: Key of the citing document; the pair's own id if not known.
      work: Key of the cited work.
    """

    pair_id: str
    claim: str
    target: Span
    clause: Span
    claim_unmarked: str
    previous: str
    section: str
    title: str
    abstract: str
    authors: tuple[str, ...]
    label: str
    worth: bool | None
    is_swapped: bool
    group: str
    work: str

    @property
    def is_right(self) -> bool:
        """Whether the work is, as far as is known, the one rightly cited."""
        if self.is_swapped:
            return False
        return self.label in RIGHT_LABELS or self.worth is not None


def read_pairs(path: pathlib.Path) -> list[Pair]:
    """Reads a file of labelled pairs, in order.

    Raises:
      UsageError: If the file cannot be read, lacks a column or repeats an id; says
        which file, which row and what to do.
    """
    pairs = []
    seen = set()
    for number, row in enumerate(_rows(path), start=1):
        if fault := _fault(row):
            raise UsageError(f"{path}: row {number} {fault}")
        pair = _pair(row)
        if pair.pair_id in seen:
            raise UsageError(f"{path}: row {number} repeats the id {pair.pair_id!r}")
        seen.add(pair.pair_id)
        pairs.append(pair)
    if not pairs:
        raise UsageError(f"{path}: no pairs in it")
    return pairs


def _rows(path: pathlib.Path) -> Iterator[Mapping[str, Any]]:
    try:
        if path.suffix.lower() == ".parquet":
            yield from pq.read_table(path).to_pylist()
            return
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield _object(line, f"{path}, line {number}")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: not UTF-8; give JSON Lines or Parquet") from error
    except pa.ArrowInvalid as error:
        raise UsageError(f"{path}: no readable Parquet file") from error
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from error


def _object(line: str, place: str) -> Mapping[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{place}: not JSON; give one object a line") from error
    if not isinstance(row, dict):
        raise UsageError(f"{place}: not a JSON object; give one a line")
    return {key: printable(v) if isinstance(v, str) else v for key, v in row.items()}


def _fault(row: Mapping[str, Any]) -> str:
    """Returns what keeps a row from being a pair and what to do, ``""`` if nothing."""
    for name in _NEEDED:
        if not isinstance(_text(row, name), str):
            return f"has no {name}; a pair needs {', '.join(_NEEDED)} and a label"
    authors = row.get("authors") or []
    if not isinstance(authors, list) or not all(isinstance(a, str) for a in authors):
        return "has authors that are no names; give a list of names"
    for name in _WORTHS:
        if row.get(name) not in (None, True, False):
            return f"has a {name} other than true, false and null; give one of these"
    return ""


def _pair(row: Mapping[str, Any]) -> Pair:
    claim = row["claim"]
    target, spans = _markers(claim, _first(row, ("marker",)))
    whole = (0, len(claim))
    identifier = str(row["id"])
    return Pair(
        pair_id=identifier,
        claim=claim,
        target=target,
        # Of a citation that is not marked, nobody knows which clause it closes.
        clause=clause_of(claim, whole, target, spans) if target in spans else whole,
        claim_unmarked=strip_markers(claim, whole, spans),
        previous=_unmarked(_first(row, ("previous", "previous_sentence"))),
        section=_first(row, ("section",)),
        title=row["title"],
        abstract=row["abstract"],
        authors=tuple(row.get("authors") or ()),
        label=_label(row),
        worth=_worth(row),
        is_swapped=row.get("origin") == "swapped",
        group=_first(row, _GROUPS) or identifier,
        work=_first(row, _WORKS) or row["title"],
    )


def _markers(claim: str, marker: str) -> tuple[Span, list[Span]]:
    """Returns the span of the citation that is judged, and those of all.

    The span is empty, and not among all, where no citation is marked.
    """
    signs = [match.span() for match in _TARGET.finditer(claim)]
    if signs:
        others = [match.span() for match in _OTHER.finditer(claim)]
        return signs[0], sorted({*signs, *others, *_printed(claim)})
    at = claim.find(marker) if marker else -1
    if at < 0:
        return (len(claim), len(claim)), sorted(_printed(claim))
    target = (at, at + len(marker))
    return target, sorted({target, *_printed(claim)})


def _printed(text: str) -> list[Span]:
    found = find_markers(Document("", "", text), ReferenceList(()))
    return [(marker.start, marker.end) for marker in found]


def _unmarked(text: str) -> str:
    signs = [*_TARGET.finditer(text), *_OTHER.finditer(text)]
    spans = sorted({*(match.span() for match in signs), *_printed(text)})
    return strip_markers(text, (0, len(text)), spans)


def _text(row: Mapping[str, Any], name: str) -> Any:
    value = row.get(name)
    return str(value) if name == "id" and isinstance(value, int) else value


def _first(row: Mapping[str, Any], names: tuple[str, ...]) -> str:
    return next((str(row[name]) for name in names if row.get(name)), "")


def _label(row: Mapping[str, Any]) -> str:
    if row.get("label"):
        return str(row["label"]).lower()
    first, second = row.get("reader_1"), row.get("reader_2")
    if not first or not second:
        return UNLABELLED
    labels = {str(first).lower(), str(second).lower()}
    return labels.pop() if len(labels) == 1 else DISPUTED


def _worth(row: Mapping[str, Any]) -> bool | None:
    together, *apart = (row.get(name) for name in _WORTHS)
    if together is not None:
        return bool(together)
    return all(apart) if None not in apart else None
