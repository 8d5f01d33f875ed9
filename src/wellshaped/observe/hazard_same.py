"""Asks of each loss of differences whether it compares a prediction with itself."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import torch

from wellshaped.observe.lineage import Event, user_frame
from wellshaped.observe.lineage_node import Node
from wellshaped.observe.postmortem import observe_hazard
from wellshaped.records.observation import Observation

DIFFERENCES = ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")
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
    facts: dict[str, Any] = {"hazard": "itself", "meant": _targets_in_sight(event)}
    return replace(seen, kind="silent", options={**seen.options, **facts})


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
