"""PPO: clipped steps on the advantages that a learned value function leaves of the rewards.

B responses, R their tokens, padded on the right; masks are true at real tokens. Losses are
sums: whoever knows how many tokens or rows there are in all, on every device, divides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from wellshaped.train.options import option
from wellshaped.train.rl.masked import masked_sum, whiten
from wellshaped.train.rollout_algorithm import RolloutAlgorithm, Slot, ValueKind

if TYPE_CHECKING:
    from torch import Tensor

    from wellshaped.train.rl.experience import Experience
    from wellshaped.train.rl.objective import Counts
    from wellshaped.train.rl.policy import PolicyOutput
    from wellshaped.train.rl.responses import Response, ResponseBatch


@dataclass(frozen=True, kw_only=True)
class Ppo(RolloutAlgorithm):
    """Proximal policy optimization, with a value function of its own or a shared one."""

    name = "ppo"
    help = "a policy, improved by rewards with PPO"
    description = (
        "Writes responses, scores them, and improves the policy by clipped steps, held to what it"
        " was at the start."
    )

    clip: float = option(0.2, "how far the ratio to the old policy may count", least=0)
    value_clip: float = option(
        0.2, "how far values may move from the old ones; 0 for no limit", least=0
    )
    value_coefficient: float = option(0.1, "weight of the value loss", least=0)
    gamma: float = option(1.0, "discount", least=0)
    lam: float = option(0.95, "lambda of the generalised advantages", least=0)
    value: Literal["separate", "shared"] = option("separate")
    slot: Slot = option("last", "of the score")
    whiten_rewards: bool = option(False)

    @property
    def value_kind(self) -> ValueKind:
        """A backbone of its own, or a head on the policy's states."""
        return self.value

    def advantages(
        self,
        rewards_BR: Tensor,
        values_BR: Tensor,
        batch: ResponseBatch,
        responses: Sequence[Response],
    ) -> tuple[Tensor, Tensor]:
        """GAE, whitened over the real tokens of all responses."""
        advantages_BR, returns_BR = generalized_advantages(
            rewards_BR, values_BR, batch.value_mask_BR, gamma=self.gamma, lam=self.lam
        )  # (B, R), (B, R)
        return whiten(advantages_BR, batch.mask_BR), returns_BR  # (B, R), (B, R)

    def loss(
        self, output: PolicyOutput, part: Experience, counts: Counts
    ) -> tuple[Tensor, dict[str, Tensor]]:
        """The clipped surrogate, and the clipped error of the values."""
        policy = clipped_policy_loss(
            output.logprobs_BR,
            part.logprobs_BR,
            part.advantages_BR,
            part.batch.mask_BR,
            clip=self.clip,
        )
        assert output.values_BR is not None
        value_loss, kept = clipped_value_loss(
            output.values_BR,
            part.values_BR,
            part.returns_BR,
            part.batch.value_mask_BR,
            clip=self.value_clip or None,
        )  # (), ()
        shown = {
            "policy_loss": policy.loss / counts.tokens,
            "value_loss": value_loss / counts.values,
            "clip_fraction": policy.clipped / counts.tokens,
            "value_clip_fraction": kept / counts.values,
            "ratio": policy.ratio / counts.tokens,
            "moved": policy.kl / counts.tokens,
        }
        return shown["policy_loss"] + self.value_coefficient * shown["value_loss"], shown


def generalized_advantages(
    rewards_BR: Tensor, values_BR: Tensor, mask_BR: Tensor, *, gamma: float = 1.0, lam: float = 0.95
) -> tuple[Tensor, Tensor]:
    """GAE and the returns (advantage plus value); behind the end of a row everything is 0.

    The mask is that of the values: the slot of a score may stand behind the last token.
    """
    values_BR = values_BR.masked_fill(~mask_BR, 0.0)  # (B, R)
    rewards_BR = rewards_BR.masked_fill(~mask_BR, 0.0)  # (B, R)
    advantages_BR = rewards_BR.new_zeros(rewards_BR.shape)  # (B, R)
    running_B = after_B = rewards_BR.new_zeros(len(rewards_BR))  # (B,)
    for column in range(rewards_BR.shape[1] - 1, -1, -1):
        value_B = values_BR[:, column]  # (B,)
        delta_B = rewards_BR[:, column] + gamma * after_B - value_B  # (B,)
        running_B, after_B = delta_B + gamma * lam * running_B, value_B  # (B,), (B,)
        advantages_BR[:, column] = running_B
    return advantages_BR, advantages_BR + values_BR  # (B, R), (B, R)


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
    return PolicyLoss(
        masked_sum(plain_BR.maximum(clipped_BR), mask_BR),
        clipped=(mask_BR & (clipped_BR > plain_BR)).sum(),
        ratio=masked_sum(ratio_BR.detach(), mask_BR),
        kl=0.5 * masked_sum(log_ratio_BR.detach().square(), mask_BR),
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
        return 0.5 * masked_sum(plain_BR, mask_BR), mask_BR.new_zeros(()).sum()
    kept_BR = old_values_BR + (values_BR - old_values_BR).clamp(-clip, clip)  # (B, R)
    clipped_BR = (kept_BR - returns_BR).square()  # (B, R)
    worse = (mask_BR & (clipped_BR > plain_BR)).sum()  # ()
    return 0.5 * masked_sum(plain_BR.maximum(clipped_BR), mask_BR), worse
