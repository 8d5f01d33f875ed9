"""Changes the arguments of a model so that a row stays what it is, and its batch does not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch.utils._pytree import tree_flatten, tree_unflatten

from wellshaped.observe.trace.lineage import Lineage
from wellshaped.observe.trace.node import Axis, Node, same_rows
from wellshaped.observe.trace.probe.same_row import Alike, padded_alike, rows_alike

_FEWEST_ROWS = 2


@dataclass(frozen=True, slots=True)
class Variation:
    """Two calls that must say the same of a row: what was changed, and how to compare them.

    `rows` is the axis they count; `certain` is whether a loader gave it. `out` tells whether a
    result can be compared.
    """

    kind: str
    before: Any
    after: Any
    alike: Alike
    rows: Axis
    certain: bool
    out: Callable[[torch.Tensor], bool]


def variations(trace: Lineage, called: Any) -> Iterator[Variation]:
    """The ways in which the arguments of a call can be changed; none where rows are unknown."""
    leaves, plan = tree_flatten(called)
    tensors = [each for each in leaves if isinstance(each, torch.Tensor)]
    if not tensors or _has_lists(called) or any(each.device.type != "cpu" for each in tensors):
        return
    nodes = [trace.node_of(each) for each in tensors]

    def rebuilt(change: Callable[[torch.Tensor], torch.Tensor]) -> Any:
        changed = [change(each) if isinstance(each, torch.Tensor) else each for each in leaves]
        return tree_unflatten(changed, plan)

    padded = _padded(trace, tensors, nodes)
    if padded is not None:
        yield _shorter(rebuilt, tensors, nodes, *padded)
    beside = _rows_of(nodes)
    if beside is not None:
        yield _others(rebuilt, tensors, nodes, beside)


def _has_lists(called: Any) -> bool:
    """Whether plain numbers are given in lists: lengths of rows, perhaps, that cannot follow."""
    args, options = called
    inside = [each for each in (*args, *options.values()) if isinstance(each, (list, tuple, dict))]
    return any(not isinstance(leaf, torch.Tensor) for leaf in tree_flatten(inside)[0])


def _places(node: Node, rows: Axis) -> list[int]:
    return [k for k, axis in enumerate(node.axes) if same_rows(axis, rows)]


def _rows_of(nodes: list[Node]) -> Axis | None:
    """The axis that counts the rows of all arguments, each of which has it once."""
    axes = [axis for node in nodes for axis in node.axes]
    given = [axis for axis in axes if len(axis) == 1 and axis[0].batch]
    rows: Axis = next(iter((*given, *nodes[0].axes[:1])), ())
    if len(rows) != 1 or rows[0].origin != "rows" or rows[0].size <= _FEWEST_ROWS:
        return None
    once = all(len(_places(node, rows)) == 1 for node in nodes if node.shape)
    alone = all(node.shape.count(rows[0].size) == 1 for node in nodes if node.shape)
    return rows if once and alone else None


def _others(rebuilt: Any, tensors: Any, nodes: list[Node], rows: Axis) -> Variation:
    """Every second row is kept, and has a copy of itself for its neighbour."""
    size = rows[0].size
    order = torch.arange(size) // 2 * 2 + 1
    order[order >= size] = 0
    kept = torch.arange(1, size, 2)
    places = {id(t): _places(n, rows)[0] for t, n in zip(tensors, nodes, strict=True) if n.shape}

    def change(tensor: torch.Tensor) -> torch.Tensor:
        return tensor.index_select(places[id(tensor)], order) if tensor.dim() else tensor

    def comparable(result: torch.Tensor) -> bool:
        return result.is_floating_point() and list(result.shape).count(size) == 1

    same = rebuilt(lambda tensor: tensor)
    alike = rows_alike(size, kept)
    return Variation("rows", same, rebuilt(change), alike, rows, rows[0].batch, comparable)


def _padded(
    trace: Lineage, tensors: list[torch.Tensor], nodes: list[Node]
) -> tuple[Axis, Axis, tuple[int, ...]] | None:
    """The rows, the padded axis and its real lengths, where an argument has them."""
    for tensor, node in zip(tensors, nodes, strict=True):
        for place, axis in enumerate(node.axes[:2]):
            lengths = trace.real_lengths(axis)
            if not lengths or tensor.dim() < 2 or tensor.shape[1 - place] != len(lengths):
                continue
            if len(lengths) == tensor.shape[place] or len(lengths) < _FEWEST_ROWS:
                continue  # the two could not be told apart
            return node.axes[1 - place], axis, lengths
    return None


def _shorter(
    rebuilt: Any,
    tensors: list[torch.Tensor],
    nodes: list[Node],
    rows: Axis,
    padded: Axis,
    lengths: tuple[int, ...],
) -> Variation:
    """The shortest row in every place, padded as it was, and not padded at all."""
    count, long, short = len(lengths), padded[0].size, max(min(lengths), 1)
    shortest = torch.full((count,), lengths.index(min(lengths)))

    def alone(tensor: torch.Tensor) -> torch.Tensor:
        for place, size in enumerate(tensor.shape):
            if size == count:
                return tensor.index_select(place, shortest)
        return tensor

    def cut(tensor: torch.Tensor) -> torch.Tensor:
        tensor = alone(tensor)
        for place, size in enumerate(tensor.shape[:2]):
            if size == long and tensor.dim() > 1:
                tensor = tensor.narrow(place, 0, short)
        return tensor

    def comparable(result: torch.Tensor) -> bool:
        return result.is_floating_point() and count in result.shape

    alike = padded_alike(count, long, short)
    return Variation("padding", rebuilt(alone), rebuilt(cut), alike, rows, True, comparable)
