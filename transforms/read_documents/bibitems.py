"""Reads the reference lists that BibTeX and BibLaTeX write for LaTeX.  Pure.

Lists of ``bibitem``, in a document or in its .bbl file, are printed text with a key;
the .bbl files of BibLaTeX hold records.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from transforms import identifiers
from transforms.names import family_name
from transforms.read_documents.bibtex_names import are_initials
from transforms.read_documents.bibtex_records import to_reference
from transforms.read_documents.latex_input import Source
from transforms.read_documents.latex_symbols import print_plain
from transforms.records import CitationKind, Reference

_ITEM = re.compile(r"\\bibitem(?![A-Za-z])")
_BLOCK = re.compile(r"\\newblock(?![A-Za-z])")
_INFO = re.compile(r"\\(?:bibinfo|bibfield)\s{0,4}\{\s{0,4}(\w{1,30})\s{0,4}\}")
_HIDDEN = re.compile(r"\\(?:BibitemShut|bibAnnote\w{0,20})\s{0,4}\{[^{}]{0,99}\}")
_LABEL = re.compile(r"(?P<short>[^()]*)\((?P<year>[^()]*)\)(?P<long>.*)", re.DOTALL)
_YEAR = re.compile(r"(?<!\d)((?:1[5-9]|20)\d\d)([a-z]?)(?!\w)")
_JOINT = re.compile(r",\s*(?:and\s|&)?|\s(?:and|&)\s|;")
_ET_AL = re.compile(r"\s*,?\s*\bet\s+al\b\.?|\s*\bothers$")
_MAX_AUTHOR_CHARS = 3000

_ENTRY = re.compile(r"\\entry\s{0,4}\{([^{}]{1,200})\}")
_FIELD = re.compile(r"\\(?:field|strng)\s{0,4}\{(\w{1,40})\}")
_VERB = re.compile(r"\\verb\s{0,4}\{(\w{1,40})\}\s{0,9}\\verb ([^\n]{0,2000})")
_NAME = re.compile(r"\\name\s{0,4}\{(author|editor)\}")
_PART = re.compile(r"(family|given)=")


def read_bibitems(source: str) -> dict[str, Reference]:
    """Reads a reference list.

    Args:
      source: The list in LaTeX, without comments.

    Returns:
      The references by key, in order; of several with one key the first counts.
    """
    found: dict[str, Reference] = {}
    for key, reference in (*_records(source), *_items(source)):
        found.setdefault(key, reference)
    return found


def _items(source: str) -> Iterator[tuple[str, Reference]]:
    starts = [match.end() for match in _ITEM.finditer(source)]
    ends = [match.start() for match in _ITEM.finditer(source)][1:] + [len(source)]
    for start, end in zip(starts, ends, strict=False):
        item = Source(source[start:end].partition("\\end{thebibliography}")[0])
        label = item.option() or ""
        key = " ".join((item.group() or "").split())
        if key:
            yield key, _item(key, label, item.text[item.at :])


def _item(key: str, label: str, body: str) -> Reference:
    body = _HIDDEN.sub("", body)
    info = _information(body)
    blocks = [print_plain(block) for block in _BLOCK.split(body)]
    raw = " ".join(filter(None, blocks))
    year, suffix, authors = _read_label(label)
    printed = _YEAR.search(info["year"][0] if "year" in info else raw)
    if not year and printed:
        year, suffix = int(printed[1]), printed[2]
    if "author" in info:
        authors = tuple(map(_name, info["author"]))
    elif not authors and len(blocks) > 1:
        authors = _names(blocks[0])
    ids = {m.kind: m.key.partition(":")[2] for m in identifiers.find_identifiers(raw)}
    return Reference(
        ref_id=key,
        raw=raw,
        authors=authors,
        year=year,
        year_suffix=suffix,
        title=_first(info, "title") or (blocks[1] if len(blocks) > 2 else ""),
        venue=_first(info, "journal") or _first(info, "booktitle"),
        doi=ids.get(CitationKind.DOI),
        arxiv_id=ids.get(CitationKind.ARXIV),
        pmid=ids.get(CitationKind.PMID),
        pmcid=ids.get(CitationKind.PMCID),
    )


def _information(body: str) -> dict[str, list[str]]:
    """Returns what some styles mark in their entries: authors, title, year."""
    found: dict[str, list[str]] = {}
    for match in _INFO.finditer(body):
        rest = Source(body[match.end() : match.end() + _MAX_AUTHOR_CHARS])
        if "bibinfo" in match[0] and (value := print_plain(rest.group() or "")):
            kind = "author" if match[1] == "person" else match[1]
            found.setdefault(kind, []).append(value)
    return found


def _first(info: dict[str, list[str]], kind: str) -> str:
    return info.get(kind, [""])[0].rstrip(" .,")


def _read_label(label: str) -> tuple[int | None, str, tuple[str, ...]]:
    """Returns year, letter and authors of natbib's ``Ng et al.(2015a)Ng, Ode``."""
    parts = _LABEL.fullmatch(print_plain(label))
    year = _YEAR.search(parts["year"]) if parts else None
    if not parts or not year:
        return None, "", ()
    authors = _names(parts["long"]) or _names(parts["short"])
    return int(year[1]), year[2], authors


def _names(printed: str) -> tuple[str, ...]:
    """Returns the names of a printed list as ``Family, Given``."""
    listed = _ET_AL.sub("", printed[:_MAX_AUTHOR_CHARS])
    names: list[str] = []
    for part in map(str.strip, _JOINT.split(listed.rstrip(" .,"))):
        if names and are_initials(part) and "," not in names[-1]:
            names[-1] = f"{names[-1]}, {part}"
        elif part:
            names.append(_name(part))
    return (*names, "et al.") if listed != printed and names else tuple(names)


def _name(printed: str) -> str:
    """Returns a name, in whichever order, as ``Family, Given``."""
    family = family_name(printed)
    given = printed.removesuffix(family).strip()
    if "," in printed or not given or given == printed:
        return printed
    return f"{family}, {given}"


def _records(source: str) -> Iterator[tuple[str, Reference]]:
    """Yields the records of a .bbl file of BibLaTeX."""
    entries = list(_ENTRY.finditer(source))
    ends = [entry.start() for entry in entries[1:]] + [len(source)]
    for entry, end in zip(entries, ends, strict=False):
        body = source[entry.end() : end]
        fields = {m[1]: m[2] for m in _VERB.finditer(body)}
        for match in _FIELD.finditer(body):
            value = Source(body[match.end() :][:_MAX_AUTHOR_CHARS]).group()
            fields.setdefault(match[1], value or "")
        for match in _NAME.finditer(body):
            fields.setdefault(match[1], _extended_names(body[match.end() :]))
        yield entry[1], to_reference(entry[1], fields)


def _extended_names(rest: str) -> str:
    """Returns a list of names in BibLaTeX's extended format, part by part."""
    source = Source(rest[:_MAX_AUTHOR_CHARS])
    groups = [source.group() for _ in range(3)]
    names: list[str] = []
    body = groups[2] or ""
    for match in _PART.finditer(body):
        value = Source(body[match.end() : match.end() + 200]).group() or ""
        written = f"{match[1]}={{{value}}}"
        if match[1] == "family" or not names:
            names.append(written)
        else:
            names[-1] += f", {written}"
    return " and ".join(names)
