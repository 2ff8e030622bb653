"""Reads the field codes by which reference managers mark citations.  Pure."""

from __future__ import annotations

import base64
import binascii
import dataclasses
import enum
import re
from collections.abc import Iterable, Mapping

from transforms.read_documents.docx_sources import read_csl_citation, read_endnote
from transforms.records import Reference

_CSL = re.compile(r"\s*ADDIN\s+(?:ZOTERO_ITEM\s+)?CSL_CITATION\b")
_ENDNOTE = re.compile(r"\s*ADDIN\s+EN\.CITE(?:\.DATA)?\b")
_BIBLIOGRAPHY = re.compile(
    r"\s*(?:ADDIN\s+(?:ZOTERO_BIBL|EN\.REFLIST|Mendeley\s+Bibliography|"
    r"CSL_BIBLIOGRAPHY)|BIBLIOGRAPHY)\b"
)
_WORD = re.compile(r"\s*CITATION\s+(?P<tag>\S+)")
_FURTHER = re.compile(r"\\m\s+(\S+)")
_MENDELEY_CITE = "MENDELEY_CITATION_v3_"
_MENDELEY_LIST = "MENDELEY_BIBLIOGRAPHY"
_MAX_CODE_CHARS = 4 << 20


class FieldKind(enum.Enum):
    """What a field shows."""

    CITATION = enum.auto()
    BIBLIOGRAPHY = enum.auto()
    OTHER = enum.auto()


@dataclasses.dataclass(slots=True)
class Field:
    """A field while it is read.

    Attributes:
      codes: Its instruction as far as it is read, in pieces.
      data: The data that Word keeps beside the instruction, in base 64.
      in_result: Whether what follows is what the field shows.
      kind: What it shows, once the instruction is read.
      ref_ids: The works that it cites.
      first_block: Number of the block in which its result begins.
    """

    codes: list[str] = dataclasses.field(default_factory=list)
    data: str = ""
    in_result: bool = False
    kind: FieldKind = FieldKind.OTHER
    ref_ids: tuple[str, ...] = ()
    first_block: int = 0


class CitedWorks:
    """The works that the fields of a document cite.

    Args:
      sources: Word's own list of sources by tag.
    """

    def __init__(self, sources: Mapping[str, Reference]) -> None:
        self._sources = sources
        self._references: dict[str, Reference] = {}

    @property
    def references(self) -> tuple[Reference, ...]:
        """The works, in the order in which they are first cited."""
        return tuple(self._references.values())

    def read_field(self, field: Field) -> None:
        """Finds out what a field shows and which works it cites."""
        code = "".join(field.codes)[:_MAX_CODE_CHARS]
        if _BIBLIOGRAPHY.match(code):
            field.kind = FieldKind.BIBLIOGRAPHY
        elif _CSL.match(code):
            field.ref_ids = self._add(read_csl_citation(code))
        elif _ENDNOTE.match(code):
            records = read_endnote(code) or read_endnote(_decode(field.data))
            field.ref_ids = self._add(records)
        elif tag := _WORD.match(code):
            tags = (tag["tag"], *_FURTHER.findall(code))
            field.ref_ids = self._add(
                (t, self._sources[t]) for t in tags if t in self._sources
            )
        if field.ref_ids:
            field.kind = FieldKind.CITATION

    def read_tag(self, tag: str) -> Field:
        """Returns what a content control with ``tag`` shows."""
        field = Field()
        if tag.startswith(_MENDELEY_LIST):
            field.kind = FieldKind.BIBLIOGRAPHY
        elif tag.startswith(_MENDELEY_CITE):
            code = _decode(tag.removeprefix(_MENDELEY_CITE))
            field.ref_ids = self._add(read_csl_citation(code))
            field.kind = FieldKind.CITATION if field.ref_ids else FieldKind.OTHER
        return field

    def _add(self, works: Iterable[tuple[str, Reference]]) -> tuple[str, ...]:
        """Returns the ids of works, new ones numbered."""
        ids = []
        for key, reference in works:
            if key not in self._references:
                ref_id = f"ref-{len(self._references) + 1}"
                numbered = dataclasses.replace(reference, ref_id=ref_id)
                self._references[key] = numbered
            ids.append(self._references[key].ref_id)
        return tuple(dict.fromkeys(ids))


def _decode(data: str) -> str:
    """Returns text that was kept in base 64, or ``""``."""
    compact = "".join(data[: 2 * _MAX_CODE_CHARS].split())
    try:
        decoded = base64.b64decode(compact + "=" * (-len(compact) % 4))
    except (binascii.Error, ValueError):
        return ""
    return decoded.decode("utf-8", "replace").replace("\0", "")
