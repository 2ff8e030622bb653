"""What can be wrong with the inputs of a run."""

from __future__ import annotations


class InputError(ValueError):
    """The inputs as given cannot be screened: the run must not start.

    Args:
      message: What is wrong and what to do, on one line.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class UnreadableDocument(Exception):  # noqa: N818 - the name says what it is
    """A document that its format's reader cannot make sense of.

    Args:
      reason: What is wrong and what to do, as the rest of a sentence that begins
        with the document's name; no document text.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
