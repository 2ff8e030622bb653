"""Shows how far a run is: live on a terminal, else a line every half minute."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table

from pipeline.progress import Pace, Stage, clock, in_words, stages
from transforms.progress import ProgressFolder

_REFRESH_SECONDS = 0.5
_LINE_SECONDS = 30.0
_BAR_WIDTH = 20
# The run does not wait longer for its last picture.
_JOIN_SECONDS = 2.0


@contextlib.contextmanager
def shown(
    folder: ProgressFolder, documents: int, *, line_seconds: float = _LINE_SECONDS
) -> Iterator[None]:
    """Shows on stderr how far a run is, while the block runs.

    No error of it reaches the block.

    Args:
      folder: Where the processes of the run count.
      documents: How many documents there are to read.
      line_seconds: Seconds between two lines where there is no terminal.
    """
    console = Console(stderr=True)
    is_live = console.is_terminal and not console.is_dumb_terminal
    stop = threading.Event()

    def look() -> tuple[Stage, ...]:
        return stages(folder.totals(), documents)

    def watch() -> None:
        with contextlib.suppress(Exception):
            if is_live:
                _show_live(console, look, stop)
            else:
                _print_lines(look, stop, line_seconds)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(_JOIN_SECONDS)


def _show_live(
    console: Console, look: Callable[[], tuple[Stage, ...]], stop: threading.Event
) -> None:
    pace = Pace()
    # Streams are left as they are: what is redirected is lost if the program ends
    # because a worker died.
    with Live(
        console=console,
        auto_refresh=False,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    ) as live:
        # A run may end in ways that would leave it hidden.
        console.show_cursor(True)
        is_over = False
        while not is_over:
            found = look()
            pace.note(time.monotonic(), found)
            # A message that comes in between begins on a line of its own.
            live.update(Group(_picture(found, pace), ""), refresh=True)
            is_over = stop.wait(_REFRESH_SECONDS)


def _print_lines(
    look: Callable[[], tuple[Stage, ...]], stop: threading.Event, seconds: float
) -> None:
    pace = Pace()
    while not stop.wait(seconds):
        found = look()
        pace.note(time.monotonic(), found)
        line = f"citation-support: {in_words(found, pace)}"
        print(line, file=sys.stderr, flush=True)


def _picture(found: Sequence[Stage], pace: Pace) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column()
    table.add_column()
    for _ in range(3):
        table.add_column(justify="right")
    table.add_column(overflow="ellipsis", no_wrap=True)
    for stage in found:
        left = pace.seconds_left(stage)
        rate = pace.per_second(stage.name) if left is not None else 0.0
        table.add_row(
            stage.name,
            ProgressBar(stage.total or 1, stage.done, width=_BAR_WIDTH),
            f"{stage.done:,}/{stage.total:,}" if stage.total else "-",
            f"{rate:,.1f}/s" if rate else "",
            f"{clock(left)} left" if left is not None else "",
            stage.note,
        )
    return table
