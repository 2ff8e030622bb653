"""Makes article-length manuscripts from the sample corpus."""

from __future__ import annotations

import itertools
import pathlib
import random
import re

from tests.screening import SAMPLE
from transforms.records import Work

_SOURCES = ("seagrass-replanting", "ward-hygiene-audit", "learner-parsing")
_IN_BRACKETS = re.compile(r"\s?\([^()]*\)")
_SEED = 20_261_130


def write_articles(
    folder: pathlib.Path, number: int, chars: int, more_references: int = 0
) -> int:
    """Writes ``number`` plain-text manuscripts of about ``chars`` characters.

    Each is the paragraphs of one sample manuscript in a random order, repeated, with
    that manuscript's reference list.  Two of three paragraphs lose what stands in
    brackets, so that citations are as dense as in journals: one in 100 to 150 words.

    Args:
      folder: Where to write; is made.
      number: How many to write.
      chars: How long the body of each is.
      more_references: Further entries of each list, cited nowhere, no two alike.

    Returns:
      Bytes written.
    """
    folder.mkdir(parents=True)
    order = random.Random(_SEED)
    sources = [_parts(name) for name in _SOURCES]
    written = 0
    for count, (paragraphs, references) in zip(
        range(number), itertools.cycle(sources), strict=False
    ):
        body: list[str] = []
        length = 0
        while length < chars:
            paragraph = order.choice(paragraphs)
            if order.random() < 2 / 3:
                paragraph = _IN_BRACKETS.sub("", paragraph)
            body.append(paragraph)
            length += len(paragraph)
        more = (_entry(count, entry) for entry in range(more_references))
        text = "\n\n".join([f"Article {count}", *body, references, *more])
        data = text.encode()
        (folder / f"article-{count:05}.txt").write_bytes(data)
        written += len(data)
    return written


def sample_works() -> list[Work]:
    """Returns the works of the sample index as a network index has them."""
    import pyarrow.parquet as pq

    return [
        Work(
            source="semantic-scholar",
            paper_id=f"{number:040x}",
            title=row["title"],
            abstract=row["abstract"] or "",
            authors=tuple(_given_first(name) for name in row["authors"]),
            year=row["year"],
            doi=row["doi"],
            arxiv_id=row["arxiv_id"],
            pmid=row["pmid"],
        )
        for number, row in enumerate(
            pq.read_table(SAMPLE / "papers.parquet").to_pylist(), start=1
        )
    ]


def _parts(name: str) -> tuple[list[str], str]:
    text = (SAMPLE / "manuscripts" / f"{name}.txt").read_text(encoding="utf-8")
    body, _, references = text.partition("\nReferences\n")
    paragraphs = [part for part in body.split("\n\n") if len(part) > 200]
    return paragraphs, f"References\n{references}"


def _entry(article: int, number: int) -> str:
    year = 1970 + (article + number) % 50
    return (
        f"Ode{number}, T., & Ng{article}, L. ({year}). Growth of quill {number} in "
        f"estuary {article} after a cold spring. Journal of Invented Results, "
        f"{number}({article}), {number}-{article + number}. "
        f"https://doi.org/10.9999/quill.{article}.{number}"
    )


def _given_first(name: str) -> str:
    family, _, given = name.partition(", ")
    return f"{given} {family}".strip()
