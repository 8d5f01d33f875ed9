"""The loss of each element by what its target holds, and its reduction to a number.

B rows, T positions, C classes. Each is a loss of torch.nn.functional on raw outputs. Reductions are
those of torch, except that the mean of no elements is 0 and not NaN: an empty batch adds nothing.
"""

from __future__ import annotations

from typing import Final, Literal, assert_never

import torch
import torch.nn.functional as F
from torch import Tensor

from wellshaped.nn.table import Values
from wellshaped.records.phrase import UserError

Reduction = Literal["mean", "sum", "none"]
REDUCTIONS: Final = ("mean", "sum", "none")


def element_losses(held: Values, outputs: Tensor, targets: Tensor) -> Tensor:
    """The loss of each element, at least in float32; `targets` hold what the outputs aim at."""
    exact = outputs if outputs.dtype == torch.float64 else outputs.float()
    match held:
        case "classes":
            # torch has the classes on axis 1: (B, C), (B, C, T).
            return F.cross_entropy(exact.movedim(-1, 1), targets.long(), reduction="none")
        case "zero_one":
            aims = targets.to(exact.dtype)
            return F.binary_cross_entropy_with_logits(exact, aims, reduction="none")
        case "numbers":
            return F.mse_loss(exact, targets.to(exact.dtype), reduction="none")
        case "scores":
            # How surprising it is, by the difference of scores, that the first was chosen.
            margins = exact - targets.to(exact.dtype)
            won = torch.ones_like(margins)
            return F.binary_cross_entropy_with_logits(margins, won, reduction="none")
        case _:
            assert_never(held)


def reduce_losses(losses: Tensor, counted: Tensor | None, reduction: Reduction) -> Tensor:
    """The losses where `counted` is true, or all of them: their mean, sum, or one by one."""
    if reduction not in REDUCTIONS:
        known = ", ".join(REDUCTIONS)
        raise UserError("WS925", "no_such_choice", option="reduction", got=reduction, known=known)
    if counted is not None:
        losses = losses.masked_fill(~counted, 0)
    if reduction == "none":
        return losses
    if reduction == "sum":
        return losses.sum()
    count = losses.numel() if counted is None else counted.sum()
    return losses.sum() / torch.as_tensor(count, device=losses.device).clamp(min=1)
