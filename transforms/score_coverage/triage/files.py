"""Loads what triage judges by: the shipped files or the user's own."""

from __future__ import annotations

import gzip
import pathlib
import zlib

from transforms.score_coverage.triage.background import (
    Background,
    BackgroundError,
    read_table,
    shipped_background,
)
from transforms.score_coverage.triage.judge import Judge
from transforms.score_coverage.triage.model import (
    Model,
    ModelError,
    read_model,
    shipped_model,
)

_GZIP = b"\x1f\x8b"


class TriageFileError(ValueError):
    """A file that triage cannot use; says which one, why and what to do."""


def load_judge(background: pathlib.Path | None, model: pathlib.Path | None) -> Judge:
    """Returns a judge by the given files; None stands for the shipped one.

    Raises:
      TriageFileError: If a file cannot be used; says which and why.
    """
    return Judge(load_background(background), load_model(model))


def load_background(path: pathlib.Path | None) -> Background:
    """Returns the background table of a file, plain or gzip.

    Raises:
      TriageFileError: If the file is no such table.
    """
    if path is None:
        return shipped_background()
    try:
        content = path.read_bytes()
        if content.startswith(_GZIP):
            content = gzip.decompress(content)
        return read_table(content.decode("utf-8"))
    except (
        OSError,
        EOFError,
        zlib.error,
        UnicodeDecodeError,
        BackgroundError,
    ) as error:
        raise TriageFileError(
            f"--background {path}: {error}; make one with build-background"
        ) from error


def load_model(path: pathlib.Path | None) -> Model:
    """Returns the model of a file.

    Raises:
      TriageFileError: If the file is no model.
    """
    if path is None:
        return shipped_model()
    try:
        return read_model(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, ModelError) as error:
        raise TriageFileError(
            f"--triage-model {path}: {error}; make one with citation-support fit"
        ) from error
