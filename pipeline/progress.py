"""How far a run is and how long it takes, from what its processes counted.  Pure."""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Iterator, Mapping, Sequence

from transforms.progress import Step

# Long enough to even out batches and pauses, short enough to follow a new pace.
_WINDOW_SECONDS = 60.0


@dataclasses.dataclass(frozen=True, slots=True)
class Stage:
    """One stage of a run under way.

    Attributes:
      name: What it does, in a word or two.
      done: How many of its elements it is done with.
      total: How many there are as far as is known; 0 while nothing is.
      note: What else there is to say, or ``""``.
    """

    name: str
    done: int
    total: int
    note: str = ""


def stages(counts: Mapping[Step, int], documents: int) -> tuple[Stage, ...]:
    """Returns the stages in the order in which they run.

    Args:
      counts: What all processes counted; a retry counts twice.
      documents: How many documents there are to read.
    """
    unreadable = counts.get(Step.UNREADABLE, 0)
    selected = counts.get(Step.SELECTED, 0)
    return (
        _stage(
            "read",
            counts.get(Step.READ, 0) + unreadable,
            documents,
            f"{unreadable:,} unreadable" if unreadable else "",
        ),
        _stage(
            "extracted",
            counts.get(Step.EXTRACTED, 0),
            documents - unreadable,
            f"{selected:,} citations to check" if selected else "",
        ),
        _looked_up(counts),
        *_verified(counts),
        _stage("scored", counts.get(Step.ASSESSED, 0), selected, ""),
    )


class Pace:
    """Tells from the last minute how fast stages are, and how long they will take."""

    def __init__(self) -> None:
        self._samples: collections.deque[tuple[float, dict[str, int]]] = (
            collections.deque()
        )

    def note(self, now: float, found: Sequence[Stage]) -> None:
        """Takes a sample.

        Args:
          now: Seconds on a clock that never goes back.
          found: The stages; one may come later than the others.
        """
        self._samples.append((now, {stage.name: stage.done for stage in found}))
        while now - self._samples[0][0] > _WINDOW_SECONDS:
            self._samples.popleft()

    def per_second(self, name: str) -> float:
        """Returns how many elements a second a stage gets through; 0 if none."""
        dones = [(time, done.get(name, 0)) for time, done in self._samples]
        if not dones or dones[0][1] == dones[-1][1]:
            return 0.0
        # What it waited for before it began says nothing of its pace.
        start = max(time for time, done in dones if done == dones[0][1])
        end, done = dones[-1]
        return (done - dones[0][1]) / (end - start)

    def seconds_left(self, stage: Stage) -> float | None:
        """Returns how long a stage will take at this pace; None if nobody knows."""
        rate = self.per_second(stage.name)
        is_open = stage.done < stage.total
        return (stage.total - stage.done) / rate if is_open and rate > 0 else None


def in_words(found: Sequence[Stage], pace: Pace) -> str:
    """Returns how far a run is, on one line."""
    parts = []
    for stage in found:
        if not stage.total:
            continue
        part = f"{stage.name} {stage.done:,} of {stage.total:,}"
        left = pace.seconds_left(stage)
        told = [stage.note, f"{clock(left)} left" if left is not None else ""]
        if any(told):
            part += f" ({', '.join(filter(None, told))})"
        parts.append(part)
    return "; ".join(parts) or "starting"


def clock(seconds: float) -> str:
    """Returns a time as ``m:ss`` or ``h:mm:ss``."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _verified(counts: Mapping[Step, int]) -> Iterator[Stage]:
    """Yields the check of references, where there is one."""
    verified = counts.get(Step.VERIFIED, 0)
    if verified:
        yield _stage("references", verified, counts.get(Step.LISTED, 0), "")


def _looked_up(counts: Mapping[Step, int]) -> Stage:
    """Returns the stage of asking, which counts questions: a work may take several."""
    answered = {
        "from the cache": counts.get(Step.FROM_CACHE, 0),
        "from indexes": counts.get(Step.FROM_INDEX, 0),
        "unanswered": counts.get(Step.UNANSWERED, 0),
    }
    told = [f"{number:,} {how}" for how, number in answered.items() if number]
    if counts.get(Step.WAITING, 0) > 0:
        told.append("waiting for the rate limit")
    asked = counts.get(Step.ASKED, 0)
    return _stage("looked up", sum(answered.values()), asked, ", ".join(told))


def _stage(name: str, done: int, total: int, note: str) -> Stage:
    return Stage(name, min(done, total), total, note)
