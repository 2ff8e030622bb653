"""Tests of the JATS reader.  All articles are invented."""

import unicodedata

import pytest

from transforms.read_documents import jats
from transforms.read_documents.errors import UnreadableDocument
from transforms.records import Anchor, Reference, Section

_XLINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"'


def _read(body="", *, front="", back="", before=""):
    source = (
        f"{before}<article {_XLINK}><front><article-meta>{front}</article-meta></front>"
        f"<body>{body}</body><back>{back}</back></article>"
    )
    return jats.read(source.encode(), doc_id="d", path="d.xml")


def _references(*entries):
    return _read(back=f"<ref-list>{''.join(entries)}</ref-list>").references


def _anchors(document):
    return [(document.text[a.start : a.end], a.ref_ids) for a in document.anchors]


_TEXTS = {
    "paragraphs": ("<p>One.</p>\n<p>Two.</p>", "One.\n\nTwo."),
    "white space": ("<p>\n  Wool\n is&#160;\u2009warm. </p>", "Wool is warm."),
    "inline markup": (
        "<p><italic>O. aries</italic> CO<sub>2</sub></p>",
        "O. aries CO2",
    ),
    "headings": (
        "<sec><label>1.</label><title>Methods</title><p>One.</p></sec>",
        "1. Methods\n\nOne.",
    ),
    "list items": (
        "<p>Both:<list><list-item><label>a</label><p>One.</p></list-item>"
        "<list-item><p>Two.</p></list-item></list>after.</p>",
        "Both:\n\nOne.\n\nTwo.\n\nafter.",
    ),
    "boxes": (
        "<boxed-text><label>Box 1</label><caption><title>Wool</title></caption>"
        "<p>One.</p></boxed-text>",
        "Wool\n\nOne.",
    ),
    "quotes": (
        "<disp-quote><p>One.</p><attrib>Ode</attrib></disp-quote>",
        "One.\n\nOde",
    ),
    "definitions": (
        "<def-list><def-item><term>ply</term><def><p>A strand.</p></def></def-item>"
        "</def-list>",
        "ply\n\nA strand.",
    ),
    "figure in a paragraph": (
        "<p>Seen (Figure 1).<fig><caption><p>No.</p></caption></fig>And so.</p>",
        "Seen (Figure 1). And so.",
    ),
    "table": ("<table-wrap><table><tr><td>No</td></tr></table></table-wrap>", ""),
    "displayed formula": (
        "<p>It is<disp-formula>x=1</disp-formula>where x.</p>",
        "It is where x.",
    ),
    "inline formula": (
        "<p>so <inline-formula><alternatives><tex-math>$k$</tex-math>"
        '<m:math xmlns:m="http://www.w3.org/1998/Math/MathML"><m:mi>k</m:mi>'
        "<m:annotation>no</m:annotation></m:math></alternatives></inline-formula></p>",
        "so k",
    ),
    "footnote": ("<p>Wool<fn><p>No.</p></fn> is warm.</p>", "Wool is warm."),
    "supplement": (
        "<supplementary-material><p>No.</p></supplementary-material><p>Yes.</p>",
        "Yes.",
    ),
    "comment and instruction": ("<p>Wo<!-- no -->ol<?no no?>.</p>", "Wool."),
    "line break": ("<p>One<break/>two</p>", "One two"),
    "character data": ("<p><![CDATA[a < b]]></p>", "a < b"),
    "composed": ("<p>Cafe\u0301</p>", "Café"),
    "no paragraphs": ("", ""),
}


@pytest.mark.parametrize(("body", "text"), _TEXTS.values(), ids=_TEXTS)
def test_reads_body_text(body, text):
    assert _read(body).text == text


def test_leaves_out_all_but_body_and_appendices_with_prose():
    document = _read(
        "<p>Body.</p>",
        front="<abstract><p>No.</p></abstract>",
        back=(
            "<ack><p>No.</p></ack><fn-group><fn><p>No.</p></fn></fn-group>"
            "<app-group><app><title>Appendix 1</title><sec><title>More</title>"
            "<p>Yes.</p></sec></app>"
            "<app><title>Appendix 2</title><table-wrap><caption><p>No.</p></caption>"
            "</table-wrap></app></app-group>"
        ),
    )
    assert document.text == "Body.\n\nAppendix 1\n\nMore\n\nYes."
    assert [s.title for s in document.sections] == ["Appendix 1", "More"]


def test_leaves_out_sub_articles_and_responses():
    source = (
        "<article><body><p>Yes.</p></body>"
        "<back><ref-list><ref id='r1'><mixed-citation>One</mixed-citation></ref>"
        "</ref-list></back>"
        "<sub-article><body><p>No <xref ref-type='bibr' rid='r1'>1</xref></p></body>"
        "<back><ref-list><ref id='s1'><mixed-citation>No</mixed-citation></ref>"
        "</ref-list></back></sub-article><response><body><p>No.</p></body></response>"
        "</article>"
    )
    document = jats.read(source.encode(), doc_id="d", path="d.xml")
    assert document.text == "Yes."
    assert document.anchors == ()
    assert [r.ref_id for r in document.references] == ["r1"]


def test_reads_title_and_own_identifiers():
    document = _read(
        front=(
            '<article-id pub-id-type="doi">10.9999/Wool.1</article-id>'
            '<article-id pub-id-type="pmid">77</article-id>'
            '<article-id pub-id-type="pmc">5550001</article-id>'
            '<article-id pub-id-type="publisher-id">x</article-id>'
            "<title-group><article-title>On <italic>wool</italic><fn><p>no</p></fn>"
            "</article-title></title-group>"
        )
    )
    assert document.title == "On wool"
    assert document.own_ids == ("doi:10.9999/wool.1", "pmid:77", "pmcid:PMC5550001")


def test_nests_sections():
    document = _read(
        "<sec><title>Methods</title><p>One.</p><sec><title>Shears</title><p>Two.</p>"
        "</sec></sec><sec><p>Untitled.</p></sec><sec><title>Results</title></sec>"
    )
    assert document.text == "Methods\n\nOne.\n\nShears\n\nTwo.\n\nUntitled.\n\nResults"
    assert document.sections == (
        Section("Methods", 0, 27),
        Section("Shears", 15, 27),
        Section("Results", 40, 47),
    )


def _xref(text, rid="r1", kind="bibr"):
    return f'<xref ref-type="{kind}" rid="{rid}">{text}</xref>'


_ANCHORS = {
    "one": (f"<p>Warm ({_xref('Ng, 2010')}).</p>", [("Ng, 2010", ("r1",))]),
    "several ids": (f"<p>{_xref('1, 2', 'r1 r2')}</p>", [("1, 2", ("r1", "r2"))]),
    "superscript": (
        f"<p>Warm.<sup>{_xref('1')},{_xref('2', 'r2')}</sup></p>",
        [("1", ("r1",)), ("2", ("r2",))],
    ),
    "folded": (
        "<p>\n Warm  " + _xref(" Ng  <italic>et\nal.</italic> ") + " and\nso</p>",
        [("Ng et al.", ("r1",))],
    ),
    "composed": ("<p>Cafe\u0301 " + _xref("Ode\u0301") + "</p>", [("Odé", ("r1",))]),
    "other types": (
        f"<p>{_xref('a', kind='bib')} {_xref('b', 'r2', 'ref')} "
        f"{_xref('c', 'f1', 'fig')} <xref rid='r1'>d</xref></p>",
        [("a", ("r1",)), ("b", ("r2",)), ("d", ("r1",))],
    ),
    "unknown and missing ids": (
        f"<p>{_xref('a', 'r9')} {_xref('b', '')}</p>",
        [("a", ("r9",)), ("b", ())],
    ),
    "without text": (f"<p>a{_xref('')}b</p>", []),
    "nested": (f"<p>{_xref('a ' + _xref('b', 'r2'))}</p>", [("a b", ("r1",))]),
    "paragraph inside": (f"<p>{_xref('a<p>b</p>')}c</p>", []),
    "heading": (f"<sec><title>As {_xref('Ng')}</title></sec>", [("Ng", ("r1",))]),
    "caption": (f"<fig><caption><p>{_xref('1')}</p></caption></fig>", []),
}


@pytest.mark.parametrize(("body", "anchors"), _ANCHORS.values(), ids=_ANCHORS)
def test_anchors_cover_the_text_of_references(body, anchors):
    entries = "".join(
        f"<ref id='r{n}'><mixed-citation>x</mixed-citation></ref>" for n in (1, 2)
    )
    document = _read(f"<p>Before.</p>{body}", back=f"<ref-list>{entries}</ref-list>")
    assert _anchors(document) == anchors


def test_anchor_offsets_are_those_of_the_whole_text():
    document = _read(
        '<p>One.</p><p>Two <xref ref-type="bibr" rid="r1">Ng</xref>.</p>'
        '<p><xref ref-type="bibr" rid="r2">Ode</xref></p>'
    )
    assert document.text == "One.\n\nTwo Ng.\n\nOde"
    assert document.anchors == (Anchor(10, 12, ("r1",)), Anchor(15, 18, ("r2",)))


def test_reads_a_journal_article_marked_in_parts():
    (reference,) = _references(
        '<ref id="bib1"><label>1.</label>'
        '<element-citation publication-type="journal">'
        '<person-group person-group-type="author">'
        "<name><surname>van der Ode</surname><given-names>T R</given-names>"
        "<suffix>Jr</suffix></name><collab>Wool Board</collab><etal/></person-group>"
        "<year>2013a</year><article-title>Warm wool.</article-title>"
        "<source>Journal of Wool</source><volume>3</volume><fpage>10</fpage>"
        "<lpage>19</lpage>"
        '<pub-id pub-id-type="doi">10.9999/JW.3</pub-id>'
        '<pub-id pub-id-type="pmid">123</pub-id>'
        '<pub-id pub-id-type="pmcid">PMC456789</pub-id>'
        '<pub-id pub-id-type="arxiv">2101.00001v2</pub-id>'
        "</element-citation></ref>"
    )
    assert reference == Reference(
        ref_id="bib1",
        raw=(
            "van der Ode T R Jr, Wool Board. 2013a. Warm wool. "
            "Journal of Wool 3:10–19. doi:10.9999/JW.3. pmid:123. pmcid:PMC456789. "
            "arxiv:2101.00001v2"
        ),
        authors=("van der Ode, T R Jr", "Wool Board"),
        year=2013,
        year_suffix="a",
        title="Warm wool",
        venue="Journal of Wool",
        doi="10.9999/jw.3",
        arxiv_id="2101.00001",
        pmid="123",
        pmcid="PMC456789",
        label="1",
        volume="3",
        pages="10",
        work_type="journal",
    )


def test_reads_a_chapter_set_as_text():
    (reference,) = _references(
        '<ref id="r1"><label>[7]</label><mixed-citation publication-type="book">\n'
        "<name><surname>Ode</surname>, <given-names>T.</given-names></name>,\n"
        "<string-name>Ada Ng</string-name> (<year>2010</year>)\n"
        "<chapter-title>Shears</chapter-title>. In: <name><surname>Ba</surname>"
        "<given-names>C</given-names></name>, editor, <source>All of wool</source>, "
        "<publisher-name>Fleece Press</publisher-name>. "
        '<ext-link xlink:href="https://doi.org/10.9999/sh.1">link</ext-link>'
        "</mixed-citation></ref>"
    )
    assert reference.raw == (
        "Ode, T., Ada Ng (2010) Shears. In: Ba C, editor, All of wool, "
        "Fleece Press. link"
    )
    assert reference.authors == ("Ode, T.", "Ada Ng")
    assert (reference.title, reference.venue) == ("Shears", "All of wool")
    assert (reference.label, reference.doi) == ("7", "10.9999/sh.1")


_SOURCES = {
    "book": ('publication-type="book"', "", ("All of wool", "Fleece Press")),
    "software": ('publication-type="software"', "", ("All of wool", "Fleece Press")),
    "journal without title": ('publication-type="journal"', "", ("", "All of wool")),
    "chapter": (
        'publication-type="book"',
        "<article-title>Shears</article-title>",
        ("Shears", "All of wool"),
    ),
}


@pytest.mark.parametrize(("kind", "title", "expected"), _SOURCES.values(), ids=_SOURCES)
def test_a_source_alone_is_the_work_unless_a_periodical(kind, title, expected):
    (reference,) = _references(
        f"<ref><element-citation {kind}>{title}<source>All of wool</source>"
        "<publisher-name>Fleece Press</publisher-name></element-citation></ref>"
    )
    assert (reference.title, reference.venue) == expected
    assert reference.ref_id == "ref-1"


_YEARS = {
    "letter": ("<year>2013b</year>", (2013, "b")),
    "date": ("<year>2003 October 6</year>", (2003, "")),
    "range": ("<year>1990–1991</year>", (1990, "")),
    "attribute": ('<year iso-8601-date="2011-02">n. d.</year>', (2011, "")),
    "in press": ("<year>in press</year>", (None, "")),
    "inside a date": ("<date><year>1999</year></date>", (1999, "")),
    "none": ("", (None, "")),
}


@pytest.mark.parametrize(("year", "expected"), _YEARS.values(), ids=_YEARS)
def test_reads_years(year, expected):
    (ref,) = _references(f"<ref><element-citation>{year}</element-citation></ref>")
    assert (ref.year, ref.year_suffix) == expected


def test_editors_stand_in_for_authors_and_text_for_marked_identifiers():
    (reference,) = _references(
        '<ref><mixed-citation><person-group person-group-type="editor">'
        "<name><surname>Ba</surname></name></person-group>: Wool. 2001. "
        "doi: 10.9999/w.1</mixed-citation></ref>"
    )
    assert reference.authors == ("Ba",)
    assert reference.doi == "10.9999/w.1"


def test_reads_every_work_of_an_entry_and_the_best_of_alternatives():
    found = _references(
        '<ref id="a"><mixed-citation>One</mixed-citation>'
        '<mixed-citation id="a2">Two</mixed-citation></ref>',
        '<ref id="b"><citation-alternatives><mixed-citation>Three</mixed-citation>'
        "<element-citation><year>2001</year><source>Three</source></element-citation>"
        "</citation-alternatives></ref>",
    )
    assert [(r.ref_id, r.year) for r in found] == [
        ("a", None),
        ("a2", None),
        ("b", 2001),
    ]


_NAMED = {
    "without DTD": "",
    "with a DTD that is not loaded": (
        '<!DOCTYPE article PUBLIC "x" "http://127.0.0.1:9/none.dtd">'
    ),
}


@pytest.mark.parametrize("before", _NAMED.values(), ids=_NAMED)
def test_reads_named_characters_of_html(before):
    assert _read("<p>a&nbsp;b &eacute; &lt;</p>", before=before).text == "a b é <"


def test_marks_characters_that_only_an_unread_dtd_names():
    document = _read("<p>a &wool; b</p>", before='<!DOCTYPE article SYSTEM "x.dtd">')
    assert document.text == "a \ufffd b"


_LAUGHS = "".join(
    f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12)
)  # fmt: skip

_BROKEN = {
    "cut short": ("<article><body><p>Wool", "not well-formed"),
    "crossed tags": ("<article><body><p>Wool</b></p></body></article>", "line 1"),
    "unknown encoding": ('<?xml version="1.0" encoding="x-wool"?><article/>', "XML"),
    "other root": ("<TEI><text/></TEI>", "'TEI'"),
    "undefined entity": ("<article><p>&wool;</p></article>", "entity"),
    "billion laughs": (
        f'<!DOCTYPE article [<!ENTITY l0 "ha">{_LAUGHS}]>'
        "<article><body><p>&l11;</p></body></article>",
        "entities",
    ),
    "billion laughs in an attribute": (
        f'<!DOCTYPE article [<!ENTITY l0 "ha">{_LAUGHS}]>'
        '<article><body><p id="&l11;">a</p></body></article>',
        "entities",
    ),
    "a few laughs": (
        '<!DOCTYPE article [<!ENTITY l "ha">]><article><p>&l;</p></article>',
        "entities",
    ),
    "external entity": (
        '<!DOCTYPE article [<!ENTITY x SYSTEM "file:///etc/hostname">]>'
        "<article><body><p>&x;</p></body></article>",
        "entities",
    ),
    "too deep": ("<article>" + "<sec>" * 5000 + "</sec>" * 5000 + "</article>", "deep"),
    "one huge text": (f"<article><p>{'a' * 11_000_000}</p></article>", "10 MB"),
}


@pytest.mark.parametrize(("source", "reason"), _BROKEN.values(), ids=_BROKEN)
def test_refuses_broken_and_hostile_xml(source, reason):
    with pytest.raises(UnreadableDocument, match=reason) as caught:
        jats.read(source.encode(), doc_id="d", path="d.xml")
    assert "Wool" not in caught.value.reason
    assert "\n" not in caught.value.reason


_ENCODED = {
    "UTF-8 with mark": ("utf-8-sig", ""),
    "UTF-16": ("utf-16", '<?xml version="1.0" encoding="UTF-16"?>'),
    "Latin-1": ("latin-1", '<?xml version="1.0" encoding="ISO-8859-1"?>'),
    "white space first": ("utf-8", '\n <?xml version="1.0"?>'),
}


@pytest.mark.parametrize(("encoding", "declaration"), _ENCODED.values(), ids=_ENCODED)
def test_reads_every_declared_encoding(encoding, declaration):
    source = f"{declaration}<article><body><p>Café</p></body></article>"
    assert jats.read(source.encode(encoding), doc_id="d", path="d.xml").text == "Café"


def test_text_is_composed_and_deep_nesting_is_read():
    deep = "<sec>" * 240 + "<p>A\u030angstro\u0308m</p>" + "</sec>" * 240
    text = _read(deep).text
    assert text == "Ångström"
    assert unicodedata.is_normalized("NFC", text)


def test_an_appendix_within_another_is_read_once():
    source = (
        "<article><body><p>Wool.</p></body><back><app-group><app><p>Outer.</p>"
        "<app><p>Inner.</p></app></app></app-group></back></article>"
    )
    document = jats.read(source.encode(), doc_id="d", path="d.xml")
    assert document.text.count("Inner.") == 1


def test_an_entry_without_content_harms_nothing():
    source = (
        "<article><body><p>Wool.</p></body><back><ref-list><ref id='r1'>"
        "<citation-alternatives/></ref></ref-list></back></article>"
    )
    assert jats.read(source.encode(), doc_id="d", path="d.xml").text == "Wool."
