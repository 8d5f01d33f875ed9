"""Detects readings along a padded axis that take padding for data."""

from __future__ import annotations

import itertools
from dataclasses import replace

import torch

from wellshaped.contracts.questions import losses
from wellshaped.diagnose.faults.silent.padding_read import PaddingRead
from wellshaped.diagnose.faults.silent.padding_read.detect.last_position import (
    facts_along,
    follow_last_positions,
)
from wellshaped.observe.trace.axes import reduced_axes
from wellshaped.observe.trace.lineage import Event
from wellshaped.observe.trace.masks import trailing
from wellshaped.observe.trace.node import Axis, Node
from wellshaped.observe.trace.padding import observe_padded
from wellshaped.records.observation import Observation

POOLING = ("mean", "max", "amax")
MASKING = ("ne", "gt", "eq")
# What drops the places that a comparison is true of.
DROPPING = ("masked_fill", "invert", "bitwise_not", "logical_not", "rsub")
CLASS_LOSSES = tuple(losses(target="classes", pairs="positions"))
_MOST_VALUES = 2_000_000
_MOST_NODES = 50
_CASTS = ("long", "int", "to", "type", "clone", "contiguous")
# What makes numbers of something that are no tokens.
_COUNTED = ("cumsum", "add", "sub", "mul", "sum", "eq", "ne", "bitwise_not", "invert")


def record_padded_tokens(event: Event) -> None:
    """An embedding that names its padding tells the real lengths of the rows it is given."""
    tokens = event.tensors[0]
    padding = event.argument(2, "padding_idx")
    axes = event.parents[0].axes
    if type(padding) is not int or padding < 0 or tokens.dim() != 2 or len(axes[1]) != 1:
        return
    if axes[1][0] in event.trace.lengths or axes[1][0].lengths or tokens.is_floating_point():
        return
    real = (tokens != padding).int()
    lengths = tokens.shape[1] - real.flip(1).cumsum(1).eq(0).sum(1)
    if bool((lengths < tokens.shape[1]).any()) and bool((lengths > 0).all()):
        event.trace.lengths[axes[1][0]] = tuple(lengths.tolist())


def pooled_padding(event: Event) -> Observation | None:
    """A mean over all positions, or a maximum that padding won."""
    given = event.parents[0]
    if not given.learned or len(event.parents) > 1:
        return None
    gone = reduced_axes(event.given, event.options, len(given.shape)) or ()
    if len(gone) == len(given.shape):
        return None
    for place in gone:
        lengths = event.trace.real_lengths(given.axes[place])
        if lengths and (event.name == "mean" or _padding_wins(event, place, lengths)):
            return _observed(event, event.name, place, lengths)
    return None


def _padding_wins(event: Event, place: int, lengths: tuple[int, ...]) -> bool:
    """Whether some maximum stands in a padded position and no real one is as large."""
    tensor = event.tensors[0].detach()
    rows = _rows_axis(event, place, lengths)
    if rows is None or tensor.numel() > _MOST_VALUES:
        return False
    real = _real(tensor, rows, place, lengths)
    most = tensor.amax(place)
    return bool((tensor.masked_fill(~real, float("-inf")).amax(place) < most).any())


def _rows_axis(event: Event, place: int, lengths: tuple[int, ...]) -> int | None:
    shape = event.parents[0].shape
    found = [k for k in range(len(shape)) if k != place and shape[k] == len(lengths)]
    return found[0] if found else None


def _real(tensor: torch.Tensor, rows: int, place: int, lengths: tuple[int, ...]) -> torch.Tensor:
    """Which elements are no padding, in the shape of the tensor."""
    inside = torch.arange(tensor.shape[place]) < torch.tensor(lengths)[:, None]
    view = [1] * tensor.dim()
    view[rows], view[place] = tensor.shape[rows], tensor.shape[place]
    table = inside if rows < place else inside.T
    return table.reshape(view).expand_as(tensor)


def loss_over_padding(event: Event) -> Observation | None:
    """Labels of padded positions that count in the mean of a loss."""
    if len(event.parents) < 2 or event.tensors[1].is_floating_point():
        return None
    target, node = event.tensors[1], event.parents[1]
    reduction = event.options.get("reduction", "mean")
    ignored = event.options.get("ignore_index", -100)
    if reduction == "none" or event.options.get("weight") is not None:
        return None
    found = _padded_axis(event, node.axes)
    if found is None:
        return None
    lengths, width = found
    if target.numel() != len(lengths) * width:
        return None
    table = target.reshape(len(lengths), width)
    padding = table[torch.arange(width) >= torch.tensor(lengths)[:, None]]
    label = int(padding[0]) if padding.numel() else ignored
    if label == ignored or not bool((padding == label).all()):
        return None
    if bool((table[torch.arange(width) < torch.tensor(lengths)[:, None]] == label).any()):
        return None  # the label of padding is also a label of its own
    seen = event.loss_call() if event.scene("padding") is not None else None
    if seen is None:
        return None
    facts = PaddingRead(found="loss", label=label, positions=padding.numel(), total=target.numel())
    return replace(seen, kind="silent", facts=facts)


def packed_by_lengths(event: Event) -> Observation | None:
    """Lengths that are not those of the rows they are given with, as when sorted alone."""
    if len(event.tensors) < 2 or _has_other_rows(event.parents[0]):
        return None
    place = 1 if event.argument(2, "batch_first", default=False) else 0
    lengths, given = event.trace.real_lengths(event.parents[0].axes[place]), event.tensors[1]
    if len(lengths) != len(given) or given.tolist() == list(lengths):
        return None
    return _observed(event, "packed", place, lengths)


def _has_other_rows(node: Node) -> bool:
    """Whether rows were picked or sorted on the way, by torch or by the program, with others."""
    return any(
        each.name == "index_select"
        or (each.name == "__getitem__" and None in each.options["given"])
        for each in itertools.islice(node.ancestors(), _MOST_NODES)
    )


def masked_token(event: Event) -> Observation | None:
    """A mask made by comparing with a real token, where padding is another one."""
    token, tensor = event.given[0] if event.given else None, event.tensors[0]
    if type(token) is not int or len(event.tensors) != 1 or tensor.dim() != 2:
        return None
    if event.parents[0].learned or tensor.dtype != torch.int64:
        return None
    found = trailing(tensor)
    if found is None or found[0] == token:
        return None
    padding, real = found
    if token not in tensor[real].tolist() or not _masks(event, token, padding, real):
        return None
    seen = _observed(event, "mask", 1, tuple(real.sum(1).tolist()))
    if seen is None:
        return None
    assert isinstance(seen.facts, PaddingRead)
    seen = replace(seen, facts=replace(seen.facts, token=token, padding=padding))
    if event.name != "eq":
        return seen
    event.node.options["mask_of_token"] = seen  # it may look for that token
    return None


def dropped_token(event: Event) -> Observation | None:
    """Such a mask made by `==`, where it is turned round or fills what it is true of."""
    maker = event.parents[-1]
    while maker.name in (*_CASTS, "float", "bool") and maker.parents:
        maker = maker.parents[0]
    found: Observation | None = maker.options.get("mask_of_token")
    return found


def _masks(event: Event, token: int, padding: int, real: torch.Tensor) -> bool:
    """Whether a comparison keeps padding, and is not about an end or a count of something."""
    tokens, maker = event.tensors[0], event.parents[0]
    while maker.name in _CASTS and maker.parents:
        maker = maker.parents[0]
    if maker.name in _COUNTED or (event.name == "gt" and padding <= token):
        return False
    last = real & ~torch.cat([real[:, 1:], torch.zeros_like(real[:, :1])], 1)
    return not bool((last | ~real)[tokens == token].all())  # one that ends rows is an end


def _padded_axis(event: Event, axes: tuple[Axis, ...]) -> tuple[tuple[int, ...], int] | None:
    """The lengths along the time axis of labels, flat or not, rows first."""
    atoms = [atom for axis in axes for atom in axis]
    if len(atoms) != 2:
        return None
    lengths = event.trace.real_lengths((atoms[1],))
    return (lengths, atoms[1].size) if lengths and len(lengths) == atoms[0].size else None


def _observed(event: Event, found: str, place: int, lengths: tuple[int, ...]) -> Observation | None:
    seen = observe_padded(event, place, lengths, operands=2 if found == "mask" else 1)
    facts = facts_along(event, found, place, lengths)
    return None if seen is None else replace(seen, facts=facts)


RECORD = {"embedding": record_padded_tokens}
DETECT = {
    **dict.fromkeys(POOLING, pooled_padding),
    **dict.fromkeys(CLASS_LOSSES, loss_over_padding),
    **dict.fromkeys(MASKING, masked_token),
    **dict.fromkeys(DROPPING, dropped_token),
    "_pack_padded_sequence": packed_by_lengths,
}
FOLLOW = (follow_last_positions,)
