"""Detects thresholds that were meant for probabilities and met raw scores."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from wellshaped.diagnose.faults.values.threshold_on_scores import ThresholdOnScores
from wellshaped.diagnose.faults.values.wrong_activation.detect import is_score, maker_of
from wellshaped.observe.failure.operations import observe_operation
from wellshaped.observe.trace.lineage import Event, Lineage
from wellshaped.observe.trace.node import Node
from wellshaped.records.observation import Observation

COMPARISONS = ("gt", "ge", "lt", "le")
_HALF = 0.5


@dataclass
class LogitLayers:
    """The parameters of the layers whose scores a run trains as logits."""

    parameters: set[int] = field(default_factory=set)

    def record(self, event: Event) -> None:
        """Record the layer whose scores a loss with logits takes."""
        self.parameters |= _layer(maker_of(event.parents[0]))

    def half_of_scores(self, event: Event) -> Observation | None:
        """Scores that are trained as logits, compared with one half."""
        bound = event.given[0] if event.given else None
        if type(bound) is not float or bound != _HALF or not event.parents[0].learned:
            return None
        if not _layer(maker_of(event.parents[0])) & self.parameters:
            return None
        scene = event.scene("threshold")
        if scene is None or scene.scope is None or scene.node is None:
            return None
        seen = observe_operation(scene.node, scene.scope, scene.passage, scene.callers)
        if seen is None or seen.operands[0].shape != event.parents[0].shape:
            return None
        return replace(seen, kind="silent", facts=ThresholdOnScores())


def _layer(maker: Node) -> set[int]:
    """The parameters of the layer that made the scores."""
    own = [each for each in maker.parents if each.name == "parameter"] if is_score(maker) else []
    return {each.options["tensor"] for each in own}


@contextlib.contextmanager
def follow_thresholds(trace: Lineage) -> Iterator[None]:
    """Record inside the block what is trained as logits, and look at thresholds of it."""
    layers = LogitLayers()
    trace.watch(("binary_cross_entropy_with_logits",), layers.record)
    trace.watch(COMPARISONS, layers.half_of_scores)
    yield


FOLLOW = (follow_thresholds,)
