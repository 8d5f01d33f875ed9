"""Recurrent layers over padded rows: each row gives what it gives alone, in any order of lengths.

B rows, T positions, D features, H hidden features, L layers times directions. `real` is lengths
(B,), a mask (B, T) or a `Padded`: see `nn.real`. Outputs are 0 at padding. The rows are packed, or
on a CPU cut into spans of positions, which is faster; `torch.export`, which can follow neither, is
shown the same recurrence step by step, for one size of T.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar, TypeVar

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence, pad_packed_sequence

from wellshaped.batch.ragged import mask_of
from wellshaped.nn.layer_stack import State
from wellshaped.nn.real import Real, as_mask, as_tensor, without_padding
from wellshaped.nn.spans import by_spans, gather_steps
from wellshaped.nn.stepwise import stepwise
from wellshaped.records.phrase import UserError

# A padded tensor (B, T, D), or the same packed.
Rows = TypeVar("Rows", Tensor, PackedSequence)


class _Masked(nn.Module):
    """What both kinds share: their layers, and the way through the packing."""

    layers: nn.LSTM | nn.GRU
    _kind: ClassVar[type[nn.LSTM] | type[nn.GRU]]

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        *,
        dropout: float = 0.0,
        bidirectional: bool = False,
    ) -> None:
        super().__init__()
        self.layers = self._kind(
            input_size,
            hidden_size,
            num_layers,
            batch_first=True,
            dropout=dropout,
            bidirectional=bidirectional,
        )

    @abstractmethod
    def initial(self, inputs_BTD: Tensor) -> State:
        """The states before the first position, where none are given: zeros (L, B, H)."""

    def _run(self, inputs_BTD: Tensor, real: Real, state: State | None) -> tuple[Tensor, State]:
        mask_BT = as_mask(real, inputs_BTD)
        before = self.initial(inputs_BTD) if state is None else state
        if torch.compiler.is_exporting() or inputs_BTD.shape[0] == 0:
            return stepwise(self.layers, without_padding(inputs_BTD, mask_BT), mask_BT, before)
        lengths_B = _lengths(mask_BT)
        if as_tensor(real).dim() == 1:
            return self._in_order(inputs_BTD, lengths_B, before)
        # The real positions first, in their order; and back again.
        order_BT = mask_BT.int().argsort(dim=1, descending=True, stable=True)
        outputs_BTH, final = self._in_order(gather_steps(inputs_BTD, order_BT), lengths_B, before)
        return gather_steps(outputs_BTH, order_BT.argsort(dim=1)), final

    def _in_order(
        self, inputs_BTD: Tensor, lengths_B: Tensor, state: State
    ) -> tuple[Tensor, State]:
        # Spans would be compiled anew for other lengths; CUDA has one call for packed rows.
        if torch.compiler.is_compiling() or inputs_BTD.is_cuda:
            return self._packed(inputs_BTD, lengths_B, state)
        if lengths_B.min() == inputs_BTD.shape[1]:
            return self._layers(inputs_BTD, state)
        mask_BT = mask_of(lengths_B.to(inputs_BTD.device), inputs_BTD.shape[1])
        return by_spans(self.layers, without_padding(inputs_BTD, mask_BT), lengths_B, state)

    def _packed(self, inputs_BTD: Tensor, lengths_B: Tensor, state: State) -> tuple[Tensor, State]:
        packed = pack_padded_sequence(inputs_BTD, lengths_B, batch_first=True, enforce_sorted=False)
        outputs, final = self._layers(packed, state)
        outputs_BTH, _ = pad_packed_sequence(
            outputs, batch_first=True, total_length=inputs_BTD.shape[1]
        )
        return outputs_BTH, final

    @abstractmethod
    def _layers(self, inputs: Rows, state: State) -> tuple[Rows, State]: ...


class MaskedLSTM(_Masked):
    """`nn.LSTM` over padded rows: `outputs_BTH, (hidden_LBH, cell_LBH)`."""

    layers: nn.LSTM
    _kind = nn.LSTM

    def forward(
        self, inputs_BTD: Tensor, real: Real, state: tuple[Tensor, Tensor] | None = None
    ) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """The outputs, 0 at padding, and the states after the last real position of each row."""
        outputs_BTH, (hidden_LBH, cell_LBH) = self._run(inputs_BTD, real, state)
        return outputs_BTH, (hidden_LBH, cell_LBH)

    def initial(self, inputs_BTD: Tensor) -> State:
        return _zeros(self.layers, inputs_BTD), _zeros(self.layers, inputs_BTD)

    def _layers(self, inputs: Rows, state: State) -> tuple[Rows, State]:
        outputs, (hidden_LBH, cell_LBH) = self.layers(inputs, state)
        return outputs, (hidden_LBH, cell_LBH)


class MaskedGRU(_Masked):
    """`nn.GRU` over padded rows: `outputs_BTH, hidden_LBH`."""

    layers: nn.GRU
    _kind = nn.GRU

    def forward(
        self, inputs_BTD: Tensor, real: Real, state: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """The outputs, 0 at padding, and the states after the last real position of each row."""
        given = None if state is None else (state,)
        outputs_BTH, (hidden_LBH,) = self._run(inputs_BTD, real, given)
        return outputs_BTH, hidden_LBH

    def initial(self, inputs_BTD: Tensor) -> State:
        return (_zeros(self.layers, inputs_BTD),)

    def _layers(self, inputs: Rows, state: State) -> tuple[Rows, State]:
        outputs, hidden_LBH = self.layers(inputs, state[0])
        return outputs, (hidden_LBH,)


def _lengths(mask_BT: Tensor) -> Tensor:
    """The lengths, on the CPU as packing wants them; a row of none is refused."""
    lengths_B = mask_BT.sum(1).cpu()
    if (lengths_B == 0).any():
        raise UserError("WS923", "row_without_positions", row=int((lengths_B == 0).int().argmax()))
    return lengths_B


def _zeros(layers: nn.LSTM | nn.GRU, inputs_BTD: Tensor) -> Tensor:
    count = layers.num_layers * (2 if layers.bidirectional else 1)
    return inputs_BTD.new_zeros(count, inputs_BTD.shape[0], layers.hidden_size)  # (L, B, H)
