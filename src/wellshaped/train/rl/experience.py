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

from wellshaped.train.rl.kl import k1, k3
from wellshaped.train.rl.masked import masked_sum, row_sums, whiten
from wellshaped.train.rl.responses import Response, ResponseBatch, drawn_logprobs, response_batch
from wellshaped.train.rl.token_rewards import shaped_scores, token_rewards
from wellshaped.train.rollout_algorithm import RolloutAlgorithm


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
    batch: ResponseBatch
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

    def summary(self, coefficient: float) -> dict[str, float]:
        """The numbers of the responses themselves, at this price of the KL."""
        mask_BR, count = self.batch.mask_BR, len(self.scored)
        k3_BR = k3(self.logprobs_BR, self.reference_BR)  # (B, R)
        return {
            "score": sum(one.score for one in self.scored) / count,
            "reward": float(self.scores_B.mean()),
            "kl": float(self.kl_B.mean()),
            "kl_shown": float(masked_sum(k3_BR, mask_BR)) / count,
            "kl_coefficient": coefficient,
            "length": float(mask_BR.sum()) / count,
            "ended": sum(one.response.ended for one in self.scored) / count,
        }

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
        batch = response_batch([one.response for one in scored], width=width)
        batch = replace(batch, value_mask_BR=self.batch.value_mask_BR[index_B])
        return replace(self, scored=scored, batch=batch, **tensors)


def experience_of(
    scored: Sequence[ScoredResponse], settings: RolloutAlgorithm, coefficient: float
) -> Experience:
    """Rewards at their tokens, and the advantages that the method takes from them."""
    responses = [one.response for one in scored]
    width = settings.sampling.response_length if settings.slot == "after" else None
    batch = response_batch(responses, width=width, slot=settings.slot)
    scores_B = shaped_scores(
        torch.tensor([one.score for one in scored]),
        torch.tensor([one.ended for one in responses]),
        clip=settings.score_clip or None,
        missing_end_penalty=settings.missing_end_penalty or None,
    )  # (B,)
    logprobs_BR = drawn_logprobs(responses, batch.mask_BR)  # (B, R)
    reference_BR = _padded([one.reference for one in scored], batch.mask_BR)  # (B, R)
    values_BR = torch.zeros_like(logprobs_BR)  # (B, R)
    if settings.value_kind != "none":
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
    advantages_BR, returns_BR = settings.advantages(rewards_BR, values_BR, batch, responses)
    return Experience(
        tuple(scored), batch, scores_B, logprobs_BR, reference_BR, values_BR,
        advantages_BR, returns_BR,
    )  # fmt: skip


def _padded(rows: Sequence[Sequence[float]], mask_BR: Tensor) -> Tensor:
    padded_BR = torch.zeros(mask_BR.shape)  # (B, R)
    padded_BR[mask_BR] = torch.tensor([value for row in rows for value in row])
    return padded_BR
