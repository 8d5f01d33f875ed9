"""Detects reshapes that were meant to move axes, which they cannot."""

from __future__ import annotations

import ast

from wellshaped.diagnose.faults.silent.moved_axes import MovedAxes
from wellshaped.observe.failure.exception import Scene
from wellshaped.observe.trace.lineage import Event
from wellshaped.observe.trace.reshaped_axes import moved
from wellshaped.records.observation import Observation, Operand
from wellshaped.source.operands import operand

RESHAPES = ("view", "reshape")


def view_for_permute(event: Event) -> Observation | None:
    """The new sizes are the old ones in another order: read in memory order they mix."""
    before, after = event.parents[0].shape, event.node.shape
    move = moved(before, after) if 0 not in before else None
    if move is None:
        return None
    scene = event.scene("moved_axes")
    if scene is None or scene.scope is None or not isinstance(scene.node, ast.Call):
        return None
    if not _is_reshape(scene.node):
        return None  # inside a layer of torch or of a library
    return Observation(
        "silent",
        event.name,
        event.name,
        scene.passage,
        tuple(_operands(scene, scene.node, event)),
        callers=scene.callers,
        facts=MovedAxes(how=move.how, order=move.order, result=after),
    )


def _is_reshape(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in RESHAPES


def _operands(scene: Scene, call: ast.Call, event: Event) -> list[Operand]:
    """The tensor, and the sizes as they are written where each has an expression of its own."""
    assert scene.scope is not None
    assert isinstance(call.func, ast.Attribute)
    owner, sizes = call.func.value, list(call.args)
    if isinstance(owner, ast.Name) and owner.id == "torch" and sizes:
        owner, sizes = sizes[0], sizes[1:]
    if len(sizes) == 1 and isinstance(sizes[0], (ast.Tuple, ast.List)):
        sizes = sizes[0].elts
    found = [operand("input", event.tensors[0], owner, scene.scope)]
    if len(sizes) == len(event.node.shape):
        source = scene.scope.source
        found += [Operand(f"size {k}", None, source.passage(each)) for k, each in enumerate(sizes)]
    return found


DETECT = dict.fromkeys(RESHAPES, view_for_permute)
