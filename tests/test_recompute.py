"""Derives every number of triage again, from the tables of a run and nothing else.

What the README says of a column is written out here as a formula.  Of the program, it
uses only what splits text into words and tells what kind of sentence it is.
"""

from __future__ import annotations

import math

import pytest

from tests.screening import rows, screen_sample
from transforms.names import family_name, fold
from transforms.score_coverage.direction import direction_note
from transforms.score_coverage.function import is_methods_section
from transforms.score_coverage.triage.asides import (
    introduces_people,
    names_institution,
    without_asides,
)
from transforms.score_coverage.triage.background import shipped_background
from transforms.score_coverage.triage.compare import claim_terms
from transforms.score_coverage.triage.evidence import prepare
from transforms.score_coverage.triage.model import shipped_model
from transforms.score_coverage.triage.words import claim_words

_BACKGROUND = shipped_background()
_MODEL = shipped_model()
_TOLERANCE = 1e-12
_BEST_FIRST = ("on_topic", "unclear", "attribution", "off_topic")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The citations of a sample run in reading order, its works and its documents."""
    output = tmp_path_factory.mktemp("recompute") / "run"
    assert screen_sample(output, "--workers", 1, "--no-report") == 0
    citations = sorted(
        rows(output, "citations"), key=lambda row: (row["doc_id"], row["ordinal"])
    )
    works = {row["lookup_key"]: row for row in rows(output, "works")}
    return citations, works, rows(output, "documents")


# Formulas.


def _idf(stem):
    return math.log((_BACKGROUND.passages + 1) / (_BACKGROUND.counts.get(stem, 0) + 1))


def _surnames(work):
    names = (fold(family_name(author)) for author in work["authors"])
    return {word for name in names for word in name.split()}


def _terms(citation, work):
    clause = citation["claim_clause"]
    return claim_terms(
        citation["claim_unmarked"],
        "" if clause == citation["claim"] else clause,
        citation["previous_unmarked"] or "",
        frozenset(_surnames(work).union(citation["named_authors"])),
    )


def _presence(stem, evidence):
    if stem in evidence.words:
        return 1.0
    starts = {word[:5] for word in evidence.words if len(word) >= 5}
    return 0.5 if len(stem) >= 6 and stem.isalpha() and stem[:5] in starts else 0.0


def _points(term, evidence):
    share = (_BACKGROUND.counts.get(term.stem, 0) + 5) / _BACKGROUND.passages
    unrelated = 1 - (1 - min(0.95, share)) ** (len(evidence.words) / 110)
    presence = _presence(term.stem, evidence)
    if presence:
        ratio = (0.35 + 0.65 * unrelated) / unrelated
        return term.weight * presence * math.log(ratio)
    return term.weight * math.log(0.65)


def _share(weights, presence):
    total = sum(weights.values())
    covered = sum(weight * presence(stem) for stem, weight in weights.items())
    return covered / total if total else 0.0


def _measures(terms, evidence):
    points = [_points(term, evidence) for term in terms]
    claimed = {t.stem: t.weight * _idf(t.stem) for t in terms if not t.is_context}
    stems = {term.stem for term in terms}
    shares = [_share(claimed, p.words.__contains__) for p in evidence.passages]
    best = max(shares, default=0.0)
    missing_names = sum(
        term.stem not in evidence.words
        and not term.is_context
        and not term.shown[0].isdigit()
        and any(map(str.isupper, term.shown))
        for term in terms
    )
    return {
        "weight_of_evidence": sum(points) / math.sqrt(1 + sum(t.weight for t in terms)),
        "rare_coverage": _share(claimed, lambda stem: _presence(stem, evidence)),
        "title_share": _share(
            {stem: _idf(stem) for stem in evidence.topic}, stems.__contains__
        ),
        "passage_coverage": max(best, _share(claimed, evidence.title.__contains__)),
        "rarest_covered": max(map(_idf, stems & evidence.words), default=0.0),
        "missing_names": math.log(1 + missing_names),
        "points": points,
        "passage": evidence.passages[shares.index(best)] if best else None,
    }


def _log_odds(measures):
    names = (
        *("weight_of_evidence", "rare_coverage", "title_share", "passage_coverage"),
        *("rarest_covered", "missing_names"),
    )
    return _MODEL.intercept + sum(
        weight * measures[name]
        for weight, name in zip(_MODEL.coefficients, names, strict=True)
    )


def _siblings(own, checked, works):
    """Returns the keys of the eight nearest works cited elsewhere, nearest first."""
    index = checked.index(own)
    by_distance = sorted(
        (other for other in checked if other is not own),
        key=lambda other: (
            abs(checked.index(other) - index),
            checked.index(other) > index,
        ),
    )
    texts = {key: (work["title"], work["abstract"]) for key, work in works.items()}
    same = {
        other["lookup_key"]
        for other in checked
        if other["claim_start"] == own["claim_start"]
        or texts[other["lookup_key"]] == texts[own["lookup_key"]]
    }
    keys = dict.fromkeys(other["lookup_key"] for other in by_distance)
    return [key for key in keys if key not in same][:8]


def _evidence(work):
    return prepare(work["title"], work["abstract"])


def _best_sibling(terms, keys, works):
    """Returns the key of the sibling that fits best, and its log odds."""
    measured = {key: _measures(terms, _evidence(works[key])) for key in keys}
    if not measured:
        return "", -math.inf
    best = max(keys, key=lambda key: measured[key]["weight_of_evidence"])
    return best, _log_odds(measured[best])


def _triage(citation, work, chance):
    cue = citation["attribution_cue"]
    on_topic = _MODEL.on_topic_with_cue if cue else _MODEL.on_topic
    if chance > on_topic:
        return "on_topic"
    if cue:
        return "attribution"
    if chance > _MODEL.off_topic:
        return "unclear"
    sections = citation["section"] or "", citation["outer_section"] or ""
    if any(map(is_methods_section, sections)):
        return "attribution"
    return "unclear" if _says_little(citation, work) else "off_topic"


def _says_little(citation, work):
    claim = citation["claim_unmarked"]
    authors = _surnames(work)
    named = authors.union(citation["named_authors"])
    capitalised = {fold(word) for word in claim.split() if word[0].isupper()}
    return (
        len(claim_words(without_asides(claim), named)) < 4
        or bool(authors & capitalised)
        or names_institution(claim)
        or (not authors and introduces_people(claim))
    )


# What the tables say.


def _near(value):
    return pytest.approx(value, abs=_TOLERANCE, rel=_TOLERANCE)


def _checked_by_document(citations):
    documents = {}
    for citation in citations:
        if citation["status"] == "checked":
            documents.setdefault(citation["doc_id"], []).append(citation)
    return documents


def test_every_number_of_a_judgement_can_be_derived(run):
    citations, works, _ = run
    judged = 0
    for checked in _checked_by_document(citations).values():
        for citation in checked:
            _derives(citation, checked, works)
            judged += 1
    assert judged == sum(row["triage"] is not None for row in citations) > 70


def _derives(citation, checked, works):
    work = works[citation["lookup_key"]]
    evidence = _evidence(work)
    terms = _terms(citation, work)
    measures = _measures(terms, evidence)
    for name in list(measures)[:4]:
        assert citation[name] == _near(measures[name]), name
    for column, is_covered in (("covered_points", True), ("missing_points", False)):
        assert citation[column] == [
            {"term": term.shown, "points": _near(points)}
            for term, points in zip(terms, measures["points"], strict=True)
            if bool(_presence(term.stem, evidence)) is is_covered
        ]
    passage = measures["passage"]
    span = (passage.start, passage.end) if passage else (None, None)
    assert (citation["best_passage_start"], citation["best_passage_end"]) == span
    assert citation["best_passage"] == (
        work["abstract"][slice(*span)] if passage else None
    )
    alone = _log_odds(measures)
    keys = _siblings(citation, checked, works)
    sibling, best = _best_sibling(terms, keys, works)
    margin = max(0.0, best - alone)
    assert citation["better_reference"] == (sibling if best > alone else None)
    assert citation["better_margin"] == _near(margin)
    log_odds = alone - _MODEL.sibling_weight * min(margin, 4.0)
    chance = 1 / (1 + math.exp(-log_odds))
    assert citation["topic_probability"] == _near(chance)
    assert citation["triage"] == _triage(citation, work, chance)
    note = direction_note(citation["claim_unmarked"], evidence.sentences)
    assert citation["direction_note"] == (note or None)


def test_what_is_not_checked_has_no_number(run):
    citations, _, _ = run
    unchecked = [row for row in citations if row["status"] != "checked"]
    assert unchecked
    for row in unchecked:
        for name in (
            *("triage", "topic_probability", "weight_of_evidence", "rare_coverage"),
            *("title_share", "passage_coverage", "covered_points", "missing_points"),
            *("best_passage", "better_reference", "better_margin"),
        ):
            assert row[name] is None, name


def test_the_best_of_a_bracket_can_be_derived(run):
    citations, _, _ = run
    for row in citations:
        together = {
            other["triage"]
            for other in citations
            if other["group_id"] == row["group_id"]
        }
        best = next((triage for triage in _BEST_FIRST if triage in together), None)
        assert row["group_best"] == best


def test_the_counts_and_the_order_of_documents_can_be_derived(run):
    citations, _, documents = run
    for document in documents:
        own = [row for row in citations if row["doc_id"] == document["doc_id"]]
        triages = [row["triage"] for row in own]
        for column, triage in (
            ("on_topic", "on_topic"),
            ("unclear", "unclear"),
            ("flagged", "off_topic"),
            ("attribution", "attribution"),
        ):
            assert document[column] == triages.count(triage)
        concerns = {}
        for row in own:
            if row["status"] == "identity_mismatch":
                concerns[row["lookup_key"]] = 1.0
            if row["triage"] == "off_topic":
                share = 0.5 if row["group_best"] == "on_topic" else 1.0
                concern = share * (1 - row["topic_probability"])
                key = row["lookup_key"]
                concerns[key] = max(concern, concerns.get(key, 0.0))
        assert document["priority"] == _near(sum(concerns.values()))
    assert sum(document["flagged"] for document in documents) > 0
