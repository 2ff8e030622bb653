"""Tests of the report, but for what only a browser can tell."""

from __future__ import annotations

import html
import json
import re
from collections import Counter

import pytest

from pipeline.exits import RunFailed
from pipeline.report import charts
from pipeline.report.build import build_report
from pipeline.report.document_page import page_of
from pipeline.report.index_page import ROWS_A_PAGE
from pipeline.report.interval import Share, wilson
from pipeline.report.links import work_links
from pipeline.report.marking import Mark, Region, mark_terms
from tests.report_run import golden_rows, repeated, write_run
from tests.screening import SAMPLE, run
from transforms.records import Band, CitationStatus, DocumentStatus, Grade, Triage
from transforms.reference_records import ReferenceLabel
from transforms.score_coverage.triage.words import claim_words

_HOSTILE = "<script>alert(1)</script>\" onload='x' {{ 7 * 7 }} $x_1$ &amp;"


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    """Returns the report of the sample run."""
    folder = write_run(tmp_path_factory.mktemp("sample") / "tonight", golden_rows())
    return build_report(folder).parent


def _page(report, doc_id):
    return (report / "documents" / page_of(doc_id)).read_text(encoding="utf-8")


def _texts(page):
    """Returns what a page says, without its style and script."""
    page = re.sub(r"<(style|script)>.*?</\1>", "", page, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page)).split())


# Intervals.


@pytest.mark.parametrize(
    ("share", "number", "low", "high"),
    [
        (0.5, 10, 0.2366, 0.7634),
        (0.0, 10, 0.0, 0.2775),
        (1.0, 10, 0.7225, 1.0),
        (0.6, 80, 0.4905, 0.7004),
    ],
)
def test_wilson_agrees_with_the_textbook(share, number, low, high):
    assert wilson(share, number) == pytest.approx((low, high), abs=5e-5)


def test_documents_that_are_alike_widen_the_interval():
    alike, mixed = Share(), Share()
    for number in range(20):
        alike.add(4 * (number % 2), 4)
        mixed.add(2, 4)
    assert alike.value == mixed.value == 0.5
    assert alike.design_effect == pytest.approx(4 * 20 / 19)
    assert mixed.design_effect == 1.0
    assert alike.interval[0] < mixed.interval[0] < mixed.interval[1] < alike.interval[1]


def test_a_share_of_nothing_has_no_interval():
    share = Share()
    share.add(0, 0)
    assert (share.value, share.interval, share.documents) == (None, None, 0)


def test_one_document_cannot_tell_how_alike_documents_are():
    share = Share()
    share.add(1, 3)
    assert share.interval == wilson(1 / 3, 3)


# Marking.

_MARKS = {"rot": Mark(True, "covered, +1.0 points"), "kelp": Mark(False)}


@pytest.mark.parametrize(
    ("text", "regions", "expected"),
    [
        ("Kelp & rot", (), '<u>Kelp</u> &amp; <mark data-note="{}">rot</mark>'),
        ("rotten <b>", (), "rotten &lt;b&gt;"),
        ("", (), ""),
        (
            "on kelp-rot",
            (Region(3, 7, "p"),),
            'on <span class="p"><u>kelp</u></span>-{r}',
        ),
        ("kelp rot", (Region(0, 8, "p"),), '<span class="p"><u>kelp</u> {r}</span>'),
        ("a kelp b", (Region(2, 6, "m", True),), 'a <span class="m">kelp</span> b'),
        ("a kelp b", (Region(0, 4, "p"),), '<span class="p">a ke</span>lp b'),
        ("kelp", (Region(2, 9, "p"), Region(-1, 2, "p")), "<u>kelp</u>"),
        (
            "abcd",
            (Region(0, 3, "p"), Region(2, 4, "q"), Region(1, 2, "q")),
            '<span class="p">a<span class="q">b</span>c</span>d',
        ),
    ],
)
def test_marks_terms_and_regions(text, regions, expected):
    note = "covered, +1.0 points"
    marked = mark_terms(text, _MARKS, regions)
    expected = expected.replace("{}", note)
    assert marked == expected.replace("{r}", f'<mark data-note="{note}">rot</mark>')
    assert html.unescape(re.sub(r"<[^>]*>", "", marked)) == text


# Links.


def test_links_lead_to_identifiers_and_to_the_page_of_the_index():
    work = {
        "doi": "10.1000/a<b>(c)#1",
        "pmid": "12",
        "pmcid": None,
        "arxiv_id": None,
        "source": "openalex",
        "paper_id": "W1",
    }
    assert work_links(work) == (
        ("doi:10.1000/a<b>(c)#1", "https://doi.org/10.1000/a%3Cb%3E%28c%29%231"),
        ("PubMed 12", "https://pubmed.ncbi.nlm.nih.gov/12"),
        ("OpenAlex", "https://openalex.org/W1"),
    )


def test_a_page_is_linked_once():
    work = {"arxiv_id": "2101.00001", "source": "arxiv", "paper_id": "2101.00001"}
    assert len(work_links(work)) == 1


# Charts.


def test_charts_follow_the_colours_of_the_page_and_hold_no_markup_of_the_data():
    share = Share()
    share.add(1, 2)
    drawing = charts.support_chart([(_HOSTILE, share), ("$a$", share)], _HOSTILE)
    assert "<script" not in drawing and "#0" not in drawing.replace('"#', "")
    assert "var(--accent)" in drawing
    assert "$a$ (2)" in drawing
    assert charts.bands_chart({}) and charts.coverage_chart({})


# Pages.


def test_every_document_has_a_page_that_the_index_lists(sample):
    index = (sample / "index.html").read_text(encoding="utf-8")
    listed = re.findall(r'href="documents/([^"]+)"', index)
    rows = golden_rows()["documents"]
    assert sorted(listed) == sorted(page_of(row["doc_id"]) for row in rows)
    assert {path.name for path in (sample / "documents").iterdir()} == set(listed)


def test_the_index_says_first_what_was_run_and_what_was_not_checked(sample):
    said = _texts((sample / "index.html").read_text(encoding="utf-8"))
    assert "Of 16 documents, 12 were scored" in said
    assert "96 in all" in said
    for words in ("Not found", "lead to check, not a finding", "95 % interval"):
        assert words in said


def test_documents_come_by_priority_then_by_score(sample):
    index = (sample / "index.html").read_text(encoding="utf-8")
    listed = list(map(html.unescape, re.findall(r'<tr data-doc="([^"]+)"', index)))
    rows = {row["doc_id"]: row for row in golden_rows()["documents"]}
    keys = [(rows[d]["priority"], rows[d]["score"] or -1) for d in listed]
    assert len(keys) == len(rows) and keys == sorted(keys, reverse=True)


def test_every_selected_citation_is_on_the_page_of_its_document(sample):
    rows = golden_rows()["citations"]
    for doc_id in {row["doc_id"] for row in rows}:
        found = re.findall(r'data-citation="([^"]+)"', _page(sample, doc_id))
        expected = [row["citation_id"] for row in rows if row["doc_id"] == doc_id]
        assert sorted(map(html.unescape, found)) == sorted(expected)


def test_a_page_shows_claim_abstract_and_reference(sample):
    rows = golden_rows()
    works = {row["lookup_key"]: row for row in rows["works"]}
    for row in rows["citations"]:
        said = _texts(_page(sample, row["doc_id"]))
        squeezed = re.sub(r"\s", "", said)
        shown = [row["claim"], row["reference_text"]]
        if row["status"] == "checked":
            shown += [works[row["lookup_key"]]["abstract"], row["paper_title"]]
        for text in filter(None, shown):
            assert re.sub(r"\s", "", text) in squeezed


def _stems(words):
    return {stem for word in words for stem in claim_words(word)}


@pytest.mark.parametrize("triage", ["off_topic", "on_topic"])
def test_covered_and_missing_words_are_marked(sample, triage):
    row = next(r for r in golden_rows()["citations"] if r["triage"] == triage)
    page = _page(sample, row["doc_id"])
    article = page.split(f'id="c{row["ordinal"]}"')[1].split("</article>")[0]
    claim, evidence = article.split('<div class="side">')[1:]
    for name, tag, words in (
        ("covered", "mark", row["covered_points"]),
        ("missing", "u", row["missing_points"]),
    ):
        found = re.findall(f'<{tag} data-note="{name}[^>]*>([^<]*)</{tag}>', claim)
        assert _stems(found) == _stems(word["term"] for word in words)
        for word in words:
            points = f"{word['points']:+.1f}".replace("-", "−")
            assert f"{word['term']} {points}" in claim
    marked = _stems(re.findall(r"<mark>([^<]*)</mark>", evidence))
    assert marked <= _stems(word["term"] for word in row["covered_points"])
    assert bool(marked) == bool(row["covered_points"])
    if row["best_passage"]:
        assert '<span class="passage">' in evidence


def test_a_bracket_is_shown_together(sample):
    rows = [r for r in golden_rows()["citations"] if "misattributed" in r["doc_id"]]
    brackets = {row["group_id"] for row in rows}
    page = _page(sample, rows[0]["doc_id"])
    assert 1 < len(brackets) < len(rows)
    groups = page.split('<div class="group">')[1:]
    assert "Two works cited together: two off topic." in groups[0]
    first = groups[0].split("</article>\n</div>")[0]
    (bracket,) = {row["group_id"] for row in rows if f'"{row["citation_id"]}"' in first}
    assert first.count("<article") == sum(row["group_id"] == bracket for row in rows)


def test_the_leads_come_first(sample):
    for row in golden_rows()["documents"]:
        parts = re.findall(
            r'<article class="citation ([a-z-]+)"', _page(sample, row["doc_id"])
        )
        if "misattributed" in row["doc_id"]:
            assert parts[0] == "lead-first"
        ranks = [
            ["lead-first", "less-clear", "on-topic", "unjudged"].index(p) for p in parts
        ]
        assert ranks == sorted(ranks) or "group" in _page(sample, row["doc_id"])


@pytest.mark.parametrize(
    ("probability", "said"),
    [(0.031, "0.03."), (0.85, "0.85 or more."), (0.99, "0.85 or")],
)
def test_no_more_certainty_is_shown_than_there_is(tmp_path, probability, said):
    rows = golden_rows()
    row = next(r for r in rows["citations"] if r["triage"] == "on_topic")
    row["topic_probability"] = probability
    report = build_report(write_run(tmp_path, rows)).parent
    article = _page(report, row["doc_id"]).split(f'id="c{row["ordinal"]}"')[1]
    assert f"Chance that it is on topic: {said}" in article.split("</article>")[0]


def test_doubtful_references_are_listed_with_their_reasons(tmp_path):
    rows = golden_rows()
    document = next(r for r in rows["documents"] if "misattributed" in r["doc_id"])
    own = [r for r in rows["references"] if r["doc_id"] == document["doc_id"]]
    own[0] |= {"label": "major", "reasons": ["title: <b> is in no index"]}
    own[1] |= {"label": "minor", "reasons": ["year: cited 2011, record 2014"]}
    own[2] |= {"notices": ["retraction"]}
    counts = Counter(row["label"] for row in own)
    document |= {f"references_{label}": counts[label] for label in counts}
    report = build_report(write_run(tmp_path, rows)).parent
    page = _page(report, document["doc_id"])
    shown = page.split('<h2 id="references">')[1]
    assert [shown.count(entry["text"].split("&")[0]) for entry in own[:4]] == [
        1,
        1,
        1,
        0,
    ]
    said = _texts(shown)
    for words in ("Doubtful", "title: <b> is in no index", "Differs", "retraction"):
        assert words in said
    for citation_id in own[0]["cited_in"]:
        assert f'href="#c{citation_id.rpartition("#")[2]}"' in shown
    said = _texts((report / "index.html").read_text(encoding="utf-8"))
    assert (
        f"Of {len(rows['references'])} entries of reference lists: 1 doubtful, 1"
        in said
    )


def test_nothing_is_fetched_and_no_script_but_ours_runs(sample):
    for page in (sample / "index.html", *(sample / "documents").iterdir()):
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"<(img|iframe|object|embed|base)\b", text)
        assert re.findall(r'<link [^>]*href="([^"]*)"', text) == ["data:,"]
        assert len(re.findall(r"<script", text)) == 1
        assert "default-src 'none'; script-src 'sha256-" in text


def test_hostile_text_stays_text(tmp_path):
    rows = golden_rows()
    document = rows["documents"][0]
    old, doc_id = document["doc_id"], f"../{_HOSTILE}"
    document |= {
        "doc_id": doc_id,
        "title": _HOSTILE,
        "path": _HOSTILE,
        "metadata": json.dumps({_HOSTILE: _HOSTILE, "n": None, "list": [_HOSTILE]}),
    }
    for row in rows["citations"]:
        if row["doc_id"] == old:
            row |= {"doc_id": doc_id, "section": _HOSTILE, "claim": _HOSTILE}
            row |= {"marker": _HOSTILE, "reference_text": _HOSTILE, "detail": _HOSTILE}
    for row in rows["works"]:
        row |= {"title": _HOSTILE, "abstract": _HOSTILE, "authors": [_HOSTILE]}
    rows["failures"].append(
        {"stage": "read", "element_id": _HOSTILE, "error": "E", "message": _HOSTILE}
    )
    run_folder = write_run(tmp_path / "run", rows, problems=[_HOSTILE])
    report = build_report(run_folder).parent
    pages = [report / "index.html", report / "documents" / page_of(doc_id)]
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert len(re.findall(r"<script", text)) == 1
        assert "onload='x'" not in text and "49" not in _texts(text)
        assert _HOSTILE in _texts(text)


def test_many_documents_take_more_pages(tmp_path):
    rows = repeated(golden_rows(), ROWS_A_PAGE + 5)
    report = build_report(write_run(tmp_path, rows)).parent
    first, second = report / "index.html", report / "index-2.html"
    assert first.stat().st_size < 2_000_000
    texts = [page.read_text(encoding="utf-8") for page in (first, second)]
    assert [len(re.findall("<tr data-doc", text)) for text in texts] == [ROWS_A_PAGE, 5]
    ranks = re.findall(r'data-rank="(\d+)"', "".join(texts))
    assert ranks == [str(n) for n in range(1, ROWS_A_PAGE + 6)]
    assert '<a href="index-2.html">2</a>' in texts[0]
    assert "What was run" in texts[0] and "What was run" not in texts[1]
    assert "<option>Journal 3</option>" in texts[0]
    assert "Support rate by journal" in texts[0]
    last = re.findall(r'href="documents/([^"]+)"', texts[1])[-1]
    assert "../index-2.html" in (report / "documents" / last).read_text("utf-8")


def test_the_same_run_makes_the_same_pages(sample):
    before = {path: path.read_bytes() for path in sample.rglob("*.html")}
    build_report(sample.parent)
    assert {path: path.read_bytes() for path in sample.rglob("*.html")} == before
    assert {path.name for path in sample.iterdir()} == {"documents", "index.html"}


def test_a_run_without_anything_has_a_report(tmp_path):
    rows = {"documents": [], "citations": [], "works": [], "failures": []}
    said = _texts(build_report(write_run(tmp_path, rows)).read_text(encoding="utf-8"))
    assert "There are no documents in this run." in said


def test_every_value_has_words():
    from pipeline.report import words

    assert set(words.BANDS) == set(Band)
    assert set(words.TRIAGE) == set(Triage)
    assert set(words.GRADES) == set(Grade)
    assert set(words.REFERENCE_LABELS) == set(ReferenceLabel)
    assert set(words.CITATION_STATUSES) == set(CitationStatus)
    assert set(words.DOCUMENT_STATUSES) == set(DocumentStatus)


# The command.


def test_screening_writes_a_report_unless_told_not_to(tmp_path, capsys):
    output = tmp_path / "run"
    one = (SAMPLE / "manuscripts" / "ward-hygiene-audit.txt", "--output", output)
    papers = ("--papers", SAMPLE / "papers.parquet", "--cache", tmp_path / "cache")
    given = ("screen", *one, *papers, "--offline", "--workers", "1")
    assert run(*given) == 0
    assert f"Report: {output / 'report' / 'index.html'}" in capsys.readouterr().out
    assert (output / "report" / "index.html").exists()
    # That of the earlier run must not be taken for one of this.
    assert run(*given, "--overwrite", "--no-report") == 0
    assert not (output / "report").exists()
    assert run("report", output) == 0
    assert (output / "report" / "index.html").exists()


def test_a_report_that_fails_leaves_the_tables_and_says_so(
    tmp_path, capsys, monkeypatch
):
    def fail(run):
        raise RunFailed(f"cannot write the report below {run}")

    monkeypatch.setattr("pipeline.report.build.build_report", fail)
    output = tmp_path / "run"
    one = (SAMPLE / "manuscripts" / "ward-hygiene-audit.txt", "--output", output)
    papers = ("--papers", SAMPLE / "papers.parquet", "--cache", tmp_path / "cache")
    given = ("screen", *one, *papers, "--offline", "--workers", "1", "--json")
    assert run(*given) == 3
    told = json.loads(capsys.readouterr().out)
    assert (told["status"], told["report"]) == ("incomplete", None)
    assert "cannot write the report" in told["problems"][0]
    assert (output / "documents").exists()


@pytest.mark.parametrize(
    ("made", "arguments", "said"),
    [
        ("nothing", (), "holds no finished run: it has no manifest.json"),
        ("damage", (), "manifest.json is damaged"),
        ("another", (), "is of another program"),
        ("run", ("--by", "shelf"), "--by shelf: no metadata column"),
    ],
)
def test_what_cannot_be_reported_is_bad_usage(tmp_path, capsys, made, arguments, said):
    folder = tmp_path / "run"
    folder.mkdir()
    if made == "run":
        write_run(folder, golden_rows())
    elif made != "nothing":
        text = {"damage": "{", "another": "[]"}[made]
        (folder / "manifest.json").write_text(text, encoding="utf-8")
    assert run("report", folder, *arguments) == 2
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1
    assert not (folder / "report").exists()


def test_damaged_tables_are_said_in_one_line(tmp_path, capsys):
    folder = write_run(tmp_path / "run", golden_rows())
    build_report(folder)
    (folder / "citations" / "part-0.parquet").write_bytes(b"PAR1 no PAR1")
    assert run("report", folder) == 1
    error = capsys.readouterr().err
    assert "damaged" in error and error.count("\n") == 1
    # The earlier report is still whole.
    assert (folder / "report" / "index.html").exists()
    assert not (folder / ".report").exists()
