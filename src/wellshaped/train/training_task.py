"""What a supervised algorithm supplies to the loop: a model, batches, one step, an evaluation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import Tensor, nn


@dataclass(frozen=True, slots=True)
class StepResult:
    """The loss of one batch, and what is shown beside it.

    `loss` is the sum over `count` elements (rows, pairs or tokens: what the loss is the mean of);
    `sums` are shown divided by `count`. `tokens` are those of all texts, `shared` those of them
    that were not computed again, `computed` the rest and the padding.
    """

    loss: Tensor
    count: float
    sums: Mapping[str, Tensor | float] = field(default_factory=dict)
    tokens: int = 0
    computed: int = 0
    shared: int | None = None

    @property
    def mean(self) -> Tensor:
        """The loss, if the batch is all of a step."""
        return self.loss / self.count


@dataclass(frozen=True, slots=True)
class Batches:
    """The batches of each epoch as a plan of places of rows, the same in all processes.

    The plan of an epoch depends on nothing but its number, so that a run can go on in its middle.
    """

    plan: Callable[[int], Sequence[Sequence[int]]]
    load: Callable[[Sequence[int]], Any]
    rows: int


@dataclass(frozen=True, slots=True)
class TrainingTask:
    """A model, its batches, its step and its evaluation.

    `step` calls the model it is given, which may be wrapped. `evaluate` gives the same values in
    every process. `write` puts more files into each checkpoint.
    """

    model: nn.Module
    batches: Batches
    step: Callable[[nn.Module, Any], StepResult]
    evaluate: Callable[[nn.Module], Mapping[str, float]] | None = None
    write: Callable[[Path], None] | None = None


def bucketed(
    lengths: Sequence[int], load: Callable[[Sequence[int]], Any], *, size: int, seed: int
) -> Batches:
    """Batches of rows of similar length, in an order that the seed and the epoch decide."""
    from wellshaped.batch import BucketSampler

    sampler = BucketSampler(lengths, batch_size=size, seed=seed, rank=0, world_size=1)

    def plan(epoch: int) -> list[list[int]]:
        sampler.set_epoch(epoch)
        return list(sampler)

    return Batches(plan, load, len(lengths))
