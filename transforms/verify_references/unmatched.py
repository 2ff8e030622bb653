"""Labels a reference whose title is on no record.  Pure."""

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
from transforms.verify_references.candidates import Candidate
from transforms.verify_references.fields import Setting, compare_fields
from transforms.verify_references.index_names import listed
from transforms.verify_references.titles import shared_content
from transforms.verify_references.verdicts import (
    WRONG,
    make_verdict,
    named,
    reasons_of,
)
from transforms.verify_references.work_types import rarely_indexed
from transforms.verify_references.years import is_year_of

_RETITLED_AUTHORS = 0.5
_RETITLED_WORDS = 0.5
_RETITLED_SIMILARITY = 0.6


def unmatched(
    reference: Reference,
    findings: Findings,
    ordered: Sequence[Candidate],
    setting: Setting,
) -> Verdict:
    """Labels an entry whose title is on no record."""
    led = [candidate for candidate in ordered if candidate.is_led]
    closest = max(ordered, key=lambda c: c.title.similarity).work if ordered else None
    if not led:
        return _absent(reference, findings, closest)
    best = max(led, key=lambda c: (c.authors.share, c.title.similarity))
    if _is_retitled(reference, best) or (
        not findings.is_complete and _may_be_translated(reference, best)
    ):
        compared = compare_fields(
            reference, [best], {lead.key: lead for lead in findings.led}, setting
        )
        reason = (
            "The identifier leads to this work, by the same authors under another"
            f" title: {named(best.work)}."
        )
        reasons = (reason, *reasons_of(compared.checks[1:], WRONG))
        return make_verdict(
            ReferenceLabel.MINOR, reasons, compared.checks, (best.work,)
        )
    # Its authors agree or are unknown: a translation, or a chapter of a whole.
    may_be = best.authors.state in (AuthorState.OK, AuthorState.UNKNOWN)
    if may_be and (kind := rarely_indexed(reference)):
        return _absent(reference, findings, best.work, kind)
    reason = (
        f"The identifier belongs to a different work: {named(best.work)};"
        f" no work with the cited title is in {listed(findings.asked) or 'any index'}."
    )
    return misled(reason, findings, best.work)


def misled(reason: str, findings: Findings, other: Work) -> Verdict:
    """Labels an entry whose identifier is that of another work.

    Where not all works are known, the cited one may exist, and no more is certain than
    that the identifier is wrong.

    Args:
      reason: What is to be said of it.
      findings: What the indexes said.
      other: The work that the identifier is of.
    """
    leads = {lead.key.partition(":")[0] for lead in findings.led if lead.work == other}
    checks = tuple(
        FieldCheck(field, FieldState.CONFLICT, reason)
        if field.value in leads
        else FieldCheck(field, FieldState.UNKNOWN)
        for field in Field
    )
    is_certain = findings.is_complete and not findings.unasked
    label = ReferenceLabel.MAJOR if is_certain else ReferenceLabel.MINOR
    return make_verdict(label, (reason,), checks, closest=other)


def _absent(
    reference: Reference, findings: Findings, closest: Work | None, kind: str = ""
) -> Verdict:
    """Labels an entry that no record can be of."""
    kind = kind or rarely_indexed(reference)
    if kind or findings.unasked or not findings.is_complete:
        return left_open(reference, findings, closest)
    reason = f"No work with this title is in {listed(findings.asked)}."
    shown = (f"The closest is {named(closest)}.",) if closest else ()
    return make_verdict(ReferenceLabel.MAJOR, (reason, *shown), (), closest=closest)


def left_open(
    reference: Reference, findings: Findings, closest: Work | None
) -> Verdict:
    """Says why nothing can be told."""
    asked = listed(findings.asked)
    if findings.unasked:
        reason = f"Not everything could be asked: {'; '.join(findings.unasked)}."
    elif kind := rarely_indexed(reference):
        reason = f"Not found in {asked}, and seems to be {kind}: few indexes hold such."
    elif not findings.asked:
        reason = "No index was asked."
    else:
        reason = f"Not found in {asked}, which holds only a part of all works."
    shown = (f"The closest is {named(closest)}.",) if closest else ()
    return make_verdict(
        ReferenceLabel.NOT_VERIFIABLE, (reason, *shown), (), closest=closest
    )


def _is_retitled(reference: Reference, led: Candidate) -> bool:
    if led.authors.share < _RETITLED_AUTHORS:
        return False
    return (
        shared_content(reference.title, led.work.title) >= _RETITLED_WORDS
        or led.title.similarity >= _RETITLED_SIMILARITY
    )


def _may_be_translated(reference: Reference, led: Candidate) -> bool:
    """Tells whether authors and year allow a title to be in another language.

    Where the cited title is not to be found at all, that is no excuse.
    """
    year = led.work.year
    if led.authors.state is not AuthorState.OK or not year or not reference.year:
        return False
    return is_year_of(reference.year, [year])
