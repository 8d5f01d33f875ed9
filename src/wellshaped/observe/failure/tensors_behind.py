"""The tensors that an expression is made from: its own, those in what it holds, those behind it."""

from __future__ import annotations

import ast
from collections import UserDict
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from itertools import islice
from typing import Any

from torch.distributions import Distribution

from wellshaped.records.observation import Operand
from wellshaped.records.shape import DTYPES, TensorFact
from wellshaped.source import (
    UNKNOWN,
    Scope,
    assignment,
    eval_on_meta,
    fact_of,
    infer_shape,
    loop_source,
    operand,
)

_MOST = 6
_DEEPEST = 5
_ROLES = ("input", "other", "third", "fourth", "fifth", "sixth")


def tensors_behind(node: ast.AST, scope: Scope) -> tuple[Operand, ...]:
    """Operands for the tensors that the parts of an expression are, hold, or come from."""
    found: dict[str, tuple[Any, ast.expr, Scope]] = {}
    for value, part, where in _behind(node, scope, _DEEPEST):
        found.setdefault(f"{where.source.text(part)} {fact_of_any(value)}", (value, part, where))
        if len(found) == _MOST:
            break
    return tuple(
        operand_of_any(role, *each) for role, each in zip(_ROLES, found.values(), strict=False)
    )


def tensors_held(names: Mapping[str, Any]) -> tuple[Operand, ...]:
    """Operands for the tensors that names hold, as the locals of a function of a library."""
    found = [(name, each) for name, value in names.items() for each in held_tensors(value)]
    return tuple(Operand(name, fact_of_any(each)) for name, each in found[:_MOST])


def _behind(node: ast.AST, scope: Scope, deep: int) -> Iterator[tuple[Any, ast.expr, Scope]]:
    """The values that are tensors, each with where it is written, the outermost parts first."""
    if isinstance(node, ast.expr):
        value = known_value(node, scope)
        held = list(held_tensors(value))
        if held:
            yield from ((each, node, scope) for each in held)
            return
    parts = [
        each for each in ast.iter_child_nodes(node) if isinstance(each, (ast.expr, ast.keyword))
    ]
    for part in parts:
        yield from _behind(part, scope, deep)
    if isinstance(node, ast.Name) and deep:
        yield from _before(node, scope, deep - 1)


def _before(node: ast.Name, scope: Scope, deep: int) -> Iterator[tuple[Any, ast.expr, Scope]]:
    """What a name was assigned, goes through, or was given by the caller."""
    before = assignment(node, scope) or loop_source(node, scope)
    if before is not None:
        yield from _behind(before, scope, deep)
        return
    given = scope.argument(node.id)
    if given is not None:
        yield from _behind(given[1], given[0], deep)


def known_value(node: ast.expr, scope: Scope) -> Any:
    """The value of an expression, or a tensor of its shape without data."""
    if isinstance(node, (ast.Constant, ast.Tuple, ast.List, ast.Starred)):
        return UNKNOWN
    value = scope.value(node)
    value = eval_on_meta(node, scope) if value is UNKNOWN else value
    return infer_shape(node, scope) if value is UNKNOWN and isinstance(node, ast.Call) else value


def held_tensors(value: Any) -> Iterator[Any]:
    """A tensor or array itself; of a list, record or distribution those that it holds."""
    if fact_of_any(value) is not None:
        yield value
        return
    inside: Any = ()
    if isinstance(value, (list, tuple)):
        inside = value
    elif isinstance(value, dict):
        inside = value.values()
    elif isinstance(value, (Distribution, UserDict)) or is_dataclass(value):
        inside = getattr(value, "__dict__", {}).values()
    for part in islice(inside, _MOST):
        if fact_of_any(part) is not None:
            yield part
        elif isinstance(part, (Distribution, dict)):
            yield from held_tensors(part)


def operand_of_any(role: str, value: Any, node: ast.expr, scope: Scope) -> Operand:
    """An operand for a tensor, or for an array of NumPy."""
    made = operand(role, value, node, scope)
    if made.fact is not None:
        return made
    return Operand(role, fact_of_any(value), made.passage, made.origins)


def fact_of_any(value: Any) -> TensorFact | None:
    """Shape and dtype of a tensor, or of an array of NumPy, one of objects too."""
    if isinstance(value, TensorFact):
        return value
    known = fact_of(value)
    if known is not None or type(value).__module__ != "numpy" or not hasattr(value, "dtype"):
        return known
    dtype = str(value.dtype)
    shape = tuple(getattr(value, "shape", ()))
    return TensorFact(shape, dtype) if dtype in (*DTYPES, "object") and shape else None
