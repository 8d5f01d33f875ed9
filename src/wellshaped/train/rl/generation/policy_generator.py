"""Batched generation with a cache: left padding, right positions, finished rows leave.

B rows that are still being written, P columns of the prompts, C columns seen so far, U different
prompts, T tokens of them, V words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from wellshaped.train.reward.layout import Group, Layout
from wellshaped.train.rl.forward_layout import takes
from wellshaped.train.rl.generation.cache import cache_for, fill, is_roomy, leaving
from wellshaped.train.rl.generation.sampling import draw, noise
from wellshaped.train.rl.logprobs import token_logprobs
from wellshaped.train.rl.responses import Response
from wellshaped.train.rollout_algorithm import Sampling


@dataclass(frozen=True)
class GenerationRequest:
    """A prompt to be answered: its tokens, its number, and the number of the answer."""

    prompt: tuple[int, ...]
    group: int
    row: int


class Generator(Protocol):
    """Whatever answers prompts: the policy itself, or a server that has its weights."""

    def __call__(self, requests: Sequence[GenerationRequest], *, update: int) -> list[Response]:
        """One response for each, in the same order."""


@dataclass(frozen=True)
class PolicyGenerator:
    """The policy writes its own responses; log-probabilities are kept from the draw."""

    model: nn.Module
    end: int
    sampling: Sampling
    seed: int = 0
    batch_size: int = 64
    packs: Callable[[int], bool] | None = None  # whether the model may read such texts packed

    def __call__(self, requests: Sequence[GenerationRequest], *, update: int) -> list[Response]:
        """One response for each prompt, in the same order."""
        found: list[Response] = []
        for start in range(0, len(requests), self.batch_size):
            found += self._batch(requests[start : start + self.batch_size], update)
        return found

    @torch.no_grad()
    def _batch(self, requests: Sequence[GenerationRequest], update: int) -> list[Response]:
        sampling = self.sampling
        device = next(self.model.parameters()).device
        rows = [one.row for one in requests]
        noise_BR = noise(self.seed, update, rows, sampling.response_length).to(device)  # (B, R)
        longest = max(len(one.prompt) for one in requests)
        packs = self.packs is not None and self.packs(longest)
        generation = _Generation.start(
            self.model, requests, device, room=sampling.response_length, packs=packs
        )
        for step in range(sampling.response_length):
            logits_BV = generation.logits_BV
            if step < sampling.min_length:
                logits_BV = logits_BV.index_fill(
                    1, generation.number(self.end), -torch.inf
                )  # (B, V)
            tokens_B = draw(logits_BV, noise_BR[generation.rows_B, step], sampling)  # (B,)
            logprobs_B = token_logprobs(
                generation.logits_BV.unsqueeze(1),
                tokens_B.unsqueeze(1),
                temperature=sampling.temperature,
            ).squeeze(1)  # (B,)
            generation.write(tokens_B, logprobs_B)
            kept_B = leaving(tokens_B != self.end)  # (B,)
            if step + 1 == sampling.response_length or not len(kept_B):
                break
            generation.keep(kept_B)
            generation.step(tokens_B[kept_B])
        return [
            Response(
                one.prompt, tuple(text), tuple(values), ended=text[-1] == self.end, group=one.group
            )
            for one, text, values in zip(
                requests, generation.texts, generation.logprobs, strict=True
            )
        ]


@dataclass
class _Generation:
    """The rows that are not finished: their cache, mask and lengths, and the texts of all."""

    model: Any
    cache: Any
    mask_BC: Tensor
    lengths_B: Tensor
    logits_BV: Tensor
    rows_B: Tensor
    keeps: bool  # whether the model takes `logits_to_keep`
    texts: list[list[int]] = field(default_factory=list)
    logprobs: list[list[float]] = field(default_factory=list)

    @classmethod
    def start(
        cls,
        model: Any,
        requests: Sequence[GenerationRequest],
        device: torch.device,
        *,
        room: int,
        packs: bool,
    ) -> _Generation:
        """Read the prompts; in the cache they are padded on the left, so that all end together."""
        lengths_B = torch.tensor([len(one.prompt) for one in requests], device=device)  # (B,)
        widest = int(lengths_B.max())
        tokens_BP = torch.tensor(
            [(0,) * (widest - len(one.prompt)) + one.prompt for one in requests], device=device
        )  # (B, P)
        columns_P = torch.arange(widest, device=device)  # (P,)
        mask_BP = columns_P >= (widest - lengths_B).unsqueeze(1)  # (B, P)
        rows_B = torch.arange(len(requests), device=device)  # (B,)
        empty: list[list[Any]] = [[] for _ in requests]
        generation = cls(
            model,
            cache_for(model, room=room),
            mask_BP,
            lengths_B,
            torch.empty(0),
            rows_B,
            takes(model, "logits_to_keep"),
            [*map(list, empty)],
            [*map(list, empty)],
        )
        if packs and is_roomy(generation.cache):
            generation._read_packed([one.prompt for one in requests])
        else:
            generation._read(tokens_BP, (mask_BP.cumsum(1) - 1).clamp_min(0))
        return generation

    def number(self, token: int) -> Tensor:
        """A token as an index."""
        return torch.tensor([token], device=self.mask_BC.device)  # (1,)

    def write(self, tokens_B: Tensor, logprobs_B: Tensor) -> None:
        """Add a token to the text of each row."""
        drawn = zip(self.rows_B.tolist(), tokens_B.tolist(), logprobs_B.tolist(), strict=True)
        for row, token, logprob in drawn:
            self.texts[row].append(token)
            self.logprobs[row].append(logprob)

    def keep(self, kept_B: Tensor) -> None:
        """Drop the finished rows, from the cache too."""
        if len(kept_B) < len(self.rows_B):
            self.cache.batch_select_indices(kept_B)
            self.mask_BC = self.mask_BC[kept_B]  # (B, C)
            self.lengths_B = self.lengths_B[kept_B]  # (B,)
            self.rows_B = self.rows_B[kept_B]  # (B,)

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
            **({"logits_to_keep": 1} if self.keeps else {}),
        )
        self.logits_BV = outputs.logits[:, -1]  # (B, V)

    def _read_packed(self, prompts: Sequence[tuple[int, ...]]) -> None:
        """Read each different prompt once, one after another, and give the rows their columns."""
        different = list(dict.fromkeys(prompts))
        numbers = {prompt: number for number, prompt in enumerate(different)}
        which_B = torch.tensor([numbers[prompt] for prompt in prompts], device=self.rows_B.device)
        layout = Layout(tuple(Group(0, (len(prompt),)) for prompt in different), causal=True)
        ends_U = layout.ends.to(which_B.device)  # (U,)
        packed = cache_for(self.model, room=0)
        outputs = self.model(
            input_ids=torch.tensor([list(chain(*different))], device=which_B.device),  # (1, T)
            attention_mask=layout.as_mask(),
            position_ids=layout.positions.unsqueeze(0).to(which_B.device),
            past_key_values=packed,
            use_cache=True,
            **({"logits_to_keep": ends_U} if self.keeps else {}),
        )
        logits_UV = outputs.logits[0] if self.keeps else outputs.logits[0, ends_U]  # (U, V)
        self.logits_BV = logits_UV[which_B]  # (B, V)
        columns_P = torch.arange(self.mask_BC.shape[1], device=which_B.device)  # (P,)
        places_BP = ends_U[which_B].unsqueeze(1) - columns_P.flip(0)  # (B, P)
        fill(self.cache, packed, places_BP.clamp_min(0))
