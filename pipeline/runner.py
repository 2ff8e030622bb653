"""Chooses the runner: by default the local one, with a process a worker."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping
from typing import Any

import apache_beam as beam
from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.runners.portability.fn_api_runner import FnApiRunner
from apache_beam.runners.runner import create_runner
from apache_beam.transforms.environments import SubprocessSDKEnvironment

from pipeline.exits import UsageError


def check_runner(flags: Mapping[str, Any]) -> None:
    """Checks that Beam knows the runner that is asked for.

    Args:
      flags: Beam options by name.

    Raises:
      UsageError: If there is no such runner, or it cannot be loaded here.
    """
    if name := flags.get("runner"):
        try:
            create_runner(name)
        except (ValueError, ImportError, AttributeError) as error:
            reason = str(error).splitlines()[0].rstrip(".")
            raise UsageError(f"--runner {name}: {reason}; leave it out") from error


def make_pipeline(workers: int, flags: Mapping[str, Any]) -> beam.Pipeline:
    """Returns an empty pipeline.

    Args:
      workers: Processes of the local runner; one runs in this process.
      flags: Beam options by name; with a ``runner`` among them, all is left to it.
    """
    options = PipelineOptions([], **flags)
    if "runner" in flags or "direct_running_mode" in flags:
        return beam.Pipeline(options=options)
    # By class, because "DirectRunner" stands for another runner in every few
    # versions of Beam.
    if workers == 1:
        return beam.Pipeline(runner=FnApiRunner(), options=options)
    command = f"exec {shlex.quote(sys.executable)} -m pipeline.worker"
    environment = SubprocessSDKEnvironment.from_command_string(command)
    options = PipelineOptions([], **{**flags, "direct_num_workers": workers})
    runner = FnApiRunner(default_environment=environment)
    return beam.Pipeline(runner=runner, options=options)
