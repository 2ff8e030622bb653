"""A stand-in of Semantic Scholar in a process of its own.

``python -m tests.bench.index_server WORKS`` prints its address and serves until its
input ends.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator

from tests.stand_in.semantic_scholar import SemanticScholarService
from tests.stand_in.server import StandIn
from transforms.records import Work

_ABSTRACT = (
    "We followed kind {number} of quill through {number} tides and counted what was "
    "left of it. Quills grew where the water stayed cold, and broke where it did not. "
) * 5


def work(number: int) -> Work:
    """Returns one of the works that the server knows, told apart by its number."""
    return Work(
        source="semantic-scholar",
        paper_id=f"{number:040x}",
        title=f"Growth of kind {number} of quill in cold estuaries",
        abstract=_ABSTRACT.format(number=number),
        authors=("Tamsin Ode", "Ada Ng"),
        year=1980 + number % 40,
        doi=f"10.99999/quills.{number}",
    )


@contextlib.contextmanager
def index_server(works: int) -> Iterator[str]:
    """Runs the server while the context is open; gives its base URL."""
    command = [sys.executable, "-m", "tests.bench.index_server", str(works)]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        yield process.stdout.readline().strip()
    finally:
        process.stdin.close()
        process.wait()


if __name__ == "__main__":
    known = SemanticScholarService(map(work, range(int(sys.argv[1]))))
    with StandIn(known) as server:
        print(server.url + known.prefix, flush=True)
        sys.stdin.read()
