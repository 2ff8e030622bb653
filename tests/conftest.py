"""Fixtures that all tests share."""

import os

import pytest
from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.testing import test_pipeline


@pytest.fixture
def make_pipeline():
    """Makes test pipelines on the runner that local runs use."""

    def make():
        # "DirectRunner" may pick another runner from one Beam version to the next.
        options = PipelineOptions(["--runner=FnApiRunner"])
        pipeline = test_pipeline.TestPipeline(options=options)
        # Beam leaves it behind unless the pipeline is run.
        os.rmdir(pipeline.local_tempdir)
        return pipeline

    return make
