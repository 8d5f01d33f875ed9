"""Asks of values that are masked whether the mean or spread they were scaled by took padding in."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import torch

from wellshaped.observe.hazard_rows import argument_of
from wellshaped.observe.trace.axes import ELEMENT_WISE, reduced_axes
from wellshaped.observe.trace.lineage import Event, user_frame
from wellshaped.observe.trace.masks import VIEWS, as_mask, masks_in_sight
from wellshaped.observe.trace.node import Node
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.shape import TensorFact

MASKING = ("mul", "where", "masked_fill", "__getitem__", "masked_select")
SCALES = ("mean", "std", "var", "std_mean", "var_mean")
_SPREADS = SCALES[1:]
_TAKEN_OFF = ("sub", "rsub", "subtract")
_MOST_NODES = 300
_MOST_MASKS = 8
# Operations of one tensor that leave every element in its place.
_ONE_BY_ONE = frozenset(
    "exp log neg abs sqrt rsqrt square reciprocal sign relu sigmoid tanh clamp clamp_min "  # noqa: SIM905 - a table
    "clamp_max clip detach data clone contiguous float double half bfloat16 to type "
    "requires_grad_ nan_to_num min max in_place unsqueeze squeeze".split()
)
# Operations that hand on some of the rows, whole.
_ROWS = ("__getitem__", "index_select")


def noted_scale(event: Event) -> None:
    """Note at a mean or a spread of a table where it stands, and the masks in sight."""
    given, tensor = event.parents[0], event.tensors[0]
    flat = len(given.shape) == 1 and given.name in VIEWS and len(given.parents[0].shape) == 2
    flat = flat or _row_of(given) is not None
    if not tensor.is_floating_point() or not (flat or len(given.shape) == 2):
        return
    event.node.options["passage"] = event.trace.passage_here()
    if not flat:
        known = masks_in_sight(event.trace, user_frame(), *given.shape)
        event.node.options["masks"] = [
            (name, value.dtype == torch.bool, real)
            for name, value, real in known
            if tuple(value.shape) == given.shape
        ]


def whitened_with_padding(event: Event) -> Observation | None:
    """Values are masked that were scaled by the mean or the spread of all positions."""
    for node, real in _masked(event):
        found = _scales(node, real)
        if found:
            return _observed(found, real)
    return None


def _masked(event: Event) -> Iterator[tuple[Node, torch.Tensor]]:
    """Values that meet a mask of their own shape, and which of them are kept."""
    pairs = list(zip(event.parents, event.tensors, strict=True))
    for (one, values), (other, mask) in itertools.permutations(pairs, 2):
        if not values.is_floating_point() or values.shape != mask.shape:
            continue
        dropped = event.name == "masked_fill" or (event.name == "where" and one is not pairs[1][0])
        real = as_mask(other, ~mask if dropped and mask.dtype == torch.bool else mask)
        if real is not None:
            event.trace.masks.append(real)
            del event.trace.masks[:-_MOST_MASKS]
            yield one, real


def _scales(node: Node, real: torch.Tensor) -> list[Node]:
    """The means and spreads of a table, or of its padded rows, that scaled their elements."""
    table = list(itertools.islice(elements(node), _MOST_NODES))
    members, found = set(map(_identity, table)), list[Node]()
    for each in table:
        for parent in each.parents:
            if parent.shape == each.shape:
                continue
            for scale in _up(parent):
                scales = scale.name in _SPREADS or (
                    scale.name == "mean" and each.name in _TAKEN_OFF
                )
                if scales and _identity(scale.parents[0]) in members and _is_whole(scale, real):
                    found.append(scale)
    return list(dict.fromkeys(found))


def _identity(node: Node) -> Any:
    """One for a row each time it is read from its table; for anything else, itself."""
    row = _row_of(node)
    return node if row is None else (node.parents[0], row)


def _row_of(node: Node) -> int | None:
    """The number of the row of a table that this is, whole."""
    given = node.options.get("given", ())
    if node.name != "__getitem__" or len(given) != 1 or len(node.shape) != 1:
        return None
    if node.parents[0].shape[1:] != node.shape:
        return None
    first = given[0][0] if type(given[0]) is tuple and given[0] else given[0]
    return first if type(first) is int else None


def elements(node: Node) -> Iterator[Node]:
    """All that gave the elements of a table, each in its own place."""
    level, seen = [node], {node}
    while level:
        each = level.pop(0)
        yield each
        if each.name in ELEMENT_WISE or each.name in _ONE_BY_ONE:
            beyond = [one for one in each.parents if one.shape == each.shape]
            if each.name == "in_place":  # rows may have been put into it
                beyond += [one for one in each.parents if one.shape == each.shape[1:]]
        elif each.name in (*VIEWS, *_ROWS):
            first = each.parents[:1]
            same = each.name in VIEWS or any(one.shape[1:] == each.shape[1:] for one in first)
            beyond = list(first) if same or _row_of(each) is not None else []
        else:
            beyond = []
        level += [one for one in beyond if one not in seen]
        seen.update(beyond)


def _up(node: Node) -> Iterator[Node]:
    """A number, or one for each row, and what it was made from by arithmetic."""
    level = [node]
    for _ in range(_MOST_NODES):
        if not level:
            return
        each = level.pop(0)
        yield each
        if each.name in ELEMENT_WISE or each.name in _ONE_BY_ONE:
            level += [one for one in each.parents if len(one.shape) <= len(each.shape)]


def _is_whole(scale: Node, real: torch.Tensor) -> bool:
    """Whether it was taken over the positions of rows, not over the rows of a position."""
    shape, row = scale.parents[0].shape, _row_of(scale.parents[0])
    if row is not None and (real.dim() < 2 or bool(real[row].all())):
        return False
    gone = reduced_axes(scale.options.get("given", ()), scale.options, len(shape))
    return gone is not None and len(shape) - 1 in gone and "passage" in scale.options


def _observed(scales: list[Node], real: torch.Tensor) -> Observation:
    """All of them at the place of the first spread, or of the first mean."""
    scales.sort(key=lambda each: each.name not in _SPREADS)
    first, shape = scales[0], scales[0].parents[0].shape
    operands = []
    for role, each in zip(("input", "beside", "third"), scales, strict=False):
        passage = each.options["passage"]
        fact = TensorFact(shape) if each is first else None
        operands.append(Operand(role, fact, argument_of(passage)))
    plain = all(each.shape == () and each.name in ("mean", "std", "var") for each in scales)
    facts: dict[str, Any] = {"hazard": "whitened", "found": first.name, "shape": shape}
    row = _row_of(first.parents[0])
    counted = real if row is None else real[row]
    facts |= {"positions": int((~counted).sum()), "all": counted.numel(), "plain": plain}
    facts["mask"] = _mask_of(first, real)
    passage = first.options["passage"]
    return Observation("silent", first.name, first.name, passage, tuple(operands), facts)


def _mask_of(scale: Node, real: torch.Tensor) -> tuple[str, bool] | None:
    """The name beside a scale that holds the mask its values met, and whether it is boolean."""
    known = scale.options.get("masks", [])
    same = [each for each in known if each[2].shape == real.shape and bool((each[2] == real).all())]
    chosen = (same or known)[0] if same or len(known) == 1 else None
    return None if chosen is None else chosen[:2]
