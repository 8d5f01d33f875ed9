"""What a training run tells of itself: bad rows of its data, where it is, and its series."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from wellshaped.records.phrase import Phrase
from wellshaped.records.training.samples import Samples

How = Literal["finished", "stopped early", "interrupted", "failed"]


@dataclass(frozen=True, slots=True)
class BadRow:
    """A row that cannot be trained on; the line counts from 1, as editors do."""

    file: str
    line: int
    reason: Phrase


@dataclass(frozen=True, slots=True)
class Flaws:
    """The bad rows of all files: the first of them, and how many there are of each kind.

    `examples` holds the reason of the first row of each kind.
    """

    first: tuple[BadRow, ...]
    kinds: Mapping[str, int]
    rows: int
    examples: Mapping[str, Phrase] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """How many rows are bad."""
        return sum(self.kinds.values())


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the optimizer, or one evaluation, as the progress line shows it."""

    step: int
    steps: int
    epoch: float
    values: Mapping[str, float] = field(default_factory=dict)
    seconds_left: float | None = None
    evaluated: bool = False


@dataclass(frozen=True, slots=True)
class Series:
    """One curve of a run: its name, and its points by step."""

    name: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Curves:
    """All series of a run, in the order they are shown; those of a panel share their axes."""

    panels: tuple[tuple[str, tuple[Series, ...]], ...]


@dataclass(frozen=True, slots=True)
class Ended:
    """What a run came to: where it ended and why, and its best evaluation.

    `patience` is how many evaluations without a better one end it early; `error` is what it
    failed with, a message of the catalogue or the text of an exception.
    """

    how: How
    step: int
    best_step: int
    values: Mapping[str, float]
    folder: str = ""
    patience: int = 0
    error: Phrase | str = ""


@dataclass(frozen=True, slots=True)
class Kept:
    """What a run, or one stage of it, left behind: all that its page shows."""

    curves: Curves
    samples: tuple[Samples, ...] = ()
    ended: Ended | None = None
    stage: str = ""
