"""How responses go through a model: padded, or one text after another with each prompt once.

B responses, T tokens of a row, R tokens of a response, K columns with logits, N states that are
read. The state from which a token is drawn is that of the token before it.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from wellshaped.train.reward.layout import Group, Layout
from wellshaped.train.rl.responses import ResponseBatch


@dataclass(frozen=True)
class ForwardLayout:
    """What a model is called with, and where the states are from which tokens are drawn."""

    inputs: dict[str, Any]
    places_BR: Tensor  # of each state, in the states of all rows one after another
    columns_K: Tensor  # for which logits are needed
    kept_BR: Tensor  # the same states, where those columns alone were kept

    @property
    def computed(self) -> int:
        """How many tokens go through the model."""
        return int(self.inputs["input_ids"].numel())


def padded(batch: ResponseBatch) -> ForwardLayout:
    """Rows padded on the right: a causal model never reads what stands behind a token, so the
    mask is full, and none can be wrong. Without a mask, `transformers` warns of pads it sees."""
    tokens_BT = batch.tokens_BT
    width, device = tokens_BT.shape[1], tokens_BT.device
    shared = int(batch.first_B.min()) - 1  # no logits are computed for what all prompts share
    columns_K = torch.arange(shared, width, device=device)  # (K,)
    rows_B1 = torch.arange(len(tokens_BT), device=device).unsqueeze(1)  # (B, 1)
    places_BR = _counted(batch.first_B - 1, batch)  # (B, R)
    mask_BT = torch.ones_like(tokens_BT)  # (B, T)
    return ForwardLayout(
        {"input_ids": tokens_BT, "attention_mask": mask_BT, "use_cache": False},
        places_BR + rows_B1 * width,
        columns_K,
        places_BR - shared + rows_B1 * len(columns_K),
    )


def packed(batch: ResponseBatch) -> ForwardLayout:
    """All texts in one row, without what nobody reads: padding, prompts of several responses
    once more, and the last token of a response, from which nothing is drawn."""
    device = batch.tokens_BT.device
    firsts = batch.first_B.tolist()
    counts = batch.value_mask_BR.sum(1).tolist()
    rows = batch.tokens_BT.tolist()
    alike: dict[tuple[int, ...], list[int]] = {}
    for row, first in enumerate(firsts):
        alike.setdefault(tuple(rows[row][:first]), []).append(row)
    tokens: list[int] = []
    starts = [0] * len(rows)
    groups = []
    for prompt, members in alike.items():
        before = len(prompt) - 1
        tokens += prompt[:before]
        for row in members:
            starts[row] = len(tokens)
            tokens += rows[row][before : before + counts[row]]
        groups.append(Group(before, tuple(counts[row] for row in members)))
    layout = Layout(tuple(groups), causal=True)
    places_BR = _counted(torch.tensor(starts, device=device), batch)  # (B, R)
    columns_K = places_BR[batch.mask_BR]  # (K,)
    numbers_K = torch.arange(len(columns_K), device=device)  # (K,)
    return ForwardLayout(
        {
            "input_ids": torch.tensor([tokens], device=device),
            "attention_mask": layout.as_mask(),
            "position_ids": layout.positions.unsqueeze(0).to(device),
            "use_cache": False,
        },
        places_BR,
        columns_K,
        torch.zeros_like(places_BR).masked_scatter(batch.mask_BR, numbers_K),
    )


def states_at(states_BTD: Tensor, places_BR: Tensor, mask_BR: Tensor) -> Tensor:
    """The states at some places, row after row."""
    return states_BTD.flatten(0, 1).index_select(0, places_BR[mask_BR])  # (N, D)


def takes(model: Any, name: str) -> bool:
    """Whether a model, below the wrapper of an adapter, is called with such an argument."""
    inner = model.get_base_model() if hasattr(model, "get_base_model") else model
    return name in inspect.signature(inner.forward).parameters


def _counted(starts_B: Tensor, batch: ResponseBatch) -> Tensor:
    """The places from each start on, one for each column of the responses."""
    columns_R = torch.arange(batch.mask_BR.shape[1], device=starts_B.device)  # (R,)
    return starts_B.unsqueeze(1) + columns_R  # (B, R)
