"""Reads the citation keys of pandoc and manubot in Markdown.  Pure.

``[see @key, p. 3; @other]``, ``@key [p. 3]``, ``-@key`` and keys that are identifiers,
such as ``@doi:10.1000/x``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from transforms import identifiers
from transforms.read_documents.citation_text import Form, Mark
from transforms.read_documents.marked_text import Piece
from transforms.records import CitationKind, Reference

# Stands for the sign in code, where it begins no key.
CODE_AT = "\ufdd0"

_KINDS = "doi|arxiv|pmid|pubmed|pmcid|pmc|url|https?"
_KEY = re.compile(
    rf"(?<![\w@/.-])(?P<sign>-?)@(?:\{{(?P<braced>[^{{}}\s]{{1,500}})\}}"
    rf"|(?P<id>(?i:{_KINDS}):(?:[^\s;,\]{CODE_AT}]|;(?=\w)){{1,500}})"
    r"|(?P<key>\w(?:[\w]|[:.#$%&+?<>~/-](?=\w)){0,200}))"
)
_GROUP = re.compile(r"\[[^\[\]]{0,4000}\]")
_NOTE = re.compile(r" ?\[([^\[\]@]{1,200})\]")
_DEFINITION = re.compile(
    r"^ {0,3}\[@(?P<key>[^\]\s]{1,200})\]:[ \t]{0,9}<?(?P<target>[^\s>]{1,500})>?"
    r"[ \t]{0,99}$",
    re.MULTILINE,
)
# Labels of figures and the like, which pandoc's filters write as keys.
_LABEL = re.compile(
    r"(?:fig|tbl|tab|eq|sec|lst|thm|lem|cor|prp|cnj|def|exm|exr)[:-]", re.IGNORECASE
)
_TRAILING = ".,:;!?'\"*_>"


def read_definitions(source: str) -> tuple[str, dict[str, str]]:
    """Parts what manubot calls citation aliases, ``[@key]: doi:10.1000/x``, from text.

    Returns:
      The source without them, and their targets by key.
    """
    if "[@" not in source:
        return source, {}
    aliases = {m["key"]: m["target"] for m in _DEFINITION.finditer(source)}
    return (_DEFINITION.sub("", source) if aliases else source), aliases


def read_tags(table: str) -> dict[str, str]:
    """Reads manubot's table of tags: a key and a target on each line."""
    rows = (line.split("\t") for line in table.splitlines())
    return {f"tag:{row[0].strip()}": row[1].strip() for row in rows if len(row) > 1}


def find_keys(text: str) -> Iterator[str]:
    """Yields the keys in ``text``, and what merely looks like one."""
    for match in _KEY.finditer(text) if "@" in text else ():
        yield _key(match)


def identify(key: str, aliases: Mapping[str, str]) -> Reference | None:
    """Returns what a key says of its work, or None where it is no identifier.

    Args:
      key: The key.
      aliases: What keys stand for, where they stand for identifiers.
    """
    written = aliases.get(key, key)
    kind, _, value = written.partition(":")
    ids: dict[CitationKind, str | None] = {}
    match kind.lower():
        case "doi":
            ids[CitationKind.DOI] = identifiers.doi(value)
        case "arxiv":
            ids[CitationKind.ARXIV] = identifiers.arxiv_id(value)
        case "pmid" | "pubmed":
            ids[CitationKind.PMID] = identifiers.pmid(value)
        case "pmcid" | "pmc":
            ids[CitationKind.PMCID] = identifiers.pmcid(value)
        case "url" | "http" | "https":
            for mention in identifiers.find_identifiers(written):
                ids.setdefault(mention.kind, mention.key.partition(":")[2])
        case _:
            if key not in aliases:
                return None
    return Reference(
        ref_id=key,
        raw=written,
        doi=ids.get(CitationKind.DOI),
        arxiv_id=ids.get(CitationKind.ARXIV),
        pmid=ids.get(CitationKind.PMID),
        pmcid=ids.get(CitationKind.PMCID),
    )


def split(
    text: str, references: Mapping[str, Reference], *, printed: frozenset[str]
) -> Iterator[Piece]:
    """Cuts a paragraph at its citations.

    Args:
      text: The paragraph.
      references: The entries that its keys may stand for.
      printed: The keys to print as author and year; others stay as written.

    Yields:
      Text and citations.  A key in brackets always cites; one outside does where
      it has an entry, or the document prints others.
    """
    start = 0
    for group in _GROUP.finditer(text) if "@" in text else ():
        keys = [k for k in find_keys(group[0]) if k in references or not _is_label(k)]
        if not keys:
            continue
        yield from _split_narrative(text[start : group.start()], references, printed)
        is_printed = not printed.isdisjoint(keys)
        yield "(" if is_printed else "["
        yield from _split_group(group[0][1:-1], references)
        yield ")" if is_printed else "]"
        start = group.end()
    yield from _split_narrative(text[start:], references, printed)


def _split_group(text: str, references: Mapping[str, Reference]) -> Iterator[Piece]:
    start = 0
    for match in _KEY.finditer(text):
        key = _key(match)
        if key not in references and _is_label(key):
            continue
        form = Form.YEAR if match["sign"] else Form.CITED
        yield text[start : match.start()]
        written, start = _written(text, match, key)
        yield Mark(key, form, written)
    yield text[start:]


def _split_narrative(
    text: str, references: Mapping[str, Reference], printed: frozenset[str]
) -> Iterator[Piece]:
    start = 0
    for match in _KEY.finditer(text) if "@" in text else ():
        key = _key(match)
        # It may be somebody's handle.
        if key not in references and (not printed or _is_label(key)):
            continue
        yield text[start : match.start()]
        written, start = _written(text, match, key)
        if match["sign"] and key in printed:
            yield from ("(", Mark(key, Form.YEAR, written), ")")
            continue
        note = _NOTE.match(text, start) if key in printed else None
        start = note.end() if note else start
        yield Mark(key, Form.NARRATIVE, written, note[1].strip() if note else "")
    yield text[start:]


def _written(text: str, match: re.Match[str], key: str) -> tuple[str, int]:
    """Returns a key as written, and the offset behind it."""
    end = match.end()
    if not match["braced"]:
        end = text.index(key, match.start()) + len(key)
    return text[match.start() : end], end


def _key(match: re.Match[str]) -> str:
    """Returns a key without the punctuation that follows it."""
    if key := match["braced"] or match["key"]:
        return key
    key = match["id"].rstrip(_TRAILING)
    while key.endswith(")") and key.count(")") > key.count("("):
        key = key[:-1].rstrip(_TRAILING)
    return key


def _is_label(key: str) -> bool:
    return _LABEL.match(key) is not None
