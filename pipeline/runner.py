"""Chooses the runner: by default the local one, with a process a worker."""

from __future__ import annotations

import contextlib
import os
import shlex
import sys
import threading
import time
from collections.abc import Mapping
from typing import Any

import apache_beam as beam
from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.runners.portability.fn_api_runner import FnApiRunner
from apache_beam.transforms.environments import SubprocessSDKEnvironment

from pipeline import interrupts, logs
from pipeline.exits import EXIT_FAILED, UsageError

_WORKER_ENDS_SECONDS = 2.0


def check_flags(flags: Mapping[str, Any]) -> None:
    """Checks that Beam takes its flags as they are.

    Args:
      flags: Beam options by name.

    Raises:
      UsageError: If there is no such runner, or it cannot be had with these flags.
    """
    try:
        make_pipeline(1, flags)
    except Exception as error:  # Beam raises whatever comes first.
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        given = ", ".join(f"--{name}" for name in flags)
        raise UsageError(
            f"{given}: {reason.rstrip('.:')}; correct the flags"
        ) from error


def make_pipeline(workers: int, flags: Mapping[str, Any]) -> beam.Pipeline:
    """Returns an empty pipeline.

    Args:
      workers: Processes of the local runner; one runs in this process.
      flags: Beam options by name; with a ``runner`` among them, all is left to it.
    """
    pipeline = _make_pipeline(workers, flags)
    # For transforms in other languages, of which there are none.  Beam removes it
    # only where a pipeline runs to its end.
    with contextlib.suppress(OSError):
        os.rmdir(pipeline.local_tempdir)
    return pipeline


def _make_pipeline(workers: int, flags: Mapping[str, Any]) -> beam.Pipeline:
    options = PipelineOptions([], **flags)
    if "runner" in flags or "direct_running_mode" in flags:
        return beam.Pipeline(options=options)
    # By class, because "DirectRunner" stands for another runner in every few
    # versions of Beam.
    if workers == 1:
        return beam.Pipeline(runner=FnApiRunner(), options=options)
    threading.excepthook = _end_if_worker_died
    python, level = shlex.quote(sys.executable), logs.level()
    command = f"exec {python} -m pipeline.worker {level}"
    environment = SubprocessSDKEnvironment.from_command_string(command)
    options = PipelineOptions([], **{**flags, "direct_num_workers": workers})
    runner = FnApiRunner(default_environment=environment)
    return beam.Pipeline(runner=runner, options=options)


def _end_if_worker_died(failed: threading.ExceptHookArgs) -> None:
    """Ends the program when a worker process is gone, for which Beam would wait."""
    if interrupts.is_ending():
        return
    if "Worker subprocess exited" not in str(failed.exc_value):
        # Its connections break before it is known to be gone.
        time.sleep(_WORKER_ENDS_SECONDS)
        threading.__excepthook__(failed)
        return
    print(
        f"citation-support: error: a worker process died ({failed.exc_value}), perhaps "
        "for lack of memory; run again, with fewer --workers",
        file=sys.stderr,
        flush=True,
    )
    # Nothing else may wait for it; the other workers end with this process.
    os._exit(EXIT_FAILED)
