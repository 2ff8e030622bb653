"""What the values of the tables are called where people read them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from transforms.records import (
    Band,
    CitationStatus,
    DocumentStatus,
    Grade,
    ReferenceStatus,
    Triage,
)
from transforms.reference_records import ReferenceLabel


@dataclasses.dataclass(frozen=True, slots=True)
class Word:
    """A value as people read it.

    Attributes:
      name: In two or three words.
      meaning: In a sentence.
      sign: A shape, so that no meaning is carried by colour alone.
    """

    name: str
    meaning: str
    sign: str = "○"


BANDS: Mapping[str, Word] = {
    Band.SYSTEMATIC_MISATTRIBUTION: Word(
        "High score",
        "Many claims are hardly covered by the cited abstracts.",
        "▲",
    ),
    Band.SOME_WEAK_SUPPORT: Word(
        "Medium score",
        "Several claims are hardly covered by the cited abstracts.",
        "◆",
    ),
    Band.WELL_SUPPORTED: Word(
        "Low score",
        "Few of the claims that could be checked are hardly covered.",
        "●",
    ),
}

GRADES: Mapping[str, Word] = {
    Grade.LOW: Word(
        "Hardly covered",
        "Few words of the claim are in title or abstract of the cited work.",
        "▲",
    ),
    Grade.PARTIAL: Word(
        "Partly covered",
        "Some words of the claim are in title or abstract of the cited work.",
        "◆",
    ),
    Grade.STRONG: Word(
        "Well covered",
        "Much of the claim's wording is in title or abstract of the cited work.",
        "●",
    ),
}

TRIAGE: Mapping[str, Word] = {
    Triage.OFF_TOPIC: Word(
        "Off topic",
        "The abstract seems to be about something else than the claim.",
        "▲",
    ),
    Triage.UNCLEAR: Word(
        "Unclear",
        "Whether the abstract is on the topic of the claim cannot be told.",
        "◆",
    ),
    Triage.ON_TOPIC: Word(
        "On topic",
        "The abstract is on the topic of the claim, which does not say that it "
        "supports it.",
        "●",
    ),
    Triage.ATTRIBUTION: Word(
        "Not to be judged",
        "It is cited for a method, a resource, own work or further reading, which no "
        "abstract could cover.",
    ),
}

DOCUMENT_STATUSES: Mapping[str, Word] = {
    DocumentStatus.SCORED: Word("Scored", "It was long enough and cites works."),
    DocumentStatus.TOO_SHORT: Word(
        "Too short", "It has too few words of body text to be scored."
    ),
    DocumentStatus.UNSUPPORTED_LANGUAGE: Word(
        "Not in English", "Its claims share no words with an English abstract."
    ),
    DocumentStatus.NO_CITATIONS: Word(
        "Nothing to check", "It has no citation of a kind that is checked."
    ),
    DocumentStatus.SUPPORT_NOT_CHECKED: Word(
        "Support not checked", "The run checked reference lists alone."
    ),
}

CITATION_STATUSES: Mapping[str, Word] = {
    CitationStatus.CHECKED: Word(
        "Checked", "The claim was compared with title and abstract."
    ),
    CitationStatus.IDENTITY_MISMATCH: Word(
        "Leads to another work",
        "The identifier leads to another work than the reference entry names, so the "
        "claim was not compared.",
        "▲",
    ),
    CitationStatus.SUSPECT_ABSTRACT: Word(
        "Abstract of another work",
        "The index holds an abstract that shares no word with the work's title.",
    ),
    CitationStatus.NO_ABSTRACT: Word(
        "No abstract",
        "The work was found, but no index that was asked has an abstract.",
    ),
    CitationStatus.WITHHELD: Word(
        "Abstract withheld", "The publisher keeps the abstract from the indexes."
    ),
    CitationStatus.NOT_FOUND: Word(
        "Not found",
        "No index that was asked has the work. That alone says nothing against it.",
    ),
    CitationStatus.AMBIGUOUS: Word(
        "Ambiguous", "Several works fit the citation, and which is meant is open."
    ),
    CitationStatus.FETCH_FAILED: Word(
        "Could not ask", "The index could not be asked; the next run asks again."
    ),
    CitationStatus.NO_CLAIM_TERMS: Word(
        "Nothing to compare", "The sentence holds no words that could be compared."
    ),
}

REFERENCE_LABELS: Mapping[str, Word] = {
    ReferenceLabel.MAJOR: Word(
        "Doubtful", "No such work was found, or the entry mixes two works.", "▲"
    ),
    ReferenceLabel.MINOR: Word(
        "Differs", "The work exists; a field of the entry is not as in its record.", "◆"
    ),
    ReferenceLabel.EXACT: Word("As recorded", "It describes a work that exists.", "●"),
    ReferenceLabel.NOT_VERIFIABLE: Word(
        "Not verifiable", "The indexes that were asked cannot tell."
    ),
}

REFERENCE_STATUSES: Mapping[str, str] = {
    ReferenceStatus.LINKED: "",
    ReferenceStatus.AMBIGUOUS: "Several entries of the reference list fit.",
    ReferenceStatus.UNLISTED: "The reference list has no entry for this citation.",
    ReferenceStatus.NO_LIST: "No reference list was found in the document.",
}
