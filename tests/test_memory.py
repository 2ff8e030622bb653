"""Tests of what keeps a process small."""

from __future__ import annotations

import subprocess
import sys

_WITHOUT_PANDAS = """
import sys
from pipeline import memory
memory.leave_out_pandas()
import pyarrow
from pipeline import graph
from transforms import tables
pyarrow.Table.from_pylist([], schema=tables.CITATIONS)
assert pyarrow.array([1.5]).to_pylist() == [1.5]
assert "pandas" not in sys.modules
"""


def test_a_process_of_ours_does_without_pandas():
    # Not in this one, whose other tests use it.
    subprocess.run([sys.executable, "-c", _WITHOUT_PANDAS], check=True)
