"""Detects operations on the way to a loss that mixed the rows of its batch."""

from __future__ import annotations

from wellshaped.contracts.questions import losses
from wellshaped.contracts.registry import ROWS
from wellshaped.diagnose.faults.silent.mixed_rows import MixedRows
from wellshaped.observe.trace.lineage import Event
from wellshaped.observe.trace.node import Atom, Axis, Node, same_rows
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.shape import TensorFact
from wellshaped.records.source import Passage
from wellshaped.source.operands import argument_of, label_of

LOSSES = tuple(ROWS)
COMPARISONS = ("eq", "ne")
_CLASS_LOSSES = losses(target="classes")
_RECURRENT = ("lstm", "gru", "rnn_tanh", "rnn_relu")
_MOST_NODES = 5000


def mixed_rows(event: Event) -> Observation | None:
    """A softmax over the batch axis, or a layer that read it as time, before a loss."""
    if not event.parents[0].learned or event.scene("mixed_rows") is None:
        return None
    rows = _rows_of_loss(event)
    for count, node in enumerate(event.parents[0].ancestors()):
        if count > _MOST_NODES:
            break
        found = _mixes(node, rows)
        if found is not None:
            return _observed(node, *found)
    return None


def compared_over_rows(event: Event) -> Observation | None:
    """A prediction that was chosen over the batch axis, compared with labels."""
    if len(event.parents) < 2:
        return None
    for one, other in (event.parents[:2], event.parents[1::-1]):
        while one.name in ("view", "reshape", "squeeze", "flatten", "__getitem__") and one.parents:
            one = one.parents[0]
        if one.name not in ("argmax", "max") or not one.learned or other.learned:
            continue
        given = one.parents[0]
        place = _axis(one, len(given.shape))
        if place is None or len(given.shape) != 2 or 1 in given.shape or not other.axes:
            continue
        if same_rows(given.axes[place], other.axes[0]) and not same_rows(
            given.axes[1 - place], other.axes[0]
        ):
            return _observed(one, "choice", place) if event.scene("chosen") else None
    return None


def _rows_of_loss(event: Event) -> Atom | None:
    """The axis that counts the rows of the loss, where its contract or its shape tells."""
    given = event.parents[0]
    target = event.parents[1] if len(event.parents) > 1 else None
    classes = event.name in _CLASS_LOSSES and target is not None and len(target.shape) == 1
    vector = len(given.shape) == 1 or (len(given.shape) == 2 and given.shape[1] == 1)
    if not given.axes or not (classes or vector) or len(given.axes[0]) != 1:
        return None
    return given.axes[0][0] if given.axes[0][0].size > 1 else None


def _mixes(node: Node, rows: Atom | None) -> tuple[str, int] | None:
    """What a node does along the rows, and along which axis of its operand."""
    if not node.parents or "passage" not in node.options:
        return None
    given = node.parents[0]
    rank = len(given.shape)
    if node.name in ("softmax", "log_softmax"):
        place = _axis(node, rank)
        wide = [k for k in range(rank) if k != place and given.shape[k] > 1]
        alone = rank != 2 or not any(_is_rows(given.axes[k], rows) for k in wide)
        if place is not None and wide and alone and _is_rows(given.axes[place], rows):
            return "softmax", place
    if node.name in _RECURRENT and rank == 3:
        place = 1 if node.options["given"][-1] is True else 0
        return ("recurrent", place) if _reads_rows(given, place, 1 - place, rows) else None
    if node.name == "multi_head_attention_forward" and rank == 3:
        return ("attention", 0) if _reads_rows(given, 0, 1, rows) else None
    if node.name == "scaled_dot_product_attention" and rank > 2:
        return ("attention", rank - 2) if _reads_rows(given, rank - 2, 0, rows) else None
    return None


def _reads_rows(given: Node, place: int, batch: int, rows: Atom | None) -> bool:
    """Whether a layer reads the rows as its positions.

    Where it takes one row only, the rows of the loss may be the positions of that row: then the
    axis must be one that a loader gave as its batch.
    """
    axis = given.axes[place]
    return _is_rows(axis, rows) and (given.shape[batch] > 1 or axis[0].batch)


def _axis(node: Node, rank: int) -> int | None:
    given = node.options.get("given", ())
    named = node.options.get("dim", given[0] if given else None)
    return named % rank if type(named) is int and -rank <= named < rank else None


def _is_rows(axis: Axis, rows: Atom | None) -> bool:
    return len(axis) == 1 and axis[0].size > 1 and (axis[0] is rows or axis[0].batch)


def _observed(node: Node, found: str, place: int) -> Observation:
    passage: Passage = node.options["passage"]
    built: Passage | None = node.options.get("built")
    given = node.parents[0]
    operands = [Operand("input", TensorFact(given.shape), argument_of(passage))]
    if built is not None:
        operands.append(Operand("built", None, built))
    label = label_of(passage, built, node.name)
    facts = MixedRows(found=found, axis=place, shape=given.shape)
    return Observation("silent", node.name, label, passage, tuple(operands), facts=facts)


DETECT = dict.fromkeys(LOSSES, mixed_rows) | dict.fromkeys(COMPARISONS, compared_over_rows)
