"""Follows an expression back through assignments and calls to where its axes were born."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import torch

from wellshaped.records.observation import Operand, Origin
from wellshaped.records.shape import TensorFact
from wellshaped.source.assignments import assignment, loop_source, returned
from wellshaped.source.construction import constructed
from wellshaped.source.flow_capture import flow_capture_enabled
from wellshaped.source.number_sources.hardcoded_rows import MAKING, counts_of
from wellshaped.source.scope import Scope, called, entered
from wellshaped.source.shape_inference import infer_shape
from wellshaped.source.values import UNKNOWN, fact_of

_MOST = 24
_DEPTH = 40
# Calls that hand their tensor through without touching its axes.
_TRANSPARENT = frozenset(
    (
        *("to", "float", "double", "half", "long", "int", "bool", "type", "type_as"),
        *("cuda", "cpu", "detach", "clone", "contiguous", "requires_grad_"),
        *("relu", "sigmoid", "tanh", "exp", "log", "softmax", "log_softmax", "dropout", "gelu"),
    )
)

_OUTPUTS = ("out_features", "out_channels", "embedding_dim")
_GROWTH = ("stride", "output_padding", "batch_first")
# What tells the axes of the states of a recurrent layer.
_OF_STATES = ("bidirectional", "num_layers", "hidden_size")


def expression_origins(node: ast.expr, scope: Scope) -> tuple[Origin, ...]:
    """The steps that made an expression, the nearest first."""
    found: list[Origin] = []
    for birth in _walk(node, scope, _DEPTH, set()):
        found.append(birth)
        if len(found) == _MOST:
            break
    return tuple(found)


def _walk(node: ast.expr, scope: Scope, depth: int, seen: set[Any]) -> Iterator[Origin]:
    key = (scope.source.file, node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
    if depth == 0 or key in seen:
        return
    seen.add(key)
    if isinstance(node, ast.Call):
        yield from _through_call(node, scope, depth, seen)
    elif isinstance(node, ast.Name):
        yield from _through_name(node, scope, depth, seen)
    elif isinstance(node, ast.Attribute):
        yield from _through_attribute(node, scope, depth, seen)
    elif isinstance(node, ast.Subscript):
        yield _birth("index", node, scope, depth)
        yield from _walk(node.value, scope, depth - 1, seen)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        yield _birth("matmul", node, scope, depth)
        yield from _walk(node.left, scope, depth - 1, seen)
        yield from _walk(node.right, scope, depth - 1, seen)
    elif isinstance(node, (ast.BinOp, ast.IfExp, ast.UnaryOp, ast.Await, ast.NamedExpr)):
        for part in ast.iter_child_nodes(node):
            if isinstance(part, ast.expr):
                yield from _walk(part, scope, depth - 1, seen)


def _fact(node: ast.expr, scope: Scope) -> TensorFact | None:
    """The shape of an expression; of several tensors that of the first, as of a recurrent layer."""
    found = infer_shape(node, scope) if flow_capture_enabled() else None
    return fact_of(found[0] if type(found) is tuple and found else found)


def _birth(name: str, node: ast.expr, scope: Scope, depth: int) -> Origin:
    return Origin(name, scope.source.passage(node), fact=_fact(node, scope), level=_DEPTH - depth)


def _through_call(node: ast.Call, scope: Scope, depth: int, seen: set[Any]) -> Iterator[Origin]:
    inside = entered(scope, node)
    if inside is not None and inside.function is not None:
        for value in returned(inside.function):
            yield from _walk(value, inside, depth - 1, seen)
        return
    target = called(scope, node)
    name = _name(node, target)
    if name not in _TRANSPARENT:
        options: dict[str, Any] = _options(node, scope)
        settings: tuple[Operand, ...] = ()
        if isinstance(target, torch.nn.Module):
            options, settings = _built(target, node, scope)
        plain, fact = _plain(node, scope), _fact(node, scope)
        counts = counts_of(node, scope) if name in MAKING else ()
        passage, level = scope.source.passage(node), _DEPTH - depth
        yield Origin(name, passage, plain, options, settings, fact, counts, level)
    for source in _sources(node, target):
        yield from _walk(source, scope, depth - 1, seen)


def _name(node: ast.Call, target: Any) -> str:
    if isinstance(target, torch.nn.Module):
        return type(target).__name__
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""


def _built(
    module: torch.nn.Module, node: ast.Call, scope: Scope
) -> tuple[dict[str, Any], tuple[Operand, ...]]:
    """The last layer inside that has outputs: its sizes, and the settings as they were written."""
    counted = [
        (path, each)
        for path, each in module.named_modules()
        if any(type(vars(each).get(name)) is int for name in _OUTPUTS)
    ]
    if not counted:
        recurrent = isinstance(module, torch.nn.RNNBase)
        return ({name: getattr(module, name) for name in _OF_STATES} if recurrent else {}), ()
    path, last = counted[-1]
    sizes = {name: vars(last)[name] for name in (*_OUTPUTS, *_GROWTH) if name in vars(last)}
    return sizes, constructed(last, scope, node, path)


def _sources(node: ast.Call, target: Any) -> Iterator[ast.expr]:
    """The expressions whose axes a call passes on: the receiver of a method, else arguments."""
    is_method = isinstance(node.func, ast.Attribute) and target is UNKNOWN
    if is_method:
        assert isinstance(node.func, ast.Attribute)
        yield node.func.value
        return
    for argument in node.args:
        if isinstance(argument, (ast.List, ast.Tuple)):
            yield from argument.elts
        elif not isinstance(argument, ast.Constant):
            yield argument


def _plain(node: ast.Call, scope: Scope) -> tuple[Any, ...]:
    values = [scope.value(each) for each in node.args]
    return tuple(value if _is_plain(value) else None for value in values)


def _is_plain(value: Any) -> bool:
    """Whether it is a number, a text, or sizes: a tuple of arrays is data of the program."""
    if isinstance(value, tuple):
        return all(map(_is_plain, value))
    return isinstance(value, (int, float, str))


def _options(node: ast.Call, scope: Scope) -> dict[str, Any]:
    found = {each.arg: scope.value(each.value) for each in node.keywords if each.arg}
    return {name: value for name, value in found.items() if isinstance(value, (int, float, str))}


def _through_name(node: ast.Name, scope: Scope, depth: int, seen: set[Any]) -> Iterator[Origin]:
    assigned = assignment(node, scope)
    if assigned is not None:
        yield from _walk(assigned, scope, depth - 1, seen)
        return
    if scope.parameter(node.id):
        given = scope.argument(node.id)
        if given is not None:
            outer, value = given
            yield from _walk(value, outer, depth - 1, seen)
        return
    drawn = loop_source(node, scope)
    if drawn is not None:
        fact = _fact(node, scope)
        yield Origin("iterate", scope.source.passage(drawn), fact=fact, level=_DEPTH - depth)


def _through_attribute(
    node: ast.Attribute, scope: Scope, depth: int, seen: set[Any]
) -> Iterator[Origin]:
    if isinstance(node.value, ast.Name) and node.value.id == "self":
        for value in _set_on_self(node.attr, scope):
            yield from _walk(value, scope, depth - 1, seen)
        return
    if node.attr in ("T", "mT"):
        yield _birth("transpose", node, scope, depth)
        yield from _walk(node.value, scope, depth - 1, seen)
    elif node.attr == "data":
        yield from _walk(node.value, scope, depth - 1, seen)


def _set_on_self(name: str, scope: Scope) -> Iterator[ast.expr]:
    owner = scope.source.parents.get(scope.function) if scope.function else None
    if not isinstance(owner, ast.ClassDef):
        return
    for node in ast.walk(owner):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Attribute) and target.attr == name:
                    yield node.value
