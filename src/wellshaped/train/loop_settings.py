"""The settings of the supervised loop, checked before anything is loaded."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from wellshaped.train.options import check_settings, option

Better = Literal["higher", "lower"]
Schedule = Literal["constant", "linear", "cosine"]
Precision = Literal["no", "bf16", "fp16"]


@dataclass(frozen=True, kw_only=True)
class LoopSettings:
    """Every choice of the loop.

    `steps` are steps of the optimizer and, if given, end the run instead of `epochs`.
    `warmup` is a part of all steps below 1, a number of steps from 1 on. `accumulate` batches
    of each process make one step. `evaluate_every` and `save_every` count steps; 0 is once an
    epoch. `patience` evaluations without a better one end the run; 0 never does. `watch` names
    the value of an evaluation that says which checkpoint is the best.
    """

    epochs: int = option(3, "times that all data is seen", least=1)
    steps: int = option(0, "steps of the optimizer, instead of epochs", least=0)
    accumulate: int = option(1, "batches that make one step", least=1)
    learning_rate: float = option(1e-3, "highest learning rate", least=0)
    weight_decay: float = option(
        0.01, "of weights; biases, scales and embeddings have none", least=0
    )
    betas: tuple[float, float] = (0.9, 0.999)
    epsilon: float = 1e-8
    schedule: Schedule = option("linear")
    warmup: float = option(0.0, "share of all steps below 1, number of steps from 1 on", least=0)
    clip: float = option(1.0, "most that the gradients measure together; 0 for no limit", least=0)
    precision: Precision = option("no")
    evaluate_every: int = option(0, "steps; 0 is once an epoch", least=0)
    save_every: int = option(0, "steps between checkpoints; 0 is once an epoch", least=0)
    keep: int = option(2, "checkpoints that are kept, beside the best", least=1)
    patience: int = option(
        0, "evaluations without a better one that end the run; 0 never does", least=0
    )
    watch: str = "loss"
    better: Better = "lower"
    seed: int = option(0, "of everything that is drawn by chance", least=0)

    def __post_init__(self) -> None:
        check_settings(self)

    def factor(self, step: int, steps: int) -> float:
        """What the learning rate is multiplied with at a step, counted from 0, of so many."""
        warm = self.warmup if self.warmup >= 1 else math.ceil(self.warmup * steps)
        if step < warm:
            return (step + 1) / warm
        if self.schedule == "constant":
            return 1.0
        done = (step - warm) / max(steps - warm, 1)
        return 1.0 - done if self.schedule == "linear" else 0.5 * (1 + math.cos(math.pi * done))
