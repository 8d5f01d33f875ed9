"""From scores of whole responses to an advantage for each token.

B responses, R their tokens, padded on the right; masks are true at real tokens.
"""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor

# Where the score of a response stands: at its last real token, or, as in TRL, one after it.
Slot = Literal["last", "after"]


def value_mask(mask_BR: Tensor, slot: Slot = "last") -> Tensor:
    """The positions that have a value: the real tokens, and the slot behind them if it is used."""
    if slot == "last":
        return mask_BR
    slots_BR = torch.zeros_like(mask_BR).scatter_(1, score_slots(mask_BR, slot).unsqueeze(1), True)
    return mask_BR | slots_BR  # (B, R)


def score_slots(mask_BR: Tensor, slot: Slot = "last") -> Tensor:
    """The column of each row's score. A row that fills its columns has no slot behind it."""
    last_B = mask_BR.sum(1) - 1  # (B,)
    if slot == "last":
        return last_B
    return (last_B + 1).clamp_max(mask_BR.shape[1] - 1)  # (B,)


def token_rewards(
    scores_B: Tensor, kl_BR: Tensor, mask_BR: Tensor, *, coefficient: float, slot: Slot = "last"
) -> Tensor:
    """The KL penalty at every real token, and the score at the end of its response."""
    rewards_BR = (-coefficient * kl_BR).masked_fill(~mask_BR, 0.0)  # (B, R)
    slots_B1 = score_slots(mask_BR, slot).unsqueeze(1)  # (B, 1)
    return rewards_BR.scatter_add(1, slots_B1, scores_B.unsqueeze(1).to(rewards_BR))  # (B, R)


def generalized_advantages(
    rewards_BR: Tensor, values_BR: Tensor, mask_BR: Tensor, *, gamma: float = 1.0, lam: float = 0.95
) -> tuple[Tensor, Tensor]:
    """GAE and the returns (advantage plus value); behind the end of a row everything is 0.

    The mask is that of the values: `value_mask`.
    """
    values_BR = values_BR.masked_fill(~mask_BR, 0.0)  # (B, R)
    rewards_BR = rewards_BR.masked_fill(~mask_BR, 0.0)  # (B, R)
    after_BR = torch.nn.functional.pad(values_BR[:, 1:], (0, 1))  # (B, R)
    deltas_BR = rewards_BR + gamma * after_BR - values_BR  # (B, R)
    advantages_BR = torch.zeros_like(deltas_BR)  # (B, R)
    running_B = torch.zeros_like(deltas_BR[:, 0])  # (B,)
    for column in range(deltas_BR.shape[1] - 1, -1, -1):
        running_B = deltas_BR[:, column] + gamma * lam * running_B  # (B,)
        advantages_BR[:, column] = running_B
    return advantages_BR, advantages_BR + values_BR  # (B, R), (B, R)


def leave_one_out(rewards_B: Tensor, group_B: Tensor) -> Tensor:
    """Each reward less the mean of the others of its group; 0 in a group of one."""
    groups = int(group_B.max()) + 1 if len(group_B) else 0
    sums_G = rewards_B.new_zeros(groups).index_add_(0, group_B, rewards_B)  # (G,)
    counts_G = torch.bincount(group_B, minlength=groups)  # (G,)
    others_B = counts_G[group_B] - 1  # (B,)
    baseline_B = (sums_G[group_B] - rewards_B) / others_B.clamp_min(1)  # (B,)
    return torch.where(others_B > 0, rewards_B - baseline_B, 0.0)  # (B,)


def shaped_scores(
    scores_B: Tensor,
    ended_B: Tensor,
    *,
    clip: float | None = None,
    missing_end_penalty: float | None = None,
) -> Tensor:
    """Scores within `clip` of 0, less a penalty where the response never came to its end."""
    shaped_B = scores_B if clip is None else scores_B.clamp(-clip, clip)  # (B,)
    if missing_end_penalty is None:
        return shaped_B
    return shaped_B - missing_end_penalty * (~ended_B).to(shaped_B)  # (B,)
