"""What was tried to prove a repair, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from wellshaped.records.repair import Repair

Outcome = Literal["equal", "runs", "refused", "broadcasts", "differs", "unknown"]


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
    def breaks_at(self) -> tuple[int, ...]:
        """The batch sizes at which it does not."""
        return tuple(trial.batch for trial in self.trials if trial.outcome != "equal")
