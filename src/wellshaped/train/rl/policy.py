"""A language model as a policy, its value function, and the frozen reference it is held to.

B responses, T tokens of prompt and response, R tokens of a response, N real ones of all rows,
D width of the model, V words.
"""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

import torch
from torch import Tensor, nn

from wellshaped.records.phrase import Phrase
from wellshaped.train.distributed.sharding import GatheredModel, shard
from wellshaped.train.models.dropout import without_dropout
from wellshaped.train.reward.activations import fuse_activations
from wellshaped.train.rl.forward_layout import ForwardLayout, packed, padded, states_at, takes
from wellshaped.train.rl.logprobs import EntropyUse, logprobs_and_entropy
from wellshaped.train.rl.packing import Packing
from wellshaped.train.rl.responses import ResponseBatch
from wellshaped.train.rollout_algorithm import ValueKind

# Texts one after another are attended to one by one: on a processor a text then costs about what
# eight tokens cost at a width of 128, whose cost grows with the square of the width.
PRICE_OF_A_TEXT = 8 * 128**2


@dataclass(frozen=True)
class PolicyOutput:
    """What a policy makes of responses: each token's log-probability, entropy and value."""

    logprobs_BR: Tensor
    entropy_BR: Tensor | None
    values_BR: Tensor | None
    computed: int  # tokens that went through the policy


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
        self._width = _width(model)
        self.head = None if value == "none" else ValueHead(self._width)
        without_dropout(self)
        self.eval()
        fuse_activations(self)
        self._keeps = takes(model, "logits_to_keep")
        self._packing = Packing(*(one for one in (model, self.backbone) if one is not None))

    def forward(
        self,
        batch: ResponseBatch,
        *,
        temperature: float = 1.0,
        entropy: EntropyUse = "no",
    ) -> PolicyOutput:
        """Log-probabilities and values of the tokens of the responses; the entropy if asked."""
        layout = self._layout(batch)
        logits_NV, states_ND = self._read(batch, layout)  # (N, V), (N, D)
        tokens_N = batch.responses_BR[batch.mask_BR]  # (N,)
        logprobs_N, entropy_N = logprobs_and_entropy(
            logits_NV, tokens_N, temperature=temperature, entropy=entropy
        )  # (N,), (N,)
        return PolicyOutput(
            _spread(logprobs_N, batch.mask_BR),
            None if entropy_N is None else _spread(entropy_N, batch.mask_BR),
            self._values(batch, states_ND),
            layout.computed,
        )

    @torch.no_grad()
    def values(self, batch: ResponseBatch) -> Tensor | None:
        """The values of the responses alone; none without a value function."""
        if self.head is None:
            return None
        layout = self._layout(batch)
        if self.backbone is not None:
            return self._values(batch, self._backbone_states(batch, layout))  # (B, R)
        least = {"logits_to_keep": 1} if self._keeps else {}
        outputs = self.model(**layout.inputs, output_hidden_states=True, **least)
        states_ND = states_at(outputs.hidden_states[-1], layout.places_BR, batch.value_mask_BR)
        return self._values(batch, states_ND)  # (B, R)

    def packs(self, longest: int) -> bool:
        """Whether texts of so many tokens may be read one after another."""
        return self._packing.allows(longest, self, self._read)

    @property
    def refused(self) -> Phrase | None:
        """Why texts are padded after all, if they are."""
        return self._packing.refused

    def attend_as_before(self) -> None:
        """Give the models back the attention they came with."""
        self._packing.undo()

    def _layout(self, batch: ResponseBatch) -> ForwardLayout:
        if not self.packs(batch.tokens_BT.shape[1]):
            return padded(batch)
        short = packed(batch)
        saved = batch.tokens_BT.numel() - short.computed
        is_worth_it = saved * self._width**2 >= PRICE_OF_A_TEXT * len(batch.tokens_BT)
        return short if is_worth_it else padded(batch)

    def _read(self, batch: ResponseBatch, layout: ForwardLayout) -> tuple[Tensor, Tensor | None]:
        """The logits of the tokens of the responses, and the states that have a value."""
        shared = self.kind == "shared"
        keep = {"logits_to_keep": layout.columns_K} if self._keeps else {}
        outputs = self.model(**layout.inputs, output_hidden_states=shared, **keep)
        places_BR = layout.kept_BR if self._keeps else layout.places_BR  # (B, R)
        logits_NV = states_at(outputs.logits, places_BR, batch.mask_BR)  # (N, V)
        if self.backbone is not None:
            return logits_NV, self._backbone_states(batch, layout)
        if not shared:
            return logits_NV, None
        hidden_BTD = outputs.hidden_states[-1]
        return logits_NV, states_at(hidden_BTD, layout.places_BR, batch.value_mask_BR)

    def _backbone_states(self, batch: ResponseBatch, layout: ForwardLayout) -> Tensor:
        assert self.backbone is not None
        hidden_BTD = self.backbone(**layout.inputs).last_hidden_state
        return states_at(hidden_BTD, layout.places_BR, batch.value_mask_BR)  # (N, D)

    def _values(self, batch: ResponseBatch, states_ND: Tensor | None) -> Tensor | None:
        if self.head is None or states_ND is None:
            return None
        return _spread(self.head(states_ND), batch.value_mask_BR)  # (B, R)

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
        self._gathered: GatheredModel | None = None

    def to(self, device: torch.device) -> None:
        """Move it; the adapter of a policy moves with the policy."""
        self._frozen.to(device)

    def share_out(self, accelerator: Any, shell: Any) -> None:
        """Keep a part of the copy in each process; an adapter is switched off in the shell."""
        if self._adapted is None:
            self._gathered = shard(self._frozen, accelerator)
            self._frozen = cast(Actor, self._gathered.shell)
        else:
            self._adapted, self._frozen = shell, Actor(shell)

    def at_hand(self) -> contextlib.AbstractContextManager[None]:
        """Have all its weights here, for all processes at once."""
        return contextlib.nullcontext() if self._gathered is None else self._gathered.whole()

    @torch.no_grad()
    def logprobs(self, batch: ResponseBatch, *, temperature: float = 1.0) -> Tensor:
        """The log-probabilities of the tokens of the responses."""
        with self.weights():
            output: PolicyOutput = self._frozen(batch, temperature=temperature)
        return output.logprobs_BR  # (B, R)

    @contextlib.contextmanager
    def weights(self) -> Iterator[nn.Module]:
        """The model with the weights of the reference."""
        with self._adapted.disable_adapter() if self._adapted else contextlib.nullcontext():
            yield self._frozen.model


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
