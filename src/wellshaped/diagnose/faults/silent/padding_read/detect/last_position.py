"""Detects last positions that are read where rows end before them.

Where they do, the program goes on as it is, and beside it with the last real position instead:
only what changes the loss is told.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import torch

from wellshaped.diagnose.faults.silent.padding_read import PaddingRead
from wellshaped.observe.trace.lineage import Event, Lineage, user_frame
from wellshaped.observe.trace.masks import ends_early, last_real, mask_of_node
from wellshaped.observe.trace.node import Node, placed
from wellshaped.observe.trace.padding import observe_padded
from wellshaped.observe.trace.suspicion import Suspicions


@dataclass
class LastPositions:
    """What a run reads at last positions; it waits for a loss that it changes."""

    suspicions: Suspicions

    def read(self, event: Event) -> None:
        """`x[:, -1]` along a padded axis: for shorter rows that is padding."""
        given, index = event.parents[0], event.given[0] if event.given else None
        place = last_axis(index)
        if place is None or place > 1 or not given.learned or len(given.shape) < 2:
            return
        real = _real_along(event, place)
        if real is None or not isinstance(event.result, torch.Tensor):
            return
        last = last_real(real)
        lengths = tuple((last + 1).tolist())
        seen = observe_padded(event, place, lengths)
        if seen is not None:
            seen = replace(seen, facts=facts_along(event, "last", place, lengths))
        otherwise = self.suspicions.follow(seen)
        if otherwise is not None:
            rows_first = event.tensors[0].detach().clone().transpose(0, 1 - place)
            rows = torch.arange(len(real))
            rows_first[rows, -1] = rows_first[rows, last]
            otherwise.keep(event.result, rows_first.transpose(0, 1 - place)[index])


def last_axis(index: Any) -> int | None:
    """The axis of which an index takes the last position, with nothing unclear before it."""
    parts = index if type(index) is tuple else (index,)
    for place, part in enumerate(parts):
        if part is None or part is Ellipsis:
            return None
        if type(part) is int and part == -1:
            return place
    return None


def _real_along(event: Event, place: int) -> torch.Tensor | None:
    """The real positions along an axis, where the record or a mask of the same axis tells."""
    node = event.parents[0]
    lengths = event.trace.real_lengths(node.axes[place])
    if lengths and node.shape[1 - place] == len(lengths):
        return torch.arange(node.shape[place]) < torch.tensor(lengths)[:, None]
    for value in user_frame().f_locals.values() if place == 1 else ():
        if isinstance(value, torch.Tensor) and tuple(value.shape) == node.shape[:2]:
            entry = event.trace.known.get(id(value))
            real = mask_of_node(entry[1], value) if entry and _is_along(entry[1], node) else None
            if real is not None and ends_early(real):
                return real
    return None


def _is_along(mask: Node, node: Node) -> bool:
    """Whether a mask has the second axis of a tensor."""
    if len(mask.axes[1]) != 1 or len(node.axes[1]) != 1:
        return False
    return placed(mask.axes[1][0]) == placed(node.axes[1][0])


def facts_along(event: Event, found: str, place: int, lengths: tuple[int, ...]) -> PaddingRead:
    """How much of a table that is read along an axis is padding."""
    shape = event.parents[0].shape
    return PaddingRead(
        found=found,
        axis=place,
        shape=shape,
        positions=sum(shape[place] - each for each in lengths),
        total=shape[place] * len(lengths),
    )


@contextlib.contextmanager
def follow_last_positions(trace: Lineage) -> Iterator[None]:
    """Look at last positions inside the block; without any loss, what is read is told as it is."""
    suspicions = Suspicions(trace)
    trace.watch(("__getitem__",), LastPositions(suspicions).read)
    yield
    if not trace.counterfactuals.passes:
        for each in suspicions.seen.values():
            trace.report(each)
