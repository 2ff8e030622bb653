"""Writes corrected entries as BibTeX.  Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

from transforms.identifiers import arxiv_id
from transforms.records import Reference, Work
from transforms.reference_records import (
    Field,
    FieldState,
    ReferenceCheck,
    ReferenceLabel,
    Verdict,
)

_WRONG = (FieldState.DIFFERS, FieldState.CONFLICT)
_SPECIAL = re.compile(r"(?<!\\)([&%$#_])")
_KEY = re.compile(r"[\s,{}()\"#%~\\=']+")
_KINDS = re.compile(r"[a-z]{2,20}")
# Kinds of other formats, as BibTeX calls them.
_CALLED = {"journal": "article", "jour": "article", "conf": "inproceedings"}


def to_bibtex(checks: Iterable[ReferenceCheck]) -> str:
    """Returns the entries that can be corrected, with what is changed as comments.

    Those are the ones whose work exists and that have a field wrong; the field is
    taken from the record that agrees best.

    Args:
      checks: Checked entries.

    Returns:
      A BibTeX database, ``""`` if there is nothing to correct.
    """
    return "\n".join(
        _entry(check.listed.reference, check.verdict)
        for check in checks
        if check.verdict.label is ReferenceLabel.MINOR and check.verdict.works
    )


def _entry(reference: Reference, verdict: Verdict) -> str:
    wrong = {check.field for check in verdict.fields if check.state in _WRONG}
    fields = _fields(reference, verdict.works[0], wrong)
    reasons = (f"% {' '.join(reason.split())}" for reason in verdict.reasons)
    body = (f"  {name} = {{{value}}}," for name, value in fields.items() if value)
    key = _KEY.sub("-", reference.ref_id).strip("-") or "reference"
    return "\n".join((*reasons, f"@{_kind(reference)}{{{key},", *body, "}\n"))


def _fields(reference: Reference, work: Work, wrong: set[Field]) -> dict[str, str]:
    """Returns the fields of an entry, the wrong ones as the record has them."""
    authors = work.authors if Field.AUTHORS in wrong else reference.authors
    title = work.title if Field.TITLE in wrong else reference.title
    year = work.year if Field.YEAR in wrong and work.year else reference.year
    venue = work.venue if Field.VENUE in wrong and work.venue else reference.venue
    doi = work.doi if Field.DOI in wrong else reference.doi
    arxiv = work.arxiv_id if Field.ARXIV in wrong else reference.arxiv_id
    if doi and arxiv_id(doi):
        doi = None
    where = "journal" if _kind(reference) == "article" else "booktitle"
    return {
        "author": " and ".join(map(_printed, authors)),
        "title": _printed(title),
        where: _printed(venue),
        "year": str(year or ""),
        "volume": _printed(reference.volume),
        "pages": _printed(reference.pages),
        "doi": doi or "",
        "eprint": arxiv or "",
        "archiveprefix": "arXiv" if arxiv else "",
        "pmid": reference.pmid or "",
    }


def _kind(reference: Reference) -> str:
    kind = reference.work_type.casefold()
    kind = _CALLED.get(kind, kind)
    return kind if _KINDS.fullmatch(kind) else "article"


def _printed(text: str) -> str:
    """Returns a text as TeX prints it: no brace opens or closes, no comment begins."""
    bare = text.replace("\\", " ").replace("{", "").replace("}", "")
    return _SPECIAL.sub(r"\\\1", " ".join(bare.split()))
