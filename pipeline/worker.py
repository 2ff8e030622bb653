"""One worker process of the local runner: ``python -m pipeline.worker``.

The same as Beam's own, which would print its start-up to the terminal.
"""

from __future__ import annotations

import sys

from pipeline import logs


def main() -> None:
    """Runs until the main process closes the control channel."""
    logs.configure_worker()
    from apache_beam.runners.worker import sdk_worker_main

    sdk_worker_main.main(sys.argv)


if __name__ == "__main__":
    main()
