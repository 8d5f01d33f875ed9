"""The loss of some responses under PPO or REINFORCE, as sums, with the numbers that are shown.

B responses, R their tokens.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from wellshaped.train.rl.experience import Experience
from wellshaped.train.rl.loss import clipped_policy_loss, clipped_value_loss, reinforce_loss
from wellshaped.train.rl.masked import masked_sum
from wellshaped.train.rl.policy import PolicyOutput
from wellshaped.train.rl.settings import Settings


@dataclass(frozen=True)
class Counts:
    """How many responses, tokens and values an optimizer step has, on all processes."""

    responses: int
    tokens: int
    values: int

    @classmethod
    def of(cls, experience: Experience, rows: list[int]) -> Counts:
        """Those of some responses."""
        index_B = torch.tensor(rows)
        tokens = int(experience.batch.mask_BR[index_B].sum())
        return cls(len(rows), tokens, int(experience.batch.value_mask_BR[index_B].sum()))


def objective(
    output: PolicyOutput, part: Experience, counts: Counts, settings: Settings
) -> tuple[Tensor, dict[str, Tensor]]:
    """What is minimised, and its parts: shares of the means over the whole optimizer step."""
    policy = _ppo if settings.method == "ppo" else _reinforce
    loss, shown = policy(output, part, counts, settings)
    if output.entropy_BR is not None:
        entropy = masked_sum(output.entropy_BR, part.batch.mask_BR) / counts.tokens  # ()
        shown["entropy"] = entropy
        if settings.entropy_coefficient:
            loss = loss - settings.entropy_coefficient * entropy  # ()
    return loss, {name: value.detach() for name, value in shown.items()}


def _ppo(
    output: PolicyOutput, part: Experience, counts: Counts, settings: Settings
) -> tuple[Tensor, dict[str, Tensor]]:
    mask_BR, value_mask_BR = part.batch.mask_BR, part.batch.value_mask_BR
    policy = clipped_policy_loss(
        output.logprobs_BR, part.logprobs_BR, part.advantages_BR, mask_BR, clip=settings.clip
    )
    assert output.values_BR is not None
    value_loss, kept = clipped_value_loss(
        output.values_BR,
        part.values_BR,
        part.returns_BR,
        value_mask_BR,
        clip=settings.value_clip or None,
    )  # (), ()
    shown = {
        "policy_loss": policy.loss / counts.tokens,
        "value_loss": value_loss / counts.values,
        "clip_fraction": policy.clipped / counts.tokens,
        "value_clip_fraction": kept / counts.values,
        "ratio": policy.ratio / counts.tokens,
        "moved": policy.kl / counts.tokens,
    }
    return shown["policy_loss"] + settings.value_coefficient * shown["value_loss"], shown


def _reinforce(
    output: PolicyOutput, part: Experience, counts: Counts, settings: Settings
) -> tuple[Tensor, dict[str, Tensor]]:
    mask_BR = part.batch.mask_BR
    loss = reinforce_loss(output.logprobs_BR, part.advantages_BR[:, 0], mask_BR)  # ()
    log_ratio_BR = (output.logprobs_BR.detach() - part.logprobs_BR) * mask_BR  # (B, R)
    shown = {
        "policy_loss": loss / counts.responses,
        "ratio": masked_sum(log_ratio_BR.exp(), mask_BR) / counts.tokens,
        "moved": 0.5 * log_ratio_BR.square().sum() / counts.tokens,
    }
    return shown["policy_loss"], shown
