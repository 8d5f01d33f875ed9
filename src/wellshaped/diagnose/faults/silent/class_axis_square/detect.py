"""Detects losses that read positions as classes, because both axes have one size."""

from __future__ import annotations

from dataclasses import replace

from wellshaped.contracts.questions import losses
from wellshaped.diagnose.faults.silent.class_axis_square import ClassAxisSquare
from wellshaped.observe.trace.lineage import Event
from wellshaped.records.observation import Observation


def positions_as_classes(event: Event) -> Observation | None:
    """Positions where classes are read: both axes have one size, so nothing is refused."""
    given = event.parents[0]
    if len(given.shape) != 3 or given.shape[1] != given.shape[2] or not given.learned:
        return None
    positions, classes = given.axes[1], given.axes[2]
    if [atom.origin for atom in (*positions, *classes)] != ["data", "made"]:
        return None
    scene = event.scene("class_axis")
    if scene is None:
        return None
    seen = event.loss_call()
    if seen is None:
        return None
    return replace(seen, kind="silent", facts=ClassAxisSquare())


DETECT = dict.fromkeys(losses(target="classes", pairs="positions"), positions_as_classes)
