"""Asks of an operation that fails whether an earlier one made a table of pairs of its operand.

`(32, 8, 1) * (8,)` gives `(32, 8, 8)`, and nothing is raised before the table meets something
else. By itself that may be meant; where the next tensor would fit without it, it is not.
"""

from __future__ import annotations

import contextlib
import itertools
from dataclasses import replace

import torch
from torch.utils._pytree import tree_map

from wellshaped.observe.hazard_broadcast import asked_for, crossing, observed
from wellshaped.observe.trace.counterfactual import is_in_place
from wellshaped.observe.trace.lineage import Event, Failed, Lineage
from wellshaped.observe.trace.node import Axis, Node, size_of
from wellshaped.records.observation import Observation
from wellshaped.source.internal_calls import internal_calls

_MOST_NODES = 60
_GREW = "grew"


def noted_growth(event: Event) -> None:
    """Keep where a tensor grew beyond both its operands, and how that is written."""
    if len(event.parents) != 2 or event.node.shape in [each.shape for each in event.parents]:
        return
    tall, flat = sorted(event.parents, key=lambda each: -len(each.shape))
    places = crossing(tall, flat, _as_many) if len(tall.shape) > len(flat.shape) else None
    if places is None:
        return
    scene = event.scene(_GREW)
    if scene is None or scene.scope is None or scene.node is None:
        return
    if not asked_for(scene, tall, places[1], event.name, table=False):
        seen = observed(scene, event, tall, flat, places)
        if seen is not None:
            event.node.options[_GREW] = seen


def _as_many(one: Axis, other: Axis) -> bool:
    return size_of(one) == size_of(other)


def grown_before(trace: Lineage, error: Observation | None) -> Observation | None:
    """What made the failing operand what it is, if all would fit without that; else the failure."""
    failed = trace.failed
    if error is None or failed is None:
        return error
    shapes = [each.shape for each in error.operands]
    for tensor, node in (each for each in failed.given if each[1].shape in shapes):
        for each in itertools.islice(node.ancestors(), _MOST_NODES):
            seen = each.options.get(_GREW)
            if seen is not None and _has_it(node, each, seen) and _would_fit(seen, tensor, failed):
                return _blamed(seen, error)
    return error


def _has_it(node: Node, grown: Node, seen: Observation) -> bool:
    """Whether a tensor still has the axis along which an ancestor was stretched."""
    axis = seen.options["stretched"]
    return len(node.axes) > axis and node.axes[axis] == grown.axes[axis]


def _would_fit(seen: Observation, tensor: torch.Tensor, failed: Failed) -> bool:
    """Whether the call runs where that axis has size 1, or is not there."""
    axis = seen.options["stretched"]
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


def _blamed(seen: Observation, error: Observation) -> Observation:
    facts = {**seen.options, "stopped": error.passage.place}
    return replace(seen, options=facts, error_type=error.error_type, error_text=error.error_text)
