"""Runs the operations of a program: real on real tensors, by shape alone behind a weight."""

from __future__ import annotations

import contextlib
import sys
from math import prod
from types import FrameType
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor
from torch.utils._python_dispatch import TorchDispatchMode

from wellshaped.execute.weights.fake.memo import UNKNOWN, Memo
from wellshaped.execute.weights.fake.rules import RULES
from wellshaped.execute.weights.fake.run import Run
from wellshaped.execute.weights.fake.trial import (
    MODEST,
    Trials,
    operand_tensors,
    with_tensors,
    written_to,
)
from wellshaped.execute.weights.fake.value_ranges import note_value_range

_FACTORIES = ("empty", "rand", "randn", "zeros", "ones", "full", "normal", "empty_strided")
_A_WEIGHT = 2**18
_META = torch.device("meta")
# Asked by torch about fake tensors, more often than anything is computed.
_DEVICE = torch.ops.prim.device.default
_SIZE = torch.ops.aten.size.default


class Operations(TorchDispatchMode):
    """Below autograd, so that graphs and backward passes are torch's own."""

    def __init__(self, run: Run):
        super().__init__()  # type: ignore[no-untyped-call]
        self._run = run
        self._trials = Trials(run)
        self._memo = Memo(run)

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False  # nothing is compiled here, and the wrapper costs a tenth of the run

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        if func is _DEVICE and isinstance(args[0], FakeTensor):
            return args[0].fake_device
        kwargs = kwargs or {}
        if func is _SIZE or func is _DEVICE:
            return func(*args, **kwargs)
        tensors = list(operand_tensors((args, kwargs)))
        if not any(map(self._run.unknown, tensors)):
            if not tensors and _makes_weight(func, args, kwargs):
                with self._run.fakes:
                    return func(*args, **kwargs)
            return func(*args, **kwargs)
        for tensor in written_to(func, args, kwargs):
            self._run.overwritten(tensor)
        rule = RULES.get(func.overloadpacket.__name__)
        if rule is not None:
            args = rule.prepare(self._run, args) if rule.prepare else args
            if rule.answer is not None:
                return rule.answer(self._run, *args, **kwargs)
        key = self._memo.key(func, args, kwargs)
        result = self._memo.recall(key, args)
        if result is UNKNOWN:
            result = self._by_shape(func, args, kwargs)
            self._memo.learn(key, result)
        note_value_range(func.overloadpacket.__name__, args, result)
        return result

    def _by_shape(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if func.is_view and isinstance(args[0], FakeTensor):
            with contextlib.suppress(Exception):  # the long way says what is wrong
                return self._run.viewed(func, args, kwargs)
        given, options = self._faked(args), self._faked(kwargs)
        try:
            result = func(*given, **options)
        except Exception as error:  # of any kind: real tensors decide
            return self._by_trial(func, args, kwargs, error)
        self._trials.check(func, args, kwargs)
        return result

    def _by_trial(self, func: Any, args: Any, kwargs: Any, error: Exception) -> Any:
        """What torch does with real tensors: its own exception, or shapes that fakes refuse."""
        if sum(each.numel() for each in operand_tensors((args, kwargs))) > MODEST * 16:
            raise error
        result = self._trials.attempt(func, args, kwargs)
        changed = next(iter(written_to(func, args, kwargs)), None)
        return with_tensors(result, self._run.like) if changed is None else changed

    def _faked(self, value: Any) -> Any:
        def fake(tensor: torch.Tensor) -> torch.Tensor:
            return self._run.fake(tensor) if self._run.unknown(tensor) else tensor

        return with_tensors(value, fake)


def _makes_weight(func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether this is a large new tensor inside the constructor of a module.

    Small ones stay real: masks and position tables are read by the program's own code.
    """
    if func.overloadpacket.__name__ not in _FACTORIES or kwargs.get("device") == _META:
        return False
    size = next((each for each in args if isinstance(each, (list, tuple))), ())
    return prod(size) >= _A_WEIGHT and _in_constructor(sys._getframe(2))


def _in_constructor(frame: FrameType | None) -> bool:
    while frame is not None:
        code = frame.f_code
        if code.co_name == "__init__" and code.co_argcount:
            owner = frame.f_locals.get(code.co_varnames[0])
            if isinstance(owner, torch.nn.Module):
                return True
        frame = frame.f_back
    return False
