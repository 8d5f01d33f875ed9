"""The processes that train together, through accelerate: one on a laptop, many on a cluster."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import torch
from accelerate import Accelerator
from accelerate.state import AcceleratorState, PartialState
from accelerate.utils import DistributedType, broadcast_object_list

from wellshaped.records.phrase import UserError
from wellshaped.train.distributed.engine_config import sharing
from wellshaped.train.loop_settings import Precision

__all__ = [
    "Accelerator",
    "asks_deepspeed",
    "is_sharded",
    "join",
    "on_first_process",
    "sum_over_processes",
]

_DEEPSPEED = "ACCELERATE_USE_DEEPSPEED"


def join(
    *, precision: Precision = "no", trackers: tuple[str, ...] = (), folder: Path | None = None
) -> Accelerator:
    """This process as one of those that `accelerate launch` started, or on its own."""
    if asks_deepspeed():
        sharing()
    with _deepspeed_aside():
        state = PartialState(cpu=_asked("ACCELERATE_USE_CPU"))
        _refuse_precision(precision, state.device)
        if _asked("ACCELERATE_USE_FSDP"):
            if os.environ.get("FSDP_VERSION", "1") != "2":
                raise UserError("WS988", "no_fsdp1")
            _shard_anywhere(state)
        # The choice of an earlier run in this process is none of ours.
        AcceleratorState._reset_state()
        accelerator = Accelerator(
            mixed_precision=precision,
            log_with=list(trackers) or None,
            project_dir=None if folder is None else str(folder),
        )
    if accelerator.is_fsdp2:
        from torch.distributed.fsdp import MixedPrecisionPolicy

        # Accelerate would round what a model returns as well: rewards would tie, and ratios not
        # be 1. Operations are cast by autocast, as in one process.
        accelerator.state.fsdp_plugin.mixed_precision_policy = MixedPrecisionPolicy()
    return accelerator


def asks_deepspeed() -> bool:
    """Whether the steps are to go through DeepSpeed's engine."""
    return _asked(_DEEPSPEED)


def is_sharded(accelerator: Accelerator) -> bool:
    """Whether a process may hold a part only of what is learned: weights, or their optimizer."""
    return bool(accelerator.is_fsdp2) or asks_deepspeed()


@contextlib.contextmanager
def _deepspeed_aside() -> Iterator[None]:
    """Have accelerate know of the processes only: its own engine steps inside backward."""
    told = os.environ.pop(_DEEPSPEED, None)
    try:
        yield
    finally:
        if told is not None:
            os.environ[_DEEPSPEED] = told


def _refuse_precision(precision: Precision, device: torch.device) -> None:
    if precision == "fp16" and device.type == "cpu":
        raise UserError("WS988", "no_fp16")
    if precision == "fp16" and asks_deepspeed():
        raise UserError("WS988", "no_deepspeed_fp16")


def _asked(name: str) -> bool:
    """Whether `accelerate launch` was told to, which speaks through the environment."""
    return os.environ.get(name, "").lower() in ("1", "true", "yes")


def _shard_anywhere(state: PartialState) -> None:
    """Have accelerate shard on processors too, and in every run of this process.

    Accelerate 1.15 takes FSDP for several devices of one kind only, and asks before it is set.
    """
    if state.distributed_type in (DistributedType.MULTI_CPU, DistributedType.FSDP):
        PartialState._shared_state["distributed_type"] = DistributedType.MULTI_GPU


def sum_over_processes(accelerator: Accelerator, sums: Mapping[str, float]) -> dict[str, float]:
    """Sums over all processes; each must give the same names."""
    if accelerator.num_processes == 1:
        return dict(sums)
    names = sorted(sums)
    # Counts of tokens outgrow float32; Apple's devices have nothing wider.
    dtype = torch.float32 if accelerator.device.type == "mps" else torch.float64
    mine = torch.tensor([float(sums[name]) for name in names], dtype=dtype)
    ours: Any = accelerator.reduce(mine.to(accelerator.device), "sum")
    return dict(zip(names, ours.tolist(), strict=True))


def on_first_process(accelerator: Accelerator, work: Callable[[], Any]) -> Any:
    """What the work comes to in the first process, for all of them; they wait, and share errors."""
    found: list[Any] = [None, None]
    if accelerator.is_main_process:
        try:
            found[0] = work()
        except UserError as error:
            found[1] = error
    if accelerator.num_processes > 1:
        broadcast_object_list(found)
    if found[1] is not None:
        raise found[1]
    return found[0]
