"""Asks of each element-wise operation whether it crossed the rows of a batch with themselves."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from wellshaped.observe.failure.exception import Scene
from wellshaped.observe.failure.operations import observe_operation
from wellshaped.observe.hazard_rows import LOSSES
from wellshaped.observe.hazard_whitening import elements
from wellshaped.observe.trace.lineage import Event
from wellshaped.observe.trace.node import Axis, Node, same_rows, size_of
from wellshaped.records.observation import Observation

_COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
# How a distribution over classes lays the chosen ones on its table, with an axis of classes behind.
LAID = "broadcast_tensors"
_COLUMN = ("unsqueeze", "__getitem__")
_LOOKED_UP = ("gather", "take_along_dim")
_MOST_NODES = 20
# Who means a table of pairs subtracts or compares: products of a column with a vector are slips.
_PRODUCTS = ("mul", "div", "true_divide", "multiply", "divide")


def crossed_rows(event: Event) -> Observation | None:
    """Rows met rows at right angles, by ranks that differ, between a prediction and its target."""
    if len(event.parents) < 2 or len(event.node.shape) < 2:
        return None
    one, other = event.parents[0], event.parents[1]
    tall, flat = (one, other) if len(one.shape) > len(other.shape) else (other, one)
    if len(tall.shape) == len(flat.shape) or not flat.shape:
        return None
    if event.node.shape in (tall.shape, flat.shape):
        return None
    places = crossing(tall, flat)
    if places is None:
        return None
    alone = tall.name not in _COLUMN and (_one_a_row(tall) or _one_a_row(flat))
    if not (alone or _apart(one, other) or _weighed(event.name, tall, flat, places[1])):
        return None
    scene = event.scene("crossed_rows")
    if scene is None or scene.scope is None or scene.node is None:
        return None
    if asked_for(scene, tall, places[1], event.name, table=not alone):
        return None
    return observed(scene, event, tall, flat, places)


def _apart(one: Node, other: Node) -> bool:
    """Whether one of them is learned and the other is not, or one carries no gradient."""
    return one.learned != other.learned or (one.learned and one.grad != other.grad)


def _one_a_row(node: Node) -> bool:
    """Whether each number belongs to its row alone: looked up in it, or the loss of it."""
    above = itertools.islice(elements(node), _MOST_NODES)
    return any(each.name in _LOOKED_UP or each.name in LOSSES for each in above)


def _weighed(name: str, tall: Node, flat: Node, stretched: int) -> bool:
    """Whether a vector met the one output of a layer for each row in a product."""
    if name not in _PRODUCTS or not tall.learned or len(tall.shape) != 2:
        return False
    column = all(atom.origin != "added" for atom in tall.axes[stretched])
    return column and not any(each is tall for each in flat.ancestors())


def same_rows_of(one: Axis, other: Axis) -> bool:
    """Whether two axes count the same rows, all of them or a batch of them."""
    if same_rows(one, other) or _part_of_rows(one, other) or _part_of_rows(other, one):
        return True
    return _merged_rows(one, other) or _merged_rows(other, one)


def crossing(
    tall: Node, flat: Node, same: Callable[[Axis, Axis], bool] = same_rows_of
) -> tuple[int, int] | None:
    """The axis of `tall` that counts what one of `flat` does, and the one that was laid on: an
    axis of size 1 further right, for `flat` has fewer axes."""
    gap = len(tall.shape) - len(flat.shape)
    for place, axis in enumerate(flat.axes):
        stretched = place + gap
        if flat.shape[place] == 1 or tall.shape[stretched] != 1:
            continue
        for mine in reversed(range(stretched)):
            lacking = mine < gap or flat.shape[mine - gap] in (1, tall.shape[mine])
            if lacking and tall.shape[mine] != 1 and same(tall.axes[mine], axis):
                return mine, stretched
    return None


def _merged_rows(one: Axis, other: Axis) -> bool:
    """Whether rows meet as many steps of several runs, laid one after the other."""
    rows = len(one) == 1 and one[0].origin == "rows"
    steps = len(other) > 1 and all(each.origin in ("rows", "data") for each in other)
    return rows and steps and size_of(one) == size_of(other)


def _part_of_rows(one: Axis, other: Axis) -> bool:
    """Whether one axis is a batch cut from the other: a whole data set met one of its batches."""
    if len(one) != 1 or len(other) != 1:
        return False
    atom, whole = one[0].whole, other[0]
    while atom is not None:
        if atom is whole or (atom.size == whole.size and whole.origin == atom.origin == "rows"):
            return True
        atom = atom.whole
    return False


def asked_for(scene: Scene, tall: Node, stretched: int, name: str, *, table: bool = True) -> bool:
    """Whether the axis of size 1 was added on purpose: in this very statement, or as a table."""
    added = all(atom.origin == "added" for atom in tall.axes[stretched])
    if not added:
        return False
    kept = tall.learned and tall.name not in _COLUMN
    if table and name not in _COMPARISONS and kept:
        return True  # a sum that kept its axis: one half of a table of pairs
    assert scene.scope is not None
    assert scene.node is not None
    statement = scene.scope.source.statement_of(scene.node)
    return statement is not None and _adds_axis(statement)


def _adds_axis(statement: ast.AST) -> bool:
    for node in ast.walk(statement):
        if isinstance(node, ast.Attribute) and node.attr == "unsqueeze":
            return True
        if isinstance(node, ast.keyword) and node.arg in ("keepdim", "keepdims"):
            return True
        if isinstance(node, ast.Subscript) and _none_in(node.slice):
            return True
    return False


def _none_in(index: ast.expr) -> bool:
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    return any(isinstance(each, ast.Constant) and each.value is None for each in parts)


def observed(
    scene: Scene, event: Event, tall: Node, flat: Node, places: tuple[int, int]
) -> Observation | None:
    """The operation as an observation: which operand has the axes at right angles, and where."""
    assert scene.scope is not None
    assert scene.node is not None
    seen = observe_operation(scene.node, scene.scope, scene.passage, scene.callers)
    if seen is None or len(seen.operands) < 2:
        return None
    shapes = [each.shape for each in seen.operands[:2]]
    long, short, result = tall.shape, flat.shape, event.node.shape
    if event.name == LAID and "distribution" in seen.options:
        long, short, result = long[:-1], short[:-1], result[:-1]
    if sorted(shapes) != sorted((long, short)):
        return None  # another operation of the same line
    facts: dict[str, Any] = {
        "hazard": "crossed_rows",
        "rows_axis": places[0],
        "stretched": places[1],
        "result": result,
        "tall": seen.operands[shapes.index(long)].role,
        "flat": seen.operands[shapes.index(short)].role,
        "tall_learned": tall.learned,
        "whole_set": tall.shape[places[0]] != event.node.shape[places[1]],
        "comparison": event.name in _COMPARISONS,
    }
    return replace(seen, kind="silent", options={**seen.options, **facts})
