"""Turns citations into lookups: what to ask an index, and under which key.  Pure."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence

from transforms import identifiers
from transforms.identity import described, listed_authors
from transforms.names import fold
from transforms.records import Citation, Entry, Lookup
from transforms.titles import normalise_title

_MAX_TERMS = 6
_MIN_TERM_LETTERS = 5

# Words that say how a claim is made, not what it is about.
_COMMON_WORDS = """
about above according across actually after again against almost along already although
always among another approximately around article associated author authors based became
because become before being below besides between both cannot clear clearly commonly
compared consistent contrast could current currently demonstrate demonstrated
demonstrates described despite different doing during earlier either especially evidence
example except extent finding findings first found fourth further furthermore generally
given having hence however identified important including increasingly indeed indicate
indicated indicates instead itself known largely later likely literature little mainly
moreover mostly nearly never nevertheless often other others otherwise paper particular
particularly perhaps possible potential present presented previous previously proposed
provide provided provides quite rather recent recently remains report reported reports
research respectively result results review reviewed revealed second several shall
should showed shown shows significant significantly similar similarly simply since
sometimes still studied studies study subsequent subsequently suggest suggested
suggesting suggests support supported supports their theirs themselves there thereby
therefore these thing things think third those though three through throughout together
toward towards typically under understood unless unlike until using usually various
versus where whereas whether which while whole whose widely within without would years
"""
_COMMON = frozenset(_COMMON_WORDS.split())


def lookup_for(citation: Citation) -> Lookup:
    """Returns the lookup of the work that ``citation`` cites.

    The key names the work by the best that is known of it: the identifier in the
    text, an identifier of the linked reference entry, the entry's title, else
    surnames, year and words of the claim.  Everything known rides along, for an
    index that does not answer to the key.  Where several reference entries fit, the
    lookup names them and nothing else: what cannot be told apart is not looked up.

    Args:
      citation: The citation, with its reference entry where one is linked.

    Returns:
      The lookup; citations of one work have equal keys, not equal lookups.
    """
    if citation.reference_candidates and not citation.identifier:
        return _of_rivals(citation)
    ids = _identifiers(citation)
    entry = described(citation)
    lookup = Lookup(
        key="",
        doi=ids["doi"],
        arxiv_id=ids["arxiv"],
        pmid=ids["pmid"],
        pmcid=ids["pmcid"],
        title=entry.title,
        surnames=entry.surnames,
        et_al=_et_al(citation),
        year=entry.year,
        year_suffix="" if citation.reference else citation.year_suffix,
        terms=() if entry.title else claim_terms(citation.claim_unmarked),
        entries=(entry,),
    )
    return dataclasses.replace(lookup, key=_key(citation, lookup))


def _of_rivals(citation: Citation) -> Lookup:
    rivals = citation.reference_candidates
    key = f"entries:{citation.doc_id}|{'+'.join(rivals)}"
    return Lookup(key=key, rivals=rivals)


def merge(lookups: Iterable[Lookup]) -> Lookup:
    """Returns one lookup that knows what all lookups of one key know.

    The result does not depend on order or grouping: each part is the greatest
    under a fixed order, so the function can combine its own results.

    Args:
      lookups: At least one lookup, all of one key.

    Raises:
      ValueError: If there is none.
    """
    known = list(lookups)
    surnames, et_al = max(
        ((lookup.surnames, lookup.et_al) for lookup in known),
        key=lambda pair: (len(pair[0]), pair),
    )
    return Lookup(
        key=known[0].key,
        doi=_least(lookup.doi for lookup in known),
        arxiv_id=_least(lookup.arxiv_id for lookup in known),
        pmid=_least(lookup.pmid for lookup in known),
        pmcid=_least(lookup.pmcid for lookup in known),
        title=max((lookup.title for lookup in known), key=lambda t: (len(t), t)),
        surnames=surnames,
        et_al=et_al,
        year=min((k.year for k in known if k.year is not None), default=None),
        year_suffix=max(lookup.year_suffix for lookup in known),
        terms=_best_terms(term for lookup in known for term in lookup.terms),
        entries=_distinct(entry for lookup in known for entry in lookup.entries),
        rivals=known[0].rivals,
    )


def identifier_keys(lookup: Lookup) -> tuple[str, ...]:
    """Returns the keys of the lookup's identifiers, the most telling first.

    That is the one in the text, which the key is made of, whatever its kind.
    """
    keys = identifiers.keys(
        doi=lookup.doi,
        arxiv=lookup.arxiv_id,
        pmid=lookup.pmid,
        pmcid=lookup.pmcid,
    )
    return tuple(sorted(keys, key=lambda key: key != lookup.key))


def title_key(title: str, surname: str, year: int | None) -> str:
    """Returns the key of a work that is known by its title.

    Args:
      title: The title as printed.
      surname: Surname of the first author, or ``""``.
      year: Year of publication, or None.
    """
    return f"title:{normalise_title(title)}|{year or ''}|{fold(surname)}"


def author_year_key(
    surnames: Sequence[str], year: int | None, terms: Sequence[str]
) -> str:
    """Returns the key of a search by surnames, year and words of the claim."""
    return f"author-year:{_joined(surnames)}|{year or ''}|{' '.join(terms)}"


def claim_terms(claim: str) -> tuple[str, ...]:
    """Returns up to six words of a claim that say most of what it is about.

    Args:
      claim: A sentence without citation markers.

    Returns:
      Folded words of at least five letters, the longest first, then by alphabet;
      the parts of a hyphenated word are words of their own.
    """
    return _best_terms(
        word
        for word in fold(claim).split()
        if len(word) >= _MIN_TERM_LETTERS and word.isalpha() and word not in _COMMON
    )


def _key(citation: Citation, lookup: Lookup) -> str:
    """Returns the key of the best that is known."""
    if citation.identifier:
        kind, _, value = citation.identifier.partition(":")
        ids = {"doi": None, "arxiv": None, "pmid": None, "pmcid": None, kind: value}
        keys = identifiers.keys(
            doi=ids["doi"], arxiv=ids["arxiv"], pmid=ids["pmid"], pmcid=ids["pmcid"]
        )
        return keys[0] if keys else citation.identifier
    if keys := identifier_keys(lookup):
        return keys[0]
    surnames = lookup.surnames
    if lookup.title:
        return title_key(lookup.title, surnames[0] if surnames else "", lookup.year)
    # Two works of one year in one sentence must not become one lookup.
    cited = (*surnames, "et al") if lookup.et_al else surnames
    year = f"{lookup.year or ''}{citation.year_suffix}"
    return f"author-year:{_joined(cited)}|{year}|{' '.join(lookup.terms)}"


def _identifiers(citation: Citation) -> dict[str, str | None]:
    """Returns the identifier of each kind; the text's own goes before the entry's."""
    ids: dict[str, str | None] = dict.fromkeys(("doi", "arxiv", "pmid", "pmcid"))
    if reference := citation.reference:
        ids["doi"], ids["arxiv"] = reference.doi, reference.arxiv_id
        ids["pmid"], ids["pmcid"] = reference.pmid, reference.pmcid
    if citation.identifier:
        kind, _, value = citation.identifier.partition(":")
        ids[kind] = value
    return ids


def _et_al(citation: Citation) -> bool:
    """Tells whether there are more authors than are known.

    An entry whose list was read only in part does not overrule an ``et al.`` in
    the text.
    """
    named = listed_authors(citation)
    if citation.reference is None or not named:
        return citation.et_al
    is_shortened = len(named) < len(citation.reference.authors)
    return is_shortened or (citation.et_al and len(named) < 3)


def _joined(surnames: Sequence[str]) -> str:
    return "+".join(fold(surname) for surname in surnames)


def _least(values: Iterable[str | None]) -> str | None:
    return min((value for value in values if value is not None), default=None)


def _distinct(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Returns entries each once, in an order that does not depend on theirs."""
    return tuple(sorted(set(entries), key=repr))


def _best_terms(terms: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(terms), key=lambda t: (-len(t), t))[:_MAX_TERMS])
