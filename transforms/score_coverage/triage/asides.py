"""Cuts what a sentence says beside its claim: figures, people, institutions.  Pure."""

from __future__ import annotations

import re

# Bounded in every part, so that a run of capitals costs linear time.
_FIGURE = re.compile(
    r"\(?\b(?:(?:Supplementary|Supplemental|Extended Data|Appendix) )?"
    r"(?:Fig(?:ure|s|ures)?|Tables?|Eqs?|Equations?|Videos?|Movies?|Panels?|Box"
    r"|Sections?|Appendix|Files?)\.? ?S? ?\d{1,3}\w{0,3}"
    r"(?:[–—-](?:figure supplement|source data|[A-Za-z\d]{1,2}\b)(?: \d{1,2})?)?"
    r"(?:(?:,| and|;) ?\d{0,2}[A-Z]\b){0,6}\)?"
)
_PERSON = r"(?:\b[^\W\d_a-z][\w'’-]{1,30}|\b[A-Z]\.|\bvan|\bvon|\bde|\bder)"
_PEOPLE = re.compile(
    rf"{_PERSON}(?: {_PERSON}){{0,3}},? (?:and|or) (?:(?:his|her|their|other) )?"
    r"(?:colleagues|co-?workers|collaborators|associates|others)\b"
)
_KIND = (
    r"\b(?:University|Universität|Université|Institutes?|College|School|Hospital"
    r"|Cent(?:er|re)|Academy|Laborator(?:y|ies))\b"
)
_PLACE = r"(?: (?:of|for|in|at|and|de)\b(?= [A-Z])| [A-Z][\w'’–-]{1,30})"
# By itself, a word that begins a sentence names none: "Hospital stays were short".
_INSTITUTION = re.compile(
    rf"(?:\b[A-Z][\w'’–-]{{1,30}} ){{1,4}}{_KIND}{_PLACE}{{0,7}}|{_KIND}{_PLACE}{{1,7}}"
)


def introduces_people(text: str) -> bool:
    """Tells whether ``text`` introduces people: "Tamsin Ode and colleagues"."""
    return bool(_PEOPLE.search(text))


def names_institution(text: str) -> bool:
    """Tells whether ``text`` names a university or the like."""
    return bool(_INSTITUTION.search(text))


def without_asides(text: str) -> str:
    """Returns ``text`` without pointers to figures, people and institutions.

    "Tamsin Ode and colleagues at the University of Kelp saw rates fall (Figure 2A)"
    claims that rates fell; no abstract could cover the rest.
    """
    for pattern in (_FIGURE, _PEOPLE, _INSTITUTION):
        text = pattern.sub(" ", text)
    return text
