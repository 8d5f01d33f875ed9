"""One update's experience: responses, scores, log-probabilities, values, advantages.

Responses are written and scored by whichever process has their row, then every process knows
all of them: what is computed over the batch is computed over the whole batch, once.
B responses of all processes, R tokens of the longest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from wellshaped.train.rl.advantage import (
    generalized_advantages,
    leave_one_out,
    shaped_scores,
    token_rewards,
)
from wellshaped.train.rl.kl import k1
from wellshaped.train.rl.masked import row_sums, whiten
from wellshaped.train.rl.responses import Batch, Response, batch_of, drawn_logprobs
from wellshaped.train.rl.settings import Settings


@dataclass(frozen=True)
class ScoredResponse:
    """A response with its text, its score, and what reference and value function say of it."""

    response: Response
    text: str
    score: float
    reference: tuple[float, ...]
    values: tuple[float, ...]


@dataclass(frozen=True)
class Experience:
    """Everything one update learns from, in tensors over all responses."""

    scored: tuple[ScoredResponse, ...]
    batch: Batch
    scores_B: Tensor
    logprobs_BR: Tensor
    reference_BR: Tensor
    values_BR: Tensor
    advantages_BR: Tensor
    returns_BR: Tensor

    @property
    def kl_B(self) -> Tensor:  # noqa: N802 - a tensor with its axis
        """The estimated KL of each response to the reference: the sum over its tokens."""
        return row_sums(k1(self.logprobs_BR, self.reference_BR), self.batch.mask_BR)  # (B,)

    def to(self, device: torch.device) -> Experience:
        """The same with its tensors elsewhere."""
        moved: dict[str, Any] = {
            name: value.to(device) for name, value in vars(self).items() if torch.is_tensor(value)
        }
        return replace(self, batch=self.batch.to(device), **moved)

    def part(self, rows: Sequence[int]) -> Experience:
        """Some of the responses, padded to the longest text among them."""
        index_B = torch.tensor(rows)
        scored = tuple(self.scored[row] for row in rows)
        width = self.batch.mask_BR.shape[1]
        tensors: dict[str, Any] = {
            name: value[index_B] for name, value in vars(self).items() if torch.is_tensor(value)
        }
        batch = batch_of([one.response for one in scored], width=width)
        batch = replace(batch, value_mask_BR=self.batch.value_mask_BR[index_B])
        return replace(self, scored=scored, batch=batch, **tensors)


def experience_of(
    scored: Sequence[ScoredResponse], settings: Settings, coefficient: float
) -> Experience:
    """Rewards at their tokens, and the advantages that PPO or REINFORCE takes from them."""
    responses = [one.response for one in scored]
    width = settings.sampling.length if settings.slot == "after" else None
    batch = batch_of(responses, width=width, slot=settings.slot)
    scores_B = shaped_scores(
        torch.tensor([one.score for one in scored]),
        torch.tensor([one.ended for one in responses]),
        clip=settings.score_clip or None,
        missing_end_penalty=settings.missing_end_penalty or None,
    )  # (B,)
    logprobs_BR = drawn_logprobs(responses, batch.mask_BR)  # (B, R)
    reference_BR = _padded([one.reference for one in scored], batch.mask_BR)  # (B, R)
    values_BR = torch.zeros_like(logprobs_BR)  # (B, R)
    if settings.method == "ppo":
        values_BR = _padded([one.values for one in scored], batch.value_mask_BR)  # (B, R)
    rewards_BR = token_rewards(
        scores_B,
        k1(logprobs_BR, reference_BR),
        batch.mask_BR,
        coefficient=coefficient,
        slot=settings.slot,
    )  # (B, R)
    if settings.whiten_rewards:
        rewards_BR = whiten(rewards_BR, batch.value_mask_BR, shift_mean=False)  # (B, R)
    advantages = _ppo if settings.method == "ppo" else _reinforce
    advantages_BR, returns_BR = advantages(rewards_BR, values_BR, batch, responses, settings)
    return Experience(
        tuple(scored), batch, scores_B, logprobs_BR, reference_BR, values_BR,
        advantages_BR, returns_BR,
    )  # fmt: skip


def _ppo(
    rewards_BR: Tensor, values_BR: Tensor, batch: Batch, _: Any, settings: Settings
) -> tuple[Tensor, Tensor]:
    advantages_BR, returns_BR = generalized_advantages(
        rewards_BR, values_BR, batch.value_mask_BR, gamma=settings.gamma, lam=settings.lam
    )  # (B, R), (B, R)
    return whiten(advantages_BR, batch.mask_BR), returns_BR  # (B, R), (B, R)


def _reinforce(
    rewards_BR: Tensor, _: Tensor, batch: Batch, responses: Sequence[Response], settings: Settings
) -> tuple[Tensor, Tensor]:
    """The whole reward of a response against the others': of its prompt, or of the batch."""
    groups = [one.group for one in responses] if settings.samples > 1 else [0] * len(responses)
    numbers = {group: number for number, group in enumerate(dict.fromkeys(groups))}
    group_B = torch.tensor([numbers[group] for group in groups])  # (B,)
    whole_B = row_sums(rewards_BR, batch.value_mask_BR)  # (B,)
    advantages_B1 = leave_one_out(whole_B, group_B).unsqueeze(1)  # (B, 1)
    spread_BR = advantages_B1.expand_as(rewards_BR)  # (B, R)
    return spread_BR.masked_fill(~batch.mask_BR, 0.0), torch.zeros_like(
        rewards_BR
    )  # (B, R), (B, R)


def _padded(rows: Sequence[Sequence[float]], mask_BR: Tensor) -> Tensor:
    padded_BR = torch.zeros(mask_BR.shape)  # (B, R)
    padded_BR[mask_BR] = torch.tensor([value for row in rows for value in row])
    return padded_BR
