"""Tries an operation on small real tensors, to hear from torch itself whether it is allowed.

Fake tensors are not torch: in torch 2.13 they accept mixed dtypes in `mm`, `softmax(dim=2)` of a
matrix, `softmax` of integers. So what passed on fakes is done once more on zeros.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch

from wellshaped.execute.weights.fake.run import Run

MODEST = 2**16
# Each axis may be shortened to one without making the call illegal.
_SHRINKABLE = (
    "mm", "bmm", "addmm", "baddbmm", "addmv", "mv", "dot", "_softmax", "_log_softmax", "sort",
    "cumsum", "gelu", "silu",
)  # fmt: skip
# Legal or not by their values, which zeros do not have, or without a kernel of their own.
_BY_VALUE = ("linalg", "_linalg", "cholesky", "lu_", "inverse", "triangular", "_assert", "_fused")
_HALVES = (torch.float16, torch.bfloat16)


def operand_tensors(value: Any) -> Iterator[torch.Tensor]:
    """The tensors among the arguments of an operation."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from operand_tensors(each)
    elif isinstance(value, dict):
        for each in value.values():
            yield from operand_tensors(each)


def with_tensors(value: Any, change: Callable[[torch.Tensor], torch.Tensor]) -> Any:
    """The arguments or results of an operation with each tensor changed."""
    if isinstance(value, torch.Tensor):
        return change(value)
    if type(value) in (list, tuple):
        return type(value)(with_tensors(each, change) for each in value)
    if type(value) is dict:
        return {name: with_tensors(each, change) for name, each in value.items()}
    return value


class Trials:
    """Tries the operations of one run, each kind once."""

    def __init__(self, run: Run):
        self._run = run

    def check(self, func: Any, args: Any, kwargs: Any) -> None:
        """Raise what torch raises for real tensors of these shapes and dtypes."""
        name = func.overloadpacket.__name__
        if func.is_view or torch.Tag.nondeterministic_seeded in func.tags or _unfit(name):
            return
        tensors = list(operand_tensors((args, kwargs)))
        if any(each.layout is not torch.strided for each in tensors):
            return  # a sparse gradient: zeros of its shape are another kind of tensor
        shrink = sum(each.numel() for each in tensors) > MODEST
        if shrink and name not in _SHRINKABLE:
            return
        key = (func, shrink, _signature((args, kwargs), shrink))
        if key in self._run.tried:
            return
        try:
            self.attempt(func, args, kwargs, shrink=shrink)
        except Exception as error:  # kernels raise what they like, and so would the program
            if not self._excused(error, args):
                raise
        self._run.tried[key] = True

    def _excused(self, error: Exception, args: Any) -> bool:
        """A kernel that only the processor lacks, in a program made for another device."""
        halves = any(each.dtype in _HALVES for each in operand_tensors(args))
        return isinstance(error, NotImplementedError) and halves and bool(self._run.devices)

    def attempt(self, func: Any, args: Any, kwargs: Any, *, shrink: bool = False) -> Any:
        """Do the operation on real tensors; what fails on zeros and on ones is refused."""
        written = _written(func, args, kwargs)
        try:
            return self._done(func, args, kwargs, torch.zeros, written, shrink)
        except Exception:  # zeros may be what it refuses: ones decide
            return self._done(func, args, kwargs, torch.ones, written, shrink)

    def _done(
        self, func: Any, args: Any, kwargs: Any, make: Any, written: set[int], shrink: bool
    ) -> Any:
        def real(tensor: torch.Tensor) -> torch.Tensor:
            if shrink:
                return torch.as_tensor(make((1,) * tensor.dim(), dtype=tensor.dtype))
            if id(tensor) in written or self._run.unknown(tensor):
                return torch.as_tensor(make(tuple(tensor.shape), dtype=tensor.dtype))
            return tensor

        return func(*with_tensors(args, real), **with_tensors(kwargs, real))


def _unfit(name: str) -> bool:
    return name.startswith(_BY_VALUE) or "backward" in name


def _written(func: Any, args: Any, kwargs: Any) -> set[int]:
    return {id(each) for each in written_to(func, args, kwargs)}


def written_to(func: Any, args: Any, kwargs: Any) -> Iterator[torch.Tensor]:
    """The tensors that an operation writes to."""
    for place, argument in enumerate(func._schema.arguments):
        if argument.alias_info is not None and argument.alias_info.is_write:
            given = args[place] if place < len(args) else kwargs.get(argument.name)
            yield from operand_tensors(given)


def _signature(value: Any, shrink: bool) -> Any:
    if isinstance(value, torch.Tensor):
        return (value.dim() if shrink else tuple(value.shape)), value.dtype
    if isinstance(value, (list, tuple)):
        return tuple([_signature(each, shrink) for each in value])
    if isinstance(value, dict):
        return tuple([(name, _signature(each, shrink)) for name, each in value.items()])
    return type(value), str(value)
