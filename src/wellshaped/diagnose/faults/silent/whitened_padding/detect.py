"""Detects masked values that were scaled by a mean or spread that took padding in."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import torch

from wellshaped.diagnose.faults.silent.whitened_padding import WhitenedPadding
from wellshaped.observe.trace.axes import ELEMENT_WISE, reduced_axes
from wellshaped.observe.trace.elements import ONE_BY_ONE, elements, row_of
from wellshaped.observe.trace.lineage import Event, user_frame
from wellshaped.observe.trace.masks import VIEWS, mask_of_node, masks_in_sight
from wellshaped.observe.trace.node import Node
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.shape import TensorFact
from wellshaped.source.operands import argument_of

MASKING = ("mul", "where", "masked_fill", "__getitem__", "masked_select")
SCALES = ("mean", "std", "var", "std_mean", "var_mean")
_SPREADS = SCALES[1:]
_TAKEN_OFF = ("sub", "rsub", "subtract")
_MOST_NODES = 300
_MOST_MASKS = 8


def record_scale(event: Event) -> None:
    """Record at a mean or a spread of a table where it stands, and the masks in sight."""
    given, tensor = event.parents[0], event.tensors[0]
    flat = len(given.shape) == 1 and given.name in VIEWS and len(given.parents[0].shape) == 2
    flat = flat or row_of(given) is not None
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
        real = mask_of_node(other, ~mask if dropped and mask.dtype == torch.bool else mask)
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
    row = row_of(node)
    return node if row is None else (node.parents[0], row)


def _up(node: Node) -> Iterator[Node]:
    """A number, or one for each row, and what it was made from by arithmetic."""
    level = [node]
    for _ in range(_MOST_NODES):
        if not level:
            return
        each = level.pop(0)
        yield each
        if each.name in ELEMENT_WISE or each.name in ONE_BY_ONE:
            level += [one for one in each.parents if len(one.shape) <= len(each.shape)]


def _is_whole(scale: Node, real: torch.Tensor) -> bool:
    """Whether it was taken over the positions of rows, not over the rows of a position."""
    shape, row = scale.parents[0].shape, row_of(scale.parents[0])
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
    row = row_of(first.parents[0])
    counted = real if row is None else real[row]
    facts = WhitenedPadding(
        found=first.name,
        positions=int((~counted).sum()),
        total=counted.numel(),
        plain=plain,
        mask=_mask_of(first, real),
    )
    passage = first.options["passage"]
    return Observation("silent", first.name, first.name, passage, tuple(operands), facts=facts)


def _mask_of(scale: Node, real: torch.Tensor) -> tuple[str, bool] | None:
    """The name beside a scale that holds the mask its values met, and whether it is boolean."""
    known = scale.options.get("masks", [])
    same = [each for each in known if each[2].shape == real.shape and bool((each[2] == real).all())]
    chosen = (same or known)[0] if same or len(known) == 1 else None
    return None if chosen is None else chosen[:2]


RECORD = dict.fromkeys(SCALES, record_scale)
DETECT = dict.fromkeys(MASKING, whitened_with_padding)
