"""How the next token is drawn, by noise that belongs to a row and not to its batch.

Each response has its own stream of noise, from the seed, the update and the row's number. So
a response is the same alone, in a batch, on another process, and after a resume.
B rows, R tokens of a response, V words.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import torch
from torch import Tensor

from wellshaped.train.rollout_algorithm import Sampling


def noise(seed: int, update: int, rows: Sequence[int], length: int) -> Tensor:
    """Uniform numbers for each row, the same whichever rows are asked for beside it."""
    drawn = []
    for row in rows:
        name = f"{seed} {update} {row}".encode()
        number = int.from_bytes(hashlib.blake2b(name, digest_size=7).digest(), "big")
        generator = torch.Generator().manual_seed(number)
        drawn.append(torch.rand(length, generator=generator, dtype=torch.float64))  # (R,)
    return torch.stack(drawn)  # (B, R)


def draw(logits_BV: Tensor, noise_B: Tensor, sampling: Sampling) -> Tensor:
    """The token in whose part of [0, 1) the noise falls."""
    if sampling.greedy:
        return logits_BV.argmax(-1)  # (B,)
    scaled_BV = cut(logits_BV.double() / sampling.temperature, sampling)  # (B, V)
    cumulated_BV = scaled_BV.softmax(-1).cumsum(-1)  # (B, V)
    points_B1 = noise_B.unsqueeze(1) * cumulated_BV[:, -1:]  # (B, 1)
    # `right`: a word without probability has no part, and cannot be the first beyond the point.
    found_B = torch.searchsorted(cumulated_BV, points_B1, right=True).squeeze(1)  # (B,)
    return found_B.clamp_max(logits_BV.shape[1] - 1)  # (B,)


def cut(logits_BV: Tensor, sampling: Sampling) -> Tensor:
    """Take away all but the `top_k` words, and those outside the `top_p` likeliest."""
    if 0 < sampling.top_k < logits_BV.shape[1]:
        least_B1 = logits_BV.topk(sampling.top_k, -1).values[:, -1:]  # (B, 1)
        logits_BV = logits_BV.masked_fill(logits_BV < least_B1, -torch.inf)  # (B, V)
    if sampling.top_p < 1.0:
        sorted_BV, order_BV = logits_BV.sort(-1, descending=True)  # (B, V)
        probs_BV = sorted_BV.softmax(-1)  # (B, V)
        # The mass before a word decides, so the likeliest one always stays.
        outside_BV = probs_BV.cumsum(-1) - probs_BV >= sampling.top_p  # (B, V)
        hidden_BV = torch.zeros_like(outside_BV).scatter(1, order_BV, outside_BV)  # (B, V)
        logits_BV = logits_BV.masked_fill(hidden_BV, -torch.inf)  # (B, V)
    return logits_BV  # (B, V)
