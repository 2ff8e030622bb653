"""Tells how far a cited title and that of a record agree.  Pure."""

from __future__ import annotations

import dataclasses
import enum
import itertools
from collections.abc import Iterator, Sequence

from rapidfuzz import fuzz
from rapidfuzz.distance import OSA, Levenshtein

from transforms.titles import BREAK, is_notice
from transforms.verify_references.words import (
    GREEK,
    MAX_TITLE_CHARS,
    STOP_WORDS,
    content_words,
    title_words,
)

_MAX_CHANGED = 3
_MAX_CHANGED_SHARE = 0.34
_ALIKE = 0.78
_VERY_ALIKE = 0.93
_MIN_PREFIX_WORDS = 6
_MAX_LABEL_WORDS = 4
# A letter more, less or other in a long word is a misprint.
_MIN_MISPRINTED = 8
_MAX_BREAKS = 8


class TitleClass(enum.IntEnum):
    """How far two titles agree; a greater one agrees better."""

    OTHER = 0
    NEAR = 1
    PREFIX = 2
    MAIN = 3
    STOP = 4
    SAME = 5


@dataclasses.dataclass(frozen=True, slots=True)
class TitleMatch:
    """What comparing two titles came to.

    Attributes:
      kind: ``SAME``: the same words, or the same letters; ``STOP``: but for stop
        words; ``MAIN``: one is the other without its subtitle or section label;
        ``PREFIX``: one begins the other; ``NEAR``: a few words differ; else ``OTHER``.
      similarity: Of the letters, in [0, 1].
      changed: The words that differ, as ``cited > record``, in order.
    """

    kind: TitleClass
    similarity: float
    changed: tuple[str, ...] = ()


def compare_titles(cited: str, record: str) -> TitleMatch:
    """Compares a cited title with that of a record.

    A notice on a work (``Correction to: ...``) is never the work.

    Returns:
      The match; ``OTHER`` with similarity 0 if either title holds no word.
    """
    cited, record = cited[:MAX_TITLE_CHARS], record[:MAX_TITLE_CHARS]
    ours, theirs = title_words(cited), title_words(record)
    if not ours or not theirs:
        return TitleMatch(TitleClass.OTHER, 0.0)
    if ours == theirs or "".join(ours) == "".join(theirs):
        return TitleMatch(TitleClass.SAME, 1.0)
    similarity = fuzz.ratio(" ".join(ours), " ".join(theirs)) / 100.0
    if is_notice(cited) != is_notice(record):
        return TitleMatch(TitleClass.OTHER, similarity)
    count, changed = _changes(ours, theirs)
    if not count:
        return TitleMatch(TitleClass.STOP, similarity)
    if kind := _shortened(cited, ours, record, theirs):
        return TitleMatch(kind, similarity)
    few = count <= _MAX_CHANGED and count <= _MAX_CHANGED_SHARE * max(
        len(ours), len(theirs)
    )
    if (few and similarity >= _ALIKE) or similarity >= _VERY_ALIKE:
        return TitleMatch(TitleClass.NEAR, similarity, changed)
    return TitleMatch(TitleClass.OTHER, similarity, changed)


def shared_content(cited: str, record: str) -> float:
    """Returns the share of the content words of a cited title on the record's."""
    ours = set(content_words(title_words(cited)))
    theirs = set(content_words(title_words(record)))
    return len(ours & theirs) / len(ours) if ours else 0.0


def _changes(ours: Sequence[str], theirs: Sequence[str]) -> tuple[int, tuple[str, ...]]:
    """Returns how many words differ, and which, as ``cited > record``."""
    count = 0
    changed = []
    for removed, added in _differences(ours, theirs):
        if number := _weight(removed, added):
            count += number
            changed.append(f"{' '.join(removed) or '-'} > {' '.join(added) or '-'}")
    return count, tuple(changed)


def _differences(
    ours: Sequence[str], theirs: Sequence[str]
) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """Yields the stretches in which two lists of words differ."""
    start = (0, 0)
    for block in Levenshtein.opcodes(ours, theirs):
        if block.tag != "equal":
            continue
        if start != (block.src_start, block.dest_start):
            yield ours[start[0] : block.src_start], theirs[start[1] : block.dest_start]
        start = block.src_end, block.dest_end
    if start != (len(ours), len(theirs)):
        yield ours[start[0] :], theirs[start[1] :]


def _weight(removed: Sequence[str], added: Sequence[str]) -> int:
    """Returns how many words a difference is worth; none for one of print alone."""
    if "".join(removed) == "".join(added):
        return 0
    if not removed or not added:
        words = [w for w in (*removed, *added) if w not in STOP_WORDS | GREEK]
        return len(words)
    bare = [[w for w in words if w not in STOP_WORDS] for words in (removed, added)]
    if len(removed) == len(added) == 1 and not all(bare):
        return 1
    if "".join(bare[0]) == "".join(bare[1]):
        return 0 if bare[0] else 1
    if len(bare[0]) == len(bare[1]):
        return sum(not _is_one_word(*pair) for pair in zip(*bare, strict=True))
    return max(map(len, bare))


def _is_one_word(first: str, second: str) -> bool:
    """Tells whether two words are one: abbreviated, without a Greek letter, misprinted.

    ``E. coli`` and ``Escherichia coli``; ``eIF2`` and ``eIF2alpha``.
    """
    shorter, longer = sorted((first, second), key=len)
    if longer.startswith(shorter):
        return len(shorter) == 1 or longer[len(shorter) :] in GREEK
    return (
        len(shorter) >= _MIN_MISPRINTED
        and not any(map(str.isdigit, first + second))
        and OSA.distance(first, second, score_cutoff=1) <= 1
    )


def _shortened(
    cited: str, ours: tuple[str, ...], record: str, theirs: tuple[str, ...]
) -> TitleClass | None:
    """Tells whether one title is the other without a part of it."""
    for whole, part in ((cited, theirs), (record, ours)):
        for found in itertools.islice(BREAK.finditer(whole), _MAX_BREAKS):
            head, tail = whole[: found.start()], whole[found.end() :]
            if _equal(title_words(head), part):
                return TitleClass.MAIN
            if len(head.split()) <= _MAX_LABEL_WORDS and _equal(
                title_words(tail), part
            ):
                return TitleClass.MAIN
    shorter = min(len(ours), len(theirs))
    if shorter >= _MIN_PREFIX_WORDS and ours[:shorter] == theirs[:shorter]:
        return TitleClass.PREFIX
    return None


def _equal(first: tuple[str, ...], second: tuple[str, ...]) -> bool:
    return bool(first) and "".join(first) == "".join(second)
