"""Whether a repaired loss call keeps its rows apart, and all of its data."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import torch

from wellshaped.contracts.notation import parse_arrangement
from wellshaped.contracts.registry import ROWS
from wellshaped.records.evidence import Outcome
from wellshaped.records.observation import Observation, Operand

Change = Callable[[torch.Tensor], Any]
Loss = Callable[[Mapping[str, torch.Tensor]], torch.Tensor]


# A step of a sequence at either end: the prediction of the next one has no target there.
_ALIGNING = re.compile(r"\[(?::, )+(?::-1|1:)\]")


def aligns(suffix: str) -> bool:
    """Whether a change drops one step of a sequence, to set it against the other side."""
    return _ALIGNING.fullmatch(suffix) is not None


def kept(
    operand: Operand, tensor: torch.Tensor, change: Change, *, axis: int, size: int
) -> Outcome:
    """What a change does to the numbers of one operand, told by numbering them.

    `axis` is where its rows stand afterwards. Every number must still be there, once, and in the
    row it came from.
    """
    kind = torch.float64 if tensor.dtype.is_floating_point else torch.int64
    numbers = torch.arange(tensor.numel(), dtype=kind).reshape(tensor.shape)
    changed = change(numbers)
    if not isinstance(changed, torch.Tensor):
        return "unknown"
    if changed.numel() > numbers.numel():
        return "broadcasts"
    one_hot = any(trait.startswith("one_hot") for trait in operand.traits)
    if one_hot and changed.numel() < numbers.numel():
        return "equal"  # the place of the one says all
    there = torch.sort(changed.flatten().to(torch.float64)).values
    if changed.numel() < numbers.numel() or not torch.equal(there, numbers.flatten().double()):
        return "discards"
    return "equal" if _in_their_rows(numbers, changed, axis, size) else "mixes"


def _in_their_rows(before: torch.Tensor, after: torch.Tensor, axis: int, size: int) -> bool:
    """Whether each row after the change holds the numbers of the same row before it."""
    if before.dim() == 0 or after.dim() <= axis or after.shape[axis] % size:
        return before.dim() == 0
    rows = after.movedim(axis, 0).reshape(size, -1).to(torch.float64).sort(1).values
    return torch.equal(rows, before.reshape(size, -1).to(torch.float64))


def row_axis(observation: Observation, role: str) -> int:
    """Where the loss reads the rows of an operand: axis 0, unless its contract says otherwise."""
    for line in ROWS[observation.callee].needs:
        for term in parse_arrangement(line):
            if term.argument == role and "B" in term.axes:
                return term.axes.index("B")
    return 0


@torch.enable_grad()
def rows_apart(
    loss: Loss, made: Mapping[str, torch.Tensor], split: Callable[[str], bool], size: int
) -> Outcome:
    """Whether each row of the unreduced loss has a gradient in the same row of the operands only.

    `loss` takes the operands as the program has them; `split` tells which of them have rows.
    """
    roles = [role for role, each in made.items() if each.dtype.is_floating_point and split(role)]
    leaves = {role: made[role].clone().requires_grad_() for role in roles}
    parts = loss({**made, **leaves})
    if not roles or parts.dim() == 0 or parts.shape[0] % size or not parts.requires_grad:
        return "unknown"
    rows = parts.reshape(size, -1).sum(1)
    for place in {0, size // 2, size - 1}:
        found = torch.autograd.grad(
            rows[place], list(leaves.values()), retain_graph=True, allow_unused=True
        )
        if any(_elsewhere(each, place, size) for each in found):
            return "mixes"
    return "equal"


def _elsewhere(gradient: torch.Tensor | None, place: int, size: int) -> bool:
    if gradient is None:  # a target that is only compared with
        return False
    rows = gradient.reshape(size, -1).abs().sum(1)
    rows[place] = 0
    return bool(rows.any())
