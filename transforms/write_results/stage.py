"""The writing stage."""

from __future__ import annotations

from typing import TypeAlias

import apache_beam as beam
from apache_beam.io.filesystems import FileSystems
from apache_beam.pvalue import PCollection

from transforms import tables
from transforms.records import Assessment, DocumentScore, Evidence, Failure
from transforms.reference_records import ReferenceCheck
from transforms.write_results import rows

# Beam's default of 64 MiB is held by every process that writes.
_ROW_GROUP_BYTES = 8 << 20

_Inputs: TypeAlias = tuple[
    PCollection[Assessment],
    PCollection[DocumentScore],
    PCollection[Evidence],
    PCollection[ReferenceCheck],
    PCollection[Failure],
]


class WriteResults(beam.PTransform[_Inputs, dict[str, PCollection[str]]]):
    """Writes the tables of a run as zstd Parquet.

    Input: ``(assessments, document scores, evidence, reference checks, failures)``.
    Output: table name to the files written, ``<folder>/<table>/part-*.parquet``.
    Rows are in no defined order; an empty table is one file without rows.

    A retry writes a file anew under another temporary name; each is renamed when all
    its rows are in, but the set of files appears one by one.

    Args:
      output_folder: Folder of the run, local or of any file system Beam knows.
    """

    def __init__(self, output_folder: str) -> None:
        super().__init__()
        if not output_folder:
            raise ValueError("output_folder must not be empty")
        self._output_folder = output_folder

    def expand(self, inputs: _Inputs) -> dict[str, PCollection[str]]:
        """Writes each table from its records."""
        assessments, documents, evidence, references, failures = inputs
        sources = {
            "documents": (documents, rows.document_row, tables.DOCUMENTS),
            "citations": (assessments, rows.citation_row, tables.CITATIONS),
            "works": (evidence, rows.work_row, tables.WORKS),
            "references": (references, rows.reference_row, tables.REFERENCES),
            "failures": (failures, rows.failure_row, tables.FAILURES),
        }
        return {
            table: records
            | f"MakeRows[{table}]" >> beam.Map(to_row)
            | f"Write[{table}]"
            >> beam.io.WriteToParquet(
                FileSystems.join(self._output_folder, table, "part"),
                schema,
                codec="zstd",
                row_group_buffer_size=_ROW_GROUP_BYTES,
                file_name_suffix=".parquet",
            )
            for table, (records, to_row, schema) in sources.items()
        }
