"""Tests of the reference-checking stage, and of what it means for the others."""

from __future__ import annotations

import dataclasses

import apache_beam as beam
import pytest
from apache_beam.testing.util import assert_that, equal_to

from transforms.fetch_evidence.costs import Stats
from transforms.records import (
    Citation,
    CitationKind,
    DocumentHeader,
    DocumentStatus,
    Reference,
    Work,
)
from transforms.reference_records import Findings, ListedReference
from transforms.verify_references.keys import key_of
from transforms.verify_references.stage import VerifyReferences

_KELP = Work("crossref", "k", "Kelp farms of the north", authors=("Ng, A",), year=2014)
_TRUE = Reference("r1", "", ("Ng, A",), 2014, title="Kelp farms of the north")
_FALSE = Reference("r2", "", ("Ode, T",), 2011, title="Of whales and their wakes")


class _Index:
    """Knows one work; breaks on a title that says so."""

    def find(self, references, is_settled):
        for key, reference in references:
            if "break" in reference.title:
                raise RuntimeError("broken")
            works = (_KELP,) if reference.title == _KELP.title else ()
            yield Findings(key, works, (), ("crossref",), (), True)

    def take_stats(self):
        return Stats(requests=1)

    def close(self):
        pass


def _listed(reference, *cited_in):
    return ListedReference("d", reference, int(reference.ref_id[1:]), cited_in)


def _citation(ordinal):
    text = ("10.1/x", 0, 6, "10.1/x", 0, 6, "")
    return Citation(f"d#{ordinal}", "d", ordinal, CitationKind.DOI, *text)


_HEADER = DocumentHeader(
    "d", "d.txt", "", 300, DocumentStatus.SCORED, 3, 0, 3, "{}", "", 2
)


def _run(pipeline, listed):
    citations = [_citation(n) for n in (1, 2, 3)]
    inputs = (
        pipeline | "References" >> beam.Create(listed),
        pipeline | "Citations" >> beam.Create(citations),
        pipeline | "Headers" >> beam.Create([_HEADER]),
    )
    return inputs | VerifyReferences(_Index, current_year=2026)


def test_labels_references_citations_and_documents(make_pipeline):
    listed = [_listed(_TRUE, "d#1"), _listed(_FALSE, "d#2", "d#9")]
    with make_pipeline() as p:
        checks, citations, headers, failures = _run(p, listed)
        assert_that(
            checks | beam.Map(lambda c: (c.listed.reference.ref_id, c.verdict.label)),
            equal_to([("r1", "exact"), ("r2", "major")]),
            label="checks",
        )
        assert_that(
            citations
            | beam.Map(
                lambda c: (c.ordinal, c.reference_label, c.reference_fault[:15])
            ),
            equal_to([(1, "exact", ""), (2, "major", "reference major"), (3, "", "")]),
            label="citations",
        )
        assert_that(
            headers,
            equal_to([dataclasses.replace(_HEADER, references=(1, 0, 1, 0))]),
            label="headers",
        )
        assert_that(failures, equal_to([]), label="failures")


def test_a_lane_that_breaks_leaves_its_references_open(make_pipeline):
    broken = dataclasses.replace(_FALSE, title="break it now")
    with make_pipeline() as p:
        checks, _, _, failures = _run(p, [_listed(broken)])
        assert_that(
            checks | beam.Map(lambda c: c.verdict.label.value),
            equal_to(["not_verifiable"]),
            label="checks",
        )
        assert_that(
            failures | beam.Map(lambda f: (f.stage, f.element_id)),
            equal_to([("verify_references", "lane-0")]),
            label="failures",
        )


def test_rejects_no_lanes():
    with pytest.raises(ValueError, match="lanes"):
        VerifyReferences(_Index, current_year=2026, lanes=0)


def test_a_key_does_not_depend_on_the_list():
    elsewhere = dataclasses.replace(_TRUE, ref_id="r9", label="9")
    assert key_of(elsewhere) == key_of(_TRUE)
    for changes in ({"year": 2015}, {"venue": "Kelp"}, {"doi": "10.1/x"}):
        assert key_of(dataclasses.replace(_TRUE, **changes)) != key_of(_TRUE)
