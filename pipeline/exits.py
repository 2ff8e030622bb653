"""How a command ends: exit codes, and the errors that lead to them."""

from __future__ import annotations

EXIT_DONE = 0
EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_INCOMPLETE = 3
EXIT_DIFFERENT = 4


class UsageError(Exception):
    """A request that cannot be run as given; nothing has been started.

    The message is one line that says what is wrong and what to do.
    """


class RunFailed(Exception):
    """A run that broke off, or whose tables do not add up; nothing is published."""
