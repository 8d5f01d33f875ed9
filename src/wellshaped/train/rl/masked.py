"""Sums, means and whitening over the real elements of a padded tensor.

A mask has the shape of its tensor; what it hides may be anything, NaN too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor


def masked_sum(values_BR: Tensor, mask_BR: Tensor) -> Tensor:
    """The sum of the real elements."""
    return _hidden_as_zero(values_BR, mask_BR).sum()  # ()


def masked_mean(values_BR: Tensor, mask_BR: Tensor) -> Tensor:
    """The mean of the real elements; 0 where there are none."""
    return masked_sum(values_BR, mask_BR) / mask_BR.sum().clamp_min(1)  # ()


def row_sums(values_BR: Tensor, mask_BR: Tensor) -> Tensor:
    """The sum of the real elements of each row."""
    return _hidden_as_zero(values_BR, mask_BR).sum(-1)  # (B,)


def whiten(values_BR: Tensor, mask_BR: Tensor, *, shift_mean: bool = True) -> Tensor:
    """Give the real elements variance 1 and mean 0 (or their own mean); the hidden become 0.

    The variance is the unbiased one. Of fewer than two elements there is none: they keep
    their scale. All rows that are learned from together belong in one call.
    """
    count = int(mask_BR.sum())
    mean = masked_mean(values_BR, mask_BR)  # ()
    centred_BR = _hidden_as_zero(values_BR - mean, mask_BR)  # (B, R)
    if count >= 2:
        variance = centred_BR.square().sum() / (count - 1)  # ()
        centred_BR = centred_BR * (variance + 1e-8).rsqrt()  # (B, R)
    return centred_BR if shift_mean else _hidden_as_zero(centred_BR + mean, mask_BR)  # (B, R)


def _hidden_as_zero(values_BR: Tensor, mask_BR: Tensor) -> Tensor:
    if values_BR.shape != mask_BR.shape:
        raise AssertionError(f"a mask of {tuple(mask_BR.shape)} for {tuple(values_BR.shape)}")
    return values_BR.masked_fill(~mask_BR, 0.0)  # (B, R)
