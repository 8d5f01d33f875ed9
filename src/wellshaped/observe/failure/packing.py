"""A batch of sequences that could not be packed: its tensors, and its lengths as a tensor."""

from __future__ import annotations

import ast
from typing import Any

import torch

from wellshaped.records.observation import Observation, Operand
from wellshaped.records.source import Passage
from wellshaped.source.frames import Stop
from wellshaped.source.operands import operand
from wellshaped.source.scope import Scope

_NAME = "pack_padded_sequence"
_PARAMETERS = ("input", "lengths", "batch_first", "enforce_sorted")


def observe_packing(
    stops: list[Stop],
    node: ast.AST | None,
    scope: Scope | None,
    passage: Passage,
    callers: tuple[Passage, ...],
) -> Observation | None:
    """The call of `pack_padded_sequence`, where that is what stopped below the user's line."""
    held = next((each.frame.f_locals for each in stops if each.name == _NAME), None)
    if held is None or not isinstance(held.get("input"), torch.Tensor):
        return None
    written = _written(node)
    operands = tuple(_operand(role, held, written, scope) for role in _PARAMETERS[:2])
    options = {role: held.get(role) for role in _PARAMETERS[2:]}
    return Observation("operation", _NAME, _NAME, passage, operands, options, callers=callers)


def _written(node: ast.AST | None) -> dict[str, ast.expr]:
    if not isinstance(node, ast.Call) or any(isinstance(each, ast.Starred) for each in node.args):
        return {}
    found = dict(zip(_PARAMETERS, node.args, strict=False))
    return found | {each.arg: each.value for each in node.keywords if each.arg}


def _operand(
    role: str, held: dict[str, Any], written: dict[str, ast.expr], scope: Scope | None
) -> Operand:
    return operand(role, held.get(role), written.get(role), scope)
