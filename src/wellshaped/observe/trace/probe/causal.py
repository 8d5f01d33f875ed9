"""Asks a model of tokens, by trying, whether it says of each position what comes behind it.

Such a model gives the same scores at a position whatever tokens stand behind it, and others
where the tokens before it are changed.
"""

from __future__ import annotations

import copy
import time
import weakref
from dataclasses import dataclass, field
from typing import Any

import torch
from torch.utils._pytree import tree_flatten, tree_unflatten

from wellshaped.observe.trace.lineage import Lineage, ModelCall
from wellshaped.observe.trace.probe.isolated_copy import draw_the_same, isolated_call
from wellshaped.observe.trace.probe.same_row import equal
from wellshaped.observe.trace.token_dependence import FEWEST_PLACES
from wellshaped.source.internal_calls import internal_calls

_MOST_TOKENS = 200_000
_MOST_SECONDS = 1.0


@dataclass
class Readers:
    """The models that were tried, and which of their results are scores of the next token."""

    trace: Lineage
    spent: float = 0.0
    known: dict[int, tuple[Any, tuple[int, ...]]] = field(default_factory=dict)

    def record(self, call: ModelCall) -> None:
        """A model has answered: remember with its scores the tokens that it read."""
        module, results, tokens = call.module, call.results, _tokens_in(call.called)
        if tokens is None or (
            self.trace.token_vectors and any(each.requires_grad for each in results)
        ):
            return  # where there are gradients, they tell
        entry = self.known.get(id(module))
        if entry is None or entry[0]() is not module:
            if not call.fits or tokens.shape[1] < FEWEST_PLACES or self.spent > _MOST_SECONDS:
                return
            entry = (weakref.ref(module), self._tried(module, call.called, tokens))
            self.known[id(module)] = entry
        for place in entry[1]:
            if place < len(results) and results[place].shape[:2] == tokens.shape:
                self.trace.node_of(results[place]).options["read"] = tokens.clone()

    def _tried(self, module: torch.nn.Module, called: Any, tokens: torch.Tensor) -> tuple[int, ...]:
        begun, half = time.thread_time(), tokens.shape[1] // 2
        values = tokens.unique()
        if len(values) < 2:
            return ()
        others = values.roll(1)[torch.searchsorted(values, tokens)]
        behind = torch.cat([tokens[:, :half], others[:, half:]], 1)
        before = torch.cat([others[:, :half], tokens[:, half:]], 1)
        with internal_calls(), isolated_call(self.trace):
            twin = copy.deepcopy(module).eval()
            runs = [_run(twin, called, tokens, each) for each in (tokens, behind, before)]
        self.spent += time.thread_time() - begun
        return tuple(
            place
            for place, (own, late, early) in enumerate(zip(*runs, strict=True))
            if own.dim() == 3
            and own.is_floating_point()
            and own.shape[:2] == tokens.shape
            and equal(own[:, :half], late[:, :half])
            and not equal(own[:, half:], late[:, half:])
            and not equal(own[:, half:], early[:, half:])
        )


def _tokens_in(called: Any) -> torch.Tensor | None:
    """The first table of whole numbers among the arguments."""
    for each in tree_flatten(called)[0]:
        if isinstance(each, torch.Tensor) and each.dtype == torch.int64 and each.dim() == 2:
            return each if 0 < each.numel() <= _MOST_TOKENS and not each.is_meta else None
    return None


def _run(
    twin: torch.nn.Module, called: Any, tokens: torch.Tensor, instead: torch.Tensor
) -> list[torch.Tensor]:
    leaves, plan = tree_flatten(called)
    args, options = tree_unflatten([instead if each is tokens else each for each in leaves], plan)
    draw_the_same()
    found = tree_flatten(twin(*copy.deepcopy(args), **copy.deepcopy(options)))[0]
    return [each for each in found if isinstance(each, torch.Tensor)]
