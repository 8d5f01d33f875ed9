"""The layers and directions of a recurrent module, one after another.

B rows, T positions, D features, H hidden features, L layers times directions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
import torch.nn.functional as F
from torch import Tensor, nn

State = tuple[Tensor, ...]
# Weights, values (B, T, D), the states (B, H) before, whether backward: outputs, and states after.
Direction = Callable[[Sequence[Tensor], Tensor, State, bool], tuple[Tensor, State]]


def run_layers(
    layers: nn.LSTM | nn.GRU, inputs_BTD: Tensor, state: State, run: Direction
) -> tuple[Tensor, State]:
    """The outputs (B, T, H) of the last layer, and the states (L, B, H) of all, each by `run`."""
    directions = 2 if layers.bidirectional else 1
    values, finals = inputs_BTD, []
    for layer in range(layers.num_layers):
        if layer and layers.dropout:
            values = F.dropout(values, layers.dropout, layers.training)
        outputs = []
        for direction in range(directions):
            place = layer * directions + direction
            before = tuple(part[place] for part in state)  # (B, H) each
            output, after = run(layers.all_weights[place], values, before, direction == 1)
            outputs.append(output)
            finals.append(after)
        values = torch.cat(outputs, dim=-1)  # (B, T, H)
    return values, tuple(torch.stack(parts) for parts in zip(*finals, strict=True))
