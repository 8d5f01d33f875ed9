"""A language model as a policy, its value function, and the frozen reference it is held to.

B responses, T tokens of prompt and response, padded on the right: a causal model never
reads what stands behind a token, so the mask is full, and none can be wrong. R tokens of a
response, N real ones of all rows, D width of the model, V words.
"""

from __future__ import annotations

import contextlib
import copy
import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import torch
from torch import Tensor, nn

from wellshaped.train.reward.activations import fuse_activations
from wellshaped.train.rl.logprobs import entropies, token_logprobs
from wellshaped.train.rl.responses import Batch

ValueKind = Literal["separate", "shared", "none"]
# Whether the entropy is not computed, only shown, or a part of what is learned.
EntropyUse = Literal["no", "shown", "learned"]


@dataclass(frozen=True)
class Outlook:
    """What a policy makes of responses: each token's log-probability, entropy and value."""

    logprobs_BR: Tensor
    entropy_BR: Tensor | None
    values_BR: Tensor | None


class ValueHead(nn.Module):
    """One number for each position, 0 before anything is learned; computed in float32."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.linear = nn.Linear(width, 1)
        nn.init.zeros_(self.linear.weight)
        nn.init.zeros_(self.linear.bias)

    def forward(self, hidden_ND: Tensor) -> Tensor:
        """The values of some positions."""
        values_N1: Tensor = self.linear(hidden_ND.float())  # (N, 1)
        return values_N1.squeeze(-1)  # (N,)


class Actor(nn.Module):
    """A causal model of `transformers` and its value function, as one module to be trained.

    The value function is `separate` (its own copy of the backbone), `shared` (a head on the
    policy's last hidden states), or there is `none`.
    """

    def __init__(self, model: nn.Module, *, value: ValueKind = "none") -> None:
        super().__init__()
        self.model = model
        self.kind = value
        self.backbone = copy.deepcopy(_backbone(model)) if value == "separate" else None
        self.head = None if value == "none" else ValueHead(_width(model))
        without_dropout(self)
        fuse_activations(self)
        self._keeps = _takes(model, "logits_to_keep")

    def forward(
        self,
        batch: Batch,
        *,
        temperature: float = 1.0,
        entropy: EntropyUse = "no",
    ) -> Outlook:
        """Log-probabilities and values of the tokens of the responses; the entropy if asked."""
        shared = self.kind == "shared"
        first = int(batch.first_B.min()) - 1  # no logits are computed for what all prompts share
        keep = torch.arange(first, batch.tokens_BT.shape[1], device=batch.tokens_BT.device)
        outputs = self.model(
            **_given(batch),
            output_hidden_states=shared,
            **({"logits_to_keep": keep} if self._keeps else {}),
        )
        logits_NV = _at(outputs.logits, batch, batch.mask_BR, first if self._keeps else 0)  # (N, V)
        tokens_N = batch.responses_BR[batch.mask_BR]  # (N,)
        logprobs_N = token_logprobs(logits_NV, tokens_N, temperature=temperature)  # (N,)
        entropy_BR = None
        if entropy != "no":
            with torch.set_grad_enabled(entropy == "learned"):
                entropy_N = entropies(logits_NV, temperature=temperature)  # (N,)
            entropy_BR = _spread(entropy_N, batch.mask_BR)  # (B, R)
        values_BR = self._values(batch, outputs.hidden_states[-1] if shared else None)  # (B, R)
        return Outlook(_spread(logprobs_N, batch.mask_BR), entropy_BR, values_BR)

    @torch.no_grad()
    def values(self, batch: Batch) -> Tensor | None:
        """The values of the responses alone; none without a value function."""
        if self.kind != "shared":
            return self._values(batch, None)  # (B, R)
        least = {"logits_to_keep": 1} if self._keeps else {}
        outputs = self.model(**_given(batch), output_hidden_states=True, **least)
        return self._values(batch, outputs.hidden_states[-1])  # (B, R)

    def _values(self, batch: Batch, hidden_BTD: Tensor | None) -> Tensor | None:
        if self.head is None:
            return None
        if self.backbone is not None:
            hidden_BTD = self.backbone(**_given(batch)).last_hidden_state
        assert hidden_BTD is not None
        values_N = self.head(_at(hidden_BTD, batch, batch.value_mask_BR, 0))  # (N,)
        return _spread(values_N, batch.value_mask_BR)  # (B, R)

    @contextlib.contextmanager
    def training_pass(self, *, checkpointing: bool = False) -> Iterator[None]:
        """Gradient checkpointing asks for training mode; dropout is gone in either."""
        self.train(checkpointing)
        try:
            yield
        finally:
            self.eval()


class Reference:
    """The policy as it was at the start: a frozen copy, or a LoRA policy without its adapter."""

    def __init__(self, model: Any) -> None:
        self._adapted = model if hasattr(model, "disable_adapter") else None
        self._frozen = Actor(model if self._adapted else copy.deepcopy(model))
        if self._adapted is None:
            self._frozen.requires_grad_(False)

    def to(self, device: torch.device) -> None:
        """Move it; the adapter of a policy moves with the policy."""
        self._frozen.to(device)

    @torch.no_grad()
    def logprobs(self, batch: Batch, *, temperature: float = 1.0) -> Tensor:
        """The log-probabilities of the tokens of the responses."""
        with self.weights():
            outlook: Outlook = self._frozen(batch, temperature=temperature)
        return outlook.logprobs_BR  # (B, R)

    @contextlib.contextmanager
    def weights(self) -> Iterator[nn.Module]:
        """The model with the weights of the reference."""
        with self._adapted.disable_adapter() if self._adapted else contextlib.nullcontext():
            yield self._frozen.model


def without_dropout(model: nn.Module) -> None:
    """Switch off dropout for good: old and new log-probabilities are of the same function."""
    for part in model.modules():
        if isinstance(part, nn.modules.dropout._DropoutNd):
            part.p = 0.0
        # Attention takes its rate from a number: `attention_dropout` of Llama, for one.
        for name, value in vars(part).items():
            if "dropout" in name and isinstance(value, float):
                setattr(part, name, 0.0)
    model.eval()


def _given(batch: Batch) -> dict[str, Any]:
    """What a model is called with. Without a mask, `transformers` warns of pads it sees."""
    mask_BT = torch.ones_like(batch.tokens_BT)  # (B, T)
    return {"input_ids": batch.tokens_BT, "attention_mask": mask_BT, "use_cache": False}


def _at(states_BTD: Tensor, batch: Batch, mask_BR: Tensor, first: int) -> Tensor:
    """The states from which the tokens of the responses were drawn: one place before each."""
    width = mask_BR.shape[1]
    columns_R = torch.arange(width, device=mask_BR.device)  # (R,)
    places_BR = batch.first_B.unsqueeze(1) - 1 - first + columns_R  # (B, R)
    rows_B1 = torch.arange(len(mask_BR), device=mask_BR.device).unsqueeze(1)  # (B, 1)
    flat_N = (rows_B1 * states_BTD.shape[1] + places_BR)[mask_BR]  # (N,)
    return states_BTD.flatten(0, 1).index_select(0, flat_N)  # (N, D)


def _spread(values_N: Tensor, mask_BR: Tensor) -> Tensor:
    """The values back at their places, 0 elsewhere."""
    zeros_BR = values_N.new_zeros(mask_BR.shape)  # (B, R)
    return zeros_BR.masked_scatter(mask_BR, values_N)  # (B, R)


def _backbone(model: Any) -> nn.Module:
    """The model without its language head; of a LoRA policy, with the adapter merged away."""
    if hasattr(model, "disable_adapter"):
        model = copy.deepcopy(model).unload()
    found: nn.Module = getattr(model, model.base_model_prefix, model)
    return found


def _width(model: Any) -> int:
    return int(model.get_input_embeddings().weight.shape[1])


def _takes(model: Any, name: str) -> bool:
    inner = model.get_base_model() if hasattr(model, "get_base_model") else model
    return name in inspect.signature(inner.forward).parameters
