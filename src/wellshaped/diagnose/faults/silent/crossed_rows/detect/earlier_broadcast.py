"""Blames an earlier outer broadcast, `(32, 8, 1) * (8,)`, for a later failure.

`(32, 8, 1) * (8,)` gives `(32, 8, 8)`, and nothing is raised before the table meets something
else. By itself that may be meant; where the next tensor would fit without it, it is not.
"""

from __future__ import annotations

import contextlib
import itertools
from dataclasses import replace

import torch
from torch.utils._pytree import tree_map

from wellshaped.diagnose.faults.silent.crossed_rows import CrossedRows
from wellshaped.diagnose.faults.silent.crossed_rows.detect.outer_broadcast import (
    observe_outer_broadcast,
    was_asked_for,
)
from wellshaped.observe.trace.counterfactual import is_in_place
from wellshaped.observe.trace.crossing import crossing
from wellshaped.observe.trace.lineage import Event, Failed, Lineage
from wellshaped.observe.trace.node import Axis, Node, size_of
from wellshaped.records.observation import Observation
from wellshaped.source.internal_calls import internal_calls

_MOST_NODES = 60
_OUTER = "outer_broadcast"


def record_outer_broadcast(event: Event) -> None:
    """Keep where a tensor grew beyond both its operands, and how that is written."""
    if len(event.parents) != 2 or event.node.shape in [each.shape for each in event.parents]:
        return
    tall, flat = sorted(event.parents, key=lambda each: -len(each.shape))
    places = crossing(tall, flat, _as_many) if len(tall.shape) > len(flat.shape) else None
    if places is None:
        return
    scene = event.scene(_OUTER)
    if scene is None or scene.scope is None or scene.node is None:
        return
    if not was_asked_for(scene, tall, places[1], event.name, table=False):
        seen = observe_outer_broadcast(scene, event, tall, flat, places)
        if seen is not None:
            event.node.options[_OUTER] = seen


def _as_many(one: Axis, other: Axis) -> bool:
    return size_of(one) == size_of(other)


def blame_earlier_broadcast(trace: Lineage, error: Observation) -> Observation:
    """What made the failing operand what it is, if all would fit without that; else the failure."""
    failed = trace.failed
    if failed is None:
        return error
    shapes = [each.shape for each in error.operands]
    for tensor, node in (each for each in failed.given if each[1].shape in shapes):
        for each in itertools.islice(node.ancestors(), _MOST_NODES):
            seen = each.options.get(_OUTER)
            if seen is not None and _has_it(node, each, seen) and _would_fit(seen, tensor, failed):
                return _blamed(seen, error)
    return error


def _has_it(node: Node, grown: Node, seen: Observation) -> bool:
    """Whether a tensor still has the axis along which an ancestor was stretched."""
    axis = _stretched(seen)
    return len(node.axes) > axis and node.axes[axis] == grown.axes[axis]


def _would_fit(seen: Observation, tensor: torch.Tensor, failed: Failed) -> bool:
    """Whether the call runs where that axis has size 1, or is not there."""
    axis = _stretched(seen)
    if is_in_place(getattr(failed.func, "__name__", "")):
        return False
    for without in (tensor.narrow(axis, 0, 1), tensor.select(axis, 0)):
        args, options = tree_map(
            lambda each, other=without: other if each is tensor else each,
            (failed.args, dict(failed.options)),
        )
        with contextlib.suppress(Exception), internal_calls(), torch.no_grad():
            failed.func(*args, **options)
            return True
    return False


def _stretched(seen: Observation) -> int:
    assert isinstance(seen.facts, CrossedRows)
    return seen.facts.stretched


def _blamed(seen: Observation, error: Observation) -> Observation:
    return replace(
        seen,
        stopped=error.passage.place,
        error_type=error.error_type,
        error_text=error.error_text,
    )
