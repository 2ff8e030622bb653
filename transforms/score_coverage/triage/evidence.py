"""Prepares a cited work's title and abstract for comparison.  Pure."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from transforms.score_coverage.triage.words import claim_words, evidence_words
from transforms.sentences import Span, split_sentences

_BEGINNING_CHARS = 5


@dataclasses.dataclass(frozen=True, slots=True)
class Passage:
    """Two consecutive sentences of an abstract, or its only one.

    Attributes:
      start: Offset of its first character in the abstract.
      end: Offset one past its last character.
      words: The stems in it.
    """

    start: int
    end: int
    words: frozenset[str]


@dataclasses.dataclass(frozen=True, slots=True)
class EvidenceWords:
    """The words of a cited work, prepared once for all the claims that cite it.

    Attributes:
      sentences: The title and the sentences of the abstract as printed, in order.
      title: Stems of the title.
      topic: The telling words of the title, in order: what the work is about.
      passages: The passages of the abstract in order, overlapping by a sentence.
      words: Stems of title and abstract together.
      beginnings: First letters of those stems that are long enough to compare.
    """

    sentences: tuple[str, ...]
    title: frozenset[str]
    topic: tuple[str, ...]
    passages: tuple[Passage, ...]
    words: frozenset[str]
    beginnings: frozenset[str]


def prepare(title: str, abstract: str) -> EvidenceWords:
    """Prepares the evidence of one work.

    Args:
      title: Title, or ``""``.
      abstract: Abstract as plain text, or ``""``.
    """
    title_words = evidence_words(title)
    spans = split_sentences(abstract, 0, len(abstract))
    passages = _passages(abstract, spans)
    words = title_words.union(*(passage.words for passage in passages))
    return EvidenceWords(
        sentences=(title, *(abstract[start:end] for start, end in spans)),
        title=title_words,
        topic=tuple(claim_words(title)),
        passages=passages,
        words=words,
        beginnings=frozenset(filter(None, map(beginning, words))),
    )


def beginning(word: str) -> str:
    """Returns the letters by which related words are told, ``""`` if too short.

    Stemming leaves ``replicon`` and ``replicase``, ``cortic`` and ``cortico`` apart.
    """
    return word[:_BEGINNING_CHARS] if len(word) >= _BEGINNING_CHARS else ""


def _passages(abstract: str, spans: Sequence[Span]) -> tuple[Passage, ...]:
    sentences = [
        Passage(start, end, evidence_words(abstract[start:end])) for start, end in spans
    ]
    if len(sentences) < 2:
        return tuple(sentences)
    return tuple(
        Passage(first.start, second.end, first.words | second.words)
        for first, second in zip(sentences, sentences[1:], strict=False)
    )
