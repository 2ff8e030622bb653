"""Writes the labelled pairs of the sample corpus from its golden rows.

The authors of the sample corpus know which manuscript cites wrongly: all of its first
eight citations are to works that say nothing of the kind.  ``python -m
tests.labelled_pairs`` writes the file anew.
"""

from __future__ import annotations

import json

from tests.screening import GOLDEN, SAMPLE

PAIRS = SAMPLE / "labelled_pairs.jsonl"
_MISATTRIBUTED = "estuary-misattributed.md"


def labelled_pairs() -> list[dict]:
    """Returns a pair for each citation of the sample run that was checked."""
    works = {work["lookup_key"]: work for work in _golden("works")}
    return [
        _pair(citation, works[citation["lookup_key"]])
        for citation in _golden("citations")
        if citation["status"] == "checked"
    ]


def _pair(citation: dict, work: dict) -> dict:
    wrong = citation["doc_id"] == _MISATTRIBUTED
    return {
        "id": citation["citation_id"],
        "claim": citation["claim"],
        "marker": citation["marker"],
        "previous": citation["previous_sentence"],
        "section": citation["section"],
        "title": work["title"],
        "abstract": work["abstract"],
        "authors": work["authors"],
        "group": citation["doc_id"],
        "work": citation["lookup_key"],
        "label": "not_supported" if wrong else "supported",
    }


def _golden(table: str) -> list[dict]:
    lines = (GOLDEN / f"{table}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


if __name__ == "__main__":
    lines = [json.dumps(pair, ensure_ascii=False) for pair in labelled_pairs()]
    PAIRS.write_text("\n".join(lines) + "\n", encoding="utf-8")
