"""Matches the tensors of a call with the expressions the user wrote for them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import torch

from wellshaped.records.observation import Operand
from wellshaped.records.source import Passage
from wellshaped.source.assignments import assignment
from wellshaped.source.code import source_of
from wellshaped.source.flow_capture import flow_capture_enabled
from wellshaped.source.origins import expression_origins
from wellshaped.source.scope import Scope
from wellshaped.source.shape_inference import outline_at
from wellshaped.source.values import UNKNOWN, bounds_of, fact_of, traits_of

_SMALL = range(1, 9)


def operands_of_call(
    node: ast.AST | None, scope: Scope | None, values: Mapping[str, Any]
) -> tuple[Operand, ...]:
    """One operand for each tensor, with the expression it was given by where that is certain."""
    written = _written(node, scope, values) if isinstance(node, ast.Call) and scope else {}
    found = (operand(role, value, written.get(role), scope) for role, value in values.items())
    rows = smallest_rows(values.values())
    return tuple(
        replace(each, at=shapes_at(each, written.get(each.role), scope, rows)) for each in found
    )


def operand(role: str, value: Any, node: ast.expr | None, scope: Scope | None) -> Operand:
    """An operand with its expression and the steps that made it."""
    if node is None or scope is None:
        return Operand(role, fact_of(value), traits=traits_of(value), bounds=bounds_of(value))
    return Operand(
        role,
        fact_of(value),
        scope.source.passage(node),
        expression_origins(node, scope),
        traits_of(value) | _held(node, scope),
        bounds_of(value),
        _given(node, scope),
    )


def smallest_rows(values: Iterable[Any]) -> int:
    """The number of rows of a call: the smallest leading size of its tensors."""
    leading = [each.shape[0] for each in values if isinstance(each, torch.Tensor) and each.dim()]
    return min(leading, default=0)


def shapes_at(
    known: Operand, node: ast.expr | None, scope: Scope | None, rows: int
) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """The shapes of an operand in small batches; none where its own shape cannot be replayed."""
    if node is None or scope is None or known.fact is None or not (rows and flow_capture_enabled()):
        return ()
    found = {}
    for size in sorted({*_SMALL, rows}):
        fact = fact_of(outline_at(node, scope, rows=size, instead_of=rows))
        if fact is not None:
            found[size] = fact.shape
    return tuple(found.items()) if found.get(rows) == known.fact.shape else ()


def _held(node: ast.expr, scope: Scope) -> frozenset[str]:
    """`held` where an expression is made of a buffer or parameter of a model alone."""
    parts = [node.left, *node.comparators] if isinstance(node, ast.Compare) else [node]
    for part in parts:
        if isinstance(part, ast.Attribute):
            owner = scope.value(part.value)
            held = (owner._buffers, owner._parameters) if isinstance(owner, torch.nn.Module) else ()
            if any(part.attr in each for each in held):
                return frozenset({"held"})
    return frozenset()


def _given(node: ast.expr, scope: Scope) -> Passage | None:
    """What the caller wrote for an expression that is a parameter and was not set anew."""
    if not isinstance(node, ast.Name) or assignment(node, scope) is not None:
        return None
    found = scope.argument(node.id)
    return found[0].source.passage(found[1]) if found is not None else None


def _written(node: ast.Call, scope: Scope, values: Mapping[str, Any]) -> dict[str, ast.expr]:
    """By identity first, then by keyword, then by position."""
    found: dict[str, ast.expr] = {}
    plain = [each for each in node.args if not isinstance(each, ast.Starred)]
    named = {each.arg: each.value for each in node.keywords if each.arg}
    for expression in (*plain, *named.values()):
        value = scope.value(expression)
        for role, tensor in values.items():
            if value is tensor and role not in found:
                found[role] = expression
                break
    for role, expression in named.items():
        if role in values:
            found.setdefault(role, expression)
    if len(plain) == len(node.args):
        for role, expression in zip(values, plain, strict=False):
            free = expression not in found.values() and scope.value(expression) is UNKNOWN
            if free:
                found.setdefault(role, expression)
    return found


def label_of(passage: Passage, built: Passage | None, name: str) -> str:
    """The name of the layer or function as it is written."""
    text = built.text if built is not None else passage.text
    try:
        node: ast.AST = ast.parse(text, mode="eval").body
    except SyntaxError:
        return name
    while isinstance(node, ast.Call):
        node = node.func  # of `nn.Softmax(0)(x)` the layer, of `f(x).argmax(0)` `argmax`
    found = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return found or name


def argument_of(passage: Passage) -> Passage | None:
    """The first argument of the call, or what its method belongs to."""
    source = source_of(passage.place.file)
    node = next(source.nodes_at(passage.span), None) if source and passage.span else None
    if source is None or not isinstance(node, ast.Call):
        return None
    if node.args and not isinstance(node.args[0], (ast.Constant, ast.UnaryOp, ast.Starred)):
        return source.passage(node.args[0])
    return source.passage(node.func.value) if isinstance(node.func, ast.Attribute) else None
