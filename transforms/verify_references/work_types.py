"""Tells references that indexes rarely hold.  Pure."""

from __future__ import annotations

import re

from transforms.names import fold
from transforms.records import Reference

# Names that BibTeX, CSL, RIS, JATS and EndNote have for them.
_RARE = {
    "a book": (
        "book", "booklet", "inbook", "incollection", "chapter", "edbook", "manual",
        "collection", "mvbook", "bookinbook", "entry-encyclopedia", "entry-dictionary",
        "book section", "edited book", "electronic book", "proceedings",
    ),
    "a thesis": ("thesis", "phdthesis", "mastersthesis", "thes"),
    "a report": (
        "report", "techreport", "rprt", "working-paper", "gov", "standard", "stand",
        "government document",
    ),
    "a web page": (
        "webpage", "web", "web page", "online", "website", "elec", "blog", "post",
        "post-weblog", "electronic", "internet",
    ),
    "a law": (
        "legislation", "bill", "legal_case", "case", "patent", "pat", "law", "statute",
        "stat", "treaty", "jurisdiction", "legal",
    ),
    "software or data": (
        "software", "dataset", "data", "comp", "computer program", "database", "dbase",
    ),
    "unpublished": (
        "unpublished", "unpb", "personal_communication", "personal communication",
        "pcomm", "manuscript", "interview", "speech", "motion_picture", "broadcast",
        "newspaper", "article-newspaper", "article-magazine", "news", "mgzn", "video",
    ),
}  # fmt: skip
_TYPES = {name: kind for kind, names in _RARE.items() for name in names}
# What an entry says of itself.
_SAID = {
    "a thesis": r"(?i)\b(?:ph\.? ?d\.?|doctoral|master'?s)\b.{0,20}(?:thes|dissert)",
    "a report": r"(?i)\b(?:technical|tech\.|working|discussion) (?:report|rep\.|paper)",
    "a web page": r"(?i)\b(?:accessed|retrieved (?:from|on)|available (?:at|from))\b",
    "a book": (
        r"\b(?:University|Academic|Humana|MIT|CRC|Harbor Laboratory) Press\b"
        r"|\bISBN\b|\b(?:2nd|3rd|\dth) edn?\b|\(Eds?\.\)"
    ),
    "software or data": r"(?i)\br package\b|\bversion \d+\.\d+|\bgithub\.com\b",
}
# Registrants of repositories of data and software, which indexes of articles leave out.
_DATA = re.compile(
    r"10\.(?:5281|6084|5061|17632|7910|1594|3886|17605|15468|2210|6019|18112|25387"
    r"|4231|5063|13012|7303|5067|6073|5060|24381)/"
)
_UNSTATED = frozenset(["misc", "other", "generic", "gen", "miscellaneous"])
_LATIN = re.compile(r"[a-z]")
_MAX_RAW_CHARS = 2_000
_SAYS = tuple((re.compile(said), kind) for kind, said in _SAID.items())


def rarely_indexed(reference: Reference) -> str:
    """Returns what a reference is of, if indexes of articles rarely hold such works.

    Returns:
      ``a book``, ``a thesis`` and so on; ``""`` for all others.
    """
    if kind := _TYPES.get(reference.work_type.casefold().strip()):
        return kind
    if reference.doi and _DATA.match(reference.doi):
        return "software or data"
    if reference.doi or reference.arxiv_id or reference.pmid:
        return ""
    if reference.work_type.casefold() in _UNSTATED:
        return "of no stated kind"
    if reference.title and not _LATIN.search(fold(reference.title)):
        return "in another script"
    raw = reference.raw[:_MAX_RAW_CHARS]
    return next((kind for said, kind in _SAYS if said.search(raw)), "")
