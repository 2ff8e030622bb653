"""Opens the parts of a Word file.  Pure.

A Word file is a zip archive of XML parts; nothing but these parts is unpacked, and
none beyond a fixed size.
"""

from __future__ import annotations

import dataclasses
import io
import posixpath
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator

from lxml import etree

from transforms.read_documents.errors import UnreadableDocument
from transforms.read_documents.xml_source import parse_xml

_MAX_PART_BYTES = 64 << 20
_MAX_SOURCES = 20
_MAX_STYLE_DEPTH = 10
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_BROKEN = "is a broken Word file: open it in Word and save it again"
_ENCRYPTED = 1

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main"
_LOOSE = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_DOCUMENT = re.compile(r"/officeDocument$")
_SOURCES = re.compile(r"customXml/item\d{1,4}\.xml")
_HEADING = re.compile(r"heading ([1-9])")


@dataclasses.dataclass(frozen=True, slots=True)
class Style:
    """What a paragraph style says of its paragraphs.

    Attributes:
      name: Its name in lower case, the same in every language of Word.
      level: Level of a heading, from 1; 0 for anything else.
      based_on: Id of the style that it varies.
    """

    name: str
    level: int = 0
    based_on: str = ""


class Package:
    """The parts of a Word file.

    Args:
      data: The file.

    Raises:
      UnreadableDocument: If it is no zip archive, or no Word file.
    """

    def __init__(self, data: bytes) -> None:
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, OSError, ValueError, struct.error, EOFError):
            raise UnreadableDocument(_BROKEN) from None
        self._names = frozenset(self._archive.namelist())
        self._main = self._find_document()

    def document(self) -> etree._Element:
        """Returns the part that holds the body."""
        part = self._parse(self._main)
        if part is None:
            raise UnreadableDocument(_BROKEN)
        return part

    def beside(self, name: str) -> etree._Element | None:
        """Returns a part beside the body, such as ``footnotes``, or None."""
        folder = posixpath.dirname(self._main)
        return self._parse(posixpath.join(folder, f"{name}.xml"))

    def properties(self) -> etree._Element | None:
        """Returns the part with title and authors, or None."""
        return self._parse("docProps/core.xml")

    def sources(self) -> Iterator[etree._Element]:
        """Yields the parts that may hold Word's own list of sources."""
        names = sorted(name for name in self._names if _SOURCES.fullmatch(name))
        for name in names[:_MAX_SOURCES]:
            part = self._parse(name)
            if part is not None:
                yield part

    def styles(self) -> dict[str, Style]:
        """Returns the paragraph styles by id."""
        part = self.beside("styles")
        found: dict[str, Style] = {}
        for style in part.iter(f"{W}style") if part is not None else ():
            name = _value(style.find(f"{W}name")).lower()
            outline = _value(style.find(f"{W}pPr/{W}outlineLvl"))
            heading = _HEADING.fullmatch(name)
            level = int(heading[1]) if heading else outline_level(outline)
            based_on = _value(style.find(f"{W}basedOn"))
            found[style.get(f"{W}styleId", "")] = Style(name, level, based_on)
        return {key: _resolve(style, found) for key, style in found.items()}

    def _find_document(self) -> str:
        relations = self._parse("_rels/.rels")
        for relation in relations if relations is not None else ():
            if _DOCUMENT.search(relation.get("Type", "")):
                target = relation.get("Target", "").lstrip("/")
                if target in self._names:
                    return target
        return "word/document.xml"

    def _parse(self, name: str) -> etree._Element | None:
        """Returns the root of a part, or None where there is no such part."""
        if name not in self._names:
            return None
        data = self._read(self._archive.getinfo(name))
        # ISO's strict form has the same names in another namespace.
        return parse_xml(data.replace(_STRICT.encode(), _LOOSE.encode()))

    def _read(self, info: zipfile.ZipInfo) -> bytes:
        if info.flag_bits & _ENCRYPTED:
            raise UnreadableDocument("is encrypted: save it without its password")
        if info.compress_type not in _METHODS:
            raise UnreadableDocument(_BROKEN)
        try:
            with self._archive.open(info) as stream:
                data = stream.read(_MAX_PART_BYTES + 1)
        except (
            *(zipfile.BadZipFile, zlib.error, OSError, ValueError, EOFError),
            *(RuntimeError, NotImplementedError, struct.error),
        ):
            raise UnreadableDocument(_BROKEN) from None
        if len(data) > _MAX_PART_BYTES:
            raise UnreadableDocument(
                f"has over {_MAX_PART_BYTES >> 20} MB in one part, as hostile files "
                "do: save it again or convert it to text"
            )
        return data


def outline_level(written: str) -> int:
    """Returns the level, from 1, that an outline level counts from 0; else 0."""
    return int(written) + 1 if re.fullmatch(r"[0-8]", written) else 0


def _value(element: etree._Element | None) -> str:
    return "" if element is None else element.get(f"{W}val", "")


def _resolve(style: Style, styles: dict[str, Style]) -> Style:
    """Returns a style with the level, and the usual name, of what it varies."""
    known = style
    for _ in range(_MAX_STYLE_DEPTH):
        if style.level or known.based_on not in styles:
            break
        known = styles[known.based_on]
        if known.level or known.name in ("caption", "bibliography", "title"):
            return Style(known.name, known.level)
    return style
