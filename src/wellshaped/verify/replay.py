"""The shapes of a call at another batch size, as written and repaired, on tensors without data."""

from __future__ import annotations

import warnings
from collections.abc import Mapping

import torch

from wellshaped.records.observation import Observation, Operand
from wellshaped.records.repair import Change, Repair

Shape = tuple[int, ...]


def shapes_with_rows(observation: Observation, size: int, batch: int) -> dict[str, Shape | None]:
    """What arrives at the call with so many rows; None where that is not known."""
    return {each.role: _shape_at(each, size, batch) for each in observation.operands if each.fact}


def _shape_at(operand: Operand, size: int, batch: int) -> Shape | None:
    if size == batch:
        return operand.shape
    if operand.at:
        return dict(operand.at).get(size)
    if operand.shape[:1] != (batch,) or operand.origin_by("squeeze") is not None:
        return operand.shape if not operand.origins and operand.shape[:1] != (batch,) else None
    return (size, *operand.shape[1:])


def repaired_shapes(
    observation: Observation, repair: Repair, shapes: Mapping[str, Shape | None]
) -> dict[str, Shape | None]:
    """What arrives once the changes of a repair are made; None where one cannot be replayed."""
    dtypes = {each.role: each.fact.dtype for each in observation.operands if each.fact}
    made = {
        role: torch.empty(shape, dtype=getattr(torch, dtypes[role]), device="meta")
        for role, shape in shapes.items()
        if shape is not None
    }
    changes = {each.role: each for each in repair.changes}
    return {
        role: _changed(made, role, changes.get(role)) if role in made else None for role in shapes
    }


def _changed(made: Mapping[str, torch.Tensor], role: str, change: Change | None) -> Shape | None:
    if change is None:
        return tuple(made[role].shape)
    space = {"torch": torch, "x": made[role], "input": next(iter(made.values()))}
    try:
        with warnings.catch_warnings(), torch.no_grad():
            warnings.simplefilter("ignore")
            # Our own text, made of method names and numbers: never the user's.
            found = eval(f"x{change.suffix}", {"__builtins__": {}}, space)
    except Exception:  # a change that fails, however, gives no shape
        return None
    return tuple(found.shape) if isinstance(found, torch.Tensor) else None
