"""A recurrence over spans of positions, each with the rows that still go on: few steps are wasted.

B rows, T positions, D features, H hidden features, L layers times directions, N rows that go on.
On a CPU torch runs a padded tensor in one fused call, and a packed one step by step, several times
slower in training (torch 2.13). A span is padded: rows that end in it are carried to its end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from wellshaped.nn.layer_stack import State, run_layers
from wellshaped.nn.real import without_padding

# A span is at least so long: fewer spans waste steps, more waste calls.
_LEAST = 8
# Added to the gates of an LSTM at padding: the sigmoid of it is exactly 1, of its negative 0.
_SHUT = 1e4


@dataclass(frozen=True, slots=True)
class Span:
    """The positions from `start` to before `stop`, where the first `rows` rows have any."""

    start: int
    stop: int
    rows: int


def by_spans(
    layers: nn.LSTM | nn.GRU, inputs_BTD: Tensor, lengths_B: Tensor, state: State
) -> tuple[Tensor, State]:
    """The outputs (B, T, H), and the states (L, B, H) after the last position of each row.

    Rows are padded on the right, with zeros, and none is empty; the lengths are on the CPU.
    """
    order_B = lengths_B.argsort(descending=True, stable=True)
    spans = spans_of(lengths_B[order_B].tolist())
    order_B, back_B = order_B.to(inputs_BTD.device), order_B.argsort().to(inputs_BTD.device)
    ends_B = lengths_B.to(inputs_BTD.device)[order_B]
    positions_T = torch.arange(inputs_BTD.shape[1], device=inputs_BTD.device)
    mask_BT = positions_T < ends_B.unsqueeze(1)
    reverse_BT = torch.where(mask_BT, ends_B.unsqueeze(1) - 1 - positions_T, positions_T)

    def run(
        weights: Sequence[Tensor], values: Tensor, before: State, backward: bool
    ) -> tuple[Tensor, State]:
        values = gather_steps(values, reverse_BT) if backward else values
        outputs_BTH, after = _direction(weights, values, mask_BT, before, spans)
        last_BH = gather_steps(outputs_BTH, (ends_B - 1).unsqueeze(1)).squeeze(1)
        outputs_BTH = gather_steps(outputs_BTH, reverse_BT) if backward else outputs_BTH
        return outputs_BTH, (last_BH, *after[1:])

    inputs_BTD = inputs_BTD.index_select(0, order_B)
    state = tuple(part.index_select(1, order_B) for part in state)
    outputs_BTH, final = run_layers(layers, inputs_BTD, state, run)
    back = (part.index_select(1, back_B) for part in final)
    return outputs_BTH.index_select(0, back_B), tuple(back)


def spans_of(lengths: Sequence[int]) -> list[Span]:
    """The spans of rows whose lengths fall: each ends where half of its rows have ended."""
    spans, start, rows = [], 0, len(lengths)
    while rows:
        stop = min(max(lengths[rows // 2], start + _LEAST), lengths[0])
        spans.append(Span(start, stop, rows))
        start, rows = stop, sum(length > stop for length in lengths[:rows])
    return spans


def gather_steps(values: Tensor, places_BT: Tensor) -> Tensor:
    """The values (B, T, D) at these places of each row."""
    return values.gather(1, places_BT.unsqueeze(-1).expand(-1, -1, values.shape[-1]))


def _direction(
    weights: Sequence[Tensor], values: Tensor, mask_BT: Tensor, state: State, spans: list[Span]
) -> tuple[Tensor, State]:
    """The outputs, 0 at padding, and the states that rows were carried with to their span's end."""
    if len(state) == 2:
        weights, values = _shut_at_padding(weights, values, mask_BT)
    outputs, ended = [], []
    alive = tuple(part.unsqueeze(0) for part in state)  # (1, N, H) each
    for span in spans:
        ended.append(tuple(part[:, span.rows :] for part in alive))
        alive = tuple(part[:, : span.rows].contiguous() for part in alive)
        steps_NTD = values[: span.rows, span.start : span.stop]
        steps_NTH, alive = _fused(steps_NTD, alive, weights)
        idle = mask_BT.shape[0] - span.rows
        outputs.append(nn.functional.pad(steps_NTH, (0, 0, 0, 0, 0, idle)))  # (B, T, H)
    ended.append(alive)
    final = (torch.cat(parts[::-1], dim=1)[0] for parts in zip(*ended, strict=True))
    beyond = mask_BT.shape[1] - spans[-1].stop
    outputs_BTH = nn.functional.pad(torch.cat(outputs, dim=1), (0, 0, 0, beyond))
    return without_padding(outputs_BTH, mask_BT), tuple(final)


def _shut_at_padding(
    weights: Sequence[Tensor], values: Tensor, mask_BT: Tensor
) -> tuple[Sequence[Tensor], Tensor]:
    """One more feature, 1 at padding, that opens the forget gate and shuts the input gate."""
    inputs, *rest = weights
    column = inputs.new_zeros(4, inputs.shape[0] // 4, 1)  # input, forget, cell, output
    column[0], column[1] = -_SHUT, _SHUT
    padding_BT1 = (~mask_BT).unsqueeze(-1).to(values.dtype)
    wider = torch.cat([inputs, column.flatten(0, 1)], dim=1)
    return (wider, *rest), torch.cat([values, padding_BT1], dim=-1)


def _fused(steps_NTD: Tensor, state: State, weights: Sequence[Tensor]) -> tuple[Tensor, State]:
    """One layer in one direction, by torch: the weights with biases, batch first."""
    options = (True, 1, 0.0, torch.is_grad_enabled(), False, True)
    device = steps_NTD.device.type
    if len(state) == 2 and device == "cpu" and torch.is_autocast_enabled(device):
        # torch 2.13 hands bfloat16 to oneDNN here, on CPUs too for which oneDNN has no such LSTM.
        kind = torch.get_autocast_dtype(device)
        with torch.autocast(device, enabled=False):
            coarse = tuple(part.to(kind) for part in state)
            return _fused(steps_NTD.to(kind), coarse, [weight.to(kind) for weight in weights])
    if len(state) == 2:
        outputs, hidden, cell = torch.lstm(steps_NTD, list(state), list(weights), *options)
        return outputs, (hidden, cell)
    outputs, hidden = torch.gru(steps_NTD, state[0], list(weights), *options)
    return outputs, (hidden,)
