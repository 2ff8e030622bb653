"""Tests of the TEI reader.  All articles are invented."""

import pytest

from transforms.read_documents import tei
from transforms.read_documents.errors import UnreadableDocument
from transforms.records import Reference, Section


def _read(body="", *, header="", back=""):
    source = (
        f'<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader>{header}</teiHeader>'
        f"<text><body>{body}</body><back>{back}</back></text></TEI>"
    )
    return tei.read(source.encode(), doc_id="d", path="d.xml")


def _listed(*entries):
    return f'<div type="references"><listBibl>{"".join(entries)}</listBibl></div>'


_LIST = _listed(
    *(
        f'<biblStruct xml:id="b{n}"><monogr><title level="m">{title}</title></monogr>'
        "</biblStruct>"
        for n, title in enumerate(("Wool", "Ply"))
    )
)


def _anchors(document):
    return [(document.text[a.start : a.end], a.ref_ids) for a in document.anchors]


_TEXTS = {
    "paragraphs": ("<div><p>One.</p>\n<p>Two.</p></div>", "One.\n\nTwo."),
    "numbered heading": (
        '<div><head n="2.1">Shears</head><p>One.</p></div>',
        "2.1 Shears\n\nOne.",
    ),
    "list": ("<p>Both:<list><item>One.</item></list>after.</p>", None),
    "figure": ("<p>One.</p><figure><figDesc>No</figDesc></figure>", "One."),
    "formula": ("<p>It is<formula>x=1</formula>where x.</p>", "It is where x."),
    "foot note": ('<note place="foot">No.</note><p>One.</p>', "One."),
    "table in text": ("<p>One <table><row>No</row></table>two</p>", "One two"),
    "line breaks": ("<p>One<lb/> two<lb/>three</p>", "One two three"),
    "cut word": ("<p>knowl-<lb/>edge and exam-<lb/> ple</p>", "knowledge and example"),
    "cut at a line feed": ("<p>knowl-\nedge</p>", "knowledge"),
    "hyphen of a name": ("<p>by Ode-<lb/>Ng (2011)</p>", "by Ode-Ng (2011)"),
    "hyphen seen elsewhere": (
        "<p>salt-free wool, salt-<lb/>free sheep</p>",
        "salt-free wool, salt-free sheep",
    ),
    "cut word within markup": ("<p><hi>knowl-<lb/>edge</hi></p>", "knowledge"),
    "nothing": ("", ""),
}


@pytest.mark.parametrize(("body", "text"), _TEXTS.values(), ids=_TEXTS)
def test_reads_body_text(body, text):
    text = "Both:\n\nOne.\n\nafter." if text is None else text
    assert _read(body).text == text


def test_reads_sections_title_and_own_identifiers():
    document = _read(
        '<div><head n="1">One</head><p>a</p></div>'
        '<div><head n="1.1">Two</head><p>b</p></div><div><head>Three</head></div>',
        header=(
            "<fileDesc><titleStmt><title>On <hi>wool</hi></title></titleStmt>"
            '<sourceDesc><biblStruct><idno type="DOI">10.9999/Wool.1</idno>'
            '<idno type="arXiv">arXiv:2999.00001v2</idno></biblStruct></sourceDesc>'
            "</fileDesc>"
        ),
        back='<div type="annex"><div><p>More.</p></div></div><div><p>No.</p></div>',
    )
    assert document.title == "On wool"
    assert document.own_ids == ("doi:10.9999/wool.1", "arxiv:2999.00001")
    assert document.text == "1 One\n\na\n\n1.1 Two\n\nb\n\nThree\n\nMore."
    assert document.sections == (
        Section("1 One", 0, 20),
        Section("1.1 Two", 10, 20),
        Section("Three", 22, 34),
    )


_ANCHORS = {
    "bare": ('<ref type="bibr" target="#b0">Ng, 2010</ref>', [("Ng, 2010", ("b0",))]),
    "with the list's brackets": (
        'so <ref type="bibr" target="#b0">(Ng, 2010;</ref> '
        '<ref type="bibr" target="#b1">Ode, 2011)</ref>.',
        [("Ng, 2010", ("b0",)), ("Ode, 2011", ("b1",))],
    ),
    "in brackets": ('<ref type="bibr" target="#b0">[12]</ref>', [("12", ("b0",))]),
    "narrative": (
        'as <ref type="bibr" target="#b0">Ng (2010)</ref> says',
        [("Ng (2010)", ("b0",))],
    ),
    "several targets": (
        '<ref type="bibr" target="#b0 #b1">2, 3</ref>',
        [("2, 3", ("b0", "b1"))],
    ),
    "unknown target": ('<ref type="bibr" target="#b9">Ng, 2010</ref>', []),
    "no target": ('<ref type="bibr">Ng, 2010</ref>', []),
    "small caps": (
        'said <ref type="biblio">(ng &amp; ode, 2010; Ba, 2011; cho, 2012)</ref>',
        [("ng & ode, 2010", ()), ("cho, 2012", ())],
    ),
    "a figure": ('<ref type="figure" target="#b0">1</ref>', []),
    "nothing but punctuation": ('<ref type="bibr" target="#b0">(;</ref>', []),
    "cut by a line": (
        '<ref type="bibr" target="#b0">Felds-<lb/>berg,<lb/> 2010</ref>',
        [("Feldsberg, 2010", ("b0",))],
    ),
}


@pytest.mark.parametrize(("body", "anchors"), _ANCHORS.values(), ids=_ANCHORS)
def test_marks_citations(body, anchors):
    assert _anchors(_read(f"<p>{body}</p>", back=_LIST)) == anchors


def test_reads_references():
    document = _read(
        back=_listed(
            '<biblStruct xml:id="b0"><analytic><title level="a" type="main">Warm wool.'
            "</title><author><persName><forename type='first'>Ada</forename><forename "
            "type='middle'>B</forename><surname>Ng</surname></persName></author><author>"
            "<orgName>Wool Board</orgName></author><idno type='DOI'>10.9999/W.2</idno>"
            "<idno type='PMID'>77</idno></analytic><monogr><title level='j'>J Wool"
            "</title><imprint><date when='2010-03'/></imprint></monogr>"
            "<note type='raw_reference'>Ng AB. Warm wool. J Wool 2010a;3:1.</note>"
            "</biblStruct>",
            "<biblStruct><monogr><title level='m'>Shears</title><editor><persName>"
            "<surname>Ode</surname></persName></editor><imprint><publisher>Fleece Press"
            "</publisher><date when='2011'/></imprint></monogr></biblStruct>",
        )
    )
    assert document.references == (
        Reference(
            "b0",
            "Ng AB. Warm wool. J Wool 2010a;3:1.",
            ("Ng, Ada B", "Wool Board"),
            2010,
            "a",
            "Warm wool",
            "J Wool",
            doi="10.9999/w.2",
            pmid="77",
        ),
        Reference(
            "ref-2", "Ode. 2011. Shears. Fleece Press", ("Ode",), 2011, "", "Shears",
            "Fleece Press",
        ),
    )  # fmt: skip


def test_reads_training_data_without_body_or_valid_ids():
    source = (
        '<?xml version="1.0"?><tei><teiHeader><fileDesc xml:id="0"/></teiHeader><text>'
        "<head>1 Introduction<lb/></head><p>It is.<lb/></p></text></tei>"
    )
    document = tei.read(source.encode(), doc_id="d", path="d.xml")
    assert document.text == "1 Introduction\n\nIt is."


_BROKEN = {
    "cut short": b"<TEI><text><p>Wool",
    "cut short behind an odd id": b'<tei><a xml:id="0"/><text><p>Wool',
    "no text": b"<TEI/>",
    "own entities": b"<!DOCTYPE TEI [<!ENTITY a 'b'>]><TEI><text>&a;</text></TEI>",
    "nested deeply": b"<TEI><text>" + b"<p>" * 400 + b"</p>" * 400 + b"</text></TEI>",
}


@pytest.mark.parametrize("data", _BROKEN.values(), ids=_BROKEN)
def test_refuses_what_is_broken(data):
    with pytest.raises(UnreadableDocument):
        tei.read(data, doc_id="d", path="d.xml")
