"""Operations of torch that fail in the user's own line: operators, methods, functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import torch

from wellshaped.records.observation import Kind, Observation, Operand
from wellshaped.records.shape import TensorFact
from wellshaped.records.source import Passage
from wellshaped.source.distributions import batch_shape_of
from wellshaped.source.indexing import read_index
from wellshaped.source.list_contents import operands_of_list, rows_of_list
from wellshaped.source.meta_eval import eval_on_meta
from wellshaped.source.meta_layers import meta_result
from wellshaped.source.operands import operand
from wellshaped.source.scope import Scope, parameter_names
from wellshaped.source.shape_inference import infer_shape
from wellshaped.source.values import UNKNOWN, bounds_of

_OPERATORS = {
    ast.Add: ("add", "+"), ast.Sub: ("sub", "-"), ast.Mult: ("mul", "*"), ast.Div: ("div", "/"),
    ast.Pow: ("pow", "**"), ast.MatMult: ("matmul", "@"), ast.Mod: ("remainder", "%"),
    ast.FloorDiv: ("floor_divide", "//"), ast.BitAnd: ("bitwise_and", "&"),
    ast.BitOr: ("bitwise_or", "|"), ast.BitXor: ("bitwise_xor", "^"), ast.Eq: ("eq", "=="),
    ast.NotEq: ("ne", "!="), ast.Lt: ("lt", "<"), ast.LtE: ("le", "<="), ast.Gt: ("gt", ">"),
    ast.GtE: ("ge", ">="),
}  # fmt: skip
_MAKING = ("tensor", "as_tensor", "Tensor", "LongTensor", "FloatTensor")
_ITERATING = ("len", "iter", "list", "tuple", "set", "zip", "enumerate", "map", "sorted", "sum")
# Methods of lists and sets that walk through their argument.
_TAKING = ("extend", "update", "writerows")
# Methods whose index alone can tell what is wrong, where the tensor is not known.
_TOLD_BY_INDEX = ("gather", "scatter", "scatter_")
# Methods that hand the axes of a tensor on to lists and arrays.
_UNWRAPPING = ("tolist", "numpy", "cpu", "detach")


class _Read(NamedTuple):
    callee: str
    label: str
    operands: tuple[Operand, ...]
    options: dict[str, Any]
    kind: Kind = "operation"


def observe_operation(
    node: ast.AST, scope: Scope, passage: Passage, callers: tuple[Passage, ...]
) -> Observation | None:
    """The operation an expression stands for; None when no tensor takes part in it."""
    read = _read(node, scope)
    if read is None or not any(each.fact or _squeezed(each) for each in read.operands):
        return None
    statement = scope.source.statement_of(node)
    if read.callee == "unpack" and statement is not None:
        passage = scope.source.passage(statement)
    return Observation(
        read.kind, read.callee, read.label, passage, read.operands, read.options, callers=callers
    )


def _squeezed(each: Operand) -> bool:
    """Whether how it was made tells of lost axes, even where its shape is not known."""
    return each.origin_by("squeeze") is not None


def _read(node: ast.AST, scope: Scope) -> _Read | None:
    if isinstance(node, ast.BinOp):
        return _read_operator(node.op, node.left, node.right, scope)
    if isinstance(node, ast.AugAssign):
        read = _read_operator(node.op, node.target, node.value, scope)
        return read and read._replace(label=f"{read.label}=", options={"inplace": True})
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        return _read_operator(node.ops[0], node.left, node.comparators[0], scope)
    if isinstance(node, ast.Subscript):
        assigned = _read_assigning(node, scope) if isinstance(node.ctx, ast.Store) else None
        return assigned or _Read("index", "[]", *read_index(node, scope, _one))
    if isinstance(node, ast.Call):
        return _read_chance(node, scope) or _read_iterating(node, scope) or _read_call(node, scope)
    if isinstance(node, (ast.Tuple, ast.List)) and isinstance(node.ctx, ast.Store):
        return _read_unpacking(node, scope)
    if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        node = _unwrapped(node.generators[0].iter)
    if isinstance(node, ast.expr):
        return _Read("iter", "iteration", (_one("input", node, scope),), {}, "iteration")
    return None


def _read_operator(sign: ast.AST, left: ast.expr, right: ast.expr, scope: Scope) -> _Read | None:
    if type(sign) not in _OPERATORS:
        return None
    name, symbol = _OPERATORS[type(sign)]
    operands = (_one("input", left, scope), _one("other", right, scope))
    held = any("held" in each.traits for each in operands)
    return _Read(name, symbol, operands, {"numbers": _numbers(scope)} if held else {})


def _numbers(scope: Scope) -> tuple[tuple[str, int, int], ...]:
    """The vectors of whole numbers, none below 0, that a function was given: their largest."""
    names = parameter_names(scope.function) if scope.function is not None else []
    found = ((name, scope.names.get(name)) for name in names)
    bounds = [(name, each.shape, bounds_of(each)) for name, each in found if torch.is_tensor(each)]
    return tuple(
        (name, shape[0], most)
        for name, shape, (least, most) in ((a, b, c) for a, b, c in bounds if c is not None)
        if len(shape) == 1 and least >= 0
    )


def _read_chance(node: ast.Call, scope: Scope) -> _Read | None:
    """`Normal(mean, 1).log_prob(x)`: the value is taken from the mean, element by element."""
    met = batch_shape_of(node, scope)
    if met is None or not isinstance(node.func, ast.Attribute):
        return None
    owner = operand("input", met, node.func.value, scope)
    other = _one("other", node.args[0], scope)
    return _Read("sub", node.func.attr, (owner, other), {"distribution": True})


def _one(role: str, node: ast.expr, scope: Scope) -> Operand:
    value = scope.value(node)
    if value is UNKNOWN:
        value = eval_on_meta(node, scope)
    if value is UNKNOWN:
        value = meta_result(node, scope)
    found = operand(role, value, node, scope)
    if value is not UNKNOWN or _squeezed(found):  # what a squeeze took is told by its rule
        return found
    return operand(role, infer_shape(node, scope), node, scope)


def _read_iterating(node: ast.Call, scope: Scope) -> _Read | None:
    """`len(x)`, `zip(x, y)`, `rows.extend(x.tolist())`, `for row in x.tolist()`."""
    if isinstance(node.func, ast.Name) and node.func.id in _ITERATING:
        name, items = node.func.id, node.args
    elif not isinstance(node.func, ast.Attribute):
        return None
    elif node.func.attr == "tolist":
        name, items = "iter", [node]
    elif node.func.attr in _TAKING and not torch.is_tensor(scope.value(node.func.value)):
        name, items = node.func.attr, node.args
    else:
        return None
    held = [_unwrapped(each) for each in items]
    roles = [scope.source.text(each) if len(items) > 1 else "input" for each in held]
    operands = tuple(_one(role, each, scope) for role, each in zip(roles, held, strict=True))
    label = "iteration" if name == "iter" else f"{name}()"
    return _Read(name, label, operands, {}, "iteration")


def _read_assigning(node: ast.Subscript, scope: Scope) -> _Read | None:
    """`x[i, j] = values`, where the index itself is right: what it takes, and what it is given."""
    statement = scope.source.statement_of(node)
    if not isinstance(statement, ast.Assign) or not torch.is_tensor(scope.value(node.value)):
        return None
    taken = eval_on_meta(_loaded(node), scope)
    if torch.is_tensor(taken):
        target: tuple[Operand, ...] = (operand("input", taken, node, scope),)
    else:
        target = read_index(node, scope, _one)[0]
        if not all(each.fact.dtype == "bool" for each in target[1:] if each.fact):
            return None  # which indices meet is said by the rule of indexing
    value = _one("value", statement.value, scope)
    if value.fact is None and isinstance(statement.value, ast.List):
        value = replace(value, fact=TensorFact((len(statement.value.elts),)))
    return _Read("assign", "[]=", (*target, value), {}) if value.fact else None


def _loaded(node: ast.Subscript) -> ast.Subscript:
    return ast.copy_location(ast.Subscript(node.value, node.slice, ast.Load()), node)


def _unwrapped(node: ast.expr) -> ast.expr:
    while (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in _UNWRAPPING
    ):
        node = node.func.value
    return node


def _read_unpacking(node: ast.Tuple | ast.List, scope: Scope) -> _Read | None:
    """`b, c, h, w = x.shape`."""
    statement = scope.source.parents.get(node)
    if not isinstance(statement, ast.Assign) or any(isinstance(n, ast.Starred) for n in node.elts):
        return None
    value = statement.value
    if isinstance(value, ast.Call) and not value.args and isinstance(value.func, ast.Attribute):
        value = value.func
    if not isinstance(value, ast.Attribute) or value.attr not in ("shape", "size"):
        return None
    return _Read(
        "unpack", value.attr, (_one("input", value.value, scope),), {"axes": len(node.elts)}
    )


def _read_call(node: ast.Call, scope: Scope) -> _Read:
    inside = node.func.func if isinstance(node.func, ast.Call) else node.func
    name = inside.attr if isinstance(inside, ast.Attribute) else getattr(inside, "id", "")
    operands = []
    if isinstance(node.func, ast.Attribute) and scope.value(node.func) is UNKNOWN:
        receiver = _one("input", node.func.value, scope)
        if receiver.fact is None and not _squeezed(receiver) and name not in _TOLD_BY_INDEX:
            return _Read(name, name, (), {})
        operands.append(receiver)
    options: dict[str, Any] = {"args": tuple(_plain(each, scope) for each in node.args)}
    for role, expression in _arguments(node):
        found = _one(role, expression, scope)
        several = operands_of_list(expression, scope) if found.fact is None else ()
        if found.fact is not None:
            operands.append(found)
        elif several:
            operands += several
        else:
            options[role] = _plain(expression, scope)
    if name in _MAKING and not operands and node.args:
        operands += rows_of_list(node.args[0], scope)
    return _Read(name, name, tuple(operands), options)


def _arguments(node: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    for place, each in enumerate(node.args):
        if isinstance(each, (ast.List, ast.Tuple)):
            yield from ((f"tensors[{i}]", part) for i, part in enumerate(each.elts))
        else:
            yield f"argument {place}", each
    yield from ((each.arg, each.value) for each in node.keywords if each.arg)


def _plain(node: ast.expr, scope: Scope) -> Any:
    value = scope.value(node)
    if value is UNKNOWN:
        value = eval_on_meta(node, scope)
    if isinstance(value, (int, float, str, bool, torch.dtype)):
        return value
    if type(value) in (tuple, torch.Size) and all(isinstance(each, int) for each in value):
        return tuple(value)
    return None
