"""Listens to the models a program calls: to the outermost ones, when they have answered."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import torch
from torch.nn.modules.module import (
    _global_forward_hooks_with_kwargs,
    register_module_forward_hook,
    register_module_forward_pre_hook,
)
from torch.utils._pytree import tree_flatten

from wellshaped.observe.trace.lineage import Lineage, ModelCall
from wellshaped.source.internal_calls import in_internal_call

_MOST_PARAMETERS = 50_000_000
_MOST_SECONDS = 1.0


@dataclass
class _Calls:
    """The calls of models that are under way, each with the time it began."""

    trace: Lineage
    _inside: list[float] = field(default_factory=list)

    def enter(self, module: torch.nn.Module, args: Any) -> None:
        """A model is called, by the program or by another model."""
        if not in_internal_call() and threading.current_thread() is threading.main_thread():
            self._inside.append(time.thread_time())

    def leave(self, module: torch.nn.Module, args: Any, options: Any, result: Any) -> None:
        """A model has answered; of the outermost one whoever wants to know is told."""
        if in_internal_call() or threading.current_thread() is not threading.main_thread():
            return
        start = self._inside.pop() if self._inside else 0.0
        seconds = time.thread_time() - start
        if self._inside or result is None or self.trace.paused or self.trace.ended:
            return
        with contextlib.suppress(Exception):  # whatever goes wrong with us is not theirs
            fits = _fits(module, seconds)
            call = ModelCall(module, (args, options), tensors_of_result(result), fits)
            for listener in self.trace.on_model_call:
                with contextlib.suppress(Exception):
                    listener(call)


def tensors_of_result(result: Any) -> list[torch.Tensor]:
    """The tensors of what a model gave, in order."""
    return [each for each in tree_flatten(result)[0] if isinstance(each, torch.Tensor)]


def _fits(module: torch.nn.Module, seconds: float) -> bool:
    """Whether a model is small and plain enough to be tried."""
    if isinstance(module, torch.jit.ScriptModule) or seconds > _MOST_SECONDS or _is_hooked(module):
        return False
    weights = list(module.parameters())
    count = sum(each.numel() for each in weights)
    plain = all(each.device.type == "cpu" for each in weights)
    return plain and 0 < count < _MOST_PARAMETERS


def _is_hooked(module: torch.nn.Module) -> bool:
    """Whether some part of it calls functions of the program's when it runs."""
    return any(each._forward_hooks or each._forward_pre_hooks for each in module.modules())


@contextlib.contextmanager
def follow_model_calls(trace: Lineage) -> Iterator[None]:
    """Tell the listeners of a record of the models that are called inside the block."""
    calls = _Calls(trace)
    before = register_module_forward_pre_hook(calls.enter)
    after = register_module_forward_hook(calls.leave, with_kwargs=True, always_call=True)
    try:
        yield
    finally:
        before.remove()
        after.remove()
        # torch 2.13 keeps this mark of a hook that is gone, and warns whoever compiles a module.
        _global_forward_hooks_with_kwargs.pop(after.id, None)
