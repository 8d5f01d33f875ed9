"""From scores of whole responses to a reward for each token.

B responses, R their tokens, padded on the right; masks are true at real tokens.
"""

from __future__ import annotations

import torch
from torch import Tensor

from wellshaped.train.rollout_algorithm import Slot


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
