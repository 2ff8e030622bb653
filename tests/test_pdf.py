"""Tests of the PDF reader.  All manuscripts are invented, and made by the tests."""

import io
import json

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings
from reportlab.lib.pagesizes import A4
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen import canvas
from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate, Paragraph

from transforms.extract_citations.author_year import find_author_year
from transforms.read_documents import ligatures, pdf
from transforms.read_documents.errors import UnreadableDocument
from transforms.read_documents.hyphens import Hyphens
from transforms.read_documents.pdf_layout import order_lines
from transforms.read_documents.pdf_margins import drop_margins
from transforms.read_documents.pdf_segments import Segment

_WIDTH, _HEIGHT = A4
_MARGIN = 50
_GUTTER = 18
_NAMES = ("Ng", "Ode", "Ba", "Umbra", "Quill", "Feld", "Prell", "Talm", "Venn", "Morn")
_PROSE = (
    "wool is warm in the cold of the hills and sheep that graze there keep it soft by "
    "the salt of the sea which the wind carries over every ridge from autumn to spring"
)
_WORDS = _PROSE.split()


def _sentences(seed, count):
    for n in range(count):
        at = (seed * 13 + n * 7) % len(_WORDS)
        words = " ".join((_WORDS * 2)[at : at + 9 + n % 11])
        name, other = _NAMES[(seed + n) % 10], _NAMES[(seed + 3 * n + 1) % 10]
        year = 1990 + (seed * 5 + n) % 30
        yield f"{words.capitalize()} ({name} et al., {year}; {other}, {year - 3})."
        yield f"In all, {name} and {other} ({year + 1}) {words[:70]}."


_PARAGRAPHS = [" ".join(_sentences(seed, 7)) for seed in range(16)]
_ENTRIES = [
    f"{name}, A., & Ode, T. B. (20{10 + n}). Warm wool in cold places, with a view of "
    f"all the sheep of {_NAMES[n - 1]} that were counted. Journal of Wool, {n}(1), 1-9."
    for n, name in enumerate(_NAMES)
]


def _article(columns, *, entry_style=None):
    """Returns a typeset article with running heads, page numbers and a list."""
    body = ParagraphStyle(
        "body", fontName="Times-Roman", fontSize=10, leading=12, alignment=4,
        firstLineIndent=12,
    )  # fmt: skip
    head = ParagraphStyle(
        "head", fontName="Times-Bold", fontSize=12, leading=15, spaceBefore=9,
        spaceAfter=4,
    )  # fmt: skip
    title = ParagraphStyle("title", fontName="Times-Bold", fontSize=17, leading=20)
    entry = entry_style or {"leftIndent": 14, "firstLineIndent": -14}
    listed = ParagraphStyle("entry", parent=body, alignment=0, **entry)
    story = [Paragraph("On warm wool in cold places", title)]
    for number, text in enumerate(_PARAGRAPHS):
        if number in (0, 7):
            story.append(Paragraph(("Introduction", "Results")[number > 0], head))
        story.append(Paragraph(text, body))
    story.append(Paragraph("References", head))
    story.extend(Paragraph(text.replace("&", "&amp;"), listed) for text in _ENTRIES)
    stream = io.BytesIO()
    template = BaseDocTemplate(stream, pagesize=A4)
    width = (_WIDTH - 2 * _MARGIN - (columns - 1) * _GUTTER) / columns
    frames = [
        Frame(
            _MARGIN + n * (width + _GUTTER), 45, width, _HEIGHT - 90, leftPadding=0,
            rightPadding=0,
        )
        for n in range(columns)
    ]  # fmt: skip
    template.addPageTemplates(PageTemplate(frames=frames, onPage=_running_heads))
    template.build(story)
    return stream.getvalue()


def _running_heads(page, template):
    page.setFont("Times-Roman", 8)
    page.drawString(_MARGIN, _HEIGHT - 30, "Ode and Ng (2021)")
    page.drawRightString(_WIDTH - _MARGIN, _HEIGHT - 30, "Journal of Wool 3: e14")
    page.drawCentredString(_WIDTH / 2, 25, str(page.getPageNumber()))


def _pages(*pages, **options):
    """Returns a file of pages; each is a list of (x, y, size, text)."""
    stream = io.BytesIO()
    file = canvas.Canvas(stream, pagesize=A4, **options)
    for page in pages:
        for x, y, size, text in page:
            file.setFont("Helvetica", size)
            file.drawString(x, y, text)
        file.showPage()
    file.save()
    return stream.getvalue()


def _lines(*texts, x=_MARGIN, top=700, size=10):
    return [(x, top - 12 * n, size, text) for n, text in enumerate(texts)]


def _read(data):
    return pdf.read(data, doc_id="d", path="d.pdf")


def _keys(text):
    return [(m.surnames, m.year) for m in find_author_year(text)]


@pytest.mark.parametrize("columns", [1, 2, 3])
def test_reads_a_typeset_article_as_it_was_written(columns):
    document = _read(_article(columns))
    assert document.title == "On warm wool in cold places"
    assert [s.title for s in document.sections] == ["Introduction", "Results"]
    expected = [
        *("On warm wool in cold places", "Introduction", *_PARAGRAPHS[:7], "Results"),
        *_PARAGRAPHS[7:],
    ]
    assert document.text.split() == " ".join(expected).split()
    assert _keys(document.text) == _keys("\n\n".join(expected))
    assert document.reference_text.split("\n\n") == _ENTRIES


_ENTRY_STYLES = {
    "hanging": {"leftIndent": 14, "firstLineIndent": -14},
    "spaced": {"spaceAfter": 6},
}


@pytest.mark.parametrize("style", _ENTRY_STYLES.values(), ids=_ENTRY_STYLES)
def test_parts_reference_entries(style):
    document = _read(_article(2, entry_style={"firstLineIndent": 0, **style}))
    assert document.reference_text.split("\n\n") == _ENTRIES


def test_parts_numbered_entries():
    entries = [
        line
        for n in range(1, 9)
        for line in (
            f"[{n}] Ng A, Ode T. Warm wool in cold",
            "places. J Wool 2010;3:1.",
        )
    ]
    document = _read(_pages(_lines("Wool is warm [1].", "", "References", *entries)))
    assert document.text == "Wool is warm [1]."
    parts = document.reference_text.split("\n\n")
    assert len(parts) == 8
    assert parts[1] == "[2] Ng A, Ode T. Warm wool in cold places. J Wool 2010;3:1."


def test_keeps_the_lines_of_entries_that_nothing_parts():
    entries = [
        *("Ng A. Warm wool in cold places and in", "warm ones. J Wool 2010;3:1."),
        *("Ode T. Shears of the hills and of the", "sea. J Wool 2011;4:2."),
    ]
    document = _read(_pages(_lines("Wool is warm.", "References", *entries)))
    assert document.reference_text == "\n".join(entries)


# --- lines and paragraphs ---------------------------------------------------------

_LAYOUTS = {
    "cut words": (
        _lines(
            "Wool knowl-", "edge of salt-free", "sheep is salt-", "free (Ode-", "Ng)."
        ),
        "Wool knowledge of salt-free sheep is salt-free (Ode-Ng).",
    ),
    "an address over two lines": (
        _lines("See https://wool.example/warm/", "ply.html for more of it."),
        "See https://wool.example/warm/ply.html for more of it.",
    ),
    "a gap": (
        [*_lines("One is warm.", "It is."), *_lines("Two.", top=640)],
        "One is warm. It is.\n\nTwo.",
    ),
    "an indent": (
        [*_lines("One is warm and it is so.", "It is."), (62, 676, 10, "Two is soft.")],
        "One is warm and it is so. It is.\n\nTwo is soft.",
    ),
    "another size": (
        [*_lines("Small print"), *_lines("Wool is warm here.", top=680, size=16)],
        "Small print\n\nWool is warm here.",
    ),
    "superscripts": (
        [
            *_lines("Wool is warm.", top=700),
            (_MARGIN + 61.5, 704, 6, "12"),
            (_MARGIN + 72, 700, 10, "It is."),
        ],
        "Wool is warm.12 It is.",
    ),
    "captions": (
        [
            *_lines("Wool is warm and the", top=700),
            *_lines("Figure 1. No wool here.", top=660),
            *_lines("sheep are cold.", top=620),
        ],
        "Wool is warm and the sheep are cold.",
    ),
    "a foot note within a sentence": (
        [
            *_lines("Wool is warm on hills where the", "and sheep graze, and the"),
            *_lines("1 So they say of it.", top=600, size=7),
            *_lines("ewes are cold.", top=560),
        ],
        "Wool is warm on hills where the and sheep graze, and the ewes are cold.\n\n"
        "1 So they say of it.",
    ),
    "order of the page, not of the file": (
        [*_lines("Two.", top=600), *_lines("One.", top=700)],
        "One.\n\nTwo.",
    ),
    "composed": (_lines("Cafe\u0301 Ångström"), None),
}


@pytest.mark.parametrize(("page", "text"), _LAYOUTS.values(), ids=_LAYOUTS)
def test_rebuilds_paragraphs(page, text):
    found = _read(_pages(page)).text
    if text is not None:
        assert found == text


def test_reads_two_columns_under_a_full_line():
    left = [f"left {n} of the wool that" for n in range(12)]
    right = [f"right {n} of the sheep that" for n in range(12)]
    page = [
        *_lines("A line over the whole width of the page, " + "so " * 15, top=730),
        *(pair for row in zip(_lines(*left), _lines(*right, x=310), strict=True)
          for pair in row),
        *_lines("Another line over the whole width of the page " + "so " * 15, top=500),
    ]  # fmt: skip
    words = _read(_pages(page)).text.split()
    assert [w for w in words if w in ("left", "right", "A", "Another")] == [
        *("A", *["left"] * 12, *["right"] * 12, "Another"),
    ]


def test_joins_a_paragraph_over_columns_and_pages():
    first = _lines(*["wool that is warm and the"] * 50, top=760)
    second = _lines(*["sheep that are cold and so"] * 50, x=310, top=760)
    document = _read(_pages([*first, *second], [*first, *second]))
    assert "\n\n" not in document.text


def test_leaves_out_text_that_runs_up_the_page():
    stream = io.BytesIO()
    file = canvas.Canvas(stream)
    file.drawString(50, 700, "Wool is warm.")
    file.rotate(90)
    file.drawString(100, -40, "wool.example 1 May 2021")
    file.save()
    assert _read(stream.getvalue()).text == "Wool is warm."


# --- margins ----------------------------------------------------------------------


def _segment(text, left, middle, height=10.0):
    return Segment(
        left, left + 5.0 * len(text), middle - height / 2, middle + height / 2, text
    )


def _texts(pages):
    return [[segment.text for segment in page] for page in drop_margins(pages)]


def _text_rows(number):
    return [_segment(f"text {'ab'[n % 2] * n} of {number}", 50, 700 - 12 * n)
            for n in range(9)]  # fmt: skip


def test_drops_running_heads_and_page_numbers():
    pages = [
        [
            _segment("Journal of Wool" if n % 2 else "Ode and Ng", 50, 780),
            _segment(f"Chapter {'x' * n}", 300, 780.5),
            *_text_rows("abcdef"[n]),
            _segment(str(n + 41), 50 if n % 2 else 300, 30),
        ]
        for n in range(6)
    ]
    assert _texts(pages) == [[s.text for s in page[2:-1]] for page in pages]


def test_drops_a_watermark_in_the_text():
    pages = [
        [*_text_rows(c)[:4], _segment("Preprint, not for wool", 90, 650.0)]
        + [_segment(f"more {c}{n}", 50, 600 - 12 * n) for n in range(5)]
        for c in "abcd"
    ]
    assert all("Preprint, not for wool" not in page for page in _texts(pages))


def test_drops_line_numbers_but_no_column_of_a_table():
    numbers = [_segment(str(5 * n), 30, 700 - 12 * n) for n in range(1, 9)]
    rows = [_segment(str(n), 50, 500 - 12 * n) for n in range(1, 9)]
    last = _segment("the last line", 50, 300)
    (page,) = drop_margins([[*_text_rows("a"), *numbers, *rows, last]])
    assert [s.text for s in page if s.text.isdecimal()] == [s.text for s in rows]


def test_drops_a_small_line_far_above_the_text():
    pages = [
        [_segment("Ode and Ng", 50, 760, height=8), *_text_rows("a")],
        [_segment("Journal of Wool", 300, 760, height=8), *_text_rows("b")],
    ]
    assert _texts(pages) == [[s.text for s in page[1:]] for page in pages]
    assert len(drop_margins(pages[:1])[0]) == len(pages[0])


def test_keeps_a_word_that_two_pages_have_at_one_place():
    pages = [
        [_segment("warm", 50, 700), _segment(f"and {c} the sheep of wool", 90, 700)]
        + [_segment(f"line {c * (n + 1)}", 50, 680 - 12 * n) for n in range(8)]
        for c in "ab"
    ]
    assert [page[0] for page in _texts(pages)] == ["warm", "warm"]


# --- letters ----------------------------------------------------------------------

_BROKEN_WORDS = {
    "split within": ("speci fi c and re fl ux", "specific and reflux"),
    "split at the end": ("speci fi cation o ff", None),
    "begins a word": (
        "we fi nd it, as they find it and we do; di ff er",
        "we find it, as they find it and we do; differ",
    ),
    "seen elsewhere": ("e ffi cient is efficient, o ff er", None),
    "no ligature": ("sci fi and the sci fi and", None),
    "once": ("the fi nd", "the fi nd"),
}


@pytest.mark.parametrize(("text", "mended"), _BROKEN_WORDS.values(), ids=_BROKEN_WORDS)
def test_mends_split_ligatures(text, mended):
    found = ligatures.mend([text])
    if mended is not None:
        assert found == [mended]
    assert "".join(found[0].split()) == "".join(text.split())


def test_expands_ligatures_and_styled_letters_alone():
    assert ligatures.expand("ﬁnd oﬃce ﬂ 𝑥 x² ½ ™ Å") == "find office fl x x² ½ ™ Å"


_LOST = {
    "gaps": ("signi cant di erence, speci c", True),
    "replaced": ("sta\ufffd and o\ufffdce", True),
    "whole": ("a significant difference, a specific effect", False),
}


@pytest.mark.parametrize(("text", "lost"), _LOST.values(), ids=_LOST)
def test_notes_lost_ligatures(text, lost):
    assert ligatures.are_lost(text) is lost
    document = _read(_pages(_lines(text.replace("\ufffd", "") * 3)))
    if lost and "\ufffd" not in text:
        assert json.loads(document.metadata) == {"text_quality": "ligatures lost"}


_BREAKS = {
    "a word": ("exam-\nple", "example"),
    "joined elsewhere": ("example exam-\nple", "example"),
    "hyphen elsewhere": ("salt-free salt-\nfree", "salt-free"),
    "the more frequent": ("co-op co-op coop co-\nop", "co-op"),
    "a name": ("Ode-\nNg", "Ode-Ng"),
    "an abbreviation": ("RNA-\nbased", "RNA-based"),
    "a number": ("2-\nfold", "2-fold"),
    "a prefix": ("self-\nmade", "self-made"),
    "a series": ("high- and low-\nlying", "high- and low-lying"),
    "suspended": ("high-\nand low", "high- and low"),
    "soft hyphen": ("exam\u00ad\nple", "example"),
    "two words": ("wool wool sheep sheep wool-\nsheep", "wool-sheep"),
    "several": ("state-of-the-\nart", "state-of-the-art"),
    "no hyphen": ("exam\nple", "exam\nple"),
    "a dash": ("so -\nit is", "so -\nit is"),
    "address": ("doi.org/10.9999/w-\n2 is", "doi.org/10.9999/w-2 is"),
}


@pytest.mark.parametrize(("text", "mended"), _BREAKS.values(), ids=_BREAKS)
def test_mends_words_that_a_line_cuts(text, mended):
    found = Hyphens(text).mend(text)
    assert found.rpartition(" ")[2] == mended.rpartition(" ")[2]


# --- what cannot be read ----------------------------------------------------------


def _scan(*texts):
    stream = io.BytesIO()
    file = canvas.Canvas(stream, pagesize=A4)
    image = ImageReader(io.BytesIO(_BITMAP))
    for text in texts:
        file.drawImage(image, 0, 0, _WIDTH, _HEIGHT)
        file.drawString(50, 20, text)
        file.showPage()
    file.save()
    return stream.getvalue()


# A grey bitmap of one point.
_BITMAP = b"P5 1 1 255\n\x80"


def _encrypted():
    return _pages(_lines("Wool."), encrypt=StandardEncryption("wool", canPrint=0))


_UNREADABLE = {
    "a scan": (lambda: _scan("", ""), "^no_text_layer: .*OCR"),
    "a scan with a stamp": (lambda: _scan("Wool 1", "Wool 2"), "^no_text_layer"),
    "empty pages": (lambda: _pages([], []), "^no_text_layer"),
    "encrypted": (_encrypted, "encrypted"),
    "cut short": (lambda: _pages(_lines("Wool."))[:200], "broken"),
    "a name alone": (lambda: b"%PDF-1.7", "broken"),
}


@pytest.mark.parametrize(("make", "reason"), _UNREADABLE.values(), ids=_UNREADABLE)
def test_refuses_what_it_cannot_read(make, reason):
    with pytest.raises(UnreadableDocument, match=reason):
        _read(make())


def test_a_short_page_is_no_scan():
    assert _read(_pages(_lines("Wool."))).text == "Wool."


_WHOLE = _article(2)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, len(_WHOLE)), st.binary(max_size=8), st.integers(0, 300))
def test_nothing_but_unreadable_document_comes_out(at, new, dropped):
    try:
        document = _read(_WHOLE[:at] + new + _WHOLE[at + dropped :])
    except UnreadableDocument as error:
        assert "\n" not in error.reason
        return
    for section in document.sections:
        assert document.text.startswith(section.title, section.start)


_BOXES = st.tuples(
    st.floats(0, 600), st.floats(0, 800), st.floats(1, 300), st.floats(1, 40)
)


@settings(deadline=None)
@given(st.lists(_BOXES, max_size=60))
def test_ordering_keeps_every_word(boxes):
    segments = [
        Segment(left, left + width, low, low + height, f"w{n}")
        for n, (left, low, width, height) in enumerate(boxes)
    ]
    words = "".join(line.text for line in order_lines(segments, 0)).replace(" ", "")
    assert sorted(words) == sorted("".join(s.text for s in segments))
