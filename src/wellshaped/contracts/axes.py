"""Tensors whose axes remember where they come from, and the steps that rearrange them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod

from wellshaped.records.shape import TensorFact
from wellshaped.records.verdict import AlignmentStep

Label = tuple[str, int, bool]  # argument, axis, whether its size tells anything (is not 1)


@dataclass(frozen=True, slots=True)
class LabelledAxis:
    """A size and the original axes it is made of; an added axis is made of none."""

    size: int
    labels: tuple[Label, ...]


@dataclass(frozen=True, slots=True)
class Traced:
    """A tensor by its axes and dtype."""

    axes: tuple[LabelledAxis, ...]
    dtype: str

    @property
    def fact(self) -> TensorFact:
        """Shape and dtype without the history."""
        return TensorFact(tuple(axis.size for axis in self.axes), self.dtype)


def labelled(name: str, fact: TensorFact) -> Traced:
    """A tensor at the start of its history."""
    axes = tuple(
        LabelledAxis(size, ((name, place, size != 1),)) for place, size in enumerate(fact.shape)
    )
    return Traced(axes, fact.dtype)


def after_step(tensor: Traced, step: AlignmentStep) -> Traced:
    """The tensor after one step."""
    axes = tensor.axes
    if step.kind in ("drop", "index"):
        dtype = "int64" if step.kind == "index" else tensor.dtype
        return Traced(axes[: step.axis] + axes[step.axis + 1 :], dtype)
    if step.kind == "add":
        return replace(tensor, axes=(*axes[: step.axis], LabelledAxis(1, ()), *axes[step.axis :]))
    if step.kind == "move":
        rest = axes[: step.axis] + axes[step.axis + 1 :]
        return replace(tensor, axes=(*rest[: step.to], axes[step.axis], *rest[step.to :]))
    if step.kind == "flatten":
        run = axes[step.axis : step.to + 1]
        joint = LabelledAxis(
            prod(axis.size for axis in run), sum((axis.labels for axis in run), ())
        )
        return replace(tensor, axes=(*axes[: step.axis], joint, *axes[step.to + 1 :]))
    return replace(tensor, dtype=step.dtype)
