"""Detects element-wise operations that cross the rows of a batch with themselves."""

from __future__ import annotations

import itertools

from wellshaped.contracts.registry import ROWS
from wellshaped.diagnose.faults.silent.crossed_rows.detect.earlier_broadcast import (
    blame_earlier_broadcast,
    record_outer_broadcast,
)
from wellshaped.diagnose.faults.silent.crossed_rows.detect.outer_broadcast import (
    COLUMN,
    LAID,
    observe_outer_broadcast,
    was_asked_for,
)
from wellshaped.observe.trace.axes import ELEMENT_WISE
from wellshaped.observe.trace.crossing import crossing
from wellshaped.observe.trace.elements import elements
from wellshaped.observe.trace.lineage import Event
from wellshaped.observe.trace.node import Node
from wellshaped.records.observation import Observation

_LOOKED_UP = ("gather", "take_along_dim")
_MOST_NODES = 20
# Who means an outer broadcast subtracts or compares: products of a column with a vector are slips.
_PRODUCTS = ("mul", "div", "true_divide", "multiply", "divide")


def crossed_rows(event: Event) -> Observation | None:
    """Rows met rows at right angles, by ranks that differ, between a prediction and its target."""
    if len(event.parents) < 2 or len(event.node.shape) < 2:
        return None
    one, other = event.parents[0], event.parents[1]
    tall, flat = (one, other) if len(one.shape) > len(other.shape) else (other, one)
    if len(tall.shape) == len(flat.shape) or not flat.shape:
        return None
    if event.node.shape in (tall.shape, flat.shape):
        return None
    places = crossing(tall, flat)
    if places is None:
        return None
    alone = tall.name not in COLUMN and (_one_a_row(tall) or _one_a_row(flat))
    if not (alone or _apart(one, other) or _weighed(event.name, tall, flat, places[1])):
        return None
    scene = event.scene("crossed_rows")
    if scene is None or scene.scope is None or scene.node is None:
        return None
    if was_asked_for(scene, tall, places[1], event.name, table=not alone):
        return None
    return observe_outer_broadcast(scene, event, tall, flat, places)


def _apart(one: Node, other: Node) -> bool:
    """Whether one of them is learned and the other is not, or one carries no gradient."""
    return one.learned != other.learned or (one.learned and one.grad != other.grad)


def _one_a_row(node: Node) -> bool:
    """Whether each number belongs to its row alone: looked up in it, or the loss of it."""
    above = itertools.islice(elements(node), _MOST_NODES)
    return any(each.name in _LOOKED_UP or each.name in ROWS for each in above)


def _weighed(name: str, tall: Node, flat: Node, stretched: int) -> bool:
    """Whether a vector met the one output of a layer for each row in a product."""
    if name not in _PRODUCTS or not tall.learned or len(tall.shape) != 2:
        return False
    column = all(atom.origin != "added" for atom in tall.axes[stretched])
    return column and not any(each is tall for each in flat.ancestors())


RECORD = dict.fromkeys(ELEMENT_WISE, record_outer_broadcast)
DETECT = dict.fromkeys((*ELEMENT_WISE, LAID), crossed_rows)
BLAME = (blame_earlier_broadcast,)
