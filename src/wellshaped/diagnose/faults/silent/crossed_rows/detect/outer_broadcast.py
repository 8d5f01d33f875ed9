"""A broadcast that lays axes at right angles, as it is written: on purpose, or an observation."""

from __future__ import annotations

import ast
from dataclasses import replace

from wellshaped.diagnose.faults.silent.crossed_rows import CrossedRows
from wellshaped.observe.failure.exception import Scene
from wellshaped.observe.failure.operations import observe_operation
from wellshaped.observe.trace.lineage import Event
from wellshaped.observe.trace.node import Node
from wellshaped.records.observation import Observation

_COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
# How a distribution over classes lays the chosen ones on its table, with an axis of classes behind.
LAID = "broadcast_tensors"
COLUMN = ("unsqueeze", "__getitem__")


def was_asked_for(
    scene: Scene, tall: Node, stretched: int, name: str, *, table: bool = True
) -> bool:
    """Whether the axis of size 1 was added on purpose: in this very statement, or as a table."""
    added = all(atom.origin == "added" for atom in tall.axes[stretched])
    if not added:
        return False
    kept = tall.learned and tall.name not in COLUMN
    if table and name not in _COMPARISONS and kept:
        return True  # a sum that kept its axis: one half of a deliberate outer broadcast
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


def observe_outer_broadcast(
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
    facts = CrossedRows(
        tall=seen.operands[shapes.index(long)].role,
        flat=seen.operands[shapes.index(short)].role,
        rows_axis=places[0],
        stretched=places[1],
        result=result,
        tall_learned=tall.learned,
        whole_set=tall.shape[places[0]] != event.node.shape[places[1]],
    )
    return replace(seen, kind="silent", facts=facts)
