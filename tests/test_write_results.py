"""Tests of the writing stage."""

import apache_beam as beam
import pyarrow.parquet as pq
import pytest

from tests.sample_records import ASSESSMENT, CHECK, DOCUMENT, EVIDENCE, FAILURE
from transforms import tables
from transforms.write_results import rows
from transforms.write_results.stage import WriteResults

_TABLES = {
    "citations": (tables.CITATIONS, rows.citation_row, ASSESSMENT),
    "documents": (tables.DOCUMENTS, rows.document_row, DOCUMENT),
    "works": (tables.WORKS, rows.work_row, EVIDENCE),
    "references": (tables.REFERENCES, rows.reference_row, CHECK),
    "failures": (tables.FAILURES, rows.failure_row, FAILURE),
}


@pytest.mark.parametrize("count", [0, 3])
def test_writes_every_record_of_every_table(make_pipeline, tmp_path, count):
    with make_pipeline() as p:
        _ = tuple(
            p | table >> beam.Create([record] * count)
            for table, (_, _, record) in _TABLES.items()
        ) | WriteResults(str(tmp_path / "run"))
    assert {folder.name for folder in (tmp_path / "run").iterdir()} == set(_TABLES)
    for table, (schema, to_row, record) in _TABLES.items():
        files = list((tmp_path / "run" / table).iterdir())
        assert files
        assert all(file.match("part-*.parquet") for file in files)
        written = pq.read_table(tmp_path / "run" / table)
        assert written.to_pylist() == [to_row(record)] * count
        assert written.schema.equals(schema)
        assert tables.describe(written.schema) == tables.describe(schema)


def test_compresses_with_zstd(make_pipeline, tmp_path):
    with make_pipeline() as p:
        _ = tuple(
            p | table >> beam.Create([record])
            for table, (_, _, record) in _TABLES.items()
        ) | WriteResults(str(tmp_path))
    (file,) = (tmp_path / "citations").iterdir()
    assert pq.ParquetFile(file).metadata.row_group(0).column(0).compression == "ZSTD"


def test_rejects_an_empty_folder():
    with pytest.raises(ValueError, match="output_folder"):
        WriteResults("")
