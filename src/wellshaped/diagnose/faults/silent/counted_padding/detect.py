"""Detects sums and means of log-probabilities in which those of padding count."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import torch

from wellshaped.diagnose.faults.silent.counted_padding import CountedPadding
from wellshaped.observe.trace.axes import reduced_axes
from wellshaped.observe.trace.elements import elements
from wellshaped.observe.trace.lineage import Event, Lineage, user_frame
from wellshaped.observe.trace.masks import last_real, masks_in_sight
from wellshaped.observe.trace.padding import observe_padded
from wellshaped.observe.trace.suspicion import Suspicions
from wellshaped.observe.trace.token_scores import scored_tokens

SUMS = ("sum", "mean")
ENDS = ("or", "ior", "logical_or", "bitwise_or")
_MOST_NODES = 40


@dataclass
class PaddingInSums:
    """The sums of a run that padding takes part in; each waits for a loss that it changes.

    `ends` are the tokens that the program takes for the end of a row.
    """

    suspicions: Suspicions
    ends: set[int] = field(default_factory=set)

    def record_end(self, event: Event) -> None:
        """Record which token the program takes for the end of a row: `done | (token == END)`."""
        for each in event.parents:
            given = each.options.get("given", ())
            if each.name == "eq" and len(each.shape) == 1 and given and type(given[0]) is int:
                self.ends.add(given[0])

    def count(self, event: Event) -> None:
        """A table of log-probabilities is summed or averaged along its positions."""
        given, values = event.parents[0], event.tensors[0].detach()
        gone = reduced_axes(event.given, event.options, len(given.shape)) or ()
        if len(given.shape) != 2 or 1 not in gone or not given.learned or not given.grad:
            return
        tokens = _tokens(event)
        real, end = (None, None) if tokens is None else self._real_tokens(event, tokens)
        if real is None or not bool(values[~real].any()):
            return
        seen = observe_padded(event, 1, tuple((last_real(real) + 1).tolist()))
        if seen is not None:
            positions = int((~real).sum())
            facts = CountedPadding(positions=positions, total=real.numel(), axes=len(gone), end=end)
            seen = replace(seen, facts=facts)
        otherwise = self.suspicions.follow(seen)
        if otherwise is not None and isinstance(event.result, torch.Tensor):
            otherwise.keep(event.result, _without_padding(event, values, real))

    def _real_tokens(
        self, event: Event, tokens: torch.Tensor
    ) -> tuple[torch.Tensor | None, int | None]:
        """Which tokens are real, by a mask in sight that all of one padding token lies outside of.

        Where nothing is masked: those up to the token that ends rows, and which one that is.
        """
        for _, _, real in masks_in_sight(event.trace, user_frame(), *tokens.shape):
            outside, inside = tokens[~real], tokens[real]
            if bool((outside == outside[0]).all()) and not bool((inside == outside[0]).any()):
                return real, None
        for end in sorted(self.ends):
            ends = (tokens == end).long()
            real = (ends.cumsum(1) - ends) == 0
            if not bool(real.all()) and not bool(ends[:, 0].any()) and bool(event.tensors[0].all()):
                return real, end
        return None, None


def _without_padding(event: Event, values: torch.Tensor, real: torch.Tensor) -> torch.Tensor:
    """The sum or mean over the real positions alone."""
    other = torch.sum(values.masked_fill(~real, 0.0), *event.given, **event.options)
    if event.name == "mean":
        other = other / torch.sum(real.to(other.dtype), *event.given, **event.options)
    return other


def _tokens(event: Event) -> torch.Tensor | None:
    """The tokens whose log-probabilities are counted, each at its place."""
    above = itertools.islice(elements(event.parents[0]), _MOST_NODES)
    tokens = next((found for each in above if (found := scored_tokens(each)) is not None), None)
    return tokens if tokens is not None and tokens.shape == event.parents[0].shape else None


@contextlib.contextmanager
def follow_sums(trace: Lineage) -> Iterator[None]:
    """Look inside the block at sums of log-probabilities, and at what ends rows."""
    sums = PaddingInSums(Suspicions(trace))
    trace.watch(ENDS, sums.record_end)
    trace.watch(SUMS, sums.count)
    yield


FOLLOW = (follow_sums,)
