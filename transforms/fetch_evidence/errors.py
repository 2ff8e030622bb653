"""Describes errors without what they quote."""

from __future__ import annotations

import pathlib


def describe_error(error: Exception) -> str:
    """Returns class and place of an error, without its text, which may quote."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    if trace is None:
        return type(error).__name__
    place = pathlib.PurePath(trace.tb_frame.f_code.co_filename).name
    return f"{type(error).__name__} at {place}:{trace.tb_lineno}"
