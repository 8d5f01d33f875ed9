"""A call that torch or NumPy rejected, whatever it is: its tensors, where nothing more is known."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import FunctionType, MethodType
from typing import Any

from wellshaped.observe.failure.tensors_behind import (
    fact_of_any,
    operand_of_any,
    tensors_behind,
)
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.source import Passage
from wellshaped.source import (
    UNKNOWN,
    Scope,
    Stop,
    called,
    eval_on_meta,
    is_library,
)

_LIBRARIES = ("torch", "numpy", "einops", "transformers", "lightning", "pytorch_lightning")
_MOST = 6
# Stands for a call of which the operands are no arguments: no rule reads them as such.
_INDIRECT = "indirect"
_PLAIN = (ast.BinOp, ast.AugAssign, ast.Compare, ast.Subscript, ast.UnaryOp, ast.Attribute)
_ROLES = ("input", "other", "third", "fourth", "fifth", "sixth")


def observe_rejected(
    node: ast.AST | None,
    scope: Scope | None,
    inner: list[Stop],
    passage: Passage,
    callers: tuple[Passage, ...],
) -> Observation | None:
    """The call that raised; None where it is the user's own, or no tensor is in sight."""
    if scope is None or node is None or not _left_a_library(node, scope, inner):
        return None
    name = _name(node, inner)
    direct = tuple(_tensors(node, scope))[:_MOST]
    operands = direct or tensors_behind(node, scope) or tuple(_beside(node, scope))[:_MOST]
    if not operands or not name:
        return None
    callee = name if direct else _INDIRECT
    return Observation("operation", callee, name, passage, operands, callers=callers)


def _left_a_library(node: ast.AST, scope: Scope, inner: list[Stop]) -> bool:
    """Whether an exception comes from torch, NumPy or their kin, and not from a bare mistake."""
    if inner:
        parts = inner[-1].file.replace("\\", "/").split("/")
        return any(each in parts for each in _LIBRARIES)
    if isinstance(scope.source.statement_of(node), (ast.Raise, ast.Assert)):
        return False
    if isinstance(node, ast.Call):
        target = called(scope, node)
        own = isinstance(target, (FunctionType, MethodType)) and not is_library(
            target.__code__.co_filename
        )
        return not own and not isinstance(target, type)
    return isinstance(node, _PLAIN)


def _tensors(node: ast.AST, scope: Scope) -> Iterator[Operand]:
    """The outermost expressions inside a call that are tensors or arrays."""
    parts = [part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)]
    if isinstance(node, ast.Call):
        parts = [*node.args, *(each.value for each in node.keywords)]
        if isinstance(node.func, ast.Attribute):
            parts = [node.func.value, *parts]
    found = [(part, value) for part in parts for value in _values(part, scope)]
    for role, (part, value) in zip(_ROLES, found, strict=False):
        yield operand_of_any(role, value, part, scope)


def _values(part: ast.expr, scope: Scope) -> Iterator[Any]:
    if isinstance(part, (ast.Tuple, ast.List, ast.Starred)):
        for child in ast.iter_child_nodes(part):
            if isinstance(child, ast.expr):
                yield from _values(child, scope)
        return
    value = scope.value(part)
    value = eval_on_meta(part, scope) if value is UNKNOWN else value
    if fact_of_any(value) is not None:
        yield value


def _beside(node: ast.AST, scope: Scope) -> Iterator[Operand]:
    """The tensors that the statement names, where the call itself shows none."""
    statement = scope.source.statement_of(node)
    names = (
        [each for each in ast.walk(statement) if isinstance(each, ast.Name)] if statement else []
    )
    found = [(each, scope.names.get(each.id)) for each in names]
    known = [(each, value) for each, value in found if fact_of_any(value) is not None]
    for role, (each, value) in zip(_ROLES, known, strict=False):
        yield operand_of_any(role, value, each, scope)


def _ending(node: ast.expr) -> str:
    """The name that an expression ends with."""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _name(node: ast.AST, inner: list[Stop]) -> str:
    """What was called, as it is written; of an index or an operator what torch calls it."""
    match node:
        case ast.Call(func=ast.Attribute(attr=name)) | ast.Call(func=ast.Name(id=name)):
            return name
        case ast.Subscript():
            return "index"
        case ast.Attribute(attr=name):
            return f".{name}"
        case ast.Call(func=ast.Call(func=inside)):
            return _ending(inside)
        case ast.BinOp() | ast.AugAssign() | ast.Compare() | ast.UnaryOp():
            return "operator"
    return inner[-1].name if inner else ""
