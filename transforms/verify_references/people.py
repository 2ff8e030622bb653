"""Reads the names of authors, as lists print them and indexes give them.  Pure."""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Iterable

from transforms.names import PARTICLES, family_name, fold

# Longer "names" are misread lists.
_MAX_NAME_CHARS = 200
_OTHERS = re.compile(r"(?:and )?(?:\d+ )?(?:others|et al)(?: .*)?$|and$|etc$")
# DBLP tells people of one name apart by a number.
_HOMONYM = re.compile(r"\s+\d{4}$")
_SUFFIX = re.compile(r",?\s+(?:jr|sr|ii|iii|iv|2nd|3rd)\.?(?=$|,)", re.IGNORECASE)
_CAPITALS = re.compile(r"[^\W\d_a-zà-ÿ]{2,4}")
_LATIN = re.compile(r"[a-z]")
_GROUP_WORDS = frozenset(
    [
        *("team", "consortium", "collaboration", "collaborators", "collaborative"),
        *("group", "network", "initiative", "project", "university", "institute"),
        *("center", "centre", "organization", "organisation", "committee", "society"),
        *("association", "ministry", "department", "office", "agency", "foundation"),
        *("council", "laboratory", "lab", "labs", "investigators", "program", "study"),
        *("openai", "deepmind", "google", "meta", "microsoft", "nvidia", "anthropic"),
        *("programme", "commission", "federation", "board", "bureau", "service"),
    ]
)
_PLACEHOLDERS = frozenset(
    [
        *("john doe", "jane doe", "first author", "second author", "third author"),
        *("author one", "author two", "author three", "a author", "b author"),
        *("c author", "firstname lastname", "first last", "name surname", "anonymous"),
        *("jane smith", "john smith", "some author", "author name", "author names"),
        *("unknown author", "anonymous author", "anonymous authors", "author", "tbd"),
        *("authors", "lorem ipsum", "foo bar", "alice bob", "x y"),
    ]
)


@dataclasses.dataclass(frozen=True, slots=True)
class Person:
    """One author.

    Attributes:
      printed: The name as printed.
      family: Words of the family name, folded.
      given: Words and initials of the given names, folded.
      is_group: Whether it is an organisation.
      is_latin: Whether it has letters that compare.
    """

    printed: str
    family: tuple[str, ...]
    given: tuple[str, ...] = ()
    is_group: bool = False
    is_latin: bool = True

    @property
    def words(self) -> tuple[str, ...]:
        """Every word of the name, the family name first."""
        return self.family + self.given

    @property
    def bare(self) -> tuple[str, ...]:
        """The family name without particles, unless it is nothing else."""
        return tuple(w for w in self.family if w not in PARTICLES) or self.family


def read_people(names: Iterable[str]) -> tuple[tuple[Person, ...], bool]:
    """Returns the authors in a list of names, and whether it stops short.

    Args:
      names: Names in order; ``et al.`` and ``others`` may stand among them.

    Returns:
      The authors, and whether the list says that there are more.
    """
    people = []
    is_truncated = False
    for name in names:
        person = read_person(name)
        whole = " ".join(person.words)
        folded = fold(name[:_MAX_NAME_CHARS])
        if _OTHERS.match(folded):
            is_truncated = True
        elif len(whole) > 1:
            if folded.endswith((" et al", " and others")):
                is_truncated = True
            people.append(person)
    return tuple(people), is_truncated


def are_placeholders(people: Iterable[Person]) -> bool:
    """Tells whether an author is a name that stands for none."""
    for person in people:
        given_first = " ".join(person.given + person.family)
        if {given_first, " ".join(person.words)} & _PLACEHOLDERS:
            return True
    return False


@functools.lru_cache(maxsize=1 << 14)
def read_person(name: str) -> Person:
    """Reads a name: ``Ode, T. M.``, ``Ode TM``, ``Tamsin Ode``, ``TM Ode``."""
    bare = " ".join(name[:_MAX_NAME_CHARS].split())
    bare = _SUFFIX.sub("", _HOMONYM.sub("", bare))
    bare = re.sub(r"(?i)[,\s]+et al\.?$|\s+and others$", "", bare)
    family = family_name(bare)
    if "," in bare:
        given = bare.partition(",")[2]
    elif bare.endswith(family):
        given = bare[: len(bare) - len(family)]
    else:
        given = bare[len(family) :] if bare.startswith(family) else ""
    words = tuple(fold(family).split())
    given_words = tuple(_given_words(given))
    every = words + given_words
    return Person(
        name,
        words,
        given_words,
        is_group=any(word in _GROUP_WORDS for word in every) and "," not in bare,
        is_latin=_LATIN.search("".join(every)) is not None,
    )


def _given_words(given: str) -> Iterable[str]:
    """Yields given names; capitals that stand together are initials."""
    for word in re.split(r"[\s.,‐-]+", given):
        if _CAPITALS.fullmatch(word):
            yield from fold(word)
        else:
            yield from fold(word).split()
