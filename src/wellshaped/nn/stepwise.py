"""A recurrence written out step by step: at padding the state is kept as it is.

B rows, T positions, D features, H hidden features, L layers times directions.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
import torch.nn.functional as F
from torch import Tensor, nn

State = tuple[Tensor, ...]


def stepwise(
    layers: nn.LSTM | nn.GRU, inputs_BTD: Tensor, mask_BT: Tensor, state: State
) -> tuple[Tensor, State]:
    """The outputs (B, T, H), and the states (L, B, H) after the last real position."""
    if inputs_BTD.shape[1] == 0:
        # One position, not real: the weights stay part of the graph, as for any empty batch.
        inputs_B1D, mask_B1 = F.pad(inputs_BTD, (0, 0, 0, 1)), F.pad(mask_BT, (0, 1))
        outputs_B1H, final = stepwise(layers, inputs_B1D, mask_B1, state)
        return outputs_B1H[:, :0], final
    directions = 2 if layers.bidirectional else 1
    values, finals = inputs_BTD, []
    for layer in range(layers.num_layers):
        if layer and layers.dropout:
            values = F.dropout(values, layers.dropout, layers.training)
        outputs = []
        for direction in range(directions):
            place = layer * directions + direction
            before = tuple(part[place] for part in state)  # (B, H) each
            output, after = _direction(layers, place, values, mask_BT, before)
            outputs.append(output)
            finals.append(after)
        values = torch.cat(outputs, dim=-1)  # (B, T, H)
    return values, tuple(torch.stack(parts) for parts in zip(*finals, strict=True))


def _direction(
    layers: nn.LSTM | nn.GRU, place: int, values: Tensor, mask_BT: Tensor, state: State
) -> tuple[Tensor, State]:
    weights = layers.all_weights[place]
    steps = range(values.shape[1])
    backward = layers.bidirectional and place % 2 == 1
    outputs = [values.new_zeros(values.shape[0], layers.hidden_size) for _ in steps]
    for step in reversed(steps) if backward else steps:
        mask_B1 = mask_BT[:, step].unsqueeze(1)
        after = _cell(layers, values[:, step], state, weights)
        outputs[step] = after[0].masked_fill(~mask_B1, 0)  # (B, H)
        state = tuple(torch.where(mask_B1, new, old) for new, old in zip(after, state, strict=True))
    return torch.stack(outputs, dim=1), state  # (B, T, H)


def _cell(
    layers: nn.LSTM | nn.GRU, values_BD: Tensor, state: State, weights: Sequence[Tensor]
) -> State:
    if isinstance(layers, nn.LSTM):
        hidden_BH, cell_BH = torch.lstm_cell(values_BD, list(state), *weights)
        return hidden_BH, cell_BH
    return (torch.gru_cell(values_BD, state[0], *weights),)
