"""Asks of each sum and mean of log-probabilities whether those of padding count in the loss."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field, replace
from typing import Any

import torch

from wellshaped.observe.hazard_padding import observed_padding
from wellshaped.observe.hazard_shift import scored
from wellshaped.observe.hazard_whitening import elements
from wellshaped.observe.trace.axes import reduced_axes
from wellshaped.observe.trace.lineage import Event, user_frame
from wellshaped.observe.trace.masks import last_real, masks_in_sight
from wellshaped.records.observation import Observation

SUMS = ("sum", "mean")
NOTES = ("or", "ior", "logical_or", "bitwise_or")
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
        tokens = _tokens(event)
        real, end = (None, None) if tokens is None else _real_tokens(event, tokens)
        if real is None or not bool(values[~real].any()):
            return
        frame = user_frame()
        key = (frame.f_code, frame.f_lasti)
        lengths = tuple((last_real(real) + 1).tolist())
        seen = observed_padding(event, "counted", 1, lengths)
        if seen is not None:
            facts = {"hazard": "counted", "positions": int((~real).sum()), "axes": len(gone)}
            facts |= {} if end is None else {"end": end}
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


def noted_end(event: Event) -> None:
    """Note which token the program takes for the end of a row: `done | (token == END)`."""
    for each in event.parents:
        given = each.options.get("given", ())
        if each.name == "eq" and len(each.shape) == 1 and given and type(given[0]) is int:
            event.trace.ends.add(given[0])


def _tokens(event: Event) -> torch.Tensor | None:
    """The tokens whose log-probabilities are counted, each at its place."""
    above = itertools.islice(elements(event.parents[0]), _MOST_NODES)
    tokens = next((found for each in above if (found := scored(each)) is not None), None)
    return tokens if tokens is not None and tokens.shape == event.parents[0].shape else None


def _real_tokens(event: Event, tokens: torch.Tensor) -> tuple[torch.Tensor | None, int | None]:
    """Which tokens are real, by a mask in sight that all of one padding token lies outside of.

    Where nothing is masked: those up to the token that ends rows, and which one that is.
    """
    for _, _, real in masks_in_sight(event.trace, user_frame(), *tokens.shape):
        outside, inside = tokens[~real], tokens[real]
        if bool((outside == outside[0]).all()) and not bool((inside == outside[0]).any()):
            return real, None
    for end in sorted(event.trace.ends):
        ends = (tokens == end).long()
        real = (ends.cumsum(1) - ends) == 0
        if not bool(real.all()) and not bool(ends[:, 0].any()) and bool(event.tensors[0].all()):
            return real, end
    return None, None
