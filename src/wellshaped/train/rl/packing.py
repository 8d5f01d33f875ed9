"""Whether a policy may read texts one after another: tried on random texts, forward and backward.

N states that are read, V words, D width of the model.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import torch
from torch import Tensor, nn

from wellshaped.records.phrase import Phrase, phrase
from wellshaped.train.reward import attention
from wellshaped.train.reward.self_test import COARSE, LARGEST, TOLERANCES, undisturbed
from wellshaped.train.rl.forward_layout import ForwardLayout, packed, padded
from wellshaped.train.rl.responses import Response, ResponseBatch, response_batch

# The logits and, where there is a value function, the states of some responses.
Read = Callable[[ResponseBatch, ForwardLayout], tuple[Tensor, Tensor | None]]
_NAME: Final = "packed"
_SEED: Final = 9
_SMALLEST: Final = 32


class Packing:
    """How the models of a policy attend, and up to what length that was tried."""

    def __init__(self, *models: Any) -> None:
        self._parts = [_transformer(model) for model in models]
        self._stock = [part.config._attn_implementation for part in self._parts]
        self._tried = 0
        self.refused: Phrase | None = None  # why texts are padded, where they are

    def allows(self, longest: int, whole: nn.Module, read: Read) -> bool:
        """Whether texts of so many tokens come to the same in `whole` as when they are padded."""
        if self.refused is None and longest > self._tried:
            self._tried = max(_SMALLEST, 1 << (longest - 1).bit_length())
            self.refused = self._try(whole, read)
            if self.refused is not None:
                self.undo()
        return self.refused is None

    def undo(self) -> None:
        """Have the models attend as they did before."""
        for part, name in zip(self._parts, self._stock, strict=True):
            _attend(part, name)

    def _try(self, whole: nn.Module, read: Read) -> Phrase | None:
        config = self._parts[0].config.get_text_config()
        positions = getattr(config, "max_position_embeddings", None) or self._tried
        device = next(whole.parameters()).device
        batch = _random(min(self._tried, positions), config.vocab_size).to(device)
        with undisturbed(whole):
            self.undo()
            truth = _outcome(whole, *read(batch, padded(batch)))
            try:
                attention.register()
                for part in self._parts:
                    _attend(part, attention.NAME)
                found = _outcome(whole, *read(batch, packed(batch)))
            except Exception as error:  # whatever it does not put up with, it learns from padded
                return phrase("short_cut_refused", short_cut=_NAME, error=type(error).__name__)
        most = TOLERANCES.get(next(whole.parameters()).dtype, COARSE)
        difference = max(_relative(*pair) for pair in zip(found, truth, strict=True))
        if difference <= most:
            return None
        return phrase("short_cut_differs", short_cut=_NAME, difference=f"{difference:.1e}")


def _transformer(model: Any) -> Any:
    """The model itself, below the wrapper of an adapter."""
    return model.get_base_model() if hasattr(model, "get_base_model") else model


def _attend(model: Any, name: str | None) -> None:
    if name == model.config._attn_implementation:
        return
    if not model._can_set_attn_implementation():
        raise NotImplementedError
    model.set_attn_implementation(name)


def _outcome(whole: nn.Module, logits_NV: Tensor, states_ND: Tensor | None) -> list[Tensor]:
    """What was read, and the gradients of a mixture of it."""
    found = [one for one in (logits_NV, states_ND) if one is not None]
    generator = torch.Generator().manual_seed(_SEED)
    mixtures = [torch.randn(one.shape, generator=generator).to(one.device) for one in found]
    mixed = sum(
        ((one.float() * weight).sum() for one, weight in zip(found, mixtures, strict=True)),
        torch.zeros((), device=logits_NV.device),
    )
    gradients: tuple[Tensor, ...] = ()
    weights = [w for w in whole.parameters() if w.requires_grad and w.numel() <= LARGEST]
    if weights and mixed.requires_grad:
        gradients = torch.autograd.grad(mixed, weights, allow_unused=True, materialize_grads=True)
    return [one.detach().float() for one in (*found, *gradients)]


def _relative(got: Tensor, truth: Tensor) -> float:
    size = truth.norm().clamp_min(torch.finfo(torch.float32).tiny)
    return float((got - truth).norm() / size)


def _random(longest: int, words: int) -> ResponseBatch:
    """A long prompt with two responses, a short one with two, and one of a single token."""
    generator = torch.Generator().manual_seed(_SEED)

    def tokens(count: int) -> tuple[int, ...]:
        return tuple(torch.randint(0, words, (count,), generator=generator).tolist())

    half, eighth = longest // 2, max(longest // 8, 1)
    long, short, single = tokens(half), tokens(eighth), tokens(1)
    asked = [(long, longest - half), (long, eighth), (short, 1), (short, eighth), (single, 2)]
    return response_batch([Response(one, tokens(size), (), False, 0) for one, size in asked])
