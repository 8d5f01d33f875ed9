"""Batches for each row of the table of tasks, made from its shapes, and their rows alone.

B rows, T positions, S positions of the source.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from wellshaped.contracts.notation import parse_arrangement
from wellshaped.nn import Task, task
from wellshaped.nn.table import TABLE, TaskRow, axes_of

SIZES = {"D": 4, "C": 3, "L": 3, "K": 2, "V": 7}
SETTINGS = {"bos": 1, "eos": 2}
LONGEST = 6


def _name(row: TaskRow, form: str) -> str:
    option = f"-{row.option}" if row.option else ""
    return f"{row.name}{option}-{'positions' if 'T' in form else 'rows'}"


# Each row of the table with each form of its inputs, by a name to read.
FORMS = {_name(row, form): (row, form) for row in TABLE for form in row.inputs}


@dataclass(frozen=True)
class Batch:
    """What a head and a loss take; `axes` names those of every tensor."""

    task: Task
    inputs: dict[str, Tensor]
    axes: dict[str, tuple[str, ...]]
    targets: Tensor

    @property
    def real(self) -> Tensor | None:
        """The mask the loss needs."""
        return self.inputs["real"] if self.task.row.by_position else None

    def row(self, number: int) -> Batch:
        """One row, without any padding."""
        inputs = {
            name: self._cut(self.axes[name], part, number) for name, part in self.inputs.items()
        }
        targets = self._cut(axes_of(self.task.row.targets), self.targets, number)
        return Batch(self.task, inputs, self.axes, targets)

    def _cut(self, axes: tuple[str, ...], part: Tensor, number: int) -> Tensor:
        mask_of = {"T": self.inputs.get("real"), "S": self.inputs.get("source_real")}
        mask = mask_of.get(axes[1]) if len(axes) > 1 else None
        only = part[number : number + 1]
        return only if mask is None else only[:, mask[number]]

    def rows(self, chosen: Tensor) -> Batch:
        """These rows, padded as they are."""
        inputs = {name: part[chosen] for name, part in self.inputs.items()}
        return Batch(self.task, inputs, self.axes, self.targets[chosen])


def a_task(row: TaskRow) -> Task:
    """The task of a row, at the sizes of these tests."""
    options = {row.option: SIZES[row.axis]} if row.option and row.axis else {}
    return task(row.name, **options, **{name: SETTINGS[name] for name in row.settings})


def a_head(row: TaskRow, *, seed: int = 0, **options):
    """A head of the task of a row, the same for the same seed."""
    torch.manual_seed(seed)
    return a_task(row).head(SIZES["D"], **options)


def a_batch(
    row: TaskRow, form: str, *, side: str = "right", seed: int = 1, junk: float = float("nan")
) -> Batch:
    """Four rows of random lengths; padding holds junk, in the targets numbers of no class."""
    torch.manual_seed(seed)
    sizes = {**SIZES, "B": 4, "T": LONGEST, "S": LONGEST}
    axes = {term.argument: term.axes for term in parse_arrangement(form)}
    masks = {axis: _mask(torch.randint(1, LONGEST + 1, (4,)), side) for axis in ("T", "S")}
    made = _targets(row, sizes, masks)
    inputs = {}
    for name, names in axes.items():
        if name.endswith("real"):
            inputs[name] = masks[names[1]]
        elif name == "targets":
            inputs[name] = made
        else:
            values = torch.randn([sizes[axis] for axis in names])
            padded = names[1] in masks
            inputs[name] = _spoilt(values, masks[names[1]], junk) if padded else values
    return Batch(a_task(row), inputs, axes, made)


def _targets(row: TaskRow, sizes: dict[str, int], masks: dict[str, Tensor]) -> Tensor:
    shape = [sizes[axis] for axis in axes_of(row.targets)]
    if row.target_values in ("numbers", "scores"):
        return torch.randn(shape)
    classes = torch.randint(2 if row.target_values == "zero_one" else sizes[row.axis or ""], shape)
    return _spoilt(classes, masks["T"], 12345) if row.by_position else classes


def _mask(lengths_B: Tensor, side: str) -> Tensor:
    mask = torch.arange(LONGEST) < lengths_B.unsqueeze(1)  # (B, T)
    return mask.flip(1) if side == "left" else mask


def _spoilt(values: Tensor, mask: Tensor, junk: float) -> Tensor:
    spoilt = values.clone()
    spoilt[~mask] = junk
    return spoilt
