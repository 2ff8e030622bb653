"""Tests of the reading stage.  All documents are invented."""

import hashlib

import apache_beam as beam
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from apache_beam.metrics.metric import MetricsFilter
from apache_beam.testing.util import assert_that, equal_to

from transforms.read_documents import contents, stage
from transforms.read_documents.inputs import Source, expand
from transforms.read_documents.stage import ReadDocuments
from transforms.records import Document, Failure

_LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))


def _run(make_pipeline, sources, check, **columns):
    """Runs the stage; ``check`` gets documents and failures as collections."""
    pipeline = make_pipeline()
    documents, failures = pipeline | ReadDocuments(sources, **columns)
    check(documents, failures)
    result = pipeline.run()
    result.wait_until_finish()
    found = result.metrics().query(MetricsFilter().with_namespace("read_documents"))
    return {counter.key.metric.name: counter.result for counter in found["counters"]}


def _expect(documents, failures):
    """Checks for (id, text) of documents and (id, error, words) of failures."""

    def check(read, failed):
        pairs = read | beam.Map(lambda document: (document.doc_id, document.text))
        assert_that(pairs, equal_to(documents), label="documents")
        assert_that(failed, _matches(failures), label="failures")

    return check


def _matches(expected):
    def match(failures):
        by_id = {failure.element_id: failure for failure in failures}
        assert len(by_id) == len(failures)
        assert sorted(by_id) == sorted(name for name, _, _ in expected)
        for name, error, words in expected:
            assert by_id[name].stage == "read_documents"
            assert by_id[name].error == error, by_id[name]
            assert words in by_id[name].message, by_id[name].message
            assert "\n" not in by_id[name].message
            assert "Wool" not in by_id[name].message

    return match


def _parquet(path, row_group_size=None, **columns):
    pq.write_table(pa.table(columns), path, row_group_size=row_group_size)


def test_reads_files_and_gives_whole_documents(make_pipeline, tmp_path):
    (tmp_path / "a.txt").write_text("Wool is warm.")
    expected = Document(
        doc_id="a.txt",
        path=str(tmp_path / "a.txt"),
        text="Wool is warm.",
        content_sha256=hashlib.sha256(b"Wool is warm.").hexdigest(),
    )

    def check(documents, failures):
        assert_that(documents, equal_to([expected]), label="documents")
        assert_that(failures, equal_to([]), label="failures")

    counts = _run(make_pipeline, expand([tmp_path]).sources, check)
    assert counts == {"documents_read": 1}


def test_every_broken_file_is_one_failure_and_harms_no_other(make_pipeline, tmp_path):
    broken = {
        "cut.xml": b"<?xml version='1.0'?><article><body><p>Wool",
        "crossed.xml": b"<article><body><p>Wool</b></p></body></article>",
        "empty.txt": b"",
        "laughs.xml": (
            f'<!DOCTYPE article [<!ENTITY l0 "Wool">{_LAUGHS}]>'
            "<article><body><p>&l11;</p></body></article>"
        ).encode(),
        "pdf.txt": b"%PDF-1.7\nWool",
        "picture.png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        "table.parquet": b"PAR1 Wool",
    }
    for name, data in broken.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "good.md").write_text("Wool is *warm*.")
    (tmp_path / "gone.txt").symlink_to(tmp_path / "nothing")
    (tmp_path / "swapped.txt").write_text("Wool")
    found = expand([tmp_path], id_column="id", text_column="text")
    (tmp_path / "swapped.txt").unlink()
    (tmp_path / "swapped.txt").mkdir()
    check = _expect(
        [("good.md", "Wool is warm.")],
        [
            ("cut.xml", "UnreadableDocument", "cut.xml is not well-formed XML"),
            ("crossed.xml", "UnreadableDocument", "not well-formed XML at line 1"),
            ("empty.txt", "UnreadableDocument", "empty.txt is empty"),
            ("laughs.xml", "UnreadableDocument", "entities"),
            ("pdf.txt", "UnreadableDocument", "pdf.txt is a broken PDF file"),
            ("picture.png", "UnreadableDocument", "is binary"),
            ("table.parquet", "UnreadableDocument", "cannot be read as Parquet"),
            ("gone.txt", "FileNotFoundError", "gone.txt cannot be opened"),
            ("swapped.txt", "IsADirectoryError", "swapped.txt cannot be opened"),
        ],
    )
    counts = _run(make_pipeline, found.sources, check)
    assert counts == {"documents_read": 1, "documents_failed": 9}
    assert sum(counts.values()) == found.documents


def test_reads_rows_with_their_metadata(make_pipeline, tmp_path):
    path = tmp_path / "m.parquet"
    _parquet(path, id=[7], text=["Wool is warm."], year=[2010])
    expected = Document(
        doc_id="7",
        path=str(path),
        text="Wool is warm.",
        metadata='{"year": 2010}',
        content_sha256=hashlib.sha256(b"Wool is warm.").hexdigest(),
    )
    found = expand([path], id_column="id", text_column="text")
    _run(
        make_pipeline,
        found.sources,
        lambda documents, _: assert_that(documents, equal_to([expected])),
        id_column="id",
        text_column="text",
    )


def test_a_bad_row_costs_no_other_row(make_pipeline, tmp_path):
    texts = {
        "a": "Wool.",
        "b": None,
        "c": "",
        "d": "%PDF-1.7",
        "e": "<article><body><p>Warm.</p></body></article>",
        "": "no id",
        "g": "# One\n\n## Two\n\n*Soft.*",
    }
    ids = [key or None for key in texts]
    _parquet(tmp_path / "m.parquet", 3, id=ids, text=list(texts.values()))
    found = expand([tmp_path], id_column="id", text_column="text")
    check = _expect(
        [("a", "Wool."), ("e", "Warm."), ("g", "One\n\nTwo\n\nSoft.")],
        [
            (
                "b",
                "UnreadableDocument",
                "m.parquet row 2 cannot be read: its text is nul",
            ),
            ("c", "UnreadableDocument", "m.parquet row 3 is empty"),
            ("d", "UnreadableDocument", "m.parquet row 4 is a broken PDF"),
            ("m.parquet row 6", "UnreadableDocument", "id is null or empty"),
        ],
    )
    counts = _run(
        make_pipeline, found.sources, check, id_column="id", text_column="text"
    )
    assert sum(counts.values()) == found.documents == 7


def test_the_first_of_several_documents_with_one_id_is_read(make_pipeline, tmp_path):
    (tmp_path / "b.txt").write_text("File b.")
    (tmp_path / "z.txt").write_text("File z.")
    _parquet(
        tmp_path / "m.parquet",
        2,
        id=["x", "y", "x", "b.txt", "z.txt", "x"],
        text=["One.", "Two.", "Three.", "Four.", "Five.", "Six."],
    )
    _parquet(tmp_path / "n.parquet", id=["y", "w"], text=["Seven.", "Eight."])
    found = expand([tmp_path], id_column="id", text_column="text")

    def check(documents, failures):
        texts = documents | beam.Map(lambda document: document.text)
        assert_that(
            texts,
            equal_to(["File b.", "One.", "Two.", "Five.", "Eight."]),
            label="documents",
        )
        told = failures | beam.Map(lambda failure: (failure.error, failure.message))
        assert_that(
            told,
            equal_to(
                [
                    (
                        "DuplicateDocumentId",
                        f"{later} has the same id as {first}, which is read: "
                        "give each its own",
                    )
                    for later, first in (
                        ("m.parquet row 3", "m.parquet row 1"),
                        ("m.parquet row 6", "m.parquet row 1"),
                        ("m.parquet row 4", "b.txt"),
                        ("n.parquet row 1", "m.parquet row 2"),
                        ("z.txt", "m.parquet row 5"),
                    )
                ]
            ),
            label="failures",
        )

    counts = _run(
        make_pipeline, found.sources, check, id_column="id", text_column="text"
    )
    assert sum(counts.values()) == found.documents == 10


def test_rows_lost_to_damage_are_a_failure_each(make_pipeline, tmp_path):
    path = tmp_path / "m.parquet"
    texts = [f"Wool is warm {n}. " * 2_000 for n in range(40)]
    _parquet(path, 10, id=[f"d{n}" for n in range(40)], text=texts)
    found = expand([path], id_column="id", text_column="text")
    column = pq.ParquetFile(path).metadata.row_group(1).column(1)
    data = bytearray(path.read_bytes())
    start = column.dictionary_page_offset or column.data_page_offset
    data[start : start + 64] = b"\xff" * 64
    path.write_bytes(data)

    def check(documents, failures):
        ids = documents | beam.Map(lambda document: document.doc_id)
        read = [f"d{n}" for n in range(40) if not 10 <= n < 20]
        assert_that(ids, equal_to(read), label="documents")
        names = failures | beam.Map(lambda failure: failure.element_id)
        assert_that(
            names,
            equal_to([f"m.parquet row {n}" for n in range(11, 21)]),
            label="failures",
        )

    _run(make_pipeline, found.sources, check, id_column="id", text_column="text")


def test_no_sources_give_no_documents(make_pipeline):
    counts = _run(make_pipeline, (), _expect([], []))
    assert counts == {}


def test_what_nobody_foresaw_is_a_failure_too(make_pipeline, tmp_path, monkeypatch):
    def fail(data, *, doc_id, **_):
        raise RuntimeError("boom")

    (tmp_path / "a.txt").write_text("Wool is warm.")
    monkeypatch.setattr(contents, "read_document", fail)
    expected = [("a.txt", "RuntimeError", "boom")]
    _run(make_pipeline, expand([tmp_path]).sources, _expect([], expected))


def test_a_source_that_cannot_be_opened_as_foreseen_is_a_failure(
    make_pipeline, monkeypatch
):
    def fail(source, *_):
        raise RuntimeError("boom")

    monkeypatch.setattr(stage, "open_source", fail)
    expected = [("a.txt", "RuntimeError", "boom")]
    _run(make_pipeline, [Source("a.txt", "a.txt")], _expect([], expected))


def test_documents_cross_no_shuffle_after_they_are_read(make_pipeline, tmp_path):
    (tmp_path / "a.txt").write_text("Wool is warm.")
    pipeline = make_pipeline()
    _ = pipeline | ReadDocuments(expand([tmp_path]).sources)
    shuffles = []

    class Visitor(beam.pipeline.PipelineVisitor):
        def visit_transform(self, node):
            if isinstance(node.transform, beam.GroupByKey):
                shuffles.append(node.full_label)

    pipeline.visit(Visitor())
    assert shuffles
    assert all("SpreadSources" in label for label in shuffles)


@pytest.mark.parametrize("columns", [{}, {"id_column": "id"}, {"text_column": "text"}])
def test_row_groups_need_both_columns(columns):
    with pytest.raises(ValueError, match="need both columns"):
        ReadDocuments([Source("m.parquet", "m.parquet", row_groups=(0, 1))], **columns)


def test_failure_records_are_plain():
    source = Source("f/m.parquet", "m.parquet", problem="is broken: mend it")
    assert list(contents.open_source(source, None, None, {})) == [
        Failure(
            "read_documents",
            "m.parquet",
            "UnreadableDocument",
            "m.parquet is broken: mend it",
        )
    ]
