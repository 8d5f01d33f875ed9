"""Detects scores that are put at the last position where rows end before it.

It may be written there, or joined behind a table. Where rows end before, the program goes on as it
is, and beside it with the score at the last real positions: only what changes the loss is told.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import torch

from wellshaped.diagnose.faults.silent.padding_read.detect.last_position import last_axis
from wellshaped.diagnose.faults.silent.put_at_padding import PutAtPadding
from wellshaped.observe.failure.exception import Scene, scene_of
from wellshaped.observe.trace.lineage import Event, Lineage, user_frame
from wellshaped.observe.trace.masks import Real, last_real, real_around
from wellshaped.observe.trace.node import Node
from wellshaped.observe.trace.padding import lengths_in
from wellshaped.observe.trace.suspicion import Suspicions
from wellshaped.records.observation import Observation
from wellshaped.source.frames import live_stops
from wellshaped.source.operands import operand

JOINS = ("cat", "concat", "concatenate", "hstack", "stack", "pad", "tensor")
_LAST = slice(-1, None)
_SUMS = ("add", "sub", "in_place")
_VIEWS = ("unsqueeze", "view", "reshape", "squeeze")


@dataclass
class ScoresOnPadding:
    """What a run puts at last positions; it waits for a loss that it changes."""

    trace: Lineage
    suspicions: Suspicions
    loops: set[Any] = field(default_factory=set)

    def write(self, target: Any, index: Any, value: Any) -> Callable[[], None] | None:
        """`x[:, -1] = score` where rows end before the last position."""
        if not isinstance(target, torch.Tensor) or target.dim() != 2 or target.is_meta:
            return None
        if not target.is_floating_point() or not bool(torch.as_tensor(value).any()):
            return None  # no score
        column = type(index) is tuple and index[1:] == (_LAST,)
        if not column and last_axis(index) != 1 and not self._is_width(target, index):
            return None
        known = real_around(self.trace, user_frame(), *target.shape)
        chosen = torch.arange(len(target))[index[0]].reshape(-1)
        if known is None or not bool((~known.places[:, -1])[chosen].any()):
            return None
        scene = scene_of(live_stops(user_frame()))
        every_row = len(chosen) == len(target) and not column
        seen = _seen(scene, target, known, every_row)
        otherwise = self.suspicions.follow(seen, lambda: self._is_sure(known))
        if otherwise is None:
            return None
        other, last = otherwise.of(target).detach().clone(), last_real(known.places)[chosen]
        before = self.trace.counterfactuals.added_to(value)
        value = torch.as_tensor(value, dtype=other.dtype)
        if column and value.dim() == 2:
            value, before = value[:, 0], None if before is None else before[:, 0]
        if before is None:
            other[chosen, last] = value
        else:  # what was added goes there, and what was here before comes back
            other[chosen, -1] = before
            other[chosen, last] += value - before
        return lambda: otherwise.keep(target, other)

    def join(self, event: Event) -> None:
        """A score is joined behind zeros, or behind a table whose last position it was added to."""
        table = event.result
        if not isinstance(table, torch.Tensor) or table.dim() != 2 or table.requires_grad:
            return
        if not table.is_floating_point() or min(table.shape) < 2 or table.is_meta:
            return
        before = _before(event)
        known = None if before is None else real_around(self.trace, user_frame(), *table.shape)
        if before is None or known is None:
            return
        scene = event.scene("put")
        seen = _seen(scene, table, known, False)
        otherwise = self.suspicions.follow(seen, lambda: self._is_sure(known))
        if otherwise is not None:
            other, rows = table.detach().clone(), torch.arange(len(table))
            other[:, -1] = before
            other[rows, last_real(known.places)] += table[:, -1] - before
            otherwise.keep(table, other)

    def _is_width(self, target: torch.Tensor, index: Any) -> bool:
        """Whether a place that is counted from the left is the last, and no step of a loop."""
        frame = user_frame()
        key = (frame.f_code, frame.f_lasti)
        place = index[1] if type(index) is tuple and len(index) == 2 else None
        if type(place) is not int or place < 0 or key in self.loops:
            return False
        if place != target.shape[1] - 1:
            self.loops.add(key)
            self.trace.counterfactuals.drop(key)
            return False
        return not isinstance(index[0], type(Ellipsis))

    def _is_sure(self, known: Real) -> bool:
        """Whether a mask says so, not tokens alone."""
        met = [each for each in self.trace.masks if each.shape == known.places.shape]
        return known.masked or any(bool((each == known.places).all()) for each in met)


def _before(event: Event) -> torch.Tensor | None:
    """What would stand at the last position without the score; None where none was put there."""
    table: torch.Tensor = event.result
    if not bool(table[:, -1].any()):
        return None
    if not bool(table[:, :-1].any()):
        return torch.zeros_like(table[:, -1])
    parts = event.parents
    if len(parts) != 2 or parts[1].shape != (len(table), 1) or parts[0].name != "__getitem__":
        return None
    whole, last = parts[0].parents[0], parts[1]
    while last.name in _VIEWS or (last.name == "__getitem__" and len(last.parents[0].shape) == 1):
        last = last.parents[0]
    added = last.name in _SUMS and any(_is_of(each, whole) for each in last.parents)
    held = next(event.trace.tensors_of(whole), None) if added else None
    fits = held is not None and held.shape == table.shape
    return held[:, -1].detach().clone() if held is not None and fits else None


def _is_of(node: Node, whole: Node) -> bool:
    """Whether a node is a part of a table."""
    while node.name in _VIEWS and node.parents:
        node = node.parents[0]
    return node.name == "__getitem__" and node.parents[0] is whole


def _seen(
    scene: Scene | None, target: torch.Tensor, known: Real, every_row: bool
) -> Observation | None:
    if scene is None or scene.scope is None or not isinstance(scene.node, ast.expr):
        return None
    real, row = known.places, ""
    if isinstance(scene.node, ast.Subscript):
        named: ast.expr = scene.node.value
        index = scene.node.slice
        if isinstance(index, ast.Tuple) and isinstance(index.elts[0], ast.Name):
            row = index.elts[0].id
    else:
        statement = scene.scope.source.statement_of(scene.node)
        simple = isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)
        named = statement.targets[0] if isinstance(statement, ast.Assign) and simple else scene.node
    owner = operand("input", target, named, scene.scope)
    ends = lengths_in(scene, tuple((last_real(real) + 1).tolist()), target.shape[1])
    positions = int((~real).sum())
    facts = PutAtPadding(positions=positions, total=real.numel(), every_row=every_row, row=row)
    operands = (owner, *ends)
    return Observation(
        "silent", "index", "[]", scene.passage, operands, callers=scene.callers, facts=facts
    )


@contextlib.contextmanager
def follow_scores_on_padding(trace: Lineage) -> Iterator[None]:
    """Look inside the block at what is put at last positions."""
    scores = ScoresOnPadding(trace, Suspicions(trace))
    trace.watch(JOINS, scores.join)
    trace.counterfactuals.on_write.append(scores.write)
    yield


FOLLOW = (follow_scores_on_padding,)
