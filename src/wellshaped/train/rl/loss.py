"""What PPO and REINFORCE minimise, as sums over real tokens and the numbers shown beside them.

B responses, R their tokens, padded on the right; masks are true at real tokens. Losses are
sums: whoever knows how many tokens or rows there are in all, on every device, divides.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from wellshaped.train.rl.masked import masked_sum, row_sums


@dataclass(frozen=True)
class PolicyLoss:
    """The clipped objective of a batch, with the sums behind its ratio and clip fraction."""

    loss: Tensor
    clipped: Tensor
    ratio: Tensor
    kl: Tensor


def clipped_policy_loss(
    logprobs_BR: Tensor,
    old_logprobs_BR: Tensor,
    advantages_BR: Tensor,
    mask_BR: Tensor,
    *,
    clip: float = 0.2,
) -> PolicyLoss:
    """PPO's pessimistic surrogate: the worse of the ratio and the clipped ratio, per token."""
    log_ratio_BR = (logprobs_BR - old_logprobs_BR).masked_fill(~mask_BR, 0.0)  # (B, R)
    ratio_BR = log_ratio_BR.exp()  # (B, R)
    plain_BR = -advantages_BR * ratio_BR  # (B, R)
    clipped_BR = -advantages_BR * ratio_BR.clamp(1.0 - clip, 1.0 + clip)  # (B, R)
    loss = masked_sum(torch.maximum(plain_BR, clipped_BR), mask_BR)  # ()
    with torch.no_grad():
        return PolicyLoss(
            loss,
            clipped=(mask_BR & (clipped_BR > plain_BR)).sum(),
            ratio=masked_sum(ratio_BR, mask_BR),
            kl=0.5 * masked_sum(log_ratio_BR.square(), mask_BR),
        )


def clipped_value_loss(
    values_BR: Tensor,
    old_values_BR: Tensor,
    returns_BR: Tensor,
    mask_BR: Tensor,
    *,
    clip: float | None = 0.2,
) -> tuple[Tensor, Tensor]:
    """Half the squared error, the worse of the value and the value kept near its old one.

    Beside it the number of tokens for which the kept one was worse.
    """
    plain_BR = (values_BR - returns_BR).square()  # (B, R)
    if clip is None:
        return 0.5 * masked_sum(plain_BR, mask_BR), torch.zeros_like(mask_BR).sum()
    kept_BR = old_values_BR + (values_BR - old_values_BR).clamp(-clip, clip)  # (B, R)
    clipped_BR = (kept_BR - returns_BR).square()  # (B, R)
    worse = (mask_BR & (clipped_BR > plain_BR)).sum()  # ()
    return 0.5 * masked_sum(torch.maximum(plain_BR, clipped_BR), mask_BR), worse


def reinforce_loss(logprobs_BR: Tensor, advantages_B: Tensor, mask_BR: Tensor) -> Tensor:
    """Minus the log-probability of each whole response times its advantage, a constant.

    The reward itself has no gradient for the policy: its tokens are discrete.
    """
    return -(advantages_B.detach() * row_sums(logprobs_BR, mask_BR)).sum()  # ()
