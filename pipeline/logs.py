"""What is logged: our own warnings, and others' errors."""

from __future__ import annotations

import logging

_OURS = ("pipeline", "transforms")
_FORMAT = "citation-support: %(message)s"


def configure() -> None:
    """Sets up logging; to be called before Beam is imported, which warns then."""
    logging.basicConfig(format=_FORMAT, level=logging.ERROR)
    for package in _OURS:
        logging.getLogger(package).setLevel(logging.WARNING)


def configure_worker() -> None:
    """Sets up logging of a worker process.

    Beam sends what a worker logs to the main process, which shows errors.  Only our
    own warnings are shown by the worker itself.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter(_FORMAT))
    handler.addFilter(_is_our_warning)
    logging.getLogger().addHandler(handler)


def _is_our_warning(record: logging.LogRecord) -> bool:
    ours = record.name.partition(".")[0] in _OURS
    return ours and record.levelno == logging.WARNING
