"""Detects losses of differences, and ratios, both sides of which are the same."""

from __future__ import annotations

import ast
import itertools
from dataclasses import replace

import torch

from wellshaped.contracts.questions import losses
from wellshaped.diagnose.faults.silent.own_target import OwnTarget
from wellshaped.observe.failure.exception import observe_hazard
from wellshaped.observe.trace.lineage import Event, user_frame
from wellshaped.observe.trace.node import Node
from wellshaped.records.observation import Observation
from wellshaped.source.operands import operand

DIFFERENCES = tuple(losses(zero_when_equal=True))
SUBTRACTIONS = ("sub", "subtract", "rsub")
_ZERO = "zero_difference"
_MOST_NODES = 3000
_MOST_STEPS = 6
# Operations that hand on every value as it is, in its place.
_SAME = frozenset(("detach", "data", "clone", "contiguous", "requires_grad_"))


def compared_with_itself(event: Event) -> Observation | None:
    """Both sides are one tensor, at most without its gradient: the loss is always 0."""
    if len(event.parents) < 2 or not event.parents[0].learned:
        return None
    if _maker(event.parents[0]) is not _maker(event.parents[1]) or bool(event.result.any()):
        return None
    if event.scene("itself") is None:
        return None
    seen = observe_hazard(event.name, {"input": event.tensors[0], "target": event.tensors[1]})
    if seen is None:
        return None
    return replace(seen, kind="silent", facts=OwnTarget(meant=_targets_in_sight(event)))


def record_zero_difference(event: Event) -> None:
    """Record at a difference that both sides are the same, and follow the same parameters."""
    if len(event.tensors) != 2 or not all(each.requires_grad for each in event.tensors):
        return
    if event.result.numel() < 2 or bool(event.result.detach().any()):
        return
    one, other = event.parents
    if _maker(one) is not _maker(other):
        sides = [set(itertools.islice(each.ancestors(), _MOST_NODES)) for each in (one, other)]
        learned = [{each for each in side if each.name == "parameter"} for side in sides]
        if learned[0] != learned[1] or one in sides[1] or other in sides[0]:
            return
    scene = event.scene(_ZERO)
    if scene is None or scene.scope is None or not isinstance(scene.node, ast.BinOp):
        return
    pair = {"input": scene.node.left, "other": scene.node.right}
    operands = tuple(
        operand(role, tensor, node, scene.scope)
        for (role, node), tensor in zip(pair.items(), event.tensors, strict=True)
    )
    event.node.options[_ZERO] = Observation(
        "silent",
        event.name,
        "-",
        scene.passage,
        operands,
        callers=scene.callers,
        facts=OwnTarget(found="ratio"),
    )


def ratio_with_itself(event: Event) -> Observation | None:
    """The exponential of such a difference: a ratio that is 1, and has no gradient."""
    node = event.parents[0]
    for _ in range(_MOST_STEPS):
        if _ZERO in node.options or not node.parents:
            break
        node = next((each for each in node.parents if each.grad), node.parents[0])
    found: Observation | None = node.options.get(_ZERO)
    return found


def _maker(node: Node) -> Node:
    while node.name in _SAME and node.parents:
        node = node.parents[0]
    return node


def _targets_in_sight(event: Event) -> tuple[str, ...]:
    """The names beside the call that hold data of the same shape: what may have been meant."""
    shape, found = event.tensors[0].shape, []
    for name, value in user_frame().f_locals.items():
        if isinstance(value, torch.Tensor) and value.shape == shape and name.isidentifier():
            node = event.trace.node_of(value)
            if node.is_data and not node.learned and not name.startswith("_"):
                found.append(name)
    return tuple(found)


RECORD = dict.fromkeys(SUBTRACTIONS, record_zero_difference)
DETECT = {**dict.fromkeys(DIFFERENCES, compared_with_itself), "exp": ratio_with_itself}
