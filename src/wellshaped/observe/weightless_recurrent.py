"""Recurrent layers and packed sequences behind a weight: one step for all.

Torch unrolls them in C++, an operation for each gate of each step: minutes on fakes. The shape
of the result does not depend on the number of steps, so one is tried and the rest is known.
"""

from __future__ import annotations

from typing import Any

import torch

from wellshaped.observe.weightless_graph import Outcome, tied
from wellshaped.observe.weightless_run import Run
from wellshaped.observe.weightless_trial import tensors_in

_MODEST = 2**20
_functions: Any = torch._C._VariableFunctions


def run_recurrent(run: Run, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`lstm`, `gru`, `rnn_tanh`, `rnn_relu`, on padded or on packed sequences."""
    packed = isinstance(args[1], torch.Tensor) and isinstance(args[3], (list, tuple))
    data, hidden = args[0], args[2] if packed else args[1]
    both = bool(args[8] if packed else args[7])
    states = tuple(hidden) if isinstance(hidden, (list, tuple)) else (hidden,)
    _try_one_step(run, func, args, packed)
    shape = (*data.shape[:-1], states[0].shape[-1] * (2 if both else 1))
    sources = list(tensors_in(args[:1] + args[2:] if packed else args))
    shapes = [shape, *(tuple(state.shape) for state in states)]
    return tuple(tied(run, Outcome(each, data.dtype), sources) for each in shapes)


def _try_one_step(run: Run, func: Any, args: tuple[Any, ...], packed: bool) -> None:
    """Let torch refuse sizes and dtypes that do not fit, on zeros."""
    size = sum(each.numel() for each in tensors_in(args[1:]))
    key = (func, [(tuple(each.shape), each.dtype) for each in tensors_in(args)], args[-3:])
    if size > _MODEST or str(key) in run.tried:
        return
    data, *rest = args
    if packed:
        rows = int(rest[0][0]) if not run.unknown(rest[0]) else data.shape[0]
        step, rest[0] = _zeros(data[:rows]), torch.tensor([rows])
    else:
        step = _zeros(data[:, :1] if rest[-1] and data.dim() == 3 else data[:1])
    func(step, *(_real(each) for each in rest))
    run.tried.add(str(key))


def _real(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_real(each) for each in value]
    return _zeros(value) if isinstance(value, torch.Tensor) and value.is_floating_point() else value


def _zeros(tensor: torch.Tensor) -> torch.Tensor:
    return torch.zeros(tuple(tensor.shape), dtype=tensor.dtype)


def run_unpacking(run: Run, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`pad_packed_sequence`: torch fills a real tensor from C++; sizes come from one column."""
    packed, sizes, *rest = args
    if run.unknown(sizes):
        return func(*args, **kwargs)
    padded, lengths = func(torch.zeros(packed.shape[:1]), sizes, *rest, **kwargs)
    outcome = Outcome((*padded.shape, *packed.shape[1:]), packed.dtype)
    return tied(run, outcome, (packed,)), lengths


RECURRENT: dict[Any, Any] = {
    **dict.fromkeys(
        (_functions.lstm, _functions.gru, _functions.rnn_tanh, _functions.rnn_relu), run_recurrent
    ),
    _functions._pad_packed_sequence: run_unpacking,
}
