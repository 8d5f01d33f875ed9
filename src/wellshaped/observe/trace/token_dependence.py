"""Asks the gradients which token was the last that scores of a position depend on.

The vectors of tokens are held when they are looked up. Scores of a model of the next token have a
gradient at the vectors up to a position, and none behind it, whichever way the model was called.
"""

from __future__ import annotations

from collections.abc import Iterator

import torch

from wellshaped.observe.trace.lineage import Event
from wellshaped.source.internal_calls import internal_calls

FEWEST_PLACES = 4
_FEWEST_OTHERS = 4
_MOST_HELD = 8
_MOST_TOKENS = 200_000
_MOST_SCORES = 10_000_000


def record_token_vectors(event: Event) -> None:
    """An embedding has looked tokens up: hold their vectors, where a gradient comes to them."""
    tokens, vectors = event.tensors[0], event.result
    if tokens.dtype != torch.int64 or tokens.dim() != 2 or tokens.shape[1] < FEWEST_PLACES:
        return
    if tokens.is_meta or tokens.numel() > _MOST_TOKENS or not vectors.requires_grad:
        return
    held = event.trace.token_vectors
    held.append((tokens.detach().clone(), vectors))
    del held[:-_MOST_HELD]


def reads_own(event: Event, scores: torch.Tensor, tokens: torch.Tensor) -> bool:
    """Whether each token is the last one that its scores depend on, and not the one behind.

    Scores are (rows, places, classes), or flat with the rows one after the other; tokens below 0
    count nowhere.
    """
    if not scores.requires_grad or scores.numel() > _MOST_SCORES:
        return False
    with internal_calls(), torch.enable_grad():
        for read, vectors in reversed(event.trace.token_vectors):
            rows = len(read) if scores.dim() == 2 else len(scores)
            if not rows or tokens.numel() % rows or len(read) % rows:
                continue
            table = tokens.reshape(rows, -1)
            if any(True for part in read.split(rows) for _ in _fitting(table, part)):
                return _is_last(scores.reshape(*table.shape, -1), table, read, vectors)
    return False


def _fitting(tokens: torch.Tensor, read: torch.Tensor) -> Iterator[int]:
    """The places from which on the tokens are those that were read, and not those behind."""
    for start in range(read.shape[1] - tokens.shape[1] + 1):
        if is_from(tokens, read, start):
            yield start


def is_from(tokens: torch.Tensor, read: torch.Tensor, start: int) -> bool:
    """Whether they are the tokens from a place on, and not those one place behind."""
    own = read[:, start : start + tokens.shape[1]]
    if own.shape != tokens.shape or not bool(((tokens == own) | (tokens < 0)).all()):
        return False
    width = min(tokens.shape[1], read.shape[1] - start - 1)
    behind = read[:, start + 1 : start + 1 + width]
    others = (tokens[:, :width] != behind) & (tokens[:, :width] >= 0)
    return int(others.sum()) >= _FEWEST_OTHERS


def _is_last(
    scores: torch.Tensor, tokens: torch.Tensor, read: torch.Tensor, vectors: torch.Tensor
) -> bool:
    place = tokens.shape[1] // 2
    if place < 1:
        return False
    early, late = (_reached(scores[:, each], vectors) for each in (place - 1, place))
    if early is None or late is None:
        return False
    rows = late.any(1)
    last = [int(each.any(0).nonzero().max()) for each in (early, late)]
    moves = last[1] == last[0] + 1  # scores that depend on all tokens have one last for all
    if not moves or int(rows.sum()) != len(tokens) or not bool(late[:, : last[1]].any()):
        return False
    start = last[1] - place
    return start >= 0 and is_from(tokens, read[rows], start)


def _reached(scores: torch.Tensor, vectors: torch.Tensor) -> torch.Tensor | None:
    """Which of the vectors the scores depend on."""
    weights = torch.arange(scores.shape[-1], dtype=scores.dtype, device=scores.device).cos()
    aim = (scores.masked_fill(~scores.isfinite(), 0.0) * weights).sum()
    (found,) = torch.autograd.grad(aim, vectors, retain_graph=True, materialize_grads=True)
    reached = (found != 0).any(-1)
    return reached if bool(reached.any()) else None
