"""Asks of each sum and mean of log-probabilities whether those of padding count in the loss."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field, replace
from typing import Any

import torch

from wellshaped.observe.hazard_padding import observed_padding
from wellshaped.observe.hazard_shift import scored
from wellshaped.observe.hazard_whitening import elements
from wellshaped.observe.lineage import Event, user_frame
from wellshaped.observe.lineage_axes import reduced_axes
from wellshaped.observe.masks import last_real, masks_in_sight
from wellshaped.records.observation import Observation

SUMS = ("sum", "mean")
_MOST_NODES = 40


@dataclass
class Counted:
    """The sums of a run that padding takes part in; each waits for a loss that it changes."""

    found: dict[Any, Observation] = field(default_factory=dict)

    def ask(self, event: Event) -> None:
        """A table of log-probabilities is summed or averaged along its positions."""
        given, values = event.parents[0], event.tensors[0].detach()
        gone = reduced_axes(event.given, event.options, len(given.shape)) or ()
        if len(given.shape) != 2 or 1 not in gone or not given.learned or not given.grad:
            return
        real = _real_tokens(event)
        if real is None or not bool(values[~real].any()):
            return
        frame = user_frame()
        key = (frame.f_code, frame.f_lasti)
        lengths = tuple((last_real(real) + 1).tolist())
        seen = observed_padding(event, "counted", 1, lengths)
        if seen is not None:
            facts = {"hazard": "counted", "positions": int((~real).sum()), "axes": len(gone)}
            self.found.setdefault(key, replace(seen, options={**seen.options, **facts}))
        if key in self.found:
            self._doubt(event, key, values, real)

    def _doubt(self, event: Event, key: Any, values: torch.Tensor, real: torch.Tensor) -> None:
        def settle(loss: float, otherwise: float) -> None:
            facts = {**self.found[key].options, "loss": loss, "otherwise": otherwise}
            event.trace.report(replace(self.found[key], options=facts))

        doubt = event.trace.doubts.begin(key, settle)
        if doubt is None or not isinstance(event.result, torch.Tensor):
            return
        other = torch.sum(values.masked_fill(~real, 0.0), *event.given, **event.options)
        if event.name == "mean":
            other = other / torch.sum(real.to(other.dtype), *event.given, **event.options)
        doubt.keep(event.result, other)


def _real_tokens(event: Event) -> torch.Tensor | None:
    """Which tokens are real, by a mask in sight that all of one padding token lies outside of."""
    above = itertools.islice(elements(event.parents[0]), _MOST_NODES)
    tokens = next((found for each in above if (found := scored(each)) is not None), None)
    if tokens is None or tokens.shape != event.parents[0].shape:
        return None
    for _, _, real in masks_in_sight(event.trace, user_frame(), *tokens.shape):
        outside, inside = tokens[~real], tokens[real]
        if bool((outside == outside[0]).all()) and not bool((inside == outside[0]).any()):
            return real
    return None
