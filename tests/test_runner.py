"""Tests of making pipelines."""

from __future__ import annotations

import tempfile
import threading

import apache_beam as beam
import pytest

from pipeline.exits import UsageError
from pipeline.runner import check_flags, make_pipeline


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """Where temporary files go during a test."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    return tmp_path


def _fail(element):
    raise RuntimeError("boom")


@pytest.mark.parametrize("workers", [1, 2])
def test_a_pipeline_leaves_no_folder_behind(temporary, workers):
    check_flags({})
    with pytest.raises(UsageError):
        check_flags({"runner": "NopeRunner"})
    # Never run, as where the graph cannot be built.
    make_pipeline(workers, {})
    with make_pipeline(1, {}) as root:
        _ = root | beam.Create([1])
    with pytest.raises(RuntimeError), make_pipeline(1, {}) as root:
        _ = root | beam.Create([1]) | beam.Map(_fail)
    assert list(temporary.iterdir()) == []
