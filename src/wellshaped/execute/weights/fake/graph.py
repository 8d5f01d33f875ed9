"""Results without values that are still tied to what they were computed from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import torch

from wellshaped.execute.weights.fake.run import Run


@dataclass(frozen=True, slots=True)
class OperationResult:
    """The shape and dtype of a result, and what its backward pass raises, if anything.

    `swapped`: the first two axes lie in memory in the other order.
    """

    shape: tuple[int, ...]
    dtype: torch.dtype
    refusal: Exception | None = None
    swapped: bool = False


def tied(run: Run, outcome: OperationResult, tensors: Sequence[torch.Tensor]) -> torch.Tensor:
    """A fake result whose gradient flows back to each of the tensors, any number of times."""
    result: torch.Tensor = _Tie.apply(run, outcome, *tensors)  # type: ignore[no-untyped-call]
    return result


class _Tie(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, run: Run, outcome: OperationResult, *tensors: torch.Tensor
    ) -> torch.Tensor:
        ctx.run, ctx.refusal = run, outcome.refusal
        ctx.save_for_backward(*tensors)
        if not outcome.swapped:
            return run.empty(outcome.shape, outcome.dtype)
        first, rest = outcome.shape[0], outcome.shape[2:]
        row = prod(rest)
        inner = tuple(prod(rest[place + 1 :]) for place in range(len(rest)))
        return run.strided(outcome.shape, (row, first * row, *inner), outcome.dtype)

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> Any:
        if ctx.refusal is not None:
            raise ctx.refusal
        saved = ctx.saved_tensors
        wanted = ctx.needs_input_grad[2:]
        # Tied again, to the inputs too: a gradient penalty differentiates a gradient.
        found = [
            tied(ctx.run, OperationResult(tuple(each.shape), each.dtype), (gradient, *saved))
            if needed
            else None
            for each, needed in zip(saved, wanted, strict=True)
        ]
        return (None, None, *found)
