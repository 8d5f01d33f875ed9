"""Asks of each last position that is read or written whether rows end before it.

Where they do, the program goes on as it is, and beside it with the last real position instead:
only what changes the loss is told.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from types import FrameType
from typing import Any

import torch

from wellshaped.observe.arguments import operand
from wellshaped.observe.doubts import Doubt
from wellshaped.observe.frames import live_stops
from wellshaped.observe.hazard_padding import lengths_in, observed_padding
from wellshaped.observe.lineage import Event, Lineage, user_frame
from wellshaped.observe.lineage_node import Node, placed
from wellshaped.observe.masks import as_mask, ends_early, last_real, masks_in_sight
from wellshaped.observe.postmortem import scene_of
from wellshaped.records.observation import Observation


@dataclass
class LastPlaces:
    """What a run reads and writes at last positions; `found` waits for a loss that it changes."""

    trace: Lineage
    found: dict[Any, Observation] = field(default_factory=dict)

    def read(self, event: Event) -> None:
        """`x[:, -1]` along a padded axis: for shorter rows that is padding."""
        given, index = event.parents[0], event.given[0] if event.given else None
        place = _last_place(index)
        if place is None or place > 1 or not given.learned or len(given.shape) < 2:
            return
        real = _real_along(event, place)
        if real is None or not isinstance(event.result, torch.Tensor):
            return
        last = last_real(real)
        seen = observed_padding(event, "last", place, tuple((last + 1).tolist()))
        doubt = self._doubt(user_frame(), seen)
        if doubt is not None:
            rows_first = event.tensors[0].detach().clone().transpose(0, 1 - place)
            rows = torch.arange(len(real))
            rows_first[rows, -1] = rows_first[rows, last]
            doubt.keep(event.result, rows_first.transpose(0, 1 - place)[index])

    def write(self, target: Any, index: Any, value: Any) -> Callable[[], None] | None:
        """`x[:, -1] = score` where rows end before the last position."""
        if not isinstance(target, torch.Tensor) or target.dim() != 2 or _last_place(index) != 1:
            return None
        real = self._mask_for(target)
        chosen = torch.arange(len(target))[index[0]].reshape(-1)
        if real is None or not bool((~real[:, -1])[chosen].any()):
            return None
        doubt = self._doubt(user_frame(), self._seen_write(target, real, len(chosen)))
        if doubt is None:
            return None
        other, last = doubt.of(target).detach().clone(), last_real(real)[chosen]
        value = torch.as_tensor(value, dtype=other.dtype)
        before = self.trace.doubts.added_to(value)
        if before is None:
            other[chosen, last] = value
        else:  # what was added goes there, and what was here before comes back
            other[chosen, -1] = before
            other[chosen, last] += value - before
        return lambda: doubt.keep(target, other)

    def _mask_for(self, target: torch.Tensor) -> torch.Tensor | None:
        known = masks_in_sight(self.trace, user_frame(), *target.shape)
        return next((real for _, _, real in known if ends_early(real)), None)

    def _seen_write(
        self, target: torch.Tensor, real: torch.Tensor, written: int
    ) -> Observation | None:
        scene = scene_of(live_stops(user_frame()))
        if scene is None or scene.scope is None or not isinstance(scene.node, ast.Subscript):
            return None
        lengths = tuple((last_real(real) + 1).tolist())
        facts: dict[str, Any] = {"hazard": "put", "axis": 1}
        facts |= {"positions": int((~real).sum()), "all": real.numel()}
        facts |= {"shape": tuple(target.shape), "every_row": written == len(target)}
        owner = operand("input", target, scene.node.value, scene.scope)
        known = lengths_in(scene, lengths, target.shape[1])
        return Observation(
            "silent", "index", "[]", scene.passage, (owner, *known), facts, callers=scene.callers
        )

    def _doubt(self, frame: FrameType, seen: Observation | None) -> Doubt | None:
        """The doubt of the place a frame stands at; it is told when a loss would be another."""
        key = (frame.f_code, frame.f_lasti)
        if seen is not None:
            self.found.setdefault(key, seen)
        if key not in self.found:
            return None

        def settle(loss: float, otherwise: float) -> None:
            found = self.found[key]
            facts = {**found.options, "loss": loss, "otherwise": otherwise}
            self.trace.report(replace(found, options=facts))

        return self.trace.doubts.begin(key, settle)


def _last_place(index: Any) -> int | None:
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
    trace.doubts.written.append(places.write)
    yield
    if not trace.doubts.passes:
        for each in places.found.values():
            if each.options["hazard"] == "padding":
                trace.report(each)
