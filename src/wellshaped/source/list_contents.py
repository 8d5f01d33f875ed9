"""The tensors a list holds, and the expressions that filled it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from wellshaped.records.observation import Operand, Origin
from wellshaped.records.shape import TensorFact
from wellshaped.source.assignments import assignment
from wellshaped.source.meta_eval import eval_on_meta
from wellshaped.source.origins import expression_origins
from wellshaped.source.scope import Scope
from wellshaped.source.values import UNKNOWN, fact_of

_MOST_TENSORS = 256
_MOST_NAME = 24


def operands_of_list(node: ast.expr, scope: Scope) -> tuple[Operand, ...]:
    """One operand for each tensor in a list that is given as a name, slice or comprehension."""
    values = list(_values(node, scope))[:_MOST_TENSORS]
    if not any(fact_of(value) for value in values):
        return ()
    name, born = _name(node, scope), _births(node, scope)
    return tuple(
        Operand(f"{name}[{place}]", fact_of(value), origins=born)
        for place, value in enumerate(values)
    )


def rows_of_list(node: ast.expr, scope: Scope) -> tuple[Operand, ...]:
    """One operand for each list in a list: an axis of its length."""
    values = list(_values(node, scope))[:_MOST_TENSORS]
    if not values or any(type(value) not in (list, tuple) for value in values):
        return ()
    name = _name(node, scope)
    return tuple(
        Operand(f"{name}[{place}]", TensorFact((len(value),))) for place, value in enumerate(values)
    )


def _name(node: ast.expr, scope: Scope) -> str:
    text = scope.source.text(node)
    return text if isinstance(node, ast.Name) and len(text) <= _MOST_NAME else "rows"


def _values(node: ast.expr, scope: Scope) -> Iterator[Any]:
    held = _held(node, scope)
    if type(held) in (list, tuple):
        yield from held
    elif isinstance(node, (ast.ListComp, ast.GeneratorExp)):
        yield from _comprehended(node, scope)


def _held(node: ast.expr, scope: Scope) -> Any:
    """The list itself, also where only a slice of it is meant."""
    value = scope.value(node)
    if value is not UNKNOWN or not isinstance(node, ast.Subscript):
        return value
    owner, part = scope.value(node.value), node.slice
    if type(owner) not in (list, tuple) or not isinstance(part, ast.Slice):
        return UNKNOWN
    ends = [
        None if end is None else scope.value(end) for end in (part.lower, part.upper, part.step)
    ]
    plain = all(end is None or type(end) is int for end in ends) and ends[2] != 0
    return owner[slice(*ends)] if plain else UNKNOWN


def _comprehended(node: ast.ListComp | ast.GeneratorExp, scope: Scope) -> Iterator[Any]:
    loop = node.generators[0]
    source = _held(loop.iter, scope)
    plain = len(node.generators) == 1 and not loop.ifs and isinstance(loop.target, ast.Name)
    if not plain or type(source) not in (list, tuple):
        return
    assert isinstance(loop.target, ast.Name)
    for item in source[:_MOST_TENSORS]:
        inside = replace(scope, names={**scope.names, loop.target.id: item})
        yield eval_on_meta(node.elt, inside)


def _births(node: ast.expr, scope: Scope) -> tuple[Origin, ...]:
    return tuple(
        birth for each in _filled_by(node, scope) for birth in expression_origins(each, scope)
    )


def _filled_by(node: ast.expr, scope: Scope) -> Iterator[ast.expr]:
    if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
        yield node.elt
    elif isinstance(node, (ast.List, ast.Tuple)):
        yield from node.elts
    elif isinstance(node, ast.Subscript):
        yield from _filled_by(node.value, scope)
    elif isinstance(node, ast.Name):
        assigned = assignment(node, scope)
        if assigned is not None and not isinstance(assigned, ast.Name):
            yield from _filled_by(assigned, scope)
        yield from _appended(node.id, scope)


def _appended(name: str, scope: Scope) -> Iterator[ast.expr]:
    body = scope.function if scope.function is not None else scope.source.tree
    for call in ast.walk(body):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            continue
        owner = call.func.value
        if call.func.attr == "append" and isinstance(owner, ast.Name) and owner.id == name:
            yield from call.args[:1]
