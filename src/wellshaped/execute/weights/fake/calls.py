"""Answers what Python asks of torch itself: numbers, text, copies, devices, losses."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from wellshaped.contracts.registry import ROWS, functional
from wellshaped.execute.devices import DEVICE_CALLS, present
from wellshaped.execute.weights.fake.losses import run_loss
from wellshaped.execute.weights.fake.recurrent import RECURRENT
from wellshaped.execute.weights.fake.run import Run
from wellshaped.execute.weights.fake.saved import pickled
from wellshaped.execute.weights.fake.trial import operand_tensors
from wellshaped.execute.weights.fake.values import NoValue, asking_frame

_Answer = Callable[[Run, Any, tuple[Any, ...], dict[str, Any]], Any]
_PRINTED = 1000  # elements up to which `print(tensor)` shows numbers


class Calls(TorchFunctionMode):
    """Above autograd, where `bool(tensor)` and `tensor.numpy()` are still calls."""

    def __init__(self, run: Run):
        super().__init__()
        self._run = run

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        if "device" in kwargs:
            kwargs = {**kwargs, "device": present(self._run.devices, kwargs["device"])}
        answer = _UNKNOWN.get(func)
        if answer is not None and any(map(self._run.unknown, operand_tensors((args, kwargs)))):
            return answer(self._run, func, args, kwargs)
        moved = DEVICE_CALLS.get(func)
        if moved is not None:
            return moved(self._run.devices, func, args, kwargs)
        return func(*args, **kwargs)


def _pinned(run: Run, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return args[0]


def _set_data(run: Run, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`fake.data = real` leaves a fake tensor with a real inside (torch 2.13): make both fake."""
    tensor, value = args
    if not run.unknown(tensor):
        run.overwritten(tensor)
        return func(tensor, torch.zeros(value.shape, dtype=value.dtype))
    if run.unknown(value):
        return func(run.fake(tensor), run.fake(value))
    return func(tensor, run.like(value))


def _truth(run: Run, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    tensor = args[0]
    if tensor.numel() != 1:
        return func(torch.zeros(tensor.shape, dtype=tensor.dtype))  # torch refuses
    return run.values.branch(tensor, asking_frame())


def _handed_out(run: Run, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`.numpy()`, `.tolist()`: done on a real tensor, so torch's own conditions hold."""
    tensor = args[0]
    filled = run.values.filled(tensor).requires_grad_(tensor.requires_grad)
    return func(filled, *args[1:], **kwargs)


def _formatted(run: Run, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    tensor, spec = args
    if tensor.dim():
        return func(run.values.filled(tensor, kind="text"), spec)
    return format(run.values.number(tensor, kind="text"), spec)


def _printed(run: Run, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    tensor = args[0]
    with contextlib.suppress(NoValue):
        if tensor.numel() <= _PRINTED:
            return func(run.values.filled(tensor, kind="text"), *args[1:], **kwargs)
        run.values.note("text", tensor)
    return f"tensor(..., size={tuple(tensor.shape)}, dtype={tensor.dtype})"


def _listed(run: Run, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`torch.tensor([loss1, loss2])`: numbers are read out of tensors, from C++."""
    if isinstance(args[0], torch.Tensor):
        return func(*args, **kwargs)

    def number(value: Any) -> Any:
        if isinstance(value, (list, tuple)):
            return [number(each) for each in value]
        unknown = isinstance(value, torch.Tensor) and run.unknown(value)
        return run.values.filled(value).tolist() if unknown else value

    result = func(number(args[0]), *args[1:], **kwargs)
    run.overwritten(result)
    return result


def _copied(run: Run, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Deep copies: torch 2.13 asks a fake tensor for its storage, which it does not have."""
    tensor, memo = args
    if id(tensor) in memo:
        return memo[id(tensor)]
    if not tensor.is_leaf:
        return func(torch.zeros((), requires_grad=True) + 0, {})  # torch refuses
    copy = run.like(tensor)
    if isinstance(tensor, torch.nn.Parameter):
        copy = torch.nn.Parameter(copy, tensor.requires_grad)
        run.count(copy)
    else:
        copy.requires_grad_(tensor.requires_grad)
    memo[id(tensor)] = copy
    return copy


def _no_address(run: Run, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> int:
    return id(args[0])  # programs compare addresses to find shared weights


_Tensor = torch.Tensor
_setter: Any = _Tensor.data.__set__  # type: ignore[attr-defined]
_UNKNOWN: dict[Any, _Answer] = {
    **{functional(name): run_loss for name in ROWS if name != "adaptive_log_softmax_with_loss"},
    **dict.fromkeys((_Tensor.numpy, _Tensor.tolist, _Tensor.__array__), _handed_out),
    **RECURRENT,
    **dict.fromkeys((torch.tensor, torch.as_tensor), _listed),
    _Tensor.__bool__: _truth,
    _Tensor.__format__: _formatted,
    _Tensor.__repr__: _printed,
    _Tensor.__deepcopy__: _copied,
    _Tensor.__reduce_ex__: pickled,
    _Tensor.data_ptr: _no_address,
    _Tensor.pin_memory: _pinned,
    _setter: _set_data,
}
