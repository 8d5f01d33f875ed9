"""Shapes of intermediate values that nobody kept, recomputed on tensors without data."""

from __future__ import annotations

import ast
import operator
import warnings
from typing import Any

import torch

from wellshaped.source.scope import Scope
from wellshaped.source.values import UNKNOWN

BINARY = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.MatMult: operator.matmul,
    ast.Pow: operator.pow,
}
_TORCH = ("torch", "torch.nn.functional", "torch.functional", "torch._C._nn", "_VariableFunctions")


def eval_on_meta(node: ast.expr, scope: Scope) -> Any:
    """The value of an expression, tensors replaced by meta tensors of the same shape.

    Only torch's own methods, functions and operators are called, on tensors without data;
    anything else is UNKNOWN.
    """
    try:
        with warnings.catch_warnings(), torch.no_grad():
            warnings.simplefilter("ignore")
            return _shadow(node, scope, 12)
    except Exception:  # an operation that fails, however, has no shape
        return UNKNOWN


def _shadow(node: ast.expr, scope: Scope, depth: int) -> Any:
    known = scope.value(node)
    if known is not UNKNOWN:
        return without_data(known)
    if depth == 0:
        return UNKNOWN
    if isinstance(node, ast.BinOp) and type(node.op) in BINARY:
        parts = [_shadow(each, scope, depth - 1) for each in (node.left, node.right)]
        return UNKNOWN if UNKNOWN in map(_mark, parts) else BINARY[type(node.op)](*parts)
    if isinstance(node, ast.Subscript):
        return _indexed(node, scope, depth)
    if isinstance(node, ast.Call):
        return _called(node, scope, depth)
    if isinstance(node, (ast.Tuple, ast.List)):
        items = [_shadow(each, scope, depth - 1) for each in node.elts]
        return UNKNOWN if UNKNOWN in map(_mark, items) else tuple(items)
    return UNKNOWN


def _mark(value: Any) -> Any:
    return UNKNOWN if value is UNKNOWN else None


def without_data(value: Any) -> Any:
    """A value with meta tensors in place of its tensors."""
    if isinstance(value, torch.Tensor):
        return torch.empty(tuple(value.shape), dtype=value.dtype, device="meta")
    if type(value) in (list, tuple):
        return type(value)(without_data(each) for each in value)
    return value


def _called(node: ast.Call, scope: Scope, depth: int) -> Any:
    arguments = [_shadow(each, scope, depth - 1) for each in node.args]
    options = {
        each.arg: _shadow(each.value, scope, depth - 1) for each in node.keywords if each.arg
    }
    if UNKNOWN in map(_mark, (*arguments, *options.values())):
        return UNKNOWN
    function = scope.value(node.func)
    if function is not UNKNOWN:
        return function(*arguments, **options) if is_torch(function) else UNKNOWN
    if isinstance(node.func, ast.Attribute):
        receiver = _shadow(node.func.value, scope, depth - 1)
        if isinstance(receiver, torch.Tensor) and not node.func.attr.endswith("_"):
            return getattr(receiver, node.func.attr)(*arguments, **options)
    return UNKNOWN


def is_torch(function: Any) -> bool:
    """Whether this is a function of torch's own."""
    module = getattr(function, "__module__", None) or ""
    owner = getattr(getattr(function, "__self__", None), "__name__", "")
    return module in _TORCH or owner in _TORCH or owner == "_VariableFunctionsClass"


def _indexed(node: ast.Subscript, scope: Scope, depth: int) -> Any:
    owner = _shadow(node.value, scope, depth - 1)
    key = key_of(node.slice, scope)
    if not isinstance(owner, torch.Tensor) or key is UNKNOWN:
        return UNKNOWN
    return owner[key]


def key_of(node: ast.expr, scope: Scope) -> Any:
    """The value of an index; UNKNOWN where a part of it is."""
    if isinstance(node, ast.Tuple):
        parts = tuple(key_of(each, scope) for each in node.elts)
        return UNKNOWN if UNKNOWN in map(_mark, parts) else parts
    if isinstance(node, ast.Slice):
        ends = [
            None if each is None else scope.value(each)
            for each in (node.lower, node.upper, node.step)
        ]
        return UNKNOWN if UNKNOWN in map(_mark, ends) else slice(*ends)
    return scope.value(node)
