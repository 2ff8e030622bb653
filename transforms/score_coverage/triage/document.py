"""Judges the citations of one document, each in view of its other references.  Pure."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import math
from collections.abc import Mapping, Sequence

from transforms.records import Assessment, CitationStatus, Triage, Work
from transforms.score_coverage.function import is_methods_section
from transforms.score_coverage.triage.evidence import EvidenceWords, prepare
from transforms.score_coverage.triage.judge import Claim, Judge, names_author, surnames

# References that a claim is held against besides its own: the nearest in the text.
MAX_SIBLINGS = 8
# Works that many documents cite stay prepared.
_PREPARED_WORKS = 2_000
_BEST_FIRST = (
    Triage.ON_TOPIC,
    Triage.UNCLEAR,
    Triage.ATTRIBUTION,
    Triage.OFF_TOPIC,
)


def judge_document(
    assessments: Sequence[Assessment], judge: Judge
) -> tuple[Assessment, ...]:
    """Adds the judgement of each citation and the best one of each bracket.

    Args:
      assessments: All assessments of one document.
      judge: The judge.

    Returns:
      The same assessments in reading order.  Only checked ones get a judgement.
    """
    ordered = sorted(assessments, key=lambda item: item.citation.ordinal)
    checked = [item for item in ordered if item.status is CitationStatus.CHECKED]
    judgements = {
        item.citation.citation_id: judge.judge(
            claim_of(item), _prepared(item), _siblings(checked, index)
        )
        for index, item in enumerate(checked)
    }
    judged = [
        dataclasses.replace(item, judgement=judgements.get(item.citation.citation_id))
        for item in ordered
    ]
    best = _best_of_groups(judged)
    return tuple(
        dataclasses.replace(item, group_best=best.get(item.citation.group_id))
        for item in judged
    )


def priority(assessments: Sequence[Assessment]) -> float:
    """Returns how early a document should be read, >= 0, highest first.

    Every distinct cited work that is off topic counts by how sure that is, and one
    that its identifier or reference entry belies counts 1, each once: several
    independent ones come before one that is repeated.  An off-topic work that shares
    its bracket with a work that is on topic counts half.
    """
    concerns: dict[str, float] = {}
    for item in assessments:
        known = concerns.get(item.lookup_key, 0.0)
        concerns[item.lookup_key] = max(known, _concern(item))
    return math.fsum(concerns.values())


def _concern(assessment: Assessment) -> float:
    if assessment.status is CitationStatus.IDENTITY_MISMATCH:
        return 1.0
    judgement = assessment.judgement
    if judgement is None or judgement.triage is not Triage.OFF_TOPIC:
        return 0.0
    share = 0.5 if assessment.group_best is Triage.ON_TOPIC else 1.0
    return share * (1.0 - judgement.topic_probability)


def claim_of(assessment: Assessment) -> Claim:
    """Returns what is judged of an assessed citation."""
    citation, work, purpose = (
        assessment.citation,
        assessment.work,
        assessment.purpose,
    )
    authors = surnames(work.authors) if work else frozenset()
    return Claim(
        text=citation.claim_unmarked,
        # A clause that is the whole claim need not be told.
        clause=citation.claim_clause if citation.claim_clause != citation.claim else "",
        before=citation.previous_unmarked,
        names=authors | frozenset(citation.named_authors),
        attribution_cue=purpose.attribution_cue if purpose else "",
        is_method=any(
            map(is_methods_section, (citation.section, citation.outer_section))
        ),
        names_cited_author=names_author(citation.claim_unmarked, authors),
    )


def _siblings(checked: Sequence[Assessment], index: int) -> Mapping[str, EvidenceWords]:
    """Returns the nearest other works that the document cites for other claims."""
    own = checked[index]
    others = _outwards(checked, index)
    taken = {own.lookup_key}
    taken.update(
        other.lookup_key
        for other in others
        if other.citation.claim_start == own.citation.claim_start
        or _is_same_work(other.work, own.work)
    )
    siblings: dict[str, EvidenceWords] = {}
    for other in others:
        if len(siblings) == MAX_SIBLINGS:
            break
        if other.lookup_key not in taken:
            siblings[other.lookup_key] = _prepared(other)
    return siblings


def _outwards(checked: Sequence[Assessment], index: int) -> Sequence[Assessment]:
    """Returns the others, nearest first; no more than can matter."""
    near = 4 * MAX_SIBLINGS
    before = reversed(checked[max(0, index - near) : index])
    after = checked[index + 1 : index + 1 + near]
    pairs = itertools.zip_longest(before, after)
    return [item for pair in pairs for item in pair if item is not None]


def _is_same_work(first: Work | None, second: Work | None) -> bool:
    return (
        first is not None
        and second is not None
        and (first.title, first.abstract) == (second.title, second.abstract)
    )


def _best_of_groups(judged: Sequence[Assessment]) -> dict[str, Triage]:
    triages: dict[str, list[Triage]] = {}
    for item in judged:
        if item.judgement:
            found = triages.setdefault(item.citation.group_id, [])
            found.append(item.judgement.triage)
    return {
        group: min(found, key=_BEST_FIRST.index) for group, found in triages.items()
    }


def _prepared(assessment: Assessment) -> EvidenceWords:
    work = assessment.work
    return _prepare(work.title, work.abstract) if work else _prepare("", "")


@functools.lru_cache(maxsize=_PREPARED_WORKS)
def _prepare(title: str, abstract: str) -> EvidenceWords:
    return prepare(title, abstract)
