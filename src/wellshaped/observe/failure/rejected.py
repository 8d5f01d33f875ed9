"""A call that torch or NumPy rejected, whatever it is: its tensors, where nothing more is known."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import FunctionType, MethodType
from typing import Any

from wellshaped.records.observation import Observation, Operand
from wellshaped.records.shape import DTYPES, TensorFact
from wellshaped.records.source import Passage
from wellshaped.source import (
    UNKNOWN,
    Scope,
    Stop,
    called,
    eval_on_meta,
    fact_of,
    is_library,
    operand,
)

_LIBRARIES = ("torch", "numpy", "einops", "transformers", "lightning", "pytorch_lightning")
_MOST = 6
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
    operands = tuple(_tensors(node, scope))[:_MOST] or tuple(_beside(node, scope))[:_MOST]
    name = _name(node, inner)
    if not operands or not name:
        return None
    return Observation("operation", name, name, passage, operands, callers=callers)


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
    return isinstance(node, (ast.BinOp, ast.AugAssign, ast.Compare, ast.Subscript, ast.UnaryOp))


def _tensors(node: ast.AST, scope: Scope) -> Iterator[Operand]:
    """The outermost expressions inside a call that are tensors or arrays."""
    parts = [part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)]
    if isinstance(node, ast.Call):
        parts = [*node.args, *(each.value for each in node.keywords)]
        if isinstance(node.func, ast.Attribute):
            parts = [node.func.value, *parts]
    found = [(part, value) for part in parts for value in _values(part, scope)]
    for role, (part, value) in zip(_ROLES, found, strict=False):
        yield _operand(role, value, part, scope)


def _values(part: ast.expr, scope: Scope) -> Iterator[Any]:
    if isinstance(part, (ast.Tuple, ast.List, ast.Starred)):
        for child in ast.iter_child_nodes(part):
            if isinstance(child, ast.expr):
                yield from _values(child, scope)
        return
    value = scope.value(part)
    value = eval_on_meta(part, scope) if value is UNKNOWN else value
    if _fact(value) is not None:
        yield value


def _beside(node: ast.AST, scope: Scope) -> Iterator[Operand]:
    """The tensors that the statement names, where the call itself shows none."""
    statement = scope.source.statement_of(node)
    names = (
        [each for each in ast.walk(statement) if isinstance(each, ast.Name)] if statement else []
    )
    found = [(each, scope.names.get(each.id)) for each in names]
    known = [(each, value) for each, value in found if _fact(value) is not None]
    for role, (each, value) in zip(_ROLES, known, strict=False):
        yield _operand(role, value, each, scope)


def _operand(role: str, value: Any, node: ast.expr, scope: Scope) -> Operand:
    made = operand(role, value, node, scope)
    if made.fact is not None:
        return made
    return Operand(role, _fact(value), made.passage, made.origins)


def _fact(value: Any) -> TensorFact | None:
    """Shape and dtype of a tensor, or of an array of NumPy."""
    known = fact_of(value)
    if known is not None or type(value).__module__ != "numpy" or not hasattr(value, "dtype"):
        return known
    dtype = str(value.dtype)
    shape = tuple(getattr(value, "shape", ()))
    return TensorFact(shape, dtype) if dtype in DTYPES and shape else None


def _name(node: ast.AST, inner: list[Stop]) -> str:
    """What was called, as it is written; of an index or an operator what torch calls it."""
    match node:
        case ast.Call(func=ast.Attribute(attr=name)) | ast.Call(func=ast.Name(id=name)):
            return name
        case ast.Subscript():
            return "index"
        case ast.BinOp() | ast.AugAssign() | ast.Compare() | ast.UnaryOp():
            return "operator"
    return inner[-1].name if inner else ""
