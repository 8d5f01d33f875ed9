"""How a supervised run is trained: what the loop asks for, checked before anything is loaded."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from wellshaped.records.phrase import Told
from wellshaped.train.artifacts.checkpoint import Better

Schedule = Literal["constant", "linear", "cosine"]
Precision = Literal["no", "bf16", "fp16"]
SCHEDULES: tuple[Schedule, ...] = ("constant", "linear", "cosine")
PRECISIONS: tuple[Precision, ...] = ("no", "bf16", "fp16")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Every choice of the loop.

    `steps` are steps of the optimizer and, if given, end the run instead of `epochs`.
    `warmup` is a part of all steps below 1, a number of steps from 1 on. `accumulate` batches
    of each process make one step. `evaluate_every` and `save_every` count steps; 0 is once an
    epoch. `patience` evaluations without a better one end the run; 0 never does.
    """

    epochs: int = 3
    steps: int = 0
    accumulate: int = 1
    learning_rate: float = 1e-3
    weight_decay: float = 0.01
    betas: tuple[float, float] = (0.9, 0.999)
    epsilon: float = 1e-8
    schedule: Schedule = "linear"
    warmup: float = 0.0
    clip: float = 1.0
    precision: Precision = "no"
    evaluate_every: int = 0
    save_every: int = 0
    keep: int = 2
    patience: int = 0
    watch: str = "loss"
    better: Better = "lower"
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("epochs", "accumulate", "keep"):
            _require(name, getattr(self, name) >= 1, self, "1")
        for name in ("steps", "evaluate_every", "save_every", "patience", "seed"):
            _require(name, getattr(self, name) >= 0, self, "0")
        for name in ("learning_rate", "weight_decay", "warmup", "clip"):
            value = getattr(self, name)
            _require(name, math.isfinite(value) and value >= 0, self, "0")
        _among("schedule", self.schedule, SCHEDULES)
        _among("precision", self.precision, PRECISIONS)
        _among("better", self.better, ("higher", "lower"))

    def factor(self, step: int, steps: int) -> float:
        """What the learning rate is multiplied with at a step, counted from 0, of so many."""
        warm = self.warmup if self.warmup >= 1 else math.ceil(self.warmup * steps)
        if step < warm:
            return (step + 1) / warm
        if self.schedule == "constant":
            return 1.0
        done = (step - warm) / max(steps - warm, 1)
        return 1.0 - done if self.schedule == "linear" else 0.5 * (1 + math.cos(math.pi * done))


def _require(name: str, holds: bool, settings: Settings, least: str) -> None:
    if not holds:
        got = getattr(settings, name)
        raise Told("WS988", "setting_range", name=name, least=least, got=got)


def _among(name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise Told("WS988", "setting_choice", name=name, known=", ".join(known), got=value)
