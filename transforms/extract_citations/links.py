"""Links citations to the entries of the document's reference list.  Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from transforms.extract_citations.markers import Marker
from transforms.extract_citations.named_authors import surnames_of
from transforms.names import family_name, fold, same_surname
from transforms.records import CitationKind, Reference


class ReferenceList:
    """The reference entries of one document, by what citations call them.

    Args:
      references: The entries in order.

    Attributes:
      surnames: Folded words of all authors' family names.
    """

    def __init__(self, references: Sequence[Reference]) -> None:
        self.surnames = surnames_of(references)
        self._by_id = {reference.ref_id: reference for reference in references}
        # One work is cited many times in the same words.
        self._found: dict[tuple[object, ...], tuple[Reference, ...]] = {}
        self._by_label: dict[str, list[Reference]] = defaultdict(list)
        self._by_name: dict[tuple[str, str], list[int]] = defaultdict(list)
        self._organisations: dict[str, list[int]] = defaultdict(list)
        self._references = references
        # Markdown numbers its lists without saying so in an entry.
        labelled = any(reference.label for reference in references)
        for number, reference in enumerate(references):
            label = reference.label if labelled else str(number + 1)
            self._by_label[label].append(reference)
            year, first = str(reference.year or ""), reference.authors[:1]
            for key in _author_keys(*first):
                self._by_name[year, key].append(number)
            if first and "," not in first[0]:
                self._organisations[year].append(number)

    def __len__(self) -> int:
        return len(self._by_id)

    def find(self, marker: Marker) -> tuple[Reference, ...]:
        """Returns the entries that ``marker`` may point to, in list order.

        One entry is a link; several are an ambiguous link, never a guess; none
        means that the list has no such entry.
        """
        if marker.ref_ids:
            return tuple(self._by_id[i] for i in marker.ref_ids if i in self._by_id)
        if marker.kind is CitationKind.NUMBERED:
            return tuple(self._by_label.get(marker.label, ()))
        if marker.kind is CitationKind.AUTHOR_YEAR and marker.surnames:
            return self._by_authors(marker)
        return ()

    def names(self, marker: Marker, ref_id: str) -> bool:
        """Tells whether an author-year marker reads as a citation of one entry."""
        return any(entry.ref_id == ref_id for entry in self._by_authors(marker))

    def _by_authors(self, marker: Marker) -> tuple[Reference, ...]:
        cited = (marker.surnames, marker.et_al, marker.year, marker.year_suffix)
        if cited not in self._found:
            self._found[cited] = self._search_authors(marker)
        return self._found[cited]

    def _search_authors(self, marker: Marker) -> tuple[Reference, ...]:
        year = marker.year if marker.year[:1].isdigit() else ""
        surname = marker.surnames[0]
        keys = _keys(surname)
        numbers = {n for key in keys for n in self._by_name.get((year, key), ())}
        numbers.update(
            number
            for number in self._organisations.get(year, ())
            if _is_acronym(surname, self._references[number].authors[0])
        )
        found = [
            reference
            for reference in (self._references[n] for n in sorted(numbers))
            if _names_first_author(surname, reference)
            and not _other_suffix(marker, reference)
        ]
        for narrower in (_same_suffix, _same_coauthors, _same_count):
            if len(found) > 1:
                found = [r for r in found if narrower(marker, r)] or found
        return tuple(found)


def _author_keys(author: str = "") -> set[str]:
    return _keys(author) | _keys(family_name(author)) if author else set()


def _keys(name: str) -> set[str]:
    """Returns what a name is indexed under: two that can be one share a key."""
    words = fold(name).split() or [""]
    joined = "".join(words)
    return {joined, joined.removeprefix("the"), words[-1]}


def _names_first_author(surname: str, reference: Reference) -> bool:
    first = reference.authors[0]
    return (
        same_surname(surname, first)
        or _is_acronym(surname, first)
        or fold(surname) == fold(family_name(first))
    )


def _is_acronym(surname: str, author: str) -> bool:
    """Tells whether an organisation is cited by its acronym."""
    letters = surname.replace(".", "")
    if not letters.isupper() or len(letters) < 2 or "," in author:
        return False
    if letters in author:
        return True
    capitals = [word[0] for word in author.split() if word[0].isupper()]
    return "".join(capitals) == letters


def _other_suffix(marker: Marker, reference: Reference) -> bool:
    suffixes = {marker.year_suffix, reference.year_suffix} - {""}
    return len(suffixes) > 1


def _same_suffix(marker: Marker, reference: Reference) -> bool:
    return marker.year_suffix == reference.year_suffix


def _same_coauthors(marker: Marker, reference: Reference) -> bool:
    others = marker.surnames[1:]
    if not others:
        return True
    written = reference.authors[1 : 1 + len(others)]
    return len(written) == len(others) and all(map(same_surname, others, written))


def _same_count(marker: Marker, reference: Reference) -> bool:
    named, listed = len(marker.surnames), len(reference.authors)
    # "et al." is for three authors or more in every common style.
    return listed > max(named, 2) if marker.et_al else listed == named
