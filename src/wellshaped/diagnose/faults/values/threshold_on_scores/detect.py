"""Asks of each threshold whether it was meant for probabilities and met raw scores."""

from __future__ import annotations

from dataclasses import replace

from wellshaped.observe.failure.operations import observe_operation
from wellshaped.observe.hazard_activation import is_score, maker_of
from wellshaped.observe.trace.lineage import Event
from wellshaped.observe.trace.node import Node
from wellshaped.records.observation import Observation

COMPARISONS = ("gt", "ge", "lt", "le")
_HALF = 0.5


def trained_as_logits(event: Event) -> None:
    """Note the layer whose scores a loss with logits takes."""
    event.trace.logits |= _layer(maker_of(event.parents[0]))


def _layer(maker: Node) -> set[int]:
    """The parameters of the layer that made the scores."""
    own = [each for each in maker.parents if each.name == "parameter"] if is_score(maker) else []
    return {each.options["tensor"] for each in own}


def half_of_scores(event: Event) -> Observation | None:
    """Scores that are trained as logits, compared with one half."""
    bound = event.given[0] if event.given else None
    if type(bound) is not float or bound != _HALF or not event.parents[0].learned:
        return None
    if not _layer(maker_of(event.parents[0])) & event.trace.logits:
        return None
    scene = event.scene("threshold")
    if scene is None or scene.scope is None or scene.node is None:
        return None
    seen = observe_operation(scene.node, scene.scope, scene.passage, scene.callers)
    if seen is None or seen.operands[0].shape != event.parents[0].shape:
        return None
    return replace(seen, kind="silent", options={**seen.options, "hazard": "threshold"})
