"""Reads along a padded axis as observations, with the names in sight that tell where rows end."""

from __future__ import annotations

import ast
from dataclasses import replace

import torch

from wellshaped.observe.failure.exception import Scene
from wellshaped.observe.failure.operations import observe_operation
from wellshaped.observe.trace.lineage import Event
from wellshaped.records.observation import Observation, Operand
from wellshaped.source.operands import operand


def observe_padded(
    event: Event, place: int, lengths: tuple[int, ...], *, operands: int = 1
) -> Observation | None:
    """What is read along a padded axis: its first operands, and the names of lengths and masks."""
    scene = event.scene("padding")
    if scene is None or scene.scope is None or scene.node is None:
        return None
    seen = observe_operation(scene.node, scene.scope, scene.passage, scene.callers)
    if seen is not None and seen.operands and isinstance(scene.node, ast.Subscript):
        owner = operand("input", event.tensors[0], scene.node.value, scene.scope)
        seen = replace(seen, operands=(owner, *seen.operands[1:]))
    if seen is None or not seen.operands or seen.operands[0].shape != event.parents[0].shape:
        return None
    known = lengths_in(scene, lengths, event.parents[0].shape[place])
    return replace(seen, kind="silent", operands=(*seen.operands[:operands], *known))


def lengths_in(scene: Scene, lengths: tuple[int, ...], width: int) -> list[Operand]:
    """Names in sight that hold the real lengths, or a mask of the real positions."""
    found = []
    for name, value in scene.stop.frame.f_locals.items():
        if not isinstance(value, torch.Tensor) or value.is_meta or value.is_complex():
            continue
        shape = tuple(value.shape)
        passage = replace(scene.passage, text=name, span=None)
        if shape == (len(lengths),) and value.tolist() == list(lengths):
            found.append(Operand("lengths", None, passage))
        elif shape == (len(lengths), width) and _is_mask(value, lengths):
            found.append(Operand("mask", None, passage, traits=frozenset({str(value.dtype)})))
    return found


def _is_mask(value: torch.Tensor, lengths: tuple[int, ...]) -> bool:
    real = torch.arange(value.shape[1]) < torch.tensor(lengths)[:, None]
    return bool((value.double() == real.double()).all())
