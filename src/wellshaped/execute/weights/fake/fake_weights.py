"""A context in which data stays real and everything behind a weight is only shape and dtype.

Parameters become fake tensors on one shared mode; a real tensor that meets a fake one is
converted there, so files, datasets, collate functions, lengths and masks are the program's
own, and a model of any size costs nothing. Used around a user's unmodified program, in a
process made for it.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Iterator
from typing import Any

import torch

from wellshaped.execute.devices import device_patches
from wellshaped.execute.eager import as_it_is, eager_patches
from wellshaped.execute.patches import Patch, patched
from wellshaped.execute.weights.fake.calls import Calls
from wellshaped.execute.weights.fake.losses import run_adaptive
from wellshaped.execute.weights.fake.operations import Operations
from wellshaped.execute.weights.fake.run import Run
from wellshaped.execute.weights.fake.safetensors import file_patches
from wellshaped.execute.weights.fake.saved import load_patch, restored
from wellshaped.execute.weights.fake.values import StandIn

__all__ = ["Run", "StandIn", "fake_weights"]


@contextlib.contextmanager
def fake_weights(seed: int = 0) -> Iterator[Run]:
    """Run the block without weights; the run tells afterwards what rests on stand-ins."""
    run = Run(seed)
    with contextlib.ExitStack() as stack:
        patches = (*_patches(run), *file_patches(run), *eager_patches())
        for patch in (*patches, *device_patches(run.devices)):
            stack.enter_context(patched(patch))
        stack.enter_context(_quiet("torch._subclasses.fake_tensor"))
        stack.enter_context(Operations(run))
        stack.enter_context(Calls(run))
        yield run


@contextlib.contextmanager
def _quiet(name: str) -> Iterator[None]:
    """A refused shape is logged by fakes with its whole traceback before it is raised."""
    logger = logging.getLogger(name)
    plain, logger.disabled = logger.disabled, True
    try:
        yield
    finally:
        logger.disabled = plain


def _patches(run: Run) -> Iterator[Patch]:
    adaptive = torch.nn.AdaptiveLogSoftmaxWithLoss
    plain = adaptive.forward

    def forward(self: Any, *args: Any, **kwargs: Any) -> Any:
        return run_adaptive(run, self, plain, *args, **kwargs)

    yield adaptive, "forward", forward
    yield torch.nn.Parameter, "__new__", staticmethod(_new_parameter(run))
    yield torch.nn.Module, "register_parameter", _register(run)
    yield torch.jit, "script", as_it_is
    yield torch.jit, "trace", as_it_is
    yield torch, "load", load_patch(run)
    yield torch.utils, "swap_tensors", _swap(run)


def _new_parameter(run: Run) -> Callable[..., Any]:
    plain = torch.nn.Parameter.__new__

    def new(cls: type, data: Any = None, requires_grad: bool = True) -> Any:
        # A real one would do its arithmetic; a subclass has its own idea of what it holds.
        if cls is torch.nn.Parameter and type(data) in (torch.Tensor, torch.nn.Parameter):
            kept = restored(run, data)
            data = run.like(data) if kept is data else kept
        elif cls is torch.nn.Parameter and data is None:
            data = run.empty((0,), torch.get_default_dtype())
        return plain(cls, data, requires_grad)

    return new


def _register(run: Run) -> Callable[..., None]:
    plain = torch.nn.Module.register_parameter

    def register_parameter(self: Any, name: str, param: Any) -> None:
        plain(self, name, param)
        if param is not None and not torch.nn.parameter.is_lazy(param):
            run.count(param)

    return register_parameter


def _swap(run: Run) -> Callable[..., None]:
    """`module.to(…)` swaps fake parameters (torch 2.13), and refuses if anybody watches one."""
    plain: Any = torch.utils.swap_tensors

    def swap_tensors(t1: torch.Tensor, t2: torch.Tensor) -> None:
        if t1 is t2:
            return
        if run.unknown(t1) and run.unknown(t2):
            t1.data = t2.detach()
        else:
            plain(t1, t2)

    return swap_tensors
