"""Tests of the HTML reader.  All pages are invented."""

import pytest

from transforms.read_documents import html
from transforms.read_documents.errors import UnreadableDocument
from transforms.records import Section

_ENTRIES = (
    '<li id="r1">Ng, A. (2010). Warm wool. <i>Wool</i>, 3(1), 1–9.</li>'
    '<li><a name="r2"></a>Ode, T., & Ba, C. (2011). Shears. Wool, 4, 2.'
    '<p><a href="https://doi.org/10.9999/W.2">CrossRef</a></p></li>'
)


def _read(body, *, head=""):
    source = f"<!doctype html><html><head>{head}</head><body>{body}</body></html>"
    return html.read(source.encode(), doc_id="d", path="d.html")


_TEXTS = {
    "paragraphs": ("<p>One\n two.<p>Three.", "One two.\n\nThree."),
    "headings": ("<h2>Methods</h2><p>One.</p>", "Methods\n\nOne."),
    "list items": ("<ul><li>One<li><p>Two</p></ul>", "One\n\nTwo"),
    "loose text": ("One <b>two</b><p>three</p>four", "One two\n\nthree\n\nfour"),
    "inline markup": ("<p><i>O. aries</i> CO<sub>2</sub></p>", "O. aries CO2"),
    "line break": ("<p>One<br>two</p>", "One two"),
    "entities": ("<p>Ng &amp; Ode&nbsp;caf&eacute; x&lt;y</p>", "Ng & Ode café x<y"),
    "page furniture": (
        "<header>No</header><nav>No</nav><p>One.</p><aside>No</aside><footer>No</footer>",
        "One.",
    ),
    "scripts": ("<script>no()</script><style>no</style><p>One.</p>", "One."),
    "figure": ("<p>One.</p><figure><figcaption>No</figcaption></figure>", "One."),
    "table": ("<table><tr><td>No</td></tr></table><p>One.</p>", "One."),
    "code": ("<p>run <code>a()</code></p><pre>no</pre>", "run a()"),
    "hidden": ("<p>One<span hidden>no</span></p>", "One"),
    "comment": ("<p>Wo<!-- no -->ol</p>", "Wool"),
    "mark of a note": ('<p>One<a role="doc-noteref" href="#n">1</a>.</p>', "One."),
    "notes": (
        '<p>One.</p><aside role="doc-footnote"><p>Two.</p></aside>',
        "One.\n\nTwo.",
    ),
    "main wins": ("<div>No</div><main><p>One.</p></main>", "One."),
    "article wins": (
        "<div>No</div><article><p>One is long.</p></article><article>No</article>",
        "One is long.",
    ),
    "composed": ("<p>Cafe\u0301</p>", "Café"),
    "nothing": ("", ""),
}


@pytest.mark.parametrize(("body", "text"), _TEXTS.values(), ids=_TEXTS)
def test_reads_the_article(body, text):
    assert _read(body).text == text


def test_cuts_off_the_reference_list_and_follows_links_to_it():
    document = _read(
        "<h1>On wool</h1><p>Warm (<a href='#r1'>Ng, 2010</a>; "
        "<a href='http://w.example/a#r2'>Ode &amp; Ba, 2011</a>), "
        "<a href='#fig1'>Figure 1</a>.</p><h2>References</h2>"
        f"<ol id='list'>{_ENTRIES}</ol><h2>Notes</h2><p>More.</p>"
    )
    assert document.text == (
        "On wool\n\nWarm (Ng, 2010; Ode & Ba, 2011), Figure 1.\n\nNotes\n\nMore."
    )
    assert [(document.text[a.start : a.end], a.ref_ids) for a in document.anchors] == [
        ("Ng, 2010", ("ref-1",)),
        ("Ode & Ba, 2011", ("ref-2",)),
    ]
    assert document.reference_text == (
        "Ng, A. (2010). Warm wool. Wool, 3(1), 1–9.\n\n"
        "Ode, T., & Ba, C. (2011). Shears. Wool, 4, 2. CrossRef "
        "https://doi.org/10.9999/w.2"
    )
    assert document.sections == (Section("Notes", 53, 65),)


def test_reads_the_entries_of_a_citation_processor():
    document = _read(
        "<p>Warm (<a href='#ref-ng'>1</a>).</p><h1>References</h1><div id='refs'>"
        "<div id='ref-ng' class='csl-entry'><div class='csl-left-margin'>1. </div>"
        "<div class='csl-right-inline'>Ng A. Wool. 2010.</div></div></div>"
    )
    assert document.reference_text == "1. Ng A. Wool. 2010."
    assert [a.ref_ids for a in document.anchors] == [("ref-1",)]


_TITLES = {
    "publisher's": (
        '<meta name="citation_title" content="On wool">',
        "<h1>No</h1>",
        "On wool",
    ),
    "first heading": ("<title>No</title>", "<h1>On <i>wool</i></h1><p>One.", "On wool"),
    "in a header": (
        "<title>No</title>",
        "<header><h1>On wool</h1></header>",
        "On wool",
    ),
    "page title": ("<title>On wool</title>", "<p>One.", "On wool"),
    "none": ("", "<h1>Introduction</h1>", ""),
}


@pytest.mark.parametrize(("head", "body", "title"), _TITLES.values(), ids=_TITLES)
def test_takes_a_title(head, body, title):
    assert _read(body, head=head).title == title


def test_reads_own_identifiers():
    head = (
        '<meta name="citation_doi" content="10.9999/Wool.1">'
        '<meta name="citation_pmid" content="77">'
    )
    assert _read("", head=head).own_ids == ("doi:10.9999/wool.1", "pmid:77")


_ENCODINGS = {
    "UTF-8": ("<p>Café", "utf-8"),
    "Windows-1252": ("<meta charset=windows-1252><p>Café “x”", "cp1252"),
    "Latin-1 is Windows-1252": ('<meta charset="ISO-8859-1"><p>Café “x”', "cp1252"),
    "Latin-2": (
        "<meta http-equiv=Content-Type content='text/html; charset=iso-8859-2'><p>Łódź",
        "iso-8859-2",
    ),
    "Shift JIS": ("<meta charset='shift_jis'><p>羊毛", "shift_jis"),
    "XHTML": ("<?xml version='1.0' encoding='iso-8859-2'?><html><p>Łódź", "iso-8859-2"),
    "UTF-16": ("<p>Café", "utf-16"),
    "unknown": ("<meta charset=wool><p>Café", "utf-8"),
    "no text encoding": ("<meta charset=base64><p>Café", "utf-8"),
    "declared falsely": ("<meta charset=utf-8><p>Café", "cp1252"),
    "UTF-16 declared falsely": ("<meta charset=utf-16><p>Café", "utf-8"),
}


@pytest.mark.parametrize(("page", "encoding"), _ENCODINGS.values(), ids=_ENCODINGS)
def test_decodes(page, encoding):
    document = html.read(page.encode(encoding), doc_id="d", path="d.html")
    assert document.text == page.rpartition("<p>")[2]


_BROKEN = {"nothing": b" ", "a comment": b"<!-- a -->", "deep": b"<div>" * 5_000}


@pytest.mark.parametrize("data", _BROKEN.values(), ids=_BROKEN)
def test_refuses_what_is_no_page(data):
    with pytest.raises(UnreadableDocument):
        html.read(data, doc_id="d", path="d.html")
