"""Turns the body and the notes of a Word file into blocks of text.  Pure.

Left out: tables, captions, tables of contents, drawings, displayed formulas, hidden
text, and what tracked changes delete.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lxml import etree

from transforms.read_documents.docx_fields import CitedWorks, Field, FieldKind
from transforms.read_documents.docx_package import Style, W, outline_level
from transforms.read_documents.reference_section import is_reference_heading
from transforms.read_documents.running_text import Block, BlockWriter

_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_TRANSPARENT = frozenset(
    W + name
    for name in (
        *("ins", "moveTo", "hyperlink", "smartTag", "customXml", "bdo", "dir"),
        *("sdtContent", "body", "footnote", "endnote"),
    )
)
_SPACES = {W + "tab": " ", W + "ptab": " ", W + "br": "\n", W + "cr": "\n"}
_NOTE_MARKS = {W + "footnoteReference": "footnote", W + "endnoteReference": "endnote"}
_DROPPED_STYLES = ("caption", "toc", "table of figures", "table of authorities")
_NO_STYLE = Style("")
_OFF = frozenset(["0", "false", "off"])


class BodyReader:
    """Reads parts of a Word file one after the other.

    Args:
      styles: The paragraph styles by id.
      works: Takes note of the works that fields cite.
    """

    def __init__(self, styles: Mapping[str, Style], works: CitedWorks) -> None:
        self.title = ""
        self.notes: list[tuple[str, str]] = []
        self._styles = styles
        self._works = works
        self._writer = BlockWriter()
        self._fields: list[Field] = []
        # Fields whose result is yet to come: they show nothing.
        self._pending = 0
        self._entries: set[int] = set()

    def read(self, part: etree._Element) -> tuple[list[Block], list[Block]]:
        """Returns the text blocks of a part, and the entries of its bibliography.

        Args:
          part: An element that holds paragraphs, such as the body.
        """
        self._writer, self._fields, self._entries = BlockWriter(), [], set()
        self._pending = 0
        self._write(part)
        self._writer.end_block()
        blocks, entries = self._writer.blocks, self._entries
        heads = {
            i - 1 for i in entries if i and is_reference_heading(blocks[i - 1].text)
        }
        kept = [b for i, b in enumerate(blocks) if i not in entries and i not in heads]
        return kept, [b for i, b in enumerate(blocks) if i in entries]

    def _write(self, element: etree._Element) -> None:
        """Writes ``element``, whatever it is."""
        tag = element.tag
        if tag == W + "p":
            self._write_paragraph(element)
        elif tag == W + "r":
            self._write_run(element)
        elif tag == W + "sdt":
            self._write_control(element)
        elif tag == W + "fldSimple":
            field = Field(codes=[element.get(W + "instr", "")])
            self._begin_result(field)
            self._write_all(element)
            self._end_field(field)
        elif tag == _M + "oMath":
            self._add("".join(node.text or "" for node in element.iter(_M + "t")))
        elif tag in _TRANSPARENT:
            self._write_all(element)

    def _write_all(self, element: etree._Element) -> None:
        for child in element:
            self._write(child)

    def _write_paragraph(self, paragraph: etree._Element) -> None:
        properties = paragraph.find(W + "pPr")
        style = self._style(properties)
        if style.name.startswith(_DROPPED_STYLES):
            return
        before = len(self._writer.blocks)
        self._write_all(paragraph)
        # A field whose result never came must not hide the rest of the document.
        if self._pending:
            self._fields = [field for field in self._fields if field.in_result]
            self._pending = 0
        if _has(properties, "rPr/" + W + "del"):
            # The mark between two paragraphs is deleted.
            return
        self._writer.end_block(level=style.level)
        added = self._writer.blocks[before:]
        if added and style.name == "title" and not self.title:
            self.title = added[0].text
        if style.name.endswith("bibliography"):
            self._entries.update(range(before, len(self._writer.blocks)))

    def _style(self, properties: etree._Element | None) -> Style:
        if properties is None:
            return _NO_STYLE
        style = self._styles.get(_value(properties, "pStyle"), _NO_STYLE)
        level = outline_level(_value(properties, "outlineLvl"))
        return Style(style.name, level) if level else style

    def _write_run(self, run: etree._Element) -> None:
        hidden = _is_on(run.find(f"{W}rPr/{W}vanish"))
        for child in run:
            tag = child.tag
            if tag == W + "fldChar":
                self._write_field_character(child)
            elif tag == W + "instrText":
                if self._fields:
                    self._fields[-1].codes.append(child.text or "")
            elif hidden:
                continue
            elif tag == W + "t":
                self._add(child.text or "")
            elif tag in _SPACES:
                self._add(_SPACES[tag])
            elif tag == W + "noBreakHyphen":
                self._add("-")
            elif tag in _NOTE_MARKS:
                self.notes.append((_NOTE_MARKS[tag], child.get(W + "id", "")))

    def _write_field_character(self, character: etree._Element) -> None:
        kind = character.get(W + "fldCharType")
        if kind == "begin":
            data = character.find(W + "fldData")
            self._fields.append(Field(data="" if data is None else data.text or ""))
            self._pending += 1
        elif kind == "separate" and self._fields:
            self._pending -= not self._fields[-1].in_result
            self._begin_result(self._fields[-1])
        elif kind == "end" and self._fields:
            field = self._fields.pop()
            self._pending -= not field.in_result
            outer = self._fields[-1] if self._fields else None
            if outer and not outer.in_result and not field.in_result:
                # EndNote keeps the records of a long citation in a field within it.
                outer.data = outer.data or field.data
            self._end_field(field)

    def _begin_result(self, field: Field) -> None:
        field.in_result = True
        self._works.read_field(field)
        self._open(field)

    def _open(self, field: Field) -> None:
        field.first_block = len(self._writer.blocks)
        if field.kind is FieldKind.CITATION and not self._writer.open_mark():
            field.kind = FieldKind.OTHER

    def _end_field(self, field: Field) -> None:
        if field.kind is FieldKind.CITATION:
            self._writer.close_mark(field.ref_ids)
        elif field.kind is FieldKind.BIBLIOGRAPHY:
            end = len(self._writer.blocks) + self._writer.is_open
            self._entries.update(range(field.first_block, end))

    def _write_control(self, control: etree._Element) -> None:
        """Writes a content control: Mendeley marks citations by them."""
        properties = control.find(W + "sdtPr")
        gallery = _value(properties, f"docPartObj/{W}docPartGallery")
        if gallery == "Table of Contents":
            return
        field = self._works.read_tag(_value(properties, "tag"))
        if gallery == "Bibliographies":
            field.kind = FieldKind.BIBLIOGRAPHY
        self._open(field)
        self._write_all(control)
        self._end_field(field)

    def _add(self, text: str) -> None:
        if not self._pending:
            self._writer.add(text)


def read_notes(
    reader: BodyReader, parts: Mapping[str, etree._Element | None]
) -> list[Block]:
    """Returns the text of the notes that were met so far, in the order of their marks.

    Args:
      reader: The reader of the body.
      parts: The parts that hold notes, by their kind.
    """
    notes: dict[tuple[str, str], etree._Element] = {}
    for kind, part in parts.items():
        for note in part if part is not None else ():
            if note.tag == W + kind:
                notes.setdefault((kind, note.get(W + "id", "")), note)
    met: Sequence[tuple[str, str]] = tuple(dict.fromkeys(reader.notes))
    blocks: list[Block] = []
    for place in met:
        if place in notes:
            blocks.extend(reader.read(notes[place])[0])
    return blocks


def _value(element: etree._Element | None, path: str) -> str:
    found = None if element is None else element.find(W + path)
    return "" if found is None else found.get(W + "val", "")


def _has(element: etree._Element | None, path: str) -> bool:
    return element is not None and element.find(W + path) is not None


def _is_on(switch: etree._Element | None) -> bool:
    return switch is not None and switch.get(W + "val", "1") not in _OFF
