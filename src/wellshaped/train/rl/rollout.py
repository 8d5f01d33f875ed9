"""Batched generation with a cache: left padding, right positions, finished rows leave.

B rows that are still being written, P columns of the prompts, C columns seen so far, V words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from wellshaped.train.rl.logprobs import token_logprobs
from wellshaped.train.rl.responses import Response
from wellshaped.train.rl.sampling import Sampling, draw, noise


@dataclass(frozen=True)
class Asked:
    """A prompt to be answered: its tokens, its number, and the number of the answer."""

    prompt: tuple[int, ...]
    group: int
    row: int


class Generator(Protocol):
    """Whatever answers prompts: the policy itself, or a server that has its weights."""

    def __call__(self, asked: Sequence[Asked], *, update: int) -> list[Response]:
        """One response for each, in the same order."""


@dataclass(frozen=True)
class PolicyGenerator:
    """The policy writes its own responses; log-probabilities are kept from the draw."""

    model: nn.Module
    end: int
    sampling: Sampling
    seed: int = 0
    batch_size: int = 64

    def __call__(self, asked: Sequence[Asked], *, update: int) -> list[Response]:
        """One response for each prompt, in the same order."""
        found: list[Response] = []
        for start in range(0, len(asked), self.batch_size):
            found += self._batch(asked[start : start + self.batch_size], update)
        return found

    @torch.no_grad()
    def _batch(self, asked: Sequence[Asked], update: int) -> list[Response]:
        sampling = self.sampling
        device = next(self.model.parameters()).device
        rows = [one.row for one in asked]
        noise_BR = noise(self.seed, update, rows, sampling.length).to(device)  # (B, R)
        writing = _Writing.start(self.model, asked, device)
        for step in range(sampling.length):
            logits_BV = writing.logits_BV
            if step < sampling.min_length:
                logits_BV = logits_BV.index_fill(1, writing.number(self.end), -torch.inf)  # (B, V)
            tokens_B = draw(logits_BV, noise_BR[writing.rows_B, step], sampling)  # (B,)
            logprobs_B = token_logprobs(
                writing.logits_BV.unsqueeze(1),
                tokens_B.unsqueeze(1),
                temperature=sampling.temperature,
            ).squeeze(1)  # (B,)
            writing.write(tokens_B, logprobs_B)
            going_B = tokens_B != self.end  # (B,)
            if step + 1 == sampling.length or not writing.keep(going_B):
                break
            writing.step(tokens_B[going_B])
        return [
            Response(
                one.prompt, tuple(text), tuple(values), ended=text[-1] == self.end, group=one.group
            )
            for one, text, values in zip(asked, writing.texts, writing.logprobs, strict=True)
        ]


@dataclass
class _Writing:
    """The rows that are not finished: their cache, mask and lengths, and the texts of all."""

    model: Any
    cache: Any
    mask_BC: Tensor
    lengths_B: Tensor
    logits_BV: Tensor
    rows_B: Tensor
    texts: list[list[int]] = field(default_factory=list)
    logprobs: list[list[float]] = field(default_factory=list)

    @classmethod
    def start(cls, model: Any, asked: Sequence[Asked], device: torch.device) -> _Writing:
        """Read the prompts, padded on the left so that all end in the last column."""
        from transformers import DynamicCache

        lengths_B = torch.tensor([len(one.prompt) for one in asked], device=device)  # (B,)
        widest = int(lengths_B.max())
        tokens_BP = torch.tensor(
            [(0,) * (widest - len(one.prompt)) + one.prompt for one in asked], device=device
        )  # (B, P)
        columns_P = torch.arange(widest, device=device)  # (P,)
        mask_BP = columns_P >= (widest - lengths_B).unsqueeze(1)  # (B, P)
        rows_B = torch.arange(len(asked), device=device)  # (B,)
        empty: list[list[Any]] = [[] for _ in asked]
        writing = cls(
            model,
            DynamicCache(config=model.config),
            mask_BP,
            lengths_B,
            torch.empty(0),
            rows_B,
            [*map(list, empty)],
            [*map(list, empty)],
        )
        writing._read(tokens_BP, (mask_BP.cumsum(1) - 1).clamp_min(0))
        return writing

    def number(self, token: int) -> Tensor:
        """A token as an index."""
        return torch.tensor([token], device=self.mask_BC.device)  # (1,)

    def write(self, tokens_B: Tensor, logprobs_B: Tensor) -> None:
        """Add a token to the text of each row."""
        drawn = zip(self.rows_B.tolist(), tokens_B.tolist(), logprobs_B.tolist(), strict=True)
        for row, token, logprob in drawn:
            self.texts[row].append(token)
            self.logprobs[row].append(logprob)

    def keep(self, going_B: Tensor) -> bool:
        """Drop the finished rows, from the cache too; false when none is left."""
        if not bool(going_B.any()):
            return False
        if not bool(going_B.all()):
            kept_B = going_B.nonzero().squeeze(1)  # (B,)
            self.cache.batch_select_indices(kept_B)
            self.mask_BC = self.mask_BC[kept_B]  # (B, C)
            self.lengths_B = self.lengths_B[kept_B]  # (B,)
            self.rows_B = self.rows_B[kept_B]  # (B,)
        return True

    def step(self, tokens_B: Tensor) -> None:
        """Read the token that was written; its position is the number of tokens before it."""
        self.mask_BC = torch.cat([self.mask_BC, torch.ones_like(self.mask_BC[:, :1])], 1)  # (B, C)
        positions_B1 = self.lengths_B.unsqueeze(1)  # (B, 1)
        self.lengths_B = self.lengths_B + 1  # (B,)
        self._read(tokens_B.unsqueeze(1), positions_B1)

    def _read(self, tokens_BC: Tensor, positions_BC: Tensor) -> None:
        outputs = self.model(
            input_ids=tokens_BC,
            attention_mask=self.mask_BC.long(),
            position_ids=positions_BC,
            past_key_values=self.cache,
            use_cache=True,
        )
        self.logits_BV = outputs.logits[:, -1]  # (B, V)
