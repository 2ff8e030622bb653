"""Tests of the Word reader.  All manuscripts are invented, and made by the tests."""

import base64
import dataclasses
import io
import json
import xml.sax.saxutils
import zipfile

import docx as python_docx
import hypothesis.strategies as st
import pytest
from docx.oxml import parse_xml
from hypothesis import HealthCheck, given, settings

from transforms.read_documents import docx
from transforms.read_documents.errors import UnreadableDocument
from transforms.records import Reference, Section

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_ENTRIES = (
    "Ng, A. (2010). Warm wool. Wool, 3(1), 1–9.",
    "Ode, T., & Ba, C. (2011). Shears. Wool, 4, 2.",
)


def _saved(document):
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


def _read(document):
    return docx.read(_saved(document), doc_id="d", path="d.docx")


def _read_body(body, *, styles="", **parts):
    """Reads a file made of bare XML: its body and further parts by name."""
    return docx.read(_zipped(body, styles=styles, **parts), doc_id="d", path="d.docx")


def _zipped(body, *, styles="", **parts):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        whole = f'<w:document xmlns:w="{_W}"><w:body>{body}</w:body></w:document>'
        archive.writestr("word/document.xml", whole)
        archive.writestr(
            "word/styles.xml", f'<w:styles xmlns:w="{_W}">{styles}</w:styles>'
        )
        for name, content in parts.items():
            archive.writestr(name.replace("__", "/") + ".xml", content)
    return stream.getvalue()


def _run(text):
    return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'


def _field(code, result, data=""):
    code = xml.sax.saxutils.escape(code)
    data = f"<w:fldData>{data}</w:fldData>" if data else ""
    half = len(code) // 2 if "&" not in code else len(code)
    return (
        f'<w:r><w:fldChar w:fldCharType="begin">{data}</w:fldChar></w:r>'
        f"<w:r><w:instrText>{code[:half]}</w:instrText></w:r>"
        f"<w:r><w:instrText>{code[half:]}</w:instrText></w:r>"
        f'<w:r><w:fldChar w:fldCharType="separate"/></w:r>{_run(result)}'
        f'<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )


def _paragraph(*runs):
    return f"<w:p>{''.join(runs)}</w:p>"


def _anchors(document):
    return [(document.text[a.start : a.end], a.ref_ids) for a in document.anchors]


# --- files that Word could have written -------------------------------------------


def test_reads_headings_paragraphs_and_lists():
    document = python_docx.Document()
    document.add_heading("On wool", 0)
    document.add_heading("Methods", 1)
    document.add_paragraph("Sheep were shorn (Ng, 2010).")
    document.add_paragraph("One", style="List Bullet")
    document.add_heading("Shears", 2)
    document.add_paragraph("They cut.")
    table = document.add_table(1, 1)
    table.cell(0, 0).text = "No (Ng, 2010)"
    document.add_paragraph("Figure 1. No.", style="Caption")
    document.add_heading("References", 1)
    for entry in _ENTRIES:
        document.add_paragraph(entry)
    found = _read(document)
    assert found.title == "On wool"
    assert found.text == (
        "On wool\n\nMethods\n\nSheep were shorn (Ng, 2010).\n\nOne\n\nShears\n\n"
        "They cut."
    )
    assert found.sections == (Section("Methods", 9, 70), Section("Shears", 53, 70))
    assert found.reference_text == "\n\n".join(_ENTRIES)


def test_usual_headings_need_no_style():
    document = python_docx.Document()
    for text in ("Introduction", "Warm.", "RESULTS", "Soft.", "References", *_ENTRIES):
        document.add_paragraph(text)
    found = _read(document)
    assert [section.title for section in found.sections] == ["Introduction", "RESULTS"]
    assert found.reference_text == "\n\n".join(_ENTRIES)


def test_takes_the_title_of_the_properties_last():
    document = python_docx.Document()
    document.core_properties.title = "On wool"
    document.add_paragraph("Warm.")
    assert _read(document).title == "On wool"


def test_reads_a_field_in_a_file_of_word():
    document = python_docx.Document()
    paragraph = document.add_paragraph("Warm ")
    code = f"ADDIN ZOTERO_ITEM CSL_CITATION {_csl(_NG)}"
    for run in parse_xml(f'<w:p xmlns:w="{_W}">{_field(code, "(Ng, 2010)")}</w:p>'):
        paragraph._p.append(run)
    assert _anchors(_read(document)) == [("(Ng, 2010)", ("ref-1",))]


# --- bare XML ---------------------------------------------------------------------

_TEXTS = {
    "runs": (_paragraph(_run("Wo"), _run("ol  is "), _run("warm.")), "Wool is warm."),
    "tabs and breaks": (
        "<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t></w:r></w:p>",
        "a b c",
    ),
    "hyphens": (
        "<w:p><w:r><w:t>a</w:t><w:noBreakHyphen/><w:t>b</w:t><w:softHyphen/>"
        "<w:t>c</w:t></w:r></w:p>",
        "a-bc",
    ),
    "tracked changes": (
        f"<w:p>{_run('One ')}<w:del><w:r><w:delText>no</w:delText></w:r></w:del>"
        f"<w:ins>{_run('two')}</w:ins><w:moveFrom>{_run('no')}</w:moveFrom></w:p>",
        "One two",
    ),
    "deleted paragraph mark": (
        "<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>" + _run("One ") + "</w:p>"
        f"{_paragraph(_run('two.'))}",
        "One two.",
    ),
    "hidden text": (
        f"<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>no</w:t></w:r>{_run('One')}"
        '<w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t>.</w:t></w:r></w:p>',
        "One.",
    ),
    "link": (_paragraph(f"<w:hyperlink>{_run('One')}</w:hyperlink>"), "One"),
    "content control": (
        f"<w:sdt><w:sdtPr/><w:sdtContent>{_paragraph(_run('One'))}</w:sdtContent></w:sdt>",
        "One",
    ),
    "table of contents": (
        '<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/>'
        f"</w:docPartObj></w:sdtPr><w:sdtContent>{_paragraph(_run('No'))}"
        "</w:sdtContent></w:sdt>",
        "",
    ),
    "drawing": (
        f"<w:p>{_run('One')}<w:r><w:drawing><w:t>no</w:t></w:drawing></w:r></w:p>",
        "One",
    ),
    "other fields": (
        _paragraph(_run("See "), _field(" REF fig \\h ", "Figure 1"), _run(".")),
        "See Figure 1.",
    ),
    "simple field": (
        f'<w:p><w:fldSimple w:instr=" SEQ a ">{_run("1")}</w:fldSimple></w:p>',
        "1",
    ),
    "field without result": (
        '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>TC no'
        '</w:instrText><w:t>no</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>'
        f"{_run('One')}</w:p>",
        "One",
    ),
    "field without end": (
        '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r></w:p>'
        f"{_paragraph(_run('One'))}",
        "One",
    ),
    "end without field": (
        f'<w:p><w:r><w:fldChar w:fldCharType="end"/></w:r>{_run("One")}</w:p>',
        "One",
    ),
    "composed": (_paragraph(_run("Cafe\u0301")), "Café"),
    "empty": ("<w:p/>", ""),
}


@pytest.mark.parametrize(("body", "text"), _TEXTS.values(), ids=_TEXTS)
def test_reads_body_text(body, text):
    assert _read_body(body).text == text


def test_levels_come_from_styles_of_any_language_and_what_they_vary():
    styles = (
        '<w:style w:styleId="U1"><w:name w:val="heading 1"/></w:style>'
        '<w:style w:styleId="Mine"><w:name w:val="m"/><w:basedOn w:val="U1"/></w:style>'
        '<w:style w:styleId="Out"><w:name w:val="Out"/><w:pPr><w:outlineLvl w:val="1"/>'
        '</w:pPr></w:style><w:style w:styleId="B"><w:name w:val="Caption"/></w:style>'
        '<w:style w:styleId="Loop"><w:name w:val="x"/><w:basedOn w:val="Loop"/>'
        "</w:style>"
    )
    body = "".join(
        f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr>{_run(style)}</w:p>'
        for style in ("U1", "Mine", "Out", "B", "Loop", "Unknown")
    )
    found = _read_body(body, styles=styles)
    assert [section.title for section in found.sections] == ["Mine", "Out"]
    assert found.text == "U1\n\nMine\n\nOut\n\nLoop\n\nUnknown"


def test_appends_notes_in_the_order_of_their_marks():
    body = _paragraph(
        _run("One."),
        '<w:r><w:footnoteReference w:id="2"/></w:r>',
        _run(" Two."),
        '<w:r><w:endnoteReference w:id="1"/></w:r>',
    )
    notes = (
        f'<w:footnotes xmlns:w="{_W}"><w:footnote w:id="0" w:type="separator">'
        f'{_paragraph(_run("No"))}</w:footnote><w:footnote w:id="2">'
        f"{_paragraph(_run('See '), _field(_ZOTERO, 'Ng (2010)'))}</w:footnote>"
        "</w:footnotes>"
    )
    ends = (
        f'<w:endnotes xmlns:w="{_W}"><w:endnote w:id="1">{_paragraph(_run("End."))}'
        "</w:endnote></w:endnotes>"
    )
    found = _read_body(body, word__footnotes=notes, word__endnotes=ends)
    assert found.text == "One. Two.\n\nSee Ng (2010)\n\nEnd."
    assert _anchors(found) == [("Ng (2010)", ("ref-1",))]


# --- reference managers -----------------------------------------------------------

_NG = {
    "id": 7,
    "uris": ["http://zotero.example/users/1/items/A"],
    "itemData": {
        "id": 7,
        "type": "article-journal",
        "title": "Warm wool",
        "container-title": "Wool",
        "DOI": "10.9999/W.1",
        "author": [{"family": "Ng", "given": "Ada"}],
        "issued": {"date-parts": [[2010, 3]]},
    },
}
_ODE = {
    "id": "ITEM-1",
    "itemData": {
        "id": "ITEM-1",
        "title": "Shears",
        "author": [{"family": "Ode", "given": "T."}],
        "issued": {"date-parts": [["2011"]]},
    },
}


def _csl(*items):
    return json.dumps({"citationID": "x", "citationItems": items})


_ZOTERO = f" ADDIN ZOTERO_ITEM CSL_CITATION {_csl(_NG)} "
_MENDELEY = f"ADDIN CSL_CITATION {_csl(_ODE)}"
_ENDNOTE_XML = (
    "<EndNote><Cite><Author>Ba</Author><Year>2012</Year><RecNum>3</RecNum><record>"
    "<rec-number>3</rec-number><contributors><authors><author><style>Ba, C.</style>"
    "</author><author>Wool Board</author></authors></contributors><titles><title>Ply"
    "</title><secondary-title>J Wool</secondary-title></titles><dates><year>2012</year>"
    "</dates><accession-num>77</accession-num><urls><related-urls><url>"
    "http://www.ncbi.nlm.nih.gov/pubmed/77</url></related-urls></urls>"
    "<electronic-resource-num>10.9999/w.3</electronic-resource-num></record></Cite>"
    "</EndNote>"
)
_NG_RECORD = Reference(
    "ref-1",
    "Ng Ada. 2010. Warm wool. Wool. doi:10.9999/w.1",
    ("Ng, Ada",),
    2010,
    title="Warm wool",
    venue="Wool",
    doi="10.9999/w.1",
    work_type="article-journal",
)


def test_reads_the_fields_of_zotero_and_mendeley():
    both = f"ADDIN ZOTERO_ITEM CSL_CITATION {_csl(_NG, _ODE)}"
    found = _read_body(
        _paragraph(
            _run("Warm "),
            _field(_ZOTERO, "(Ng, 2010)"),
            _run(" and "),
            _field(_MENDELEY, "(Ode, 2011)"),
            _run(", both "),
            _field(both, "(Ng, 2010; Ode, 2011)"),
            _run("."),
        )
    )
    assert _anchors(found) == [
        ("(Ng, 2010)", ("ref-1",)),
        ("(Ode, 2011)", ("ref-2",)),
        ("(Ng, 2010; Ode, 2011)", ("ref-1", "ref-2")),
    ]
    assert found.references[0] == _NG_RECORD
    assert found.references[1].title == "Shears"
    assert len(found.references) == 2


_ENDNOTE_RECORD = Reference(
    "ref-1",
    "Ba C., Wool Board. 2012. Ply. J Wool. doi:10.9999/w.3",
    ("Ba, C.", "Wool Board"),
    2012,
    title="Ply",
    venue="J Wool",
    doi="10.9999/w.3",
    pmid="77",
)
_DATA = base64.b64encode(_ENDNOTE_XML.encode() + b"\0\0").decode()
_NESTED = (
    '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>ADDIN EN.CITE '
    '</w:instrText></w:r><w:r><w:fldChar w:fldCharType="begin"><w:fldData>'
    f"{_DATA}</w:fldData></w:fldChar></w:r><w:r><w:instrText>ADDIN EN.CITE.DATA "
    '</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r><w:r><w:fldChar '
    f'w:fldCharType="separate"/></w:r>{_run("(Ba, 2012)")}<w:r><w:fldChar '
    'w:fldCharType="end"/></w:r>'
)
_ENDNOTE = {
    "in the code": _field(f" ADDIN EN.CITE {_ENDNOTE_XML}", "(Ba, 2012)"),
    "in the data": _field(" ADDIN EN.CITE ", "(Ba, 2012)", data=_DATA),
    "in the data of a field within": _NESTED,
}


@pytest.mark.parametrize("field", _ENDNOTE.values(), ids=_ENDNOTE)
def test_reads_the_fields_of_endnote(field):
    found = _read_body(_paragraph(_run("Warm "), field, _run(".")))
    assert found.text == "Warm (Ba, 2012)."
    assert _anchors(found) == [("(Ba, 2012)", ("ref-1",))]
    assert found.references == (_ENDNOTE_RECORD,)


def test_reads_citations_of_endnote_without_a_record():
    cite = "<Cite><Author>Ba</Author><Year>2012</Year></Cite>"
    code = f"ADDIN EN.CITE <EndNote>{cite}</EndNote>"
    (reference,) = _read_body(_paragraph(_field(code, "(Ba, 2012)"))).references
    assert (reference.authors, reference.year) == (("Ba",), 2012)


def test_reads_the_content_controls_of_mendeley():
    tag = "MENDELEY_CITATION_v3_" + base64.b64encode(_csl(_ODE).encode()).decode()
    found = _read_body(
        f'<w:p>{_run("Warm ")}<w:sdt><w:sdtPr><w:tag w:val="{tag}"/></w:sdtPr>'
        f"<w:sdtContent>{_run('(Ode, 2011)')}</w:sdtContent></w:sdt></w:p>"
        '<w:sdt><w:sdtPr><w:tag w:val="MENDELEY_BIBLIOGRAPHY"/></w:sdtPr><w:sdtContent>'
        f"{_paragraph(_run(_ENTRIES[1].replace('&', '&amp;')))}</w:sdtContent></w:sdt>"
    )
    assert found.text == "Warm (Ode, 2011)"
    assert _anchors(found) == [("(Ode, 2011)", ("ref-1",))]
    assert found.reference_text == _ENTRIES[1]


def test_reads_the_citations_of_word():
    b = "http://schemas.openxmlformats.org/officeDocument/2006/bibliography"
    sources = (
        f'<b:Sources xmlns:b="{b}"><b:Source><b:Tag>Ng10</b:Tag><b:Year>2010</b:Year>'
        "<b:Title>Warm wool</b:Title><b:JournalName>Wool</b:JournalName><b:Author>"
        "<b:Author><b:NameList><b:Person><b:Last>Ng</b:Last><b:First>Ada</b:First>"
        "</b:Person></b:NameList></b:Author></b:Author><b:DOI>10.9999/W.1</b:DOI>"
        "</b:Source><b:Source><b:Tag>Bo9</b:Tag><b:Title>Report</b:Title><b:Author>"
        "<b:Author><b:Corporate>Wool Board</b:Corporate></b:Author></b:Author>"
        "</b:Source></b:Sources>"
    )
    found = _read_body(
        _paragraph(_field(" CITATION Ng10 \\l 1033 \\m Bo9 ", "(Ng, 2010; Board)")),
        customXml__item1=sources,
    )
    assert _anchors(found) == [("(Ng, 2010; Board)", ("ref-1", "ref-2"))]
    assert found.references[0] == dataclasses.replace(_NG_RECORD, work_type="")
    assert found.references[1].authors == ("Wool Board",)


_LISTS = ["ADDIN ZOTERO_BIBL {} CSL_BIBLIOGRAPHY", "ADDIN EN.REFLIST", "BIBLIOGRAPHY"]


@pytest.mark.parametrize("code", _LISTS)
def test_cuts_off_the_list_that_a_field_shows(code):
    begin = (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>'
        f'{code}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>'
    )
    end = '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    found = _read_body(
        _paragraph(_run("Warm."))
        + _paragraph(_run("References"))
        + _paragraph(begin, _run("Ng A. Wool."))
        + _paragraph(_run("Ode T. Shears."), end)
        + _paragraph(_run("Figure legends"))
        + _paragraph(_run("More."))
    )
    assert found.text == "Warm.\n\nFigure legends\n\nMore."
    assert found.reference_text == "Ng A. Wool.\n\nOde T. Shears."


_BROKEN_CODES = [
    "ADDIN CSL_CITATION {",
    "ADDIN CSL_CITATION [1]",
    'ADDIN CSL_CITATION {"citationItems": [1, {"itemData": 2}, {"itemData": {}}]}',
    "ADDIN CSL_CITATION " + '{"a":' * 5_000,
    "ADDIN EN.CITE <EndNote><Cite>",
    "ADDIN EN.CITE <EndNote><Cite></EndNote>",
    "CITATION Unknown",
    "CITATION",
]


@pytest.mark.parametrize("code", _BROKEN_CODES)
def test_a_broken_field_is_text(code):
    found = _read_body(_paragraph(_field(code, "(Ng, 2010)")))
    assert found.text == "(Ng, 2010)"
    assert found.anchors == () or found.references


# --- what is no file of Word ------------------------------------------------------


def _cut(data):
    return data[: len(data) // 2]


def _bomb():
    return _zipped("<w:p/>", word__footnotes=b" " * (65 << 20))


_BROKEN = {
    "no zip": lambda: b"PK\x03\x04 wool",
    "cut short": lambda: _cut(_zipped(_paragraph(_run("Wool")))),
    "no XML": lambda: _zipped("<w:p>"),
    "huge part": _bomb,
    "no document": lambda: _zipped("").replace(b"word/document", b"word/documEnt"),
}


@pytest.mark.parametrize("make", _BROKEN.values(), ids=_BROKEN)
def test_refuses_what_is_broken(make):
    with pytest.raises(UnreadableDocument):
        docx.read(make(), doc_id="d", path="d.docx")


_WHOLE = _zipped(
    _paragraph(_run("Warm "), _field(_ZOTERO, "(Ng, 2010)")) + _paragraph(_NESTED),
    styles='<w:style w:styleId="a"><w:name w:val="heading 1"/></w:style>',
    word__footnotes=f'<w:footnotes xmlns:w="{_W}"/>',
)


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, len(_WHOLE)), st.binary(max_size=8), st.integers(0, 40))
def test_nothing_but_unreadable_document_comes_out(at, new, dropped):
    data = _WHOLE[:at] + new + _WHOLE[at + dropped :]
    try:
        document = docx.read(data, doc_id="d", path="d.docx")
    except UnreadableDocument as error:
        assert "\n" not in error.reason
        return
    for anchor in document.anchors:
        assert 0 <= anchor.start < anchor.end <= len(document.text)


_PIECES = st.sampled_from(
    [
        *(_run("wool "), _run("\u0301"), _field(_ZOTERO, " (Ng, 2010) "), _NESTED),
        *("</w:p><w:p>", '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'),
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r>',
        '<w:r><w:fldChar w:fldCharType="end"/></w:r>',
        "<w:r><w:instrText>ADDIN EN.REFLIST</w:instrText></w:r>",
        "<w:r><w:instrText>ADDIN EN.CITE</w:instrText></w:r>",
    ]
)


@settings(max_examples=200, deadline=None)
@given(st.lists(_PIECES, max_size=12))
def test_fields_of_any_shape_leave_anchors_on_text(pieces):
    document = _read_body(_paragraph(*pieces))
    for anchor in document.anchors:
        marked = document.text[anchor.start : anchor.end]
        assert marked == marked.strip() != ""
