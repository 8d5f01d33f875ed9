"""Tells a mask of real positions by its values: a table of 0 and 1 with one run of ones a row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from types import FrameType

import torch

from wellshaped.observe.trace.lineage import Lineage
from wellshaped.observe.trace.node import Node
from wellshaped.source.frames import callers_of

_FEWEST_ROWS, _FEWEST_PLACES = 2, 3
_MOST_VALUES = 2_000_000
_CASTS = ("bool", "float", "long", "int", "double", "to", "type", "detach", "clone", "contiguous")
VIEWS = ("view", "reshape", "flatten", "ravel")


def real_places(values: torch.Tensor) -> torch.Tensor | None:
    """Which positions are real, rows first; None where the tensor is no mask of sequences.

    The ones of a row stand side by side, and all rows begin at one place or end at one place, not
    both: rows that are cut alike are no padding, and a round spot in a picture is none.
    """
    if values.dim() != 2 or not 0 < values.numel() <= _MOST_VALUES or values.is_complex():
        return None
    if values.shape[0] < _FEWEST_ROWS or values.shape[1] < _FEWEST_PLACES or values.is_meta:
        return None
    real = values.detach() != 0
    if values.dtype != torch.bool and not bool((values.detach() == real).all()):
        return None
    borders = (real[:, 1:] != real[:, :-1]).sum(1) + real[:, 0] + real[:, -1]
    if not bool((borders == 2).all()) or bool((real == real[0]).all()):
        return None
    first, last = real.int().argmax(1), real.flip(1).int().argmax(1)
    return real if bool((first == first[0]).all()) or bool((last == last[0]).all()) else None


def mask_of_node(node: Node, tensor: torch.Tensor) -> torch.Tensor | None:
    """The real positions a tensor of data tells, in its own shape; also of a flattened table."""
    if node.learned:
        return None
    while node.name in _CASTS and node.parents:
        node = node.parents[0]
    if tensor.dim() == 1 and node.name in VIEWS and node.parents:
        shape = node.parents[0].shape
        table = real_places(tensor.reshape(shape)) if len(shape) == 2 else None
        return None if table is None else table.flatten()
    return real_places(tensor)


def ends_early(real: torch.Tensor) -> bool:
    """Whether some rows end before the last position, and others do not or end elsewhere."""
    return bool((~real[:, -1] & real.any(1)).any())


def last_real(real: torch.Tensor) -> torch.Tensor:
    """The last real position of each row; the last one of all where a row has none."""
    places = torch.arange(real.shape[1], device=real.device)
    found = torch.where(real, places, -1).amax(1)
    return torch.where(found < 0, real.shape[1] - 1, found)


@dataclass(frozen=True, slots=True, eq=False)
class Real:
    """The real places of a table, rows first; `masked` is whether a mask told them, or tokens."""

    places: torch.Tensor
    masked: bool


def real_around(trace: Lineage, frame: FrameType, rows: int, width: int) -> Real | None:
    """Where the rows of a table of this size end, by what a function and its callers hold.

    Masks tell, or tokens of which one ends rows in runs of several lengths and stands nowhere else.
    """
    around = list(callers_of(frame))
    for each in around:
        for _, _, real in masks_in_sight(trace, each, rows, width):
            if ends_early(real):
                return Real(real, masked=True)
    for each in around:
        for value in each.f_locals.values():
            if not isinstance(value, torch.Tensor) or value.dtype != torch.int64:
                continue
            if value.dim() != 2 or value.shape[0] != rows or value.shape[1] < width:
                continue
            found = None if value.is_meta else trailing(value[:, -width:])
            if found is not None and bool(found[1].any(1).all()):
                return Real(found[1], masked=False)
    return None


def trailing(tokens: torch.Tensor) -> tuple[int, torch.Tensor] | None:
    """The token that ends most rows, in runs of several lengths and nowhere else, if any."""
    if tokens.shape[0] < 3 or tokens.shape[1] < 3:
        return None
    padding = int(tokens[:, -1].mode().values)
    ends = (tokens == padding).flip(1).int().cumprod(1).flip(1).bool()
    runs = ends.sum(1)
    everywhere = bool(((tokens == padding) == ends).all())
    several = int((runs > 1).sum()) > 1 and len(set(runs.tolist())) > 2
    return (padding, ~ends) if everywhere and several else None


def masks_in_sight(
    trace: Lineage, frame: FrameType, rows: int, width: int
) -> Iterator[tuple[str, torch.Tensor, torch.Tensor]]:
    """The masks a function holds for a table of this size: name, tensor, real positions.

    One that is wider is taken by its last places. What is older than the data in use is left out.
    """
    for name, value in frame.f_locals.items():
        if not isinstance(value, torch.Tensor) or value.dim() != 2 or value.shape[0] != rows:
            continue
        entry = trace.known.get(id(value))
        if value.shape[1] < width or entry is None or entry[1].learned:
            continue
        if entry[1].born < trace.fresh or real_places(value) is None:
            continue
        real = real_places(value[:, -width:])
        if real is not None:
            yield name, value, real
