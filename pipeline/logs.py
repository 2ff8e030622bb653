"""What is logged: our own warnings, and others' errors."""

from __future__ import annotations

import logging

LEVELS = ("info", "warning", "error")
DEFAULT_LEVEL = "warning"

_OURS = ("pipeline", "transforms")
_FORMAT = "citation-support: %(message)s"


def configure() -> None:
    """Sets up logging; to be called before Beam is imported, which warns then."""
    logging.basicConfig(format=_FORMAT, level=logging.ERROR)
    for package in _OURS:
        logging.getLogger(package).setLevel(logging.WARNING)


def set_level(level: str) -> None:
    """Shows more, or less, than warnings of ours and errors of others.

    Args:
      level: One of ``LEVELS``.
    """
    for package in _OURS:
        logging.getLogger(package).setLevel(level.upper())


def level() -> str:
    """Returns the level that is set, one of ``LEVELS``."""
    return logging.getLevelName(logging.getLogger(_OURS[0]).level).lower()


def configure_worker(level: str) -> None:
    """Sets up logging of a worker process.

    Beam sends what a worker logs to the main process, which shows errors.  Only what
    is ours and less than that is shown by the worker itself.

    Args:
      level: One of ``LEVELS``.
    """
    for package in _OURS:
        logging.getLogger(package).setLevel(level.upper())
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter(_FORMAT))
    handler.addFilter(_is_ours_below_error)
    logging.getLogger().addHandler(handler)


def _is_ours_below_error(record: logging.LogRecord) -> bool:
    ours = record.name.partition(".")[0] in _OURS
    return ours and record.levelno < logging.ERROR
