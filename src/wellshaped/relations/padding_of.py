"""Which positions of a batch are padding, and the same batch with more of them."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from wellshaped.observe.trace.masks import real_places, trailing
from wellshaped.relations.batch import Part, StepBatch

MORE = 3
_BESIDE = (0, -1, 1)


@dataclass(frozen=True, slots=True, eq=False)
class StepPadding:
    """The lengths of the rows, the width they are padded to, and the parts that are longer then.

    Each part has the axis of its positions and the column that stands at its padding.
    """

    lengths: tuple[int, ...]
    width: int
    longer: tuple[tuple[Part, int, torch.Tensor], ...]

    def lengthen(self) -> None:
        """Add columns of padding to each part."""
        for part, axis, column in self.longer:
            more = [MORE if place == axis else -1 for place in range(column.dim())]
            part.put(torch.cat([part.first, column.expand(more)], axis))


def padding_of(batch: StepBatch) -> StepPadding | None:
    """The padding that masks, lengths or trailing tokens of the batch tell; on the right only."""
    found = next((each for part in batch.tensors if (each := _told_by(part, batch))), None)
    if found is None:
        return None
    lengths, width = found
    longer = [
        (part, axis, _more(part, axis, lengths, width))
        for part in batch.tensors
        for axis in _positions(part, batch, width)
    ]
    return StepPadding(lengths, width, tuple(longer)) if longer else None


def _told_by(part: Part, batch: StepBatch) -> tuple[tuple[int, ...], int] | None:
    tensor = part.first
    if tensor.dim() == 1 and tensor.dtype in (torch.int64, torch.int32):
        lengths, widest = tuple(tensor.tolist()), int(tensor.max())
        if min(lengths) > 0 and min(lengths) < widest and _is_width(widest, lengths, batch):
            return lengths, widest
        return None
    if tensor.dim() < 2:
        return None
    table = tensor.movedim(part.axis, 0)
    real = _real(table)
    if real is None or not bool(real[:, 0].all()):
        return None
    lengths = tuple(real.sum(1).tolist())
    return (lengths, table.shape[1]) if min(lengths) < max(lengths) else None


def _real(table: torch.Tensor) -> torch.Tensor | None:
    """Which positions of a table are real, rows first: a mask, tokens, or vectors that end in 0."""
    if table.dim() == 2 and table.dtype in (torch.int64, torch.int32):
        found = trailing(table.long())
        if found is not None:
            return found[1]
    if table.dim() == 2:
        return real_places(table)
    if not table.is_floating_point():
        return None
    zero = (table == 0).flatten(2).all(2)
    runs = zero.flip(1).int().cumprod(1).flip(1).bool()
    several = len(set(runs.sum(1).tolist())) > 1 and int((runs.sum(1) > 1).sum()) > 0
    return ~runs if several and bool((runs == zero).all()) else None


def _more(part: Part, axis: int, lengths: tuple[int, ...], width: int) -> torch.Tensor:
    """A column of padding: what stands there, or any content, such as that of the last position."""
    column = _column(part, axis, lengths, width)
    return part.first.narrow(axis, part.first.shape[axis] - 1, 1) if column is None else column


def _is_width(width: int, lengths: tuple[int, ...], batch: StepBatch) -> bool:
    """Whether numbers of each row are lengths: sequences of that width end in a constant there."""
    return any(
        _column(part, axis, lengths, width) is not None
        for part in batch.tensors
        for axis in _positions(part, batch, width)
        if part.first.shape[axis] == width
    )


def _positions(part: Part, batch: StepBatch, width: int) -> list[int]:
    """The axis of positions: the only one of that size, or one more or less."""
    shape = part.first.shape
    for beside in _BESIDE:
        found = [k for k, size in enumerate(shape) if k != part.axis and size == width + beside]
        if found:
            return found[:1] if len(found) == 1 else []
    return []


def _column(part: Part, axis: int, lengths: tuple[int, ...], width: int) -> torch.Tensor | None:
    """What stands at the padding of a part, as a column; None where that is not one value."""
    moved = part.first.movedim((part.axis, axis), (0, 1))
    size = moved.shape[1]
    behind = [moved[row, length + size - width :] for row, length in enumerate(lengths)]
    filled = torch.cat([each for each in behind if len(each)]) if any(map(len, behind)) else None
    if filled is None or not bool((filled == filled[:1]).all()):
        return None
    shape = list(part.first.shape)
    shape[axis] = 1
    whole = filled[:1].expand(moved.shape[0], *moved.shape[2:]).unsqueeze(1)
    return whole.movedim((0, 1), (part.axis, axis)).reshape(shape)
