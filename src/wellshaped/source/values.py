"""Looks values up in frames without running any of the user's code."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Mapping
from typing import Any

import torch

from wellshaped.records.shape import TensorFact

UNKNOWN: Any = type("Unknown", (), {"__repr__": lambda self: "unknown"})()
_TRAIT_LIMIT = 1_000_000
_TENSOR_FACTS = ("shape", "ndim", "dtype", "device", "T")


def resolve(node: ast.AST, names: Mapping[str, Any]) -> Any:
    """The value of a name, attribute chain, constant or plain look-up; UNKNOWN for the rest."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        return names.get(node.id, getattr(builtins, node.id, UNKNOWN))
    if isinstance(node, ast.Attribute):
        return _attribute(resolve(node.value, names), node.attr)
    if isinstance(node, ast.Subscript):
        return _item(resolve(node.value, names), resolve(node.slice, names))
    if isinstance(node, (ast.Tuple, ast.List)):
        items = [resolve(each, names) for each in node.elts]
        return UNKNOWN if any(item is UNKNOWN for item in items) else tuple(items)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = resolve(node.operand, names)
        return -value if type(value) in (int, float) else UNKNOWN
    if isinstance(node, ast.BinOp):
        return _arithmetic(node, names)
    if isinstance(node, ast.Call):
        return _size(node, names)
    return UNKNOWN


def _attribute(owner: Any, name: str) -> Any:
    if owner is UNKNOWN:
        return UNKNOWN
    if isinstance(owner, torch.Tensor):
        return (
            getattr(owner, name) if name in ("shape", "ndim", "dtype", "device", "T") else UNKNOWN
        )
    held = getattr(owner, "__dict__", None)
    if not isinstance(held, (dict, type(type.__dict__))):
        return UNKNOWN
    if name in held:
        return held[name]
    for table in ("_parameters", "_buffers", "_modules"):
        inner = held.get(table)
        if isinstance(inner, dict) and name in inner:
            return inner[name]
    for kind in type(owner).__mro__:
        found = vars(kind).get(name, UNKNOWN)
        if found is not UNKNOWN:
            # A property or another descriptor would run the user's code.
            return UNKNOWN if hasattr(type(found), "__get__") else found
    return UNKNOWN


def _item(owner: Any, key: Any) -> Any:
    if owner is UNKNOWN or key is UNKNOWN or isinstance(owner, torch.Tensor):
        return UNKNOWN
    if type(owner) in (dict, list, tuple, torch.Size):
        try:
            return owner[key]
        except (KeyError, IndexError, TypeError):
            return UNKNOWN
    if (
        isinstance(owner, torch.nn.Sequential)
        and type(key) is int
        and -len(owner) <= key < len(owner)
    ):
        return list(owner._modules.values())[key]
    return UNKNOWN


_ARITHMETIC: dict[type, Callable[[int, int], Any]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.FloorDiv: lambda a, b: a // b if b else UNKNOWN,
}


def _arithmetic(node: ast.BinOp, names: Mapping[str, Any]) -> Any:
    left, right = resolve(node.left, names), resolve(node.right, names)
    known = type(left) is int and type(right) is int
    return (
        _ARITHMETIC[type(node.op)](left, right)
        if known and type(node.op) in _ARITHMETIC
        else UNKNOWN
    )


def _size(node: ast.Call, names: Mapping[str, Any]) -> Any:
    """`x.size(0)`, `len(x)`: sizes of tensors that are still there."""
    arguments = [resolve(each, names) for each in node.args]
    if node.keywords or any(each is UNKNOWN for each in arguments):
        return UNKNOWN
    if isinstance(node.func, ast.Name) and node.func.id == "len" and len(arguments) == 1:
        held = arguments[0]
        plain = type(held) in (list, tuple, dict, str) or (torch.is_tensor(held) and held.dim())
        return len(held) if plain else UNKNOWN
    if isinstance(node.func, ast.Attribute) and node.func.attr == "size":
        owner = resolve(node.func.value, names)
        if isinstance(owner, torch.Tensor):
            shape = tuple(owner.shape)
            if not arguments:
                return shape
            fits = type(arguments[0]) is int and -len(shape) <= arguments[0] < len(shape)
            return shape[arguments[0]] if fits else UNKNOWN
    return UNKNOWN


def fact_of(value: Any) -> TensorFact | None:
    """Shape and dtype of a tensor; None for everything else."""
    if not isinstance(value, torch.Tensor):
        return None
    if not all(type(size) is int for size in value.shape):
        return None
    return TensorFact(value.shape, value.dtype)


def traits_of(value: Any) -> frozenset[str]:
    """What can be said of a tensor's values at a glance."""
    plain = type(value) in (torch.Tensor, torch.nn.Parameter) and _has_values(value)
    if not plain or not 0 < value.numel() <= _TRAIT_LIMIT or value.is_complex():
        return frozenset()
    with torch.no_grad():
        return frozenset(_traits(value.detach().double()))


def _has_values(value: torch.Tensor) -> bool:
    """Whether entries can be read: not of a meta tensor, nor of one row of `vmap` or of `grad`."""
    return not (value.is_meta or torch._C._functorch.is_functorch_wrapped_tensor(value))


def bounds_of(value: Any) -> tuple[int, int] | None:
    """The least and the largest entry of a tensor of integers."""
    plain = type(value) is torch.Tensor and _has_values(value)
    if not plain or not 0 < value.numel() <= _TRAIT_LIMIT:
        return None
    if value.is_floating_point() or value.is_complex() or value.dtype == torch.bool:
        return None
    return int(value.min()), int(value.max())


def _traits(value: torch.Tensor) -> list[str]:
    found = []
    if bool((value == value.round()).all()):
        found.append("whole")
    if value.dim() == 1 and bool((value[:-1] >= value[1:]).all()):
        found.append("falling")
    if bool(((value >= 0) & (value <= 1)).all()):
        found.append("unit")
        for axis in range(1, value.dim()):
            total = value.sum(axis)
            if value.shape[axis] > 1 and bool(((total - 1).abs() < 1e-4).all()):
                found.append(f"sums_to_one:{axis}")
                if "whole" in found:
                    found.append(f"one_hot:{axis}")
    return found
