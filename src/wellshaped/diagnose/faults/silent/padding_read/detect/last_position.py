"""Asks of each last position that is read whether rows end before it.

Where they do, the program goes on as it is, and beside it with the last real position instead:
only what changes the loss is told.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import torch

from wellshaped.observe.hazard_padding import observed_padding
from wellshaped.observe.trace.counterfactual import Doubt
from wellshaped.observe.trace.lineage import Event, Lineage, user_frame
from wellshaped.observe.trace.masks import as_mask, ends_early, last_real
from wellshaped.observe.trace.node import Node, placed
from wellshaped.records.observation import Observation


@dataclass
class LastPlaces:
    """What a run reads at last positions; `found` waits for a loss that it changes."""

    trace: Lineage
    found: dict[Any, Observation] = field(default_factory=dict)

    def read(self, event: Event) -> None:
        """`x[:, -1]` along a padded axis: for shorter rows that is padding."""
        given, index = event.parents[0], event.given[0] if event.given else None
        place = last_place(index)
        if place is None or place > 1 or not given.learned or len(given.shape) < 2:
            return
        real = _real_along(event, place)
        if real is None or not isinstance(event.result, torch.Tensor):
            return
        last = last_real(real)
        seen = observed_padding(event, "last", place, tuple((last + 1).tolist()))
        doubt = doubted(self.trace, self.found, seen)
        if doubt is not None:
            rows_first = event.tensors[0].detach().clone().transpose(0, 1 - place)
            rows = torch.arange(len(real))
            rows_first[rows, -1] = rows_first[rows, last]
            doubt.keep(event.result, rows_first.transpose(0, 1 - place)[index])


def doubted(
    trace: Lineage,
    found: dict[Any, Observation],
    seen: Observation | None,
    sure: Callable[[], bool] = lambda: True,
) -> Doubt | None:
    """The doubt of the place the program stands at; told when a loss would be another."""
    frame = user_frame()
    key = (frame.f_code, frame.f_lasti)
    if seen is not None:
        found.setdefault(key, seen)
    if key not in found:
        return None

    def settle(loss: float, otherwise: float) -> None:
        facts = {**found[key].options, "loss": loss, "otherwise": otherwise}
        if sure():
            trace.report(replace(found[key], options=facts))

    return trace.doubts.begin(key, settle)


def last_place(index: Any) -> int | None:
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
            real = as_mask(entry[1], value) if entry and _is_along(entry[1], node) else None
            if real is not None and ends_early(real):
                return real
    return None


def _is_along(mask: Node, node: Node) -> bool:
    """Whether a mask has the second axis of a tensor."""
    if len(mask.axes[1]) != 1 or len(node.axes[1]) != 1:
        return False
    return placed(mask.axes[1][0]) == placed(node.axes[1][0])


@contextlib.contextmanager
def last_places_followed(trace: Lineage) -> Iterator[None]:
    """Ask of last positions inside the block; without any loss, what is read is told as it is."""
    places = LastPlaces(trace)
    reads = (*trace.questions.get("__getitem__", ()), places.read)
    trace.questions = {**trace.questions, "__getitem__": reads}
    yield
    if not trace.doubts.passes:
        for each in places.found.values():
            trace.report(each)
