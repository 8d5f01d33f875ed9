"""Which axes an indexed tensor has."""

from __future__ import annotations

from typing import Any

import torch

from wellshaped.observe.trace.node import Atom, Axis, Node, fresh_axes, size_of

Axes = tuple[Axis, ...]


def indexed(parents: list[Node], index: Any, shape: tuple[int, ...]) -> Axes | None:
    """The axes of `x[index]`; None where an index is more than this follows."""
    parts = _parts(index, len(parents[0].shape))
    if parts is None:
        return None
    tensors = iter(parents[1:])
    found: list[Axis] = []
    chosen: list[Node] = []
    at, source = -1, 0
    for part in parts:
        if _is_array(part) and part.dtype == bool:
            return None
        if part is None:
            found.append((Atom(1, "added"),))
        elif isinstance(part, slice):
            axis = parents[0].axes[source]
            found.append(_sliced(axis, part))
            source += 1
        elif isinstance(part, torch.Tensor) and part.dtype == torch.bool:
            return _masked(parents[0], part, shape)
        elif isinstance(part, torch.Tensor) and part.dim():
            chosen.append(next(tensors))
            at = len(found) if at < 0 else at
            source += 1
        elif isinstance(part, (list, range)) or _is_array(part):
            shape_of = tuple(part.shape) if _is_array(part) else (len(part),)
            chosen.append(Node("", shape_of, fresh_axes(shape_of, "rows")))
            at = len(found) if at < 0 else at
            source += 1
        else:
            source += 1
    return (*found[:at], *_broadcast(chosen), *found[at:]) if chosen else tuple(found)


def _is_array(part: Any) -> bool:
    """Whether numbers of numpy choose, one axis of them or more."""
    return type(part).__module__ == "numpy" and bool(getattr(part, "shape", ()))


def _parts(index: Any, rank: int) -> list[Any] | None:
    """The index, one entry for each axis it names, with slices where it names none."""
    parts = list(index) if type(index) is tuple else [index]
    used = sum(_width(each) for each in parts if each is not None and each is not Ellipsis)
    rest = [slice(None)] * (rank - used)
    for place, part in enumerate(parts):
        if part is Ellipsis:
            return [*parts[:place], *rest, *parts[place + 1 :]]
    return [*parts, *rest]


def _width(part: Any) -> int:
    """The number of axes one entry of an index names."""
    mask = isinstance(part, torch.Tensor) and part.dtype == torch.bool
    return part.dim() if mask else 1


def _sliced(axis: Axis, part: slice) -> Axis:
    size = size_of(axis)
    start, stop, step = part.indices(size)
    taken = len(range(start, stop, step))
    if taken == size:
        return axis
    at = start if step == 1 else None
    return (axis[0].part(taken, at),) if len(axis) == 1 else (Atom(taken, "made"),)


def _masked(first: Node, mask: torch.Tensor, shape: tuple[int, ...]) -> Axes:
    whole = first.axes[0][0] if first.axes and len(first.axes[0]) == 1 else None
    kept = whole.part(shape[0]) if whole is not None else Atom(shape[0], "made")
    return ((kept,), *first.axes[mask.dim() :])


def _broadcast(chosen: list[Node]) -> Axes:
    rank = max(len(each.shape) for each in chosen)
    found: list[Axis] = []
    for place in range(-rank, 0):
        met = [each.axes[place] for each in chosen if len(each.shape) >= -place]
        found.append(max(met, key=size_of))
    return tuple(found)
