"""Recurrent layers and packed sequences behind a weight: a few steps for all.

Torch unrolls them in C++, an operation for each gate of each step: minutes on fakes. The shape
of the result does not depend on the number of steps, so few are tried and the rest is known.
"""

from __future__ import annotations

from typing import Any

import torch

from wellshaped.execute.weights.fake.graph import OperationResult, tied
from wellshaped.execute.weights.fake.run import Run
from wellshaped.execute.weights.fake.trial import operand_tensors

_MODEST = 2**20
_functions: Any = torch._C._VariableFunctions


def run_recurrent(run: Run, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`lstm`, `gru`, `rnn_tanh`, `rnn_relu`, on padded or on packed sequences."""
    packed = isinstance(args[1], torch.Tensor) and isinstance(args[3], (list, tuple))
    data, hidden = args[0], args[2] if packed else args[1]
    both = bool(args[8] if packed else args[7])
    states = tuple(hidden) if isinstance(hidden, (list, tuple)) else (hidden,)
    swapped = _packed_tried(run, func, args) if packed else _padded_tried(run, func, args)
    sources = list(operand_tensors(args[:1] + args[2:] if packed else args))
    shape = (*data.shape[:-1], states[0].shape[-1] * (2 if both else 1))
    output = tied(run, OperationResult(shape, data.dtype, swapped=swapped), sources)
    shapes = [tuple(state.shape) for state in states]
    return (output, *(tied(run, OperationResult(each, data.dtype), sources) for each in shapes))


def _padded_tried(run: Run, func: Any, args: tuple[Any, ...]) -> bool:
    """Let torch refuse what does not fit, on two steps of zeros; whether its result is swapped."""
    data, *rest = args
    batch_first = bool(rest[-1])
    if sum(each.numel() for each in operand_tensors(rest)) > _MODEST:
        return batch_first
    key = _key(func, args)
    if key not in run.tried:
        steps = data[:, :2] if batch_first and data.dim() == 3 else data[:2]
        output = func(_real(steps), *(_real(each) for each in rest))[0]
        run.tried[key] = not output.is_contiguous()
    return bool(run.tried[key])


def _packed_tried(run: Run, func: Any, args: tuple[Any, ...]) -> bool:
    """As for padded ones, on one step, unless the sizes of the steps do not add up."""
    data, sizes, *rest = args
    key = _key(func, args)
    modest = sum(each.numel() for each in operand_tensors(rest)) <= _MODEST
    if run.unknown(sizes):
        return False
    if int(sizes.sum()) != data.shape[0]:
        func(_real(data), sizes, *(_real(each) for each in rest))
    elif modest and key not in run.tried:
        rows = int(sizes[0])
        func(_real(data[:rows]), torch.tensor([rows]), *(_real(each) for each in rest))
        run.tried[key] = True
    return False


def _key(func: Any, args: tuple[Any, ...]) -> Any:
    layout = tuple([(tuple(each.shape), each.dtype) for each in operand_tensors(args)])
    return func, layout, torch.is_grad_enabled(), args[-3:]


def _real(value: Any) -> Any:
    """Zeros that want a gradient where the tensor does: torch has other kernels for inference."""
    if isinstance(value, (list, tuple)):
        return [_real(each) for each in value]
    if not isinstance(value, torch.Tensor) or not value.is_floating_point():
        return value
    made = torch.zeros(tuple(value.shape), dtype=value.dtype)
    return made.requires_grad_(value.requires_grad)


def run_unpacking(run: Run, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`pad_packed_sequence`: torch fills a real tensor from C++; sizes come from one column."""
    packed, sizes, *rest = args
    if run.unknown(sizes):
        return func(*args, **kwargs)
    padded, lengths = func(torch.zeros(packed.shape[:1]), sizes, *rest, **kwargs)
    shape = (*padded.shape, *packed.shape[1:])
    outcome = OperationResult(shape, packed.dtype, swapped=not padded.is_contiguous())
    return tied(run, outcome, (packed,)), lengths


RECURRENT: dict[Any, Any] = {
    **dict.fromkeys(
        (_functions.lstm, _functions.gru, _functions.rnn_tanh, _functions.rnn_relu), run_recurrent
    ),
    _functions._pad_packed_sequence: run_unpacking,
}
