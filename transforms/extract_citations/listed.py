"""Lists the references of a document with the citations that point to them.  Pure."""

from __future__ import annotations

import dataclasses
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from rapidfuzz import fuzz

from transforms import identifiers
from transforms.extract_citations.links import ReferenceList
from transforms.extract_citations.markers import Marker
from transforms.names import family_name, fold
from transforms.records import Reference
from transforms.reference_records import ListedReference
from transforms.titles import normalise_title

# In percent.  One wrong identifier must not make two works one.
_LIKE_TITLE = 60.0


def list_references(
    doc_id: str,
    entries: Sequence[Reference],
    markers: Sequence[Marker],
    references: ReferenceList,
) -> Iterator[ListedReference]:
    """Yields every entry, in order, with what cites it and what it repeats.

    Args:
      doc_id: The document.
      entries: The entries of its reference list.
      markers: Its citations in reading order, selected or not.
      references: The same entries, by what citations call them.
    """
    cited_in: dict[str, list[str]] = defaultdict(list)
    for ordinal, marker in enumerate(markers, start=1):
        found = references.find(marker)
        if len(found) == 1:
            cited_in[found[0].ref_id].append(f"{doc_id}#{ordinal}")
    firsts = first_entries(entries)
    for ordinal, entry in enumerate(entries, start=1):
        first = firsts[ordinal - 1]
        yield ListedReference(
            doc_id,
            entry,
            ordinal,
            tuple(cited_in[entry.ref_id]),
            same_as="" if first is entry else first.ref_id,
        )


def with_unique_ids(entries: Sequence[Reference]) -> tuple[Reference, ...]:
    """Returns entries of which no two have one id: the second ``b1`` is ``b1-2``."""
    taken: set[str] = set()
    numbers: Counter[str] = Counter()
    unique = []
    for entry in entries:
        ref_id = entry.ref_id
        while ref_id in taken:
            numbers[entry.ref_id] += 1
            ref_id = f"{entry.ref_id}-{numbers[entry.ref_id] + 1}"
        taken.add(ref_id)
        is_new = ref_id == entry.ref_id
        unique.append(entry if is_new else dataclasses.replace(entry, ref_id=ref_id))
    return tuple(unique)


def first_entries(entries: Sequence[Reference]) -> list[Reference]:
    """Returns, for each entry, the first of the list that is of the same work.

    They share an identifier and have no titles of two works, or share title, first
    author and year.
    """
    known: dict[str, Reference] = {}
    firsts = []
    for entry in entries:
        keys = _keys(entry)
        alike = (known[key] for key in keys if key in known)
        first = next((other for other in alike if _may_be_one(entry, other)), entry)
        for key in keys:
            known.setdefault(key, first)
        firsts.append(first)
    return firsts


def _may_be_one(entry: Reference, other: Reference) -> bool:
    titles = normalise_title(entry.title), normalise_title(other.title)
    return not all(titles) or fuzz.token_set_ratio(*titles) >= _LIKE_TITLE


def _keys(entry: Reference) -> list[str]:
    keys = list(
        identifiers.keys(
            doi=entry.doi, arxiv=entry.arxiv_id, pmid=entry.pmid, pmcid=entry.pmcid
        )
    )
    title = normalise_title(entry.title)
    if title and entry.authors:
        surname = fold(family_name(entry.authors[0]))
        keys.append(f"title:{title}|{surname}|{entry.year}")
    return keys
