"""Asks of an operation that fails whether an earlier one made a table of pairs of its operand.

`(32, 8, 1) * (8,)` gives `(32, 8, 8)`, and nothing is raised before the table meets something
else. By itself that may be meant; where the next tensor would fit without it, it is not.
"""

from __future__ import annotations

import itertools
from dataclasses import replace

import torch

from wellshaped.observe.hazard_broadcast import asked_for, observed
from wellshaped.observe.lineage import Event, Lineage
from wellshaped.observe.lineage_node import Node
from wellshaped.records.observation import Observation

_MOST_NODES = 60
_GREW = "grew"


def noted_growth(event: Event) -> None:
    """Keep where a tensor grew beyond both its operands, and how that is written."""
    if len(event.parents) != 2 or event.node.shape in [each.shape for each in event.parents]:
        return
    tall, flat = sorted(event.parents, key=lambda each: -len(each.shape))
    places = _crossing(tall, flat)
    if places is None:
        return
    scene = event.scene(_GREW)
    if scene is None or scene.scope is None or scene.node is None:
        return
    if not asked_for(scene, tall, places[1], event.name):
        seen = observed(scene, event, tall, flat, places)
        if seen is not None:
            event.node.options[_GREW] = seen


def _crossing(tall: Node, flat: Node) -> tuple[int, int] | None:
    """The axis of `tall` that has as many places as one of `flat`, and the axis of size 1 which
    that one was laid on instead, for `flat` has fewer axes."""
    gap = len(tall.shape) - len(flat.shape)
    if not gap or len(flat.shape) != 1 or flat.shape[0] == 1 or tall.shape[-1] != 1:
        return None
    found = [axis for axis, size in enumerate(tall.shape[:-1]) if size == flat.shape[0]]
    return (found[-1], gap) if found else None


def grown_before(trace: Lineage, failed: Observation | None) -> Observation | None:
    """What made the failing operand what it is, if all would fit without that; else the failure."""
    given = [] if failed is None else [each.shape for each in failed.operands]
    for node in (each for each in trace.stopped if each.shape in given):
        others = [each.shape for each in trace.stopped if each is not node]
        for each in itertools.islice(node.ancestors(), _MOST_NODES):
            seen = each.options.get(_GREW)
            if seen is not None and each.shape == node.shape and _would_fit(seen, node, others):
                return _blamed(seen, failed)
    return failed


def _would_fit(seen: Observation, node: Node, others: list[tuple[int, ...]]) -> bool:
    """Whether the others meet it where the axis it was stretched along has size 1."""
    stretched = seen.options["stretched"]
    narrow = (*node.shape[:stretched], 1, *node.shape[stretched + 1 :])
    try:
        torch.broadcast_shapes(narrow, *others)
    except RuntimeError:
        return False
    return len(others) == 1


def _blamed(seen: Observation, failed: Observation | None) -> Observation:
    assert failed is not None
    facts = {**seen.options, "stopped": failed.passage.place}
    return replace(seen, options=facts, error_type=failed.error_type, error_text=failed.error_text)
