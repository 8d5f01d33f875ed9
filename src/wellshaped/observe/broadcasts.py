"""Lists every broadcast between tensors of a running program."""

from __future__ import annotations

from dataclasses import replace

from wellshaped.observe.hazard_broadcast import crossing
from wellshaped.observe.lineage import Event, user_frame
from wellshaped.observe.lineage_node import Node
from wellshaped.records.broadcast import Broadcast, Suspicion


def broadcast_here(event: Event) -> None:
    """Note an element-wise operation whose operands have different shapes."""
    met = [each for each in event.parents if each.shape]
    if len(met) < 2 or len({each.shape for each in met}) == 1:
        return
    shapes = tuple(each.shape for each in met)
    frame = user_frame()
    key = (frame.f_code, frame.f_lasti, event.name, shapes)
    known = event.trace.broadcasts.get(key)
    if known is None:
        known = Broadcast(
            event.trace.passage_here(),
            event.name,
            shapes,
            event.node.shape,
            _suspicion(met, event.node),
            0,
        )
    event.trace.broadcasts[key] = replace(known, count=known.count + 1)


def _suspicion(met: list[Node], result: Node) -> Suspicion:
    if any(each.shape == result.shape for each in met):
        return "one"
    tall, flat = sorted(met[:2], key=lambda each: -len(each.shape))
    implicit = len(tall.shape) != len(flat.shape)
    return "pairs" if implicit and crossing(tall, flat) is not None else "both"
