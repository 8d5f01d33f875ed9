"""A recurrence written out step by step: at padding the state is kept as it is.

B rows, T positions, D features, H hidden features, L layers times directions.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from wellshaped.nn.layer_stack import State, run_layers


def stepwise(
    layers: nn.LSTM | nn.GRU, inputs_BTD: Tensor, mask_BT: Tensor, state: State
) -> tuple[Tensor, State]:
    """The outputs (B, T, H), and the states (L, B, H) after the last real position."""
    if inputs_BTD.shape[1] == 0:
        # One position, not real: the weights stay part of the graph, as for any empty batch.
        inputs_B1D, mask_B1 = F.pad(inputs_BTD, (0, 0, 0, 1)), F.pad(mask_BT, (0, 1))
        outputs_B1H, final = stepwise(layers, inputs_B1D, mask_B1, state)
        return outputs_B1H[:, :0], final

    def run(
        weights: Sequence[Tensor], values: Tensor, state: State, backward: bool
    ) -> tuple[Tensor, State]:
        outputs = {}
        steps = range(values.shape[1])
        for step in reversed(steps) if backward else steps:
            mask_B1 = mask_BT[:, step].unsqueeze(1)
            after = _cell(values[:, step], state, weights)
            outputs[step] = after[0].masked_fill(~mask_B1, 0)  # (B, H)
            pairs = zip(after, state, strict=True)
            state = tuple(torch.where(mask_B1, new, old) for new, old in pairs)
        return torch.stack([outputs[step] for step in steps], dim=1), state  # (B, T, H)

    return run_layers(layers, inputs_BTD, state, run)


def _cell(values_BD: Tensor, state: State, weights: Sequence[Tensor]) -> State:
    if len(state) == 2:
        hidden_BH, cell_BH = torch.lstm_cell(values_BD, list(state), *weights)
        return hidden_BH, cell_BH
    return (torch.gru_cell(values_BD, state[0], *weights),)
