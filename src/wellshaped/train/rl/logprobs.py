"""Log-probabilities of tokens that were sampled, and the entropy of where they came from.

B rows, T tokens of a prompt and its response, R tokens of a response, V words.
"""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor

# Whether the entropy is not computed, only shown, or a part of what is learned.
EntropyUse = Literal["no", "shown", "learned"]


def next_token_logprobs(
    logits_BTV: Tensor, tokens_BT: Tensor, *, temperature: float = 1.0
) -> Tensor:
    """The log-probability of each token but the first: the logits at t - 1 score the token at t."""
    return token_logprobs(logits_BTV[:, :-1], tokens_BT[:, 1:], temperature=temperature)  # (B, T-1)


def token_logprobs(logits_RV: Tensor, tokens_R: Tensor, *, temperature: float = 1.0) -> Tensor:
    """The log-probability of each token under the logits beside it, with any axes before."""
    scaled_RV = logits_RV.float() / temperature  # (..., R, V)
    chosen_R = scaled_RV.gather(-1, tokens_R.unsqueeze(-1)).squeeze(-1)  # (..., R)
    return chosen_R - scaled_RV.logsumexp(-1)  # (..., R)


def entropies(logits_RV: Tensor, *, temperature: float = 1.0) -> Tensor:
    """The entropy of each distribution, in nats."""
    logprobs_RV = torch.log_softmax(logits_RV.float() / temperature, -1)  # (..., R, V)
    # A word that cannot come (logit -inf) adds nothing, where 0 * -inf would be NaN.
    terms_RV = logprobs_RV.exp() * logprobs_RV.clamp_min(torch.finfo(torch.float32).min)
    return -terms_RV.sum(-1)  # (..., R)


def logprobs_and_entropy(
    logits_RV: Tensor, tokens_R: Tensor, *, temperature: float = 1.0, entropy: EntropyUse = "no"
) -> tuple[Tensor, Tensor | None]:
    """The log-probability of each token and, if asked for, the entropy of where it came from."""
    logprobs_R = token_logprobs(logits_RV, tokens_R, temperature=temperature)  # (..., R)
    if entropy == "no":
        return logprobs_R, None
    with torch.set_grad_enabled(entropy == "learned"):
        return logprobs_R, entropies(logits_RV, temperature=temperature)  # (..., R)
