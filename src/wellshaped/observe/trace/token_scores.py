"""Knows of a table of log-probabilities of which tokens they are, each at its place."""

from __future__ import annotations

import math
from typing import Any

import torch

from wellshaped.observe.trace.masks import VIEWS
from wellshaped.observe.trace.node import Node

_SCORED = "scored"
_MOST_STEPS = 12
_SAME = frozenset(
    "detach data clone contiguous float double to type squeeze unsqueeze neg log_softmax div "  # noqa: SIM905 - a table
    "requires_grad_".split()
)
_MASKING = ("mul", "masked_fill", "where")


def record_scored(node: Node, tokens: torch.Tensor) -> None:
    """Keep at a table of log-probabilities the tokens that were looked up."""
    node.options[_SCORED] = tokens.clone()


def is_scored(node: Node) -> bool:
    """Whether tokens were looked up in this very operation."""
    return _SCORED in node.options


def scored_tokens(node: Node, steps: int = _MOST_STEPS) -> torch.Tensor | None:
    """The tokens whose log-probabilities a table holds, each at its place."""
    if is_scored(node):
        found: torch.Tensor = node.options[_SCORED]
        return found
    if not steps or not node.parents:
        return None
    if node.name in _SAME or node.name in _MASKING:
        known = [scored_tokens(each, steps - 1) for each in node.parents if each.learned]
        known = [each for each in known if each is not None]
        return known[0] if len(known) == 1 else None
    if node.name in VIEWS:
        held = scored_tokens(node.parents[0], steps - 1)
        fits = held is not None and held.numel() == math.prod(node.shape)
        return held.reshape(node.shape) if held is not None and fits else None
    if node.name == "__getitem__":
        return _cut(scored_tokens(node.parents[0], steps - 1), node.options.get("given", ()))
    if node.name == "stack" and len(node.shape) == 2:
        each_step = [scored_tokens(each, steps - 1) for each in node.parents]
        columns = [each for each in each_step if each is not None and each.dim() == 1]
        fits = len(columns) == len(node.parents) == node.shape[1]
        return torch.stack(columns, 1) if fits else None
    return None


def _cut(tokens: torch.Tensor | None, given: tuple[Any, ...]) -> torch.Tensor | None:
    """The tokens behind an index of slices."""
    index = given[0] if given else None
    parts = index if type(index) is tuple else (index,)
    if tokens is None or not all(type(each) in (slice, int, type(Ellipsis)) for each in parts):
        return None
    if Ellipsis in parts:
        return tokens if parts == (Ellipsis, 0) else None
    slices = tuple(each for each in parts if type(each) is slice)
    whole = slices == parts or (len(slices) == tokens.dim() and parts == (*slices, 0))
    return tokens[slices[: tokens.dim()]] if whole else None
