"""What a hazardous loss call computes, beside what it computes row by row."""

from __future__ import annotations

from typing import Any

import torch

from wellshaped.contracts.reconcile import reconcile
from wellshaped.contracts.registry import ROWS, functional

_LIMIT = 100_000


def loss_values(loss: str, held: dict[str, Any]) -> tuple[float, float] | None:
    """The loss as written and row by row, where one reading tells what its rows are."""
    tensors = [held[name] for name in ROWS[loss].tensors if held.get(name) is not None]
    if any(each.numel() > _LIMIT for each in tensors) or held.get("reduction") == "none":
        return None
    options = {name: value for name, value in held.items() if name not in ROWS[loss].tensors}
    with torch.no_grad():
        written = functional(loss)(**held)
        rows = functional(loss)(*reconcile(loss, *tensors).tensors, **options)
    return float(written), float(rows)
