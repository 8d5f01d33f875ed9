"""Shapes of comparisons and of torch's own layers, recomputed on tensors without data."""

from __future__ import annotations

import ast
import operator
import warnings
from typing import Any

import torch

from wellshaped.source.meta_eval import eval_on_meta
from wellshaped.source.scope import Scope, called
from wellshaped.source.values import UNKNOWN

_COMPARISONS = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge,
}  # fmt: skip
_HOOKS = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks")


def meta_result(node: ast.expr, scope: Scope) -> Any:
    """A meta tensor for `a == b`, `~a` or `self.layer(x)`; UNKNOWN where it cannot be made."""
    try:
        with warnings.catch_warnings(), torch.no_grad():
            warnings.simplefilter("ignore")
            return _made(node, scope)
    except Exception:  # an operation that fails has no shape
        return UNKNOWN


def _made(node: ast.expr, scope: Scope) -> Any:
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _COMPARISONS:
        left, right = (_part(each, scope) for each in (node.left, node.comparators[0]))
        known = left is not UNKNOWN and right is not UNKNOWN
        return _COMPARISONS[type(node.ops[0])](left, right) if known else UNKNOWN
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Invert, ast.USub)):
        return _part(node.operand, scope)
    if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        layer, value = called(scope, node), _part(node.args[0], scope)
        if (
            isinstance(layer, torch.nn.Module)
            and isinstance(value, torch.Tensor)
            and is_plain(layer)
        ):
            return call_on_meta(layer, value)
    return UNKNOWN


def _part(node: ast.expr, scope: Scope) -> Any:
    found = eval_on_meta(node, scope)
    return meta_result(node, scope) if found is UNKNOWN else found


def is_plain(layer: torch.nn.Module) -> bool:
    """Whether running it runs nothing of the user's."""
    return all(
        type(each).__module__.startswith("torch.nn.modules")
        and not any(getattr(each, name, None) for name in _HOOKS)
        for each in layer.modules()
    )


def call_on_meta(layer: torch.nn.Module, *values: Any) -> Any:
    """What a layer makes of tensors without data, its own weights without data too."""
    return _without_weights(layer)(*values)


def _without_weights(layer: torch.nn.Module) -> torch.nn.Module:
    """A layer with the settings of another, on meta tensors; that other is not touched.

    `torch.func.functional_call` does so too, and loads 340 modules (torch 2.13).
    """
    copied = type(layer).__new__(type(layer))
    copied.__dict__.update(vars(layer))
    held = {
        name: {
            key: each if each is None else _meta(each) for key, each in vars(layer)[name].items()
        }
        for name in ("_parameters", "_buffers")
    }
    inner = {key: each and _without_weights(each) for key, each in layer._modules.items()}
    copied.__dict__.update(held, _modules=inner)
    return copied


def _meta(tensor: torch.Tensor) -> torch.Tensor:
    return torch.empty_like(tensor, device="meta")
