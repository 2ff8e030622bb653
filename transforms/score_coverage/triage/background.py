"""How common words are in scholarly prose: the background that evidence stands against.

Pure but for reading the table that ships with the package.
"""

from __future__ import annotations

import dataclasses
import functools
import gzip
import importlib.resources
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from transforms.score_coverage.triage.words import evidence_words

PASSAGE_WORDS: Final = 200
_HEADER = "#passages"
_COUNT = re.compile(r"[0-9]{1,15}")
# Unseen words are not as rare as a count of none would have it, and no word is sure.
_SMOOTHING = 5.0
_MAX_SHARE = 0.95
# Distinct words of a passage of ``PASSAGE_WORDS``, on average.
_PASSAGE_DISTINCT_WORDS = 110


@dataclasses.dataclass(frozen=True, slots=True)
class Background:
    """In how many passages each word occurs.

    Attributes:
      passages: Number of passages of about 200 words that were counted, > 0.
      counts: Stem to the number of passages with it; rarer stems are absent.
    """

    passages: int
    counts: Mapping[str, int]

    def idf(self, word: str) -> float:
        """Returns the inverse document frequency, ln((N + 1) / (count + 1)), >= 0."""
        return math.log((self.passages + 1) / (self.counts.get(word, 0) + 1))

    def chance(self, word: str, evidence_words: int) -> float:
        """Returns the chance that unrelated evidence of a given size has a word.

        Args:
          word: A stem.
          evidence_words: Number of distinct stems in the evidence.

        Returns:
          A probability in [0, 1]: a passage of ``n`` words is ``n / 110`` average
          ones.
        """
        count = self.counts.get(word, 0) + _SMOOTHING
        absent = 1.0 - min(_MAX_SHARE, count / self.passages)
        return 1.0 - math.pow(absent, evidence_words / _PASSAGE_DISTINCT_WORDS)


class BackgroundError(ValueError):
    """A background table that cannot be used; says which line and why."""


def count_passages(texts: Iterable[str], max_words: int) -> Background:
    """Counts the words of texts by passage.

    Args:
      texts: Texts of any length; passages do not cross from one to the next.
      max_words: How many stems to keep: the most frequent, ties by spelling.

    Raises:
      BackgroundError: If there is no passage.
    """
    counts: Counter[str] = Counter()
    passages = 0
    for text in texts:
        for passage in _passages(text):
            passages += 1
            counts.update(evidence_words(passage))
    if not passages:
        raise BackgroundError("there is no text to count")
    kept = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:max_words]
    return Background(passages, dict(kept))


def write_table(background: Background, origin: str) -> str:
    """Returns a background as text: comments, the number of passages, then counts.

    Args:
      background: What to write.
      origin: Where the counts are from, one or more lines.
    """
    comments = [f"# {line}" for line in origin.splitlines()]
    head = f"{_HEADER}\t{background.passages}"
    counts = [f"{word}\t{count}" for word, count in background.counts.items()]
    return "\n".join([*comments, head, *counts, ""])


def read_table(text: str) -> Background:
    """Reads what ``write_table`` writes.

    Raises:
      BackgroundError: If a line is not a stem and a count, or the number of passages
        is missing or smaller than a count.
    """
    passages = 0
    counts: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("# ") or not line.strip():
            continue
        word, _, digits = line.partition("\t")
        if not word or not _COUNT.fullmatch(digits):
            raise BackgroundError(f"line {number} is not a word, a tab and a count")
        if word == _HEADER:
            passages = int(digits)
        else:
            counts[word] = int(digits)
    if passages < max(counts.values(), default=1):
        raise BackgroundError(f"no line '{_HEADER}', or fewer passages than a count")
    return Background(passages, counts)


@functools.cache
def shipped_background() -> Background:
    """Loads the table that ships with the package; its head says where it is from."""
    folder = importlib.resources.files("transforms.score_coverage") / "data"
    packed = (folder / "background.tsv.gz").read_bytes()
    return read_table(gzip.decompress(packed).decode("utf-8"))


def _passages(text: str) -> Iterator[str]:
    words = text.split()
    for start in range(0, len(words), PASSAGE_WORDS):
        yield " ".join(words[start : start + PASSAGE_WORDS])
