"""The shape an expression had, followed through assignments and calls that are over by now.

Frames hold the values of names as they are at the end. What stood in between is recomputed on
tensors without data, from names that were set once; and for a batch of another size, from data.
"""

from __future__ import annotations

import ast
import contextlib
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch

from wellshaped.source.assignments import assignment, is_set_anew, part_of, returned
from wellshaped.source.internal_calls import internal_calls
from wellshaped.source.meta_eval import BINARY, is_torch, key_of, without_data
from wellshaped.source.meta_layers import call_on_meta, is_plain
from wellshaped.source.scope import Scope, called, entered
from wellshaped.source.values import UNKNOWN

_DEPTH = 24
# Methods whose result is no tensor, or that change their own.
_NO_TENSOR = ("item", "tolist", "numpy", "backward")
_MOVING = ("to", "cuda", "cpu")


def infer_shape(node: ast.expr, scope: Scope) -> Any:
    """A meta tensor (or a plain value) for an expression; UNKNOWN where it cannot be told."""
    return _made(_Outline(), node, scope)


def outline_at(node: ast.expr, scope: Scope, *, rows: int, instead_of: int) -> Any:
    """The same for a batch of so many rows, from the data on; UNKNOWN where a step is not known."""
    return _made(_Outline(instead_of, rows), node, scope)


def _made(outline: _Outline, node: ast.expr, scope: Scope) -> Any:
    try:
        with _apart():
            return outline.of(node, scope, _DEPTH)
    except Exception:  # an operation that fails has no shape
        return UNKNOWN


@contextlib.contextmanager
def _apart() -> Iterator[None]:
    """Nobody who follows the program sees what is computed here."""
    with (
        warnings.catch_warnings(),
        torch.no_grad(),
        torch._C.DisableTorchFunction(),
        internal_calls(),
    ):
        warnings.simplefilter("ignore")
        yield


@dataclass(frozen=True, slots=True)
class _Outline:
    """Reads expressions as shapes; `rows` in place of `was` along the leading axis of data."""

    was: int = 0
    rows: int = 0

    def of(self, node: ast.expr, scope: Scope, depth: int) -> Any:
        """The outline of one expression."""
        if depth == 0:
            return UNKNOWN
        match node:
            case ast.Constant():
                return node.value
            case ast.Name():
                return self._named(node, scope, depth)
            case ast.BinOp() if type(node.op) in BINARY:
                parts = self._all([node.left, node.right], scope, depth)
                return UNKNOWN if _lacks(parts) else BINARY[type(node.op)](*parts)
            case ast.UnaryOp(op=ast.USub() | ast.Invert()):
                value = self.of(node.operand, scope, depth - 1)
                return value if isinstance(value, torch.Tensor) else scope.value(node)
            case ast.Tuple() | ast.List():
                items = self._all(node.elts, scope, depth)
                return UNKNOWN if _lacks(items) else tuple(items)
            case ast.Subscript():
                owner, key = self.of(node.value, scope, depth - 1), key_of(node.slice, scope)
                return UNKNOWN if _lacks([owner, key]) else without_data(owner[key])
            case ast.Attribute():
                return self._attribute(node, scope, depth)
            case ast.Call():
                return self._called(node, scope, depth)
        return UNKNOWN

    def _all(self, nodes: list[ast.expr], scope: Scope, depth: int) -> list[Any]:
        return [self.of(each, scope, depth - 1) for each in nodes]

    def _named(self, node: ast.Name, scope: Scope, depth: int) -> Any:
        """What a name stood for here: its value at the end only where it was never set anew."""
        value = scope.value(node)
        assigned = assignment(node, scope)
        kept = value is not UNKNOWN and not is_set_anew(node, scope)
        if kept and (not self.rows or assigned is None):
            return self._root(value)
        found = UNKNOWN
        if assigned is not None:
            found = part_of(self.of(assigned, scope, depth - 1), node, assigned, scope)
        elif (given := scope.argument(node.id) if scope.parameter(node.id) else None) is not None:
            found = self.of(given[1], given[0], depth - 1)
        return self._root(value) if found is UNKNOWN and kept and not _learned(value) else found

    def _root(self, value: Any) -> Any:
        """A value the program holds; of data, with other rows."""
        if isinstance(value, torch.nn.Parameter):
            return without_data(value)
        return _with_rows(without_data(value), self.was, self.rows)

    def _attribute(self, node: ast.Attribute, scope: Scope, depth: int) -> Any:
        owner = self.of(node.value, scope, depth - 1)
        if isinstance(owner, torch.Tensor):
            known = node.attr in ("T", "mT", "data", "shape")
            return getattr(owner, node.attr) if known else UNKNOWN
        return self._root(scope.value(node))

    def _called(self, node: ast.Call, scope: Scope, depth: int) -> Any:
        inside = entered(scope, node)
        if inside is not None and inside.function is not None:
            values = returned(inside.function)
            return self.of(values[0], inside, depth - 1) if len(values) == 1 else UNKNOWN
        arguments = self._all(node.args, scope, depth)
        options = {
            each.arg or "": self.of(each.value, scope, depth - 1)
            for each in node.keywords
            if each.arg not in ("device", "requires_grad")
        }
        if _lacks([*arguments, *options.values()]) or "" in options:
            return UNKNOWN
        target = called(scope, node)
        if isinstance(target, torch.nn.Module):
            return call_on_meta(target, *arguments) if is_plain(target) and not options else UNKNOWN
        if target is not UNKNOWN:
            return self._function(target, arguments, options)
        return self._method(node, scope, arguments, options, depth)

    def _function(self, target: Any, arguments: list[Any], options: dict[str, Any]) -> Any:
        if target is len and isinstance(arguments[0], torch.Tensor):
            return len(arguments[0])
        if not is_torch(target):
            return UNKNOWN
        with torch.device("meta"):
            made = without_data(target(*arguments, **options))
        of_tensors = any(isinstance(each, (torch.Tensor, tuple)) for each in arguments)
        return made if of_tensors else _with_rows(made, self.was, self.rows)

    def _method(
        self,
        node: ast.Call,
        scope: Scope,
        arguments: list[Any],
        options: dict[str, Any],
        depth: int,
    ) -> Any:
        if not isinstance(node.func, ast.Attribute):
            return UNKNOWN
        owner, name = self.of(node.func.value, scope, depth - 1), node.func.attr
        if not isinstance(owner, torch.Tensor) or name.endswith("_") or name in _NO_TENSOR:
            return UNKNOWN
        if name in _MOVING:  # of the arguments only a dtype matters
            dtypes = [each for each in arguments if isinstance(each, torch.dtype)]
            return owner.to(dtypes[0]) if dtypes else owner
        return getattr(owner, name)(*arguments, **options)


def _lacks(values: list[Any]) -> bool:
    return any(each is UNKNOWN for each in values)


def _learned(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and value.requires_grad


def _with_rows(value: Any, was: int, rows: int) -> Any:
    if not rows or not isinstance(value, torch.Tensor) or value.shape[:1] != (was,):
        return value
    return torch.empty((rows, *value.shape[1:]), dtype=value.dtype, device="meta")
