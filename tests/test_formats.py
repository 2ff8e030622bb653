"""Tests of decoding, format detection, plain text and Markdown; invented text."""

import hashlib
import pickle
import unicodedata
import zlib

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings

from transforms.read_documents import (
    docx,
    html,
    jats,
    markdown,
    pdf,
    plain_text,
    tei,
)
from transforms.read_documents.decode import decode
from transforms.read_documents.errors import InputError, UnreadableDocument
from transforms.read_documents.formats import detect, read_document
from transforms.records import Document, Section

_ENTRIES = [
    "Ng, A., & Ode, T. (2010). Warm wool in cold places. Journal of Wool, 3(1), 1–9.",
    "Wool Board. (2009). Annual report on shears. Fleece Press.",
    "Zum Felde B, Ba C. Vinegar and wool. J Wool. 2014;5:11-19.",
]
_LIST = "\n".join(_ENTRIES)


def _text(source):
    return plain_text.read(source.encode(), doc_id="d", path="d.txt")


def _markdown(source):
    return markdown.read(source.encode(), doc_id="d", path="d.md")


_DECODED = {
    "UTF-8": ("Café".encode(), "Café"),
    "UTF-8 with mark": ("Café".encode("utf-8-sig"), "Café"),
    "UTF-16 little-endian": (b"\xff\xfe" + "Café".encode("utf-16-le"), "Café"),
    "UTF-16 big-endian": (b"\xfe\xff" + "Café".encode("utf-16-be"), "Café"),
    "Latin-1": (b"Caf\xe9", "Café"),
    "Windows-1252": (b"\x93Caf\xe9\x94", "“Café”"),
    "beyond Windows-1252": (b"Caf\xe9\x81", "Café\x81"),
    "damaged UTF-8": ("é".encode() * 20 + b"\xc3", "é" * 20 + "\ufffd"),
    "damaged UTF-16": (b"\xff\xfea\x00\x00\xd8", "a\ufffd"),
    "newlines": (b"a\r\nb\rc\n", "a\nb\nc\n"),
    "composed": ("Cafe\u0301\nA\u030a".encode(), "Café\nÅ"),
    "lost ligature": (b"sta\0 and o\0ce", "sta and oce"),
    "mark inside": ("é\ufeffb".encode(), "é\ufeffb"),
    "mark alone": (b"\xef\xbb\xbf", ""),
    "nothing": (b"", ""),
}


@pytest.mark.parametrize(("data", "text"), _DECODED.values(), ids=_DECODED)
def test_decodes(data, text):
    assert decode(data) == text


@settings(deadline=None)
@given(st.text())
def test_decoding_composes_whatever_it_is_given(text):
    decoded = decode(text.encode("utf-8", errors="replace"))
    assert unicodedata.is_normalized("NFC", decoded)
    assert not {"\0", "\r"} & set(decoded)


_ARTICLE = b"<article><body><p>Wool.</p></body></article>"
_HEADED = b"# Wool\n\nIt is warm.\n\n## Shears\n\nThey cut.\n"

_DETECTED = {
    "plain text": (b"Wool is warm.", "a.txt", plain_text.read),
    "no suffix": (b"Wool is warm.", "a", plain_text.read),
    "JATS by declaration": (b'<?xml version="1.0"?>' + _ARTICLE, "a.txt", jats.read),
    "JATS by doctype": (b"<!DOCTYPE article>" + _ARTICLE, "a.txt", jats.read),
    "JATS by root": (b"\xef\xbb\xbf\n " + _ARTICLE, "a.txt", jats.read),
    "JATS in UTF-16": (_ARTICLE.decode().encode("utf-16"), "a.txt", jats.read),
    "JATS behind a comment": (b"<!-- a -->" + _ARTICLE, "a.xml", jats.read),
    "Markdown by suffix": (b"Wool is warm.", "a.MD", markdown.read),
    "Markdown by headings": (_HEADED, "a", markdown.read),
    "Markdown by front matter": (
        b"---\ntitle: Wool\n---\n",
        "a.parquet",
        markdown.read,
    ),
    "one heading is not enough": (b"# Wool\n\nWarm.", "a", plain_text.read),
    "a text suffix wins over headings": (_HEADED, "a.txt", plain_text.read),
    "lost ligature": (b"The sta\0 shears the sheep of the farm.", "a", plain_text.read),
    "PDF": (b"\n%PDF-1.7\n", "a.txt", pdf.read),
    "Word": (b"PK\x03\x04" + b"\0" * 30 + b"word/document.xml", "a.zip", docx.read),
    "HTML": (b"\n<!doctype HTML><p>Wool", "a.txt", html.read),
    "HTML without doctype": (b"<html lang='en'><p>Wool", "a", html.read),
    "HTML by suffix": (b"<p>Wool</p>", "a.htm", html.read),
    "XHTML": (b"<?xml version='1.0'?><!-- a --><html><p/></html>", "a", html.read),
    "TEI": (b"<?xml version='1.0'?>\n<TEI xmlns='t'><text/></TEI>", "a.xml", tei.read),
    "TEI with prefix": (b"<t:TEI xmlns:t='t'><t:text/></t:TEI>", "a", tei.read),
    "TEI behind a type": (b"<!DOCTYPE TEI [<!ENTITY a 'b'>]>\n<TEI/>", "a", tei.read),
    "an unclosed comment": (b"<!-- <html> Wool", "a", plain_text.read),
}


@pytest.mark.parametrize(("data", "path", "read"), _DETECTED.values(), ids=_DETECTED)
def test_detects_the_format_by_content(data, path, read):
    assert detect(data, path) is read


_REFUSED = {
    "nothing": (b"", "empty"),
    "PDF cut short": (b"%PDF-1.7\n\xe2\xe3\n1 0 obj", "broken PDF"),
    "Word": (b"PK\x03\x04" + b"\0" * 30 + b"word/document.xml", "broken Word"),
    "zip": (b"PK\x03\x04" + b"\0" * 30, "archive"),
    "gzip": (b"\x1f\x8b\x08\0", "gzip"),
    "Parquet without suffix": (b"PAR1\x15\x04", "Parquet"),
    "RTF": (b"{\\rtf1 Wool}", "RTF"),
    "image": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\0", "binary"),
    "compressed": (zlib.compress(bytes(range(256)) * 9)[2:], "binary"),
    "UTF-16 without mark": ("Wool is warm.".encode("utf-16-le"), "binary"),
    "other XML": (b"<?xml version='1.0'?><wool><text/></wool>", "'wool'"),
    "TEI without text": (b"<TEI><teiHeader/></TEI>", "no TEI document"),
}


@pytest.mark.parametrize(("data", "reason"), _REFUSED.values(), ids=_REFUSED)
def test_refuses_what_it_does_not_read(data, reason):
    with pytest.raises(UnreadableDocument, match=reason):
        read_document(data, doc_id="d", path="a.txt")


def test_gives_the_digest_of_the_bytes_as_they_were():
    data = b"\xef\xbb\xbfWool is warm.\r\n"
    document = read_document(data, doc_id="d", path="f/a.txt")
    assert document == Document(
        doc_id="d",
        path="f/a.txt",
        text="Wool is warm.\n",
        content_sha256=hashlib.sha256(data).hexdigest(),
    )


def test_a_string_is_utf_8_whatever_its_declaration_says():
    source = '<?xml version="1.0" encoding="ISO-8859-1"?><article><body><p>Café</p>'
    data = f"{source}</body></article>".encode()
    assert read_document(data, doc_id="d", path="p", is_text=True).text == "Café"
    assert read_document(data, doc_id="d", path="p").text == "CafÃ©"


def test_errors_survive_pickling():
    for error in (UnreadableDocument("is empty"), InputError("no such file: a")):
        copy = pickle.loads(pickle.dumps(error))
        assert (type(copy), str(copy)) == (type(error), str(error))


# --- reference lists --------------------------------------------------------------

_HEADINGS = [
    *("References", "REFERENCES:", "7. References", "VII. REFERENCES", "# References"),
    *("**Bibliography**", "Works Cited", "Literature cited", "Reference list"),
    *("Literaturverzeichnis", "Références", "Referencias bibliográficas", "参考文献"),
    *("References\n==========", "References and Notes"),
]


@pytest.mark.parametrize("heading", _HEADINGS)
@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_cuts_off_a_headed_list(heading, gap):
    entries = gap.join(_ENTRIES)
    document = _text(f"Wool is warm (Ng & Ode, 2010).\n\n{heading}{gap}{entries}\n")
    assert document.text == "Wool is warm (Ng & Ode, 2010)."
    assert document.reference_text == entries


_LISTS = {
    "numbered": "1. Ng A. Wool. 2010.\n2. Ode T. Shears. 2011.\n3. Anonymous. Undated.",
    "bracketed": "[1] A. Ng, Wool, 2010.\n[2] T. Ode, Shears, 2011.",
    "wrapped": (
        "Ng, A., & Ode, T. (2010). Warm wool in cold places and in\n"
        "    warm ones, with a view of all the sheep. Journal of\n"
        "    Wool, 3(1), 1–9.\n"
        "Wool Board. (2009). Annual report on shears and on all\n    that they cut."
    ),
    "run together": " ".join(_ENTRIES * 4),
    "one entry": "Ng, A. (in press). Wool.",
}


@pytest.mark.parametrize("entries", _LISTS.values(), ids=_LISTS)
def test_cuts_off_lists_of_every_shape(entries):
    document = _text(f"Wool is warm.\n\nReferences\n\n{entries}")
    assert (document.text, document.reference_text) == ("Wool is warm.", entries)


_BEHIND = [
    "Appendix A. More wool\n\nAll of it (Ng, 2010).",
    "Acknowledgements\n\nThanks to Ode.",
    "8. Supporting information\n\nTable S1 is here.",
    "Figure legends\n\nFigure 1. Wool.",
    "Methods\n\nSheep were shorn.",
]


@pytest.mark.parametrize("behind", _BEHIND)
def test_keeps_what_is_headed_as_something_else_behind_the_list(behind):
    document = _text(f"Wool is warm.\n\nReferences\n\n{_LIST}\n\n{behind}\n")
    assert document.text == f"Wool is warm.\n\n{behind}"
    assert document.reference_text == _LIST


def test_cuts_off_every_list_but_no_table_of_contents():
    document = _text(
        "Contents\n\nThe rise of wool\n\nReferences\n\nAppendix\n\nWool rose.\n\n"
        f"References\n\n{_LIST}\n\nMethods\n\nSheep were shorn.\n\n"
        f"References\n\n{_ENTRIES[0]}\n"
    )
    assert document.text == (
        "Contents\n\nThe rise of wool\n\nReferences\n\nAppendix\n\nWool rose.\n\n"
        "Methods\n\nSheep were shorn."
    )
    assert document.reference_text == f"{_LIST}\n\n{_ENTRIES[0]}"


_WHOLE = {
    "the word in prose": "We thank all for\nreferences.\n\nNg (2010) gave many.",
    "a sentence": "References are given below (Ng, 2010).\n\nMore in 2011.",
    "prose behind the heading": (
        "Literature\n\n" + "\n\n".join(["Wool is warm, as Ng said in 2010. " * 30] * 3)
    ),
    "undated lines behind it": "References\n\nare left to the reader\n\nof this text.",
    "citing paragraphs at the end": "\n\n".join(
        f"In {year} the wool was warm, as Ng (2010) and Ode (2011) say." * 4
        for year in (2001, 2002, 2003, 2004)
    ),
    "a dated list at the end": "We found:\n\n1. In 2001 less.\n2. In 2002 more.\n"
    "3. In 2003 none.",
}


@pytest.mark.parametrize("source", _WHOLE.values(), ids=_WHOLE)
def test_keeps_text_that_is_no_list(source):
    document = _text(source)
    assert (document.text, document.reference_text) == (source, "")


def test_cuts_off_a_list_without_heading():
    document = _text(f"Wool is warm (Ng & Ode, 2010).\n\n{_LIST}\n{_ENTRIES[0]}")
    assert document.text == "Wool is warm (Ng & Ode, 2010)."
    assert document.reference_text == f"{_LIST}\n{_ENTRIES[0]}"


def test_cuts_off_a_numbered_list_without_heading():
    entries = "\n".join(
        f"[{n}] A. B. Ng and T. Ode, Warm wool in cold places, Wool {n}, 201{n}."
        for n in (1, 2, 3, 4)
    )
    document = _text(f"Wool is warm [1].\n\n{entries}\n")
    assert (document.text, document.reference_text) == ("Wool is warm [1].", entries)


def test_a_bare_heading_at_the_end_is_cut_off():
    assert _text("Wool is warm.\n\nReferences\n").text == "Wool is warm."


# --- plain text -------------------------------------------------------------------

_TITLES = {
    "alone": ("On warm wool\n\nIt is.", "On warm wool"),
    "marked": ("\n# On warm wool\n\nIt is.", "On warm wool"),
    "sentence": ("Wool is warm.\n\nIt is.", ""),
    "followed by text": ("On warm wool\nIt is.", ""),
    "section": ("Introduction\n\nIt is.", ""),
    "long": ("wool " * 60 + "\n\nIt is.", ""),
    "nothing": ("", ""),
}


@pytest.mark.parametrize(("source", "title"), _TITLES.values(), ids=_TITLES)
def test_takes_a_title_that_stands_alone(source, title):
    assert _text(source).title == title


def test_finds_sections_of_plain_text():
    source = (
        "On wool\n\nIntroduction\n\nIt is warm.\n\n2. MATERIALS AND METHODS\n\n"
        "2.1 Shears\nThey cut.\n\nStatistical Analysis of Fleece\n\nIt is soft.\n\n"
        "this is no heading\n\nNor is this one.\n\nIn 2010 nothing\n\nResults\n\n"
        "Warm.\n\nReferences\n\n" + _LIST
    )
    document = _text(source)
    found = [
        (s.title, document.text[s.start : s.end].split("\n")[-1])
        for s in document.sections
    ]
    assert found == [
        ("Introduction", "It is warm."),
        ("2. MATERIALS AND METHODS", "In 2010 nothing"),
        ("2.1 Shears", "They cut."),
        ("Statistical Analysis of Fleece", "In 2010 nothing"),
        ("Results", "Warm."),
    ]
    for section in document.sections:
        assert document.text.startswith(section.title, section.start)


# --- Markdown ---------------------------------------------------------------------

_MARKDOWN = {
    "emphasis": ("Smith *et al.* (**2010**) ~~no~~", "Smith et al. (2010) ~~no~~"),
    "soft and hard breaks": (
        "one\ntwo  \nthree\\\nfour<br>five",
        "one two three four five",
    ),
    "link": ("as [Ng (2010)](http://a.example) says", "as Ng (2010) says"),
    "link by reference": ("see [Ng][1]\n\n[1]: http://a.example", "see Ng"),
    "link without label": ("see [](http://a.example/b)", "see http://a.example/b"),
    "bare link": ("see <http://a.example/b>", "see http://a.example/b"),
    "image": ("a ![alt](b.png) c", "a c"),
    "linked image": ("a [![alt](b.png)](http://c.example) d", "a d"),
    "inline code": ("run `a_b(c)` now", "run a_b(c) now"),
    "fenced code": ("a\n\n```python\n# no\n\nb = 1\n```\n\nc", "a\n\nc"),
    "indented code": ("a\n\n    no\n\nc", "a\n\nc"),
    "table": ("a\n\n| b | c |\n|---|---|\n| d | e |\n\nf", "a\n\nf"),
    "HTML": ("a <b>c</b> <!-- no\n\nno --> d\n\n<div>\nno\n</div>\n\ne", "a c d\n\ne"),
    "headings": ("# One {#one .x}\n\nTwo\n---\n\nthree", "One\n\nTwo\n\nthree"),
    "lists": ("- one\n- two\n\n  more\n\n1. three", "one\n\ntwo\n\nmore\n\nthree"),
    "quotation": ("> one\n> two", "one two"),
    "pandoc keys": ("as [@ng2010; @doi:10.9999/a] and @ode say", None),
    "formula": ("a\n\n$$ x_1 = y_2 $$\n\nb $k$", "a\n\nb $k$"),
    "footnotes": (
        "a[^1] b\n\n[^1]: See *Ng*\n    (2010).\n\nc",
        "a b\n\nc\n\nSee Ng (2010).",
    ),
    "division": ("a\n\n::: {#refs}\n:::\n\nb", "a\n\nb"),
    "entities": ("Ng &amp; Ode&nbsp;\\*", "Ng & Ode *"),
    "rule": ("a\n\n---\n\nb", "a\n\nb"),
    "rule first": ("---\n\na\n\n---\n\nb", "a\n\nb"),
    "front matter": ("---\ntitle: no\n---\na", "a"),
    "front matter without end": ("---\ntitle: a\n", "title: a"),
}


@pytest.mark.parametrize(("source", "text"), _MARKDOWN.values(), ids=_MARKDOWN)
def test_reads_markdown_as_plain_text(source, text):
    assert _markdown(source).text == (source if text is None else text)


_MARKDOWN_TITLES = {
    "front matter": ('---\ntitle: "On wool"\nauthor: Ng\n---\n# One\n', "On wool"),
    "folded": ("---\ntitle: >-\n  On\n  wool\n---\n# One\n", "On wool"),
    "continued": ("---\ntitle: On\n  wool\nauthor: Ng\n---\n", "On wool"),
    "first heading": ("# On *wool*\n\nIt is.", "On wool"),
    "usual heading": ("# Introduction\n\nIt is.", ""),
    "later heading": ("It is.\n\n# On wool", ""),
}


@pytest.mark.parametrize(
    ("source", "title"), _MARKDOWN_TITLES.values(), ids=_MARKDOWN_TITLES
)
def test_takes_the_title_of_markdown(source, title):
    assert _markdown(source).title == title


def test_finds_sections_of_markdown():
    document = _markdown(
        "# On wool\n\na\n\n## Methods\n\nb\n\n### Shears\n\nc\n\n## End"
    )
    assert document.text == "On wool\n\na\n\nMethods\n\nb\n\nShears\n\nc\n\nEnd"
    assert document.sections == (
        Section("Methods", 12, 33),
        Section("Shears", 24, 33),
        Section("End", 35, 38),
    )


def test_cuts_off_the_list_of_markdown():
    document = _markdown(
        "# On wool\n\nWarm.\n\n## *References* {-}\n\n"
        f"- {_ENTRIES[0]}\n- {_ENTRIES[1]}\n\n### Online\n\n"
        f"{_ENTRIES[2]} [link](https://doi.org/10.9999/w.3)\n\n## Appendix\n\nMore."
    )
    assert document.text == "On wool\n\nWarm.\n\nAppendix\n\nMore."
    assert document.reference_text == (
        f"{_ENTRIES[0]}\n{_ENTRIES[1]}\nOnline\n"
        f"{_ENTRIES[2]} link https://doi.org/10.9999/w.3"
    )
    assert [s.title for s in document.sections] == ["Appendix"]


def test_cuts_off_a_list_whose_heading_is_bold_text():
    document = _markdown(f"Warm.\n\n**References**\n\n{_ENTRIES[0]}\n\n# More\n\nYes.")
    assert document.text == "Warm.\n\nMore\n\nYes."


def test_long_markdown_reads_as_its_parts_do():
    part = "Wool is [warm][w].\n\n```\n# no\n\nno\n```\n\n- one\n\n  two\n\n"
    source = part * 4_000 + "[w]: http://a.example\n"
    text = _markdown(source).text
    assert text == "\n\n".join(["Wool is warm.", "one", "two"] * 4_000)


# --- laws, size and time ----------------------------------------------------------

_SEEDS = [
    b'<?xml version="1.0"?><article xmlns:m="m"><front><article-meta><title-group>'
    b"<article-title>On wool</article-title></title-group></article-meta></front>"
    b"<body><sec><title>One</title><p>Warm (<xref ref-type='bibr' rid='r1'>Ng, 2010"
    b"</xref>) &amp; soft&nbsp;e\xcc\x81.<fig/><m:math><m:mi>x</m:mi></m:math></p>"
    b"</sec></body><back><ref-list><ref id='r1'><label>1</label><element-citation>"
    b"<name><surname>Ng</surname></name><year>2010a</year><source>Wool</source>"
    b"<pub-id pub-id-type='doi'>10.9999/w</pub-id></element-citation></ref></ref-list>"
    b"</back></article>",
    b"---\ntitle: Wool\n---\n# One\n\nWarm *et al.* [a](b) `c` ![d](e) [^1]\n\n"
    b"[^1]: f\n\n| a | b |\n|---|---|\n| c | d |\n\n```\ncode\n```\n\n> - q\n\n"
    b"# References\n\n- Ng (2010). Wool.\n",
    "Wool\n\nIntroduction\n\nWarm (Ng, 2010).\r\n\r\nReferences\n\nNg, A. (2010). Café."
    "\n\nAppendix A\n\nMore.\n".encode(),
    b"<TEI xmlns='t'><teiHeader><titleStmt><title>Wool</title></titleStmt></teiHeader>"
    b"<text><body><div><head n='1'>One</head><p>Warm <ref type='bibr' target='#b0'>"
    b"(Ng, 2010;</ref> exam-<lb/>ple <ref type='bibr'>ode, 2011)</ref>.</p></div>"
    b"</body><back>"
    b"<listBibl><biblStruct xml:id='b0'><analytic><title level='a'>Wool</title><author>"
    b"<persName><surname>Ng</surname></persName></author></analytic><monogr><imprint>"
    b"<date when='2010'/></imprint></monogr></biblStruct></listBibl></back></text>"
    b"</TEI>",
    b"<!doctype html><meta charset='utf-8'><title>Wool</title><nav>No</nav><main><h1>"
    b"On wool</h1><p>Warm (<a href='#r1'>Ng, 2010</a>) &amp; soft.<p>So<br>it is.</p>"
    b"<h2>References</h2><ol><li id='r1'>Ng, A. (2010). Wool. <a href='https://doi.org/"
    b"10.9999/w'>x</a></li></ol></main><footer>No</footer>",
]
_TOKENS = st.sampled_from(
    [
        *(
            b"<",
            b">",
            b"&",
            b"</p>",
            b"<p>",
            b"<sec>",
            b"<xref ref-type='bibr'>",
            b"]]>",
        ),
        *(b"<!--", b"<![CDATA[", b"&#0;", b"&x;", b"<!DOCTYPE a [", b"\xff\xfe", b"\0"),
        *(
            b"\n\n",
            b"\n# ",
            b"```",
            b"[^",
            b"](",
            b"**",
            b"|",
            b"---\n",
            b"\r",
            b"\xe9",
        ),
        *(b"References\n", b"1. ", b"2010", b" " * 70, "\u0301".encode(), b"%PDF-"),
    ]
)


@st.composite
def _mutated(draw):
    data = draw(st.sampled_from(_SEEDS))
    for _ in range(draw(st.integers(0, 6))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 30)))
        new = draw(st.one_of(st.just(b""), _TOKENS, st.binary(max_size=5)))
        data = data[:start] + new + data[end:]
    return data


@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.one_of(_mutated(), st.binary(max_size=300)),
    st.sampled_from(["a.md", "a", "a.xml"]),
)
def test_nothing_but_unreadable_document_comes_out(data, path):
    try:
        document = read_document(data, doc_id="d", path=path)
    except UnreadableDocument as error:
        assert "\n" not in error.reason
        return
    size = len(document.text)
    assert not {"\r", "\0"} & set(document.text)
    assert [a.start for a in document.anchors] == sorted(
        a.start for a in document.anchors
    )
    for anchor in document.anchors:
        assert 0 <= anchor.start < anchor.end <= size
        marked = document.text[anchor.start : anchor.end]
        assert marked == marked.strip()
    for section in document.sections:
        assert 0 <= section.start <= section.end <= size
        assert document.text.startswith(section.title, section.start)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.sampled_from(["wool ", "\n", "<i>x</i>", "\t", "e\u0301", "&#160;"]))
)
def test_anchors_equal_the_text_of_their_references(pieces):
    inner = "".join(pieces)
    source = (
        f"<article><body><p>a {inner}<xref ref-type='bibr' rid='r'>{inner}</xref>"
        f"{inner} b</p></body></article>"
    )
    plain = inner.replace("<i>x</i>", "x").replace("&#160;", " ")
    expected = unicodedata.normalize("NFC", " ".join(plain.split()))
    document = jats.read(source.encode(), doc_id="d", path="d")
    found = [document.text[a.start : a.end] for a in document.anchors]
    assert found == ([expected] if expected else [])
    whole = " ".join(f"a {plain}{plain}{plain} b".split())
    assert document.text == unicodedata.normalize("NFC", whole)


_LONG = {
    "paragraphs": b"Wool is warm and has been so for long (Ng, 2010).\n\n" * 1_000_000,
    "one line": b"Wool is warm and has been so for long (Ng, 2010). " * 1_000_000,
    "headings": b"References\n" * 400_000,
}


@pytest.mark.parametrize("data", _LONG.values(), ids=_LONG)
def test_reads_long_documents(data):
    document = read_document(data, doc_id="d", path="a.txt")
    assert len(document.text) + len(document.reference_text) > 0


_ADVERSARIAL = {
    "combining marks": "e" + "\u0301\u0316" * 500_000,
    "initials": "A. B. and C. D. " * 5_000,
    "digits": "1" * 100_000,
    "brackets": "[" * 20_000 + "](" * 20_000,
    "stars": "**a *b " * 15_000,
    "white space": " \t" * 50_000 + "x",
    "blank lines": "\n" * 100_000 + "x",
    "comments": "<!-- " * 20_000,
    "braces": "# a {" * 1 + "{" * 100_000,
    "footnotes": "[^a]: " * 16_000,
    "fences": "```\n~~~\n" * 12_000,
    "front matter": "---\na: b\n" + "title: a\n b\n" * 8_000,
    "labels": "[1] [2] (3) 4. " * 7_000,
    "hyphens": "Ng-" * 30_000,
    "wide table": "|a" * 10_000 + "\n" + "|-" * 10_000 + "\n" + "|b" * 10_000,
    "formulas": "$$" * 50_000,
}


@pytest.mark.parametrize("source", _ADVERSARIAL.values(), ids=_ADVERSARIAL)
@pytest.mark.parametrize("read", [_text, _markdown])
def test_takes_linear_time(source, read):
    # Super-linear reading would not end here.
    assert read(f"{source}\n\nReferences\n\n{source}").doc_id
