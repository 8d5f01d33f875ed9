"""How far a policy is from its reference: estimators on sampled tokens, and their coefficient.

`k1` is unbiased and may be negative: it belongs in the reward. `k3` is unbiased too, never
negative and steadier: it is what is shown. Both hold for tokens drawn from the policy itself;
top-k, top-p and a least length draw from another distribution, and then neither is the KL.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor


def k1(logprobs_BR: Tensor, reference_BR: Tensor) -> Tensor:
    """The difference of log-probabilities of each token."""
    return logprobs_BR - reference_BR  # (B, R)


def k3(logprobs_BR: Tensor, reference_BR: Tensor) -> Tensor:
    """The probability ratio less one less its logarithm: `k1` with less noise, at least 0."""
    log_ratio_BR = reference_BR - logprobs_BR  # (B, R)
    return torch.expm1(log_ratio_BR) - log_ratio_BR  # (B, R)


@dataclass
class KlCoefficient:
    """The weight of the KL in the reward: fixed, or steered towards a `target` per response.

    Steering is proportional: `horizon` responses with twice the target multiply it by 1.2.
    """

    value: float
    target: float | None = None
    horizon: float = 10_000.0

    def update(self, kl: float, *, responses: int) -> None:
        """Take note of the mean KL of a number of responses."""
        if self.target is None:
            return
        error = min(max(kl / self.target - 1.0, -0.2), 0.2)
        self.value *= 1.0 + error * responses / self.horizon
