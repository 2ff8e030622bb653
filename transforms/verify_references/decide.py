"""Labels a reference by the records that were found for it.  Pure.

The table of decisions is of three labels, and a fourth where nothing can be told; it
is applied in order, and the first condition that holds decides.
"""

from __future__ import annotations

from collections.abc import Sequence

from transforms.records import Reference, Work
from transforms.reference_records import (
    Field,
    FieldCheck,
    FieldState,
    Findings,
    ReferenceLabel,
    Verdict,
)
from transforms.verify_references.authors import AuthorState
from transforms.verify_references.candidates import (
    Candidate,
    best_first,
    compare,
    versions,
)
from transforms.verify_references.fields import Compared, Setting, compare_fields
from transforms.verify_references.titles import TitleClass
from transforms.verify_references.unmatched import left_open, misled, unmatched
from transforms.verify_references.verdicts import (
    WRONG,
    make_verdict,
    named,
    reasons_of,
)
from transforms.verify_references.words import content_words, title_words
from transforms.verify_references.work_types import rarely_indexed

_FEW_AUTHORS = 0.34
# Titles of so few words name many works.
_SHORT_TITLE = 2
# In an index that holds few works, a title of so many words is not met by chance.
_LONG_TITLE = 5
# A title that is nearly the same is that of another work if so many fields differ.
_MANY_WRONG = 2


def without_check(findings: Findings, error: Exception) -> Findings:
    """Returns what is left to say of a reference whose check raised an error.

    ``verify`` makes it ``not_verifiable``, with the error among the reasons.
    """
    said = f"the check failed ({type(error).__name__}): please report this defect"
    return Findings(
        findings.key, asked=findings.asked, unasked=(*findings.unasked, said)
    )


def verify(reference: Reference, findings: Findings, setting: Setting) -> Verdict:
    """Labels a reference.

    Args:
      reference: The entry.
      findings: What the indexes said to it.
      setting: Venues and year.
    """
    led = {lead.key: lead for lead in findings.led}
    led_to = {lead.work for lead in findings.led if lead.work}
    candidates = [
        compare(reference, work, is_led=work in led_to)
        for work in dict.fromkeys((*findings.works, *sorted(led_to, key=_order)))
    ]
    if not content_words(title_words(reference.title)):
        return _untitled(reference, findings, candidates, setting)
    ordered = best_first(candidates, reference.year)
    if not ordered or ordered[0].title.kind < TitleClass.NEAR:
        return unmatched(reference, findings, ordered, setting)
    matched = versions(ordered)
    compared = compare_fields(reference, matched, led, setting)
    if reason := _another_work(reference, matched[0], compared):
        if _is_proven(reference, matched[0], findings):
            return make_verdict(
                ReferenceLabel.MAJOR, (reason,), (), closest=matched[0].work
            )
        return left_open(reference, findings, matched[0].work)
    return _matched(matched, compared)


def _untitled(
    reference: Reference,
    findings: Findings,
    candidates: Sequence[Candidate],
    setting: Setting,
) -> Verdict:
    """Labels an entry without a title by what its identifier leads to."""
    ordered = best_first([c for c in candidates if c.is_led], reference.year)
    if not ordered:
        reason = "The entry has no title that could be looked for."
        return make_verdict(ReferenceLabel.NOT_VERIFIABLE, (reason,), ())
    led = {lead.key: lead for lead in findings.led}
    compared = compare_fields(reference, ordered[:1], led, setting)
    checks = (FieldCheck(Field.TITLE, FieldState.UNKNOWN), *compared.checks[1:])
    compared = Compared(compared.author_state, compared.has_equal_year, checks)
    is_other_year = compared.state(Field.YEAR) is FieldState.DIFFERS
    if compared.author_state is AuthorState.NONE and is_other_year:
        reason = (
            f"The identifier belongs to a different work: {named(ordered[0].work)}."
        )
        return misled(reason, findings, ordered[0].work)
    return _matched(ordered[:1], compared)


def _another_work(reference: Reference, best: Candidate, compared: Compared) -> str:
    """Returns why the closest record is of another work, or ``""`` if it is not."""
    state, title = compared.author_state, best.title.kind
    year, venue = compared.state(Field.YEAR), compared.state(Field.VENUE)
    other = f"The closest title is that of a different work: {named(best.work)}."
    is_few = best.authors.share < _FEW_AUTHORS
    if title is TitleClass.NEAR:
        if state is AuthorState.UNKNOWN:
            is_backed = best.is_led or (
                venue is FieldState.OK and year in (FieldState.OK, FieldState.NOTE)
            )
            return "" if is_backed else other
        if state is AuthorState.NONE or (state is AuthorState.FEW and is_few):
            return other
        if sum(check.state in WRONG for check in compared.checks[1:]) >= _MANY_WRONG:
            return other
    if title is TitleClass.PREFIX and state in (AuthorState.NONE, AuthorState.FEW):
        return other
    if state is AuthorState.NONE:
        words = content_words(title_words(reference.title))
        if len(words) <= _SHORT_TITLE:
            return f"A work of this title exists, by others: {named(best.work)}."
    is_other_year = year in WRONG or (
        state is AuthorState.NONE and not compared.has_equal_year
    )
    if state in (AuthorState.NONE, AuthorState.FEW) and (
        is_other_year or venue in WRONG
    ):
        return (
            "Title, authors and venue or year belong to different works; the title is"
            f" that of {named(best.work)}."
        )
    return ""


def _is_proven(reference: Reference, best: Candidate, findings: Findings) -> bool:
    """Tells whether what was asked suffices to say that a work does not exist."""
    if findings.is_complete and not findings.unasked:
        return not rarely_indexed(reference) or best.title.kind > TitleClass.PREFIX
    # What an identifier leads to speaks for itself.
    if best.is_led:
        return True
    words = content_words(title_words(reference.title))
    return best.title.kind >= TitleClass.STOP and len(words) >= _LONG_TITLE


def _matched(matched: Sequence[Candidate], compared: Compared) -> Verdict:
    """Labels an entry whose work is found by its fields."""
    works = tuple(candidate.work for candidate in matched)
    if wrong := reasons_of(compared.checks, WRONG):
        return make_verdict(ReferenceLabel.MINOR, wrong, compared.checks, works)
    notes = reasons_of(compared.checks, (FieldState.NOTE,))
    return make_verdict(ReferenceLabel.EXACT, notes, compared.checks, works)


def _order(work: Work) -> tuple[str, str]:
    return work.source, work.paper_id
