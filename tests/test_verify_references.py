"""Tests of the reference-checking stage."""

from __future__ import annotations

import dataclasses

import apache_beam as beam
import pytest
from apache_beam.testing.util import assert_that, equal_to

from transforms.fetch_evidence.costs import Stats
from transforms.records import Reference, Work
from transforms.reference_records import Findings, Led, ListedReference
from transforms.verify_references.keys import key_of, without_abstracts
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


def _run(pipeline, listed):
    return pipeline | beam.Create(listed) | VerifyReferences(_Index, current_year=2026)


def test_checks_references_and_notes_what_it_means(make_pipeline):
    listed = [_listed(_TRUE, "d#1"), _listed(_FALSE, "d#2", "d#9")]
    with make_pipeline() as p:
        checks, notes, failures = _run(p, listed)
        assert_that(
            checks | beam.Map(lambda c: (c.listed.reference.ref_id, c.verdict.label)),
            equal_to([("r1", "exact"), ("r2", "major")]),
            label="checks",
        )
        assert_that(
            notes
            | beam.MapTuple(
                lambda doc_id, n: (doc_id, n.label.value, n.cited_in, n.fault[:15])
            ),
            equal_to(
                [
                    ("d", "exact", ("d#1",), ""),
                    ("d", "major", ("d#2", "d#9"), "reference major"),
                ]
            ),
            label="notes",
        )
        assert_that(failures, equal_to([]), label="failures")


def test_a_lane_that_breaks_leaves_its_references_open(make_pipeline):
    broken = dataclasses.replace(_FALSE, title="break it now")
    with make_pipeline() as p:
        checks, _, failures = _run(p, [_listed(broken)])
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


def test_records_are_compared_without_their_abstracts():
    work = dataclasses.replace(_KELP, abstract="Rot fell.")
    found = Findings("k", (work,), (Led("doi:10.1/x", work), Led("doi:10.1/y")))
    assert without_abstracts(found) == Findings(
        "k", (_KELP,), (Led("doi:10.1/x", _KELP), Led("doi:10.1/y"))
    )


def test_rejects_no_lanes():
    with pytest.raises(ValueError, match="lanes"):
        VerifyReferences(_Index, current_year=2026, lanes=0)


def test_a_key_does_not_depend_on_the_list():
    elsewhere = dataclasses.replace(_TRUE, ref_id="r9", label="9")
    assert key_of(elsewhere) == key_of(_TRUE)
    for changes in ({"year": 2015}, {"venue": "Kelp"}, {"doi": "10.1/x"}):
        assert key_of(dataclasses.replace(_TRUE, **changes)) != key_of(_TRUE)
