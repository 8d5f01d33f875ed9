"""Lists every broadcast between tensors of a running program, where that is asked for."""

from __future__ import annotations

from dataclasses import replace

import torch

from wellshaped.contracts.questions import losses
from wellshaped.observe.trace.axes import ELEMENT_WISE
from wellshaped.observe.trace.crossing import crossing
from wellshaped.observe.trace.lineage import Event, user_frame
from wellshaped.observe.trace.node import Node
from wellshaped.records.broadcast import Broadcast, Suspicion

# They take their first two tensors element by element; some let torch stretch them.
_LOSSES = losses(pairs="elements")
BROADCASTING = (*ELEMENT_WISE, *_LOSSES)


def record_broadcast(event: Event) -> None:
    """Record an operation element by element whose operands have different shapes."""
    given = event.parents[:2] if event.name in _LOSSES else event.parents
    met = [each for each in given if each.shape]
    if len(met) < 2 or len({each.shape for each in met}) == 1:
        return
    shapes = tuple(each.shape for each in met)
    frame = user_frame()
    key = (frame.f_code, frame.f_lasti, event.name, shapes)
    known = event.trace.broadcasts.get(key)
    if known is None:
        result = tuple(torch.broadcast_shapes(*shapes))
        passage, suspicion = event.trace.passage_here(), _suspicion(met, result)
        known = Broadcast(passage, event.name, shapes, result, suspicion, 0)
    event.trace.broadcasts[key] = replace(known, count=known.count + 1)


def _suspicion(met: list[Node], result: tuple[int, ...]) -> Suspicion:
    tall, flat = sorted(met[:2], key=lambda each: -len(each.shape))
    implicit = len(tall.shape) != len(flat.shape)
    whole = any(each.shape == result for each in met)
    if not whole and implicit and crossing(tall, flat) is not None:
        return "pairs"
    if any(each.learned and not each.is_data for each in met):
        return "weights"
    if implicit and len(flat.shape) and _of_a_batch(tall) and _of_a_batch(flat):
        return "ranks"
    return "one" if whole else "both"


def _of_a_batch(node: Node) -> bool:
    """Whether one of its axes counts rows that a loader gave."""
    return any(atom.batch for axis in node.axes for atom in axis)
