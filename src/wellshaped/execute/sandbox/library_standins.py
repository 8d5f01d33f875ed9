"""What stands in for library functions that would connect, or start interpreters of their own.

Experiment trackers answer as if they were disabled. Of the processes of a distributed training
the first runs, in the program's own process, where it is watched; its group has no network.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable
from functools import partial, update_wrapper
from types import ModuleType
from typing import Any

from wellshaped.execute.sandbox.import_hooks import Arrivals, Pairs
from wellshaped.execute.sandbox.notes import Notes

Function = Callable[..., Any]
_RANK, _WORLD = "RANK", "WORLD_SIZE"
_SPAWN = ("torch.multiprocessing.spawn", "start_processes")
_GROUP = ("torch.distributed.distributed_c10d", "init_process_group")


def torch_functions() -> list[Any]:
    """What torch has of what is replaced here, as far as it is loaded."""
    pairs = [(sys.modules.get(module), name) for module, name in (_SPAWN, _GROUP)]
    return [getattr(module, name) for module, name in pairs if hasattr(module, name)]


def stand_ins(notes: Notes) -> Arrivals:
    """The changes of all libraries that are known here."""
    disabled = partial(_replace, name="init", make=_disabled)
    first = partial(_replace, name=_SPAWN[1], make=partial(_first_rank, notes=notes))
    return Arrivals(
        {
            "wandb": disabled,
            "wandb.sdk.wandb_init": disabled,
            "joblib.parallel": _sequential,
            "ctypes.util": _without_compiler,
            _SPAWN[0]: first,
            _GROUP[0]: partial(_replace, name=_GROUP[1], make=_alone),
            "torch.nn.parallel.distributed": _not_synchronised,
        }
    )


def _replace(module: ModuleType, *, name: str, make: Callable[[Function], Function]) -> Pairs:
    original = getattr(module, name, None)
    if original is None or getattr(original, "stands_in", False):
        return []  # another version of the library, or one module that shows the other's
    replacement = update_wrapper(make(original), original)
    vars(replacement)["stands_in"] = True
    del vars(replacement)["__wrapped__"]  # `rebind` would turn it into a reference to itself
    setattr(module, name, replacement)
    return [(original, replacement)]


def _disabled(original: Function) -> Function:
    """`wandb.init` with a run that takes everything and keeps nothing."""

    def init(*args: Any, **kwargs: Any) -> Any:
        return original(*args, **{**kwargs, "mode": "disabled"})

    return init


def _sequential(module: ModuleType) -> Pairs:
    """Let `joblib` do its work one after another: `loky` starts interpreters."""
    for name in ("loky", "multiprocessing"):
        module.BACKENDS[name] = module.SequentialBackend
    return []


def _without_compiler(module: ModuleType) -> Pairs:
    """Let `find_library` look in the system's list alone, and ask no compiler (Linux)."""
    for name in ("_findLib_gcc", "_findLib_ld"):
        if hasattr(module, name):
            setattr(module, name, lambda library: None)
    return []


def _first_rank(original: Function, *, notes: Notes) -> Function:
    """`torch.multiprocessing.spawn`: the first of the processes, in this one."""

    def start_processes(
        fn: Function,
        args: tuple[Any, ...] = (),
        nprocs: int = 1,
        join: bool = True,
        *_: Any,
        **__: Any,
    ) -> Any:
        if nprocs > 1:
            notes.unwatched("torch.multiprocessing.spawn", nprocs)
        fn(0, *args)
        context = importlib.import_module("torch.multiprocessing.spawn").ProcessContext
        return None if join else context([], [])

    return start_processes


def _not_synchronised(module: ModuleType) -> Pairs:
    """Let `DistributedDataParallel` keep its own gradients, on the CPU where the model is.

    The fake group has no result for its hook to average (torch 2.13).
    """
    plain = module.DistributedDataParallel.__init__

    def init(
        self: Any,
        module: Any,
        device_ids: Any = None,
        output_device: Any = None,
        *args: Any,
        **kwargs: Any,
    ) -> None:
        on_cpu = all(each.device.type == "cpu" for each in module.parameters())
        devices = (None, None) if on_cpu else (device_ids, output_device)
        plain(self, module, *devices, *args, **kwargs)
        self.require_backward_grad_sync = False

    module.DistributedDataParallel.__init__ = init
    return []


def _alone(original: Function) -> Function:
    """`init_process_group` with torch's fake group: this process, and no others to wait for."""

    def init_process_group(
        backend: Any = None,
        init_method: str | None = None,
        timeout: Any = None,
        world_size: int = -1,
        rank: int = -1,
        store: Any = None,
        *_: Any,
        **__: Any,
    ) -> Any:
        if store is None and min(world_size, rank) < 0 and not {_RANK, _WORLD} <= os.environ.keys():
            return original(backend, init_method)  # it says what is missing
        fake = importlib.import_module("torch.testing._internal.distributed.fake_pg")
        world_size = int(os.environ[_WORLD]) if world_size < 0 else world_size
        rank = int(os.environ[_RANK]) if rank < 0 else rank
        return original("fake", rank=rank, world_size=world_size, store=fake.FakeStore())

    return init_process_group
