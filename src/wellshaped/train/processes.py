"""The processes that train together, through accelerate: one on a laptop, many on a cluster."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from accelerate import Accelerator
from accelerate.state import AcceleratorState, PartialState

from wellshaped.records.phrase import Told
from wellshaped.train.settings import Precision

__all__ = ["Accelerator", "join", "total"]


def join(
    *, precision: Precision = "no", trackers: tuple[str, ...] = (), folder: Path | None = None
) -> Accelerator:
    """This process as one of those that `accelerate launch` started, or on its own."""
    if precision == "fp16" and PartialState().device.type == "cpu":
        raise Told("WS988", "no_fp16")
    # The choice of an earlier run in this process is none of ours.
    AcceleratorState._reset_state()
    return Accelerator(
        mixed_precision=precision,
        log_with=list(trackers) or None,
        project_dir=None if folder is None else str(folder),
    )


def total(accelerator: Accelerator, sums: Mapping[str, float]) -> dict[str, float]:
    """Sums over all processes; each must give the same names."""
    if accelerator.num_processes == 1:
        return dict(sums)
    names = sorted(sums)
    # Counts of tokens outgrow float32; Apple's devices have nothing wider.
    dtype = torch.float32 if accelerator.device.type == "mps" else torch.float64
    mine = torch.tensor([float(sums[name]) for name in names], dtype=dtype)
    ours: Any = accelerator.reduce(mine.to(accelerator.device), "sum")
    return dict(zip(names, ours.tolist(), strict=True))
