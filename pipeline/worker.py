"""One worker process of the local runner: ``python -m pipeline.worker``.

The same as Beam's own, which would print its start-up to the terminal.
"""

from __future__ import annotations

import os
import sys
import threading
import time

from pipeline import logs, memory


def main() -> None:
    """Runs until the main process closes the control channel, or is gone."""
    logs.configure_worker()
    memory.return_early()
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    from apache_beam.runners.worker import sdk_worker_main

    sdk_worker_main.main(sys.argv)


def _end_with(parent: int) -> None:
    """Ends this process when its parent is killed; else it would go on asking."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


if __name__ == "__main__":
    main()
