"""Tests of the reference-checking stage."""

from __future__ import annotations

import dataclasses

import apache_beam as beam
import pytest
from apache_beam.testing.util import assert_that, equal_to

from transforms.fetch_evidence.costs import Stats
from transforms.records import Reference, Work
from transforms.reference_records import Findings, ListedReference
from transforms.verify_references.keys import key_of
from transforms.verify_references.stage import VerifyReferences

_KELP = Work("crossref", "k", "Kelp farms of the north", authors=("Ng, A",), year=2014)
_TRUE = Reference("r1", "", ("Ng, A",), 2014, title="Kelp farms of the north")
_FALSE = Reference("r2", "", ("Ode, T",), 2011, title="Of whales and their wakes")
_UNCITED = Reference("r3", "", ("Ode, T",), 2012, title="Of mills and their wheels")


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


class _Counting(_Index):
    """Knows nothing, and says as which question each reference came."""

    def find(self, references, is_settled):
        for number, (key, _) in enumerate(references):
            yield Findings(key, asked=(str(number),))


def _listed(reference, *cited_in):
    return ListedReference("d", reference, int(reference.ref_id[1:]), cited_in)


def _run(pipeline, listed, finder=_Index):
    return pipeline | beam.Create(listed) | VerifyReferences(finder, current_year=2026)


def _told_of(check):
    return check.listed.ordinal, check.verdict.label.value, check.unasked


def test_checks_references_and_notes_what_it_means(make_pipeline):
    listed = [_listed(_TRUE, "d#1"), _listed(_FALSE, "d#2", "d#9"), _listed(_UNCITED)]
    with make_pipeline() as p:
        checks, notes, failures = _run(p, listed)
        assert_that(
            checks | beam.Map(lambda c: (c.listed.reference.ref_id, c.verdict.label)),
            equal_to([("r1", "exact"), ("r2", "major"), ("r3", "major")]),
            label="checks",
        )
        assert_that(
            notes | beam.MapTuple(_told),
            equal_to(
                [
                    (
                        "d",
                        (1, 0, 2, 0),
                        [
                            (("d#1",), "exact", ""),
                            (("d#2", "d#9"), "major", "reference major"),
                        ],
                    )
                ]
            ),
            label="notes",
        )
        assert_that(failures, equal_to([]), label="failures")


def _told(doc_id, notes):
    cited = [(c.cited_in, c.label.value, c.fault[:15]) for c in notes.cited]
    return doc_id, notes.labels, sorted(cited)


def test_equal_references_are_asked_about_once(make_pipeline):
    elsewhere = dataclasses.replace(_TRUE, ref_id="r7", label="7")
    listed = [
        ListedReference("d", _TRUE, 1),
        ListedReference("e", elsewhere, 7),
        ListedReference("e", _FALSE, 2),
    ]
    with make_pipeline() as p:
        checks, _, _ = _run(p, listed, _Counting)
        assert_that(
            checks | beam.Map(lambda c: (c.listed.ordinal, c.listed.doc_id, c.asked)),
            _is_asked_once,
        )


def _is_asked_once(checks):
    first, other, elsewhere = sorted(checks)
    assert first[:2] == (1, "d")
    assert elsewhere == (7, "e", first[2])
    assert other[2] != first[2]


def test_a_lane_that_breaks_leaves_its_references_open(make_pipeline):
    broken = dataclasses.replace(_FALSE, title="break it now")
    with make_pipeline() as p:
        checks, _, failures = _run(p, [_listed(broken), _listed(_UNCITED)])
        assert_that(
            checks | beam.Map(_told_of),
            _is_lost,
            label="checks",
        )
        assert_that(
            failures | beam.Map(lambda f: (f.stage, f.element_id)),
            equal_to([("verify_references", "lane-0")]),
            label="failures",
        )


def _is_lost(checks):
    # Whether the other one came before is not for sure.
    broken, other = sorted(checks)
    lost = ("not_verifiable", ("the look-up broke off",))
    assert broken == (2, *lost)
    assert other in ((3, *lost), (3, "major", ()))


class _Empty(_Index):
    """Finds what cannot be judged."""

    def find(self, references, is_settled):
        for key, reference in references:
            works = (None,) if reference == _FALSE else ()
            yield Findings(key, works, (), ("crossref",), (), True)


def test_a_reference_that_cannot_be_judged_is_open_and_a_failure(make_pipeline):
    with make_pipeline() as p:
        checks, _, failures = _run(p, [_listed(_FALSE), _listed(_UNCITED)], _Empty)
        assert_that(
            checks | beam.Map(_told_of),
            equal_to(
                [
                    (
                        2,
                        "not_verifiable",
                        (
                            "the check failed (AttributeError): please report this "
                            "defect",
                        ),
                    ),
                    (3, "major", ()),
                ]
            ),
            label="checks",
        )
        assert_that(
            failures | beam.Map(lambda f: (f.element_id, f.error)),
            equal_to([("d#r2", "AttributeError")]),
            label="failures",
        )


class _Hasty(_Index):
    """Forgets the last reference, and what asking cost."""

    def find(self, references, is_settled):
        for key, _ in list(references)[:-1]:
            yield Findings(key, (), (), ("crossref",), (), True)

    def take_stats(self):
        raise RuntimeError("forgotten")


def test_what_a_finder_forgets_is_open(make_pipeline):
    with make_pipeline() as p:
        checks, _, failures = _run(p, [_listed(_FALSE), _listed(_UNCITED)], _Hasty)
        assert_that(
            checks | beam.Map(lambda c: c.verdict.label.value),
            equal_to(["major", "not_verifiable"]),
            label="checks",
        )
        assert_that(
            failures | beam.Map(lambda f: (f.element_id, f.error)),
            equal_to([("lane-0", "RuntimeError")]),
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
