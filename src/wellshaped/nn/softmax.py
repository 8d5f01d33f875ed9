"""Softmax over the real positions of an axis; what is masked gets no share and no gradient."""

from __future__ import annotations

import torch
from torch import Tensor

from wellshaped.nn.real import unreadable


def masked_softmax(scores: Tensor, mask: Tensor, *, dim: int = -1) -> Tensor:
    """Softmax over the positions where `mask` is true; the others get exactly 0.

    The mask is bool and has as many axes as the scores, each of the same size or of size 1. Where
    it is false along the whole axis, all shares are 0.
    """
    shown = _checked(mask, scores)
    filled, hidden = _hidden(scores, shown, dim)
    return torch.softmax(filled, dim).masked_fill(hidden, 0)


def masked_log_softmax(scores: Tensor, mask: Tensor, *, dim: int = -1) -> Tensor:
    """The logarithm of `masked_softmax`: negative infinity where the mask is false."""
    shown = _checked(mask, scores)
    filled, hidden = _hidden(scores, shown, dim)
    return torch.log_softmax(filled, dim).masked_fill(hidden, float("-inf"))


def _hidden(scores: Tensor, shown: Tensor, dim: int) -> tuple[Tensor, Tensor]:
    """The scores with what is hidden at negative infinity, where anything else is left."""
    hidden, some = ~shown, shown.any(dim, keepdim=True)
    filled = scores.masked_fill(hidden, float("-inf"))
    # Of nothing but negative infinities the softmax is NaN, which anomaly detection reports.
    return filled.masked_fill(~some, 0), hidden


def _checked(mask: Tensor, scores: Tensor) -> Tensor:
    fits = mask.dim() == scores.dim() and all(
        size == 1 or size == wanted for size, wanted in zip(mask.shape, scores.shape, strict=True)
    )
    if not fits or mask.dtype != torch.bool:
        raise unreadable(mask, tuple(scores.shape), message="mask_unreadable")
    return mask.expand(scores.shape)
