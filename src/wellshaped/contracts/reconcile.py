"""Aligns tensors with a loss when exactly one alignment keeps every row with its own target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wellshaped.contracts.alignments import Alignment, alignments
from wellshaped.contracts.axes import after_step, labelled
from wellshaped.contracts.call import bind, resolve_loss
from wellshaped.contracts.judge import judge_bound
from wellshaped.records.mismatch import ShapeMismatch
from wellshaped.records.shape import TensorFact
from wellshaped.records.verdict import AlignmentStep


@dataclass(frozen=True, slots=True)
class Reconciled:
    """The tensors in the order they were given, and the steps that were taken."""

    tensors: tuple[Any, ...]
    steps: tuple[AlignmentStep, ...]


def reconcile(loss: Any, *tensors: Any, one_hot: bool = False, **options: Any) -> Reconciled:
    """Align `tensors` with what `loss` asks for, if there is exactly one way to read them.

    May add or drop an axis of size 1, move the class axis, flatten batch and sequence axes
    of both sides together, and turn class numbers into int64. With `one_hot=True` a one-hot
    target becomes class numbers. Axis 0 is the batch, whatever its size: the steps at B = 1
    are the steps at B = 8. Raises `ShapeMismatch` when there is no reading, or several.
    """
    target = resolve_loss(loss)
    bound = bind(target, tensors, options)
    row = target.contract
    found = alignments(row, bound, one_hot=one_hot)
    if len(found) != 1 or found[0].reads_one_hot != one_hot:
        facts = {name: bound[name] for name in row.tensors}
        headline = (
            f"`{row.name}`: which reading of these tensors is meant cannot be told"
            if found
            else f"`{row.name}`: no reading of these tensors keeps every row with its target"
        )
        spelled = tuple(_spelled(each) for each in found)
        raise ShapeMismatch(f"WS920: {headline}", judge_bound(row, bound), facts, spelled)
    names = _names_of(target, tensors)
    taken = found[0].steps
    return Reconciled(
        tuple(_follow(name, value, taken) for name, value in zip(names, tensors, strict=True)),
        taken,
    )


def _names_of(target: Any, tensors: tuple[Any, ...]) -> tuple[str, ...]:
    names = target.contract.tensors
    if "linear_weight" in target.preset:
        names = tuple(name for name in names if name != "linear_weight")
    return tuple(names[: len(tensors)])


def _spelled(alignment: Alignment) -> str:
    return ", ".join(str(step) for step in alignment.steps) or "as they are"


def _follow(name: str, value: Any, steps: tuple[AlignmentStep, ...]) -> Any:
    for step in steps:
        if step.argument == name:
            value = _take(name, value, step)
    return value


def _take(name: str, value: Any, step: AlignmentStep) -> Any:
    if isinstance(value, TensorFact):
        return after_step(labelled(name, value), step).fact
    if step.kind == "drop":
        return value.squeeze(step.axis)
    if step.kind == "add":
        return value.unsqueeze(step.axis)
    if step.kind == "move":
        return value.movedim(step.axis, step.to)
    if step.kind == "flatten":
        return value.flatten(step.axis, step.to)
    if step.kind == "index":
        return value.argmax(step.axis)
    return _cast(name, value, step.dtype)


def _cast(name: str, value: Any, dtype: str) -> Any:
    import torch

    cast = value.to(getattr(torch, dtype))
    known = type(value) in (torch.Tensor, torch.nn.Parameter) and not value.is_meta
    if known and dtype == "int64" and not bool((cast == value).all()):
        raise ShapeMismatch(f"WS921: `{name}` holds numbers that are no class numbers")
    return cast
