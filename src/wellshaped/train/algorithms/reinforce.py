"""REINFORCE: responses that earn more than the others become likelier, whole responses at once.

B responses, R their tokens, padded on the right; masks are true at real tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wellshaped.train.rl.masked import masked_sum, row_sums
from wellshaped.train.rollout_algorithm import RolloutAlgorithm

if TYPE_CHECKING:
    from torch import Tensor

    from wellshaped.train.rl.experience import Experience
    from wellshaped.train.rl.objective import Counts
    from wellshaped.train.rl.policy import PolicyOutput
    from wellshaped.train.rl.responses import Response, ResponseBatch


@dataclass(frozen=True, kw_only=True)
class Reinforce(RolloutAlgorithm):
    """REINFORCE with the mean of the other responses as baseline; no value function."""

    name = "reinforce"
    help = "a policy, improved by rewards with REINFORCE"
    description = (
        "Writes responses, scores them against one another, and makes the better ones likelier."
    )

    epochs: int = 1
    learning_rate: float = 1e-3

    def advantages(
        self,
        rewards_BR: Tensor,
        values_BR: Tensor,
        batch: ResponseBatch,
        responses: Sequence[Response],
    ) -> tuple[Tensor, Tensor]:
        """The whole reward of a response against the others': of its prompt, or of the batch."""
        groups = [one.group for one in responses] if self.samples > 1 else [0] * len(responses)
        numbers = {group: number for number, group in enumerate(dict.fromkeys(groups))}
        group_B = batch.first_B.new_tensor([numbers[group] for group in groups])  # (B,)
        whole_B = row_sums(rewards_BR, batch.value_mask_BR)  # (B,)
        advantages_B1 = leave_one_out(whole_B, group_B).unsqueeze(1)  # (B, 1)
        spread_BR = advantages_B1.expand_as(rewards_BR)  # (B, R)
        returns_BR = rewards_BR.new_zeros(rewards_BR.shape)  # (B, R)
        return spread_BR.masked_fill(~batch.mask_BR, 0.0), returns_BR  # (B, R), (B, R)

    def loss(
        self, output: PolicyOutput, part: Experience, counts: Counts
    ) -> tuple[Tensor, dict[str, Tensor]]:
        """Minus the log-probability of the responses, weighted by their advantages."""
        mask_BR = part.batch.mask_BR
        loss = reinforce_loss(output.logprobs_BR, part.advantages_BR[:, 0], mask_BR)  # ()
        log_ratio_BR = (output.logprobs_BR.detach() - part.logprobs_BR) * mask_BR  # (B, R)
        shown = {
            "policy_loss": loss / counts.responses,
            "ratio": masked_sum(log_ratio_BR.exp(), mask_BR) / counts.tokens,
            "moved": 0.5 * log_ratio_BR.square().sum() / counts.tokens,
        }
        return shown["policy_loss"], shown


def leave_one_out(rewards_B: Tensor, group_B: Tensor) -> Tensor:
    """Each reward less the mean of the others of its group; 0 in a group of one."""
    groups = int(group_B.max()) + 1 if len(group_B) else 0
    sums_G = rewards_B.new_zeros(groups).index_add_(0, group_B, rewards_B)  # (G,)
    counts_G = group_B.bincount(minlength=groups)  # (G,)
    others_B = counts_G[group_B] - 1  # (B,)
    baseline_B = (sums_G[group_B] - rewards_B) / others_B.clamp_min(1)  # (B,)
    return (rewards_B - baseline_B).masked_fill(others_B == 0, 0.0)  # (B,)


def reinforce_loss(logprobs_BR: Tensor, advantages_B: Tensor, mask_BR: Tensor) -> Tensor:
    """Minus the log-probability of each whole response times its advantage, a constant.

    The reward itself has no gradient for the policy: its tokens are discrete.
    """
    return -(advantages_B.detach() * row_sums(logprobs_BR, mask_BR)).sum()  # ()
