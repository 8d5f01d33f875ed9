"""Whether a change keeps every element of a tensor, each in its row, whatever the sizes are.

Elements are numbered and sent through the change. Sizes of 1 hide a wrong order: each dimension of
size 1 that the change does not remove is given another size, and the numbers are sent again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from wellshaped.contracts.questions import WITHOUT_ROWS, losses
from wellshaped.contracts.registry import ROWS
from wellshaped.records.evidence import HARMFUL
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.repair import Change, Repair
from wellshaped.verify.loss_call import replay_rows, shrunk
from wellshaped.verify.rows import kept, row_axis

_MOST_ELEMENTS = 200_000
_PRIMES = (5, 7, 11, 13, 17, 19, 23)


def keeps_elements(observation: Observation, repair: Repair) -> bool:
    """Whether each change of an operand is a bijection that keeps rows, and classes apart."""
    small = shrunk(observation)
    return bool(repair.changes) and all(_keeps(small, each) for each in repair.changes)


def _keeps(observation: Observation, change: Change) -> bool:
    operand = observation.operand(change.role)
    if operand is None or operand.fact is None or not change.suffix.startswith((".", "[")):
        return False
    numbers = _numbered(operand.shape)
    if numbers.numel() > _MOST_ELEMENTS:
        return False
    try:
        first = _applied(numbers, change.suffix, observation)
    except Exception:  # a change that raises keeps nothing
        return False
    if not isinstance(first, torch.Tensor) or not _right(observation, operand, change, numbers):
        return False
    return all(
        _right(observation, operand, change, each)
        for each in _with_larger_ones(operand.shape)
        if _is_kept_dimension(observation, change, each, first.dim())
    )


def _is_kept_dimension(
    observation: Observation, change: Change, numbers: torch.Tensor, rank: int
) -> bool:
    """Whether the change leaves a dimension of size 1 in place: it works for other sizes too."""
    try:
        return bool(_applied(numbers, change.suffix, observation).dim() == rank)
    except Exception:  # it is there to remove a dimension of size 1
        return False


def _right(
    observation: Observation, operand: Operand, change: Change, numbers: torch.Tensor
) -> bool:
    rows, axis = _rows(observation, operand), 0
    if observation.callee in ROWS and operand.role not in WITHOUT_ROWS:
        axis = row_axis(observation, operand.role)

    def apply(tensor: torch.Tensor) -> Any:
        return _applied(tensor, change.suffix, observation)

    if not rows or kept(operand, numbers, apply, axis=axis, size=rows) in HARMFUL:
        return False
    if _merges_rows(numbers, apply(numbers), axis):
        return False
    return not _has_classes(observation, operand) or _one_dimension(numbers, apply(numbers))


def _merges_rows(before: torch.Tensor, after: torch.Tensor, axis: int) -> bool:
    """Whether rows and positions become one dimension: which of them goes first is not known."""
    leading = before.shape[0] if before.dim() else 1
    return leading > 1 and after.dim() > axis and after.shape[axis] != leading


def _rows(observation: Observation, operand: Operand) -> int:
    """The rows of an operand, 1 for a parameter of the loss or a single value; 0 where unclear."""
    if not operand.shape or operand.role in WITHOUT_ROWS:
        return 1
    batch = replay_rows(observation) if observation.callee in ROWS else operand.shape[0]
    return batch if batch and operand.shape[0] % batch == 0 else 0


def _has_classes(observation: Observation, operand: Operand) -> bool:
    if observation.callee not in losses(target="classes"):
        return False
    return operand.role == ROWS[observation.callee].tensors[0]


def _one_dimension(before: torch.Tensor, after: torch.Tensor) -> bool:
    """Whether the dimension of classes is one of the dimensions before, whole and alone."""
    place = 1 if after.dim() > 1 else 0
    line = after.movedim(place, 0).reshape(after.shape[place], -1)[:, 0]
    if len(line) < 2:
        return True
    steps = (line[1:] - line[:-1]).unique().tolist()
    known = {(stride, size) for stride, size in zip(before.stride(), before.shape, strict=True)}
    return len(steps) == 1 and (int(steps[0]), len(line)) in known


def _numbered(shape: tuple[int, ...]) -> torch.Tensor:
    return torch.arange(torch.Size(shape).numel()).reshape(shape)


def _with_larger_ones(shape: tuple[int, ...]) -> Iterator[torch.Tensor]:
    """The same tensor with each dimension of size 1 enlarged, one at a time; rows stay."""
    free = [size for size in _PRIMES if size not in shape]
    for place, size in enumerate(shape):
        if size == 1 and place and free:
            yield _numbered((*shape[:place], free[0], *shape[place + 1 :]))


def _applied(tensor: torch.Tensor, suffix: str, observation: Observation) -> Any:
    space = {"torch": torch, "x": tensor}
    # Our own text, made of method names and numbers: never the user's.
    return eval(f"x{suffix}", {"__builtins__": {}}, space)
