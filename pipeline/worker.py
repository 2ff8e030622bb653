"""One worker process of the local runner: ``python -m pipeline.worker LEVEL``.

The same as Beam's own, which would print its start-up to the terminal.
"""

from __future__ import annotations

import functools
import os
import signal
import sys
import threading
import time

from pipeline import logs, memory

# Connections of a process break before it is gone.
_ENDING_SECONDS = 0.2


def main(level: str) -> None:
    """Runs until the main process closes the control channel, or is gone.

    Args:
      level: What to log, one of ``logs.LEVELS``.
    """
    # Ctrl-C is for the main process, with which this one ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logs.configure_worker(level)
    memory.return_early()
    memory.leave_out_pandas()
    parent = os.getppid()
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    threading.excepthook = functools.partial(_tell_unless_orphaned, parent)
    from apache_beam.runners.worker import sdk_worker_main

    sdk_worker_main.main(sys.argv)


def _end_with(parent: int) -> None:
    """Ends this process when its parent is killed; else it would go on asking."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def _tell_unless_orphaned(parent: int, failed: threading.ExceptHookArgs) -> None:
    """Reports what a thread raised, unless the main process is gone or going."""
    time.sleep(_ENDING_SECONDS)
    if os.getppid() != parent:
        os._exit(1)
    threading.__excepthook__(failed)


if __name__ == "__main__":
    main(sys.argv.pop())
