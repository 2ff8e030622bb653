"""Measures what judging a citation costs, on one core."""

from __future__ import annotations

import dataclasses
import itertools
import time

from tests.bench.corpus import sample_works
from transforms.records import Assessment, Citation, Evidence, EvidenceStatus, Work
from transforms.score_coverage.assess import assess
from transforms.score_coverage.triage.document import judge_document
from transforms.score_coverage.triage.files import load_judge

# Citations of one document that are judged together, as a run selects them.
_TOGETHER = 8


def bench_scoring(citations: list[Citation]) -> None:
    """Prints milliseconds a citation, for grade and function and for triage."""
    works = itertools.cycle(work for work in sample_works() if work.abstract)
    pairs = [
        (citation, _fresh(work, number))
        for number, (citation, work) in enumerate(zip(citations, works, strict=False))
    ]
    start = time.process_time()
    assessed = [_assess(citation, work) for citation, work in pairs]
    literal = time.process_time() - start
    judge = load_judge(None, None)
    start = time.process_time()
    for first in range(0, len(assessed), _TOGETHER):
        judge_document(assessed[first : first + _TOGETHER], judge)
    triage = time.process_time() - start
    cost = 1e3 / len(pairs)
    print(
        f"scoring: {literal * cost:.2f} ms a citation for grade and function, "
        f"{triage * cost:.2f} ms for triage, {len(pairs)} citations"
    )


def _fresh(work: Work, number: int) -> Work:
    """Returns a work that no other citation has, so that nothing is prepared twice."""
    abstract = f"{work.abstract} Site {number} was sampled twice."
    return dataclasses.replace(work, paper_id=str(number), abstract=abstract)


def _assess(citation: Citation, work: Work) -> Assessment:
    evidence = Evidence(work.paper_id, EvidenceStatus.FOUND, work)
    return assess(citation, work.paper_id, evidence)
