"""One vector for each row of a padded batch, from its real positions only.

B rows, T positions, D features. `real` is lengths (B,), a mask (B, T) or a `Padded`: see `nn.real`.
The result of a row without a real position is 0. Values in the padding, NaN too, change nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import Final

import torch
from torch import Tensor, nn

from wellshaped.nn.real import Real, as_mask, without_padding
from wellshaped.nn.softmax import masked_softmax
from wellshaped.records.phrase import UserError


def pool_last(values: Tensor, real: Real) -> Tensor:
    """The last real position of each row: (B, T, ...) to (B, ...)."""
    mask_BT = as_mask(real, values)
    if values.shape[1] == 0:
        return _nothing(values)
    ranks_BT = mask_BT * torch.arange(1, values.shape[1] + 1, device=values.device)
    return _at(values, ranks_BT.amax(1) - 1, mask_BT)


def pool_first(values: Tensor, real: Real) -> Tensor:
    """The first real position of each row: (B, T, ...) to (B, ...)."""
    mask_BT = as_mask(real, values)
    if values.shape[1] == 0:
        return _nothing(values)
    ranks_BT = mask_BT * torch.arange(values.shape[1], 0, -1, device=values.device)
    return _at(values, values.shape[1] - ranks_BT.amax(1), mask_BT)


def pool_mean(values: Tensor, real: Real) -> Tensor:
    """The mean over the real positions of each row: (B, T, ...) to (B, ...)."""
    mask_BT = as_mask(real, values)
    count_B = mask_BT.sum(1).clamp(min=1)
    total = without_padding(values, mask_BT).sum(1)  # (B, ...)
    return total / count_B.reshape(-1, *(1,) * (total.dim() - 1)).to(total.dtype)


def pool_max(values: Tensor, real: Real) -> Tensor:
    """The greatest value over the real positions of each row: (B, T, ...) to (B, ...)."""
    mask_BT = as_mask(real, values)
    if values.shape[1] == 0:
        return _nothing(values)
    hidden = ~mask_BT.reshape(*mask_BT.shape, *(1,) * (values.dim() - 2))  # (B, T, ...)
    greatest = values.masked_fill(hidden, float("-inf")).amax(1)  # (B, ...)
    return without_padding(greatest, mask_BT.any(1))


class AttentionPool(nn.Module):
    """A learned mean: the share of each real position is the softmax of its score."""

    def __init__(self, in_features: int) -> None:
        super().__init__()
        self.score = nn.Linear(in_features, 1, bias=False)

    def forward(self, values_BTD: Tensor, real: Real) -> Tensor:
        """(B, T, D) to (B, D)."""
        mask_BT = as_mask(real, values_BTD)
        clean_BTD = without_padding(values_BTD, mask_BT)
        scores_BT = self.score(clean_BTD).squeeze(-1) / sqrt(self.score.in_features)
        shares_BT = masked_softmax(scores_BT, mask_BT)
        return (shares_BT.unsqueeze(-1) * clean_BTD).sum(1)  # (B, D)


POOLS: Final[dict[str, Callable[[Tensor, Real], Tensor]]] = {
    "last": pool_last,
    "first": pool_first,
    "mean": pool_mean,
    "max": pool_max,
}


class Pool(nn.Module):
    """Pooling by name: "last", "first", "mean", "max" or "attention", which has weights."""

    def __init__(self, how: str, in_features: int) -> None:
        super().__init__()
        names = (*POOLS, "attention")
        if how not in names:
            raise UserError(
                "WS925", "no_such_choice", option="pool", got=how, known=", ".join(names)
            )
        self.how = how
        self.attention = AttentionPool(in_features) if how == "attention" else None

    def forward(self, values_BTD: Tensor, real: Real) -> Tensor:
        """(B, T, D) to (B, D)."""
        if self.attention is not None:
            pooled: Tensor = self.attention(values_BTD, real)
            return pooled  # (B, D)
        return POOLS[self.how](values_BTD, real)  # (B, D)


def _at(values: Tensor, position_B: Tensor, mask_BT: Tensor) -> Tensor:
    rows_B = torch.arange(values.shape[0], device=values.device)
    found = values[rows_B, position_B.clamp(0, values.shape[1] - 1)]  # (B, ...)
    return without_padding(found, mask_BT.any(1))


def _nothing(values: Tensor) -> Tensor:
    """Zeros for rows of no positions at all, still part of the graph."""
    return values.sum(1)  # (B, ...)
