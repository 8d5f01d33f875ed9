"""What was tried to prove a repair, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from wellshaped.records.repair import Repair

Outcome = Literal[
    "equal", "runs", "refused", "broadcasts", "differs", "discards", "mixes", "unknown"
]
# Shapes that agree because numbers were dropped, repeated, or moved to another row.
HARMFUL: Final[tuple[Outcome, ...]] = ("broadcasts", "discards", "mixes")


@dataclass(frozen=True, slots=True)
class Trial:
    """One batch size: the repaired call ran and equals the loss row by row, or what else."""

    batch: int
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Evidence:
    """The trials of one repair."""

    repair: Repair
    trials: tuple[Trial, ...]

    @property
    def proven(self) -> bool:
        """Whether every batch size came out equal to the row-by-row loss."""
        return bool(self.trials) and all(trial.outcome == "equal" for trial in self.trials)

    @property
    def harmful(self) -> bool:
        """Whether it only makes shapes agree: such a repair is never proposed."""
        return any(trial.outcome in HARMFUL for trial in self.trials)

    @property
    def breaks_at(self) -> tuple[int, ...]:
        """The batch sizes at which it does not."""
        return tuple(trial.batch for trial in self.trials if trial.outcome != "equal")
