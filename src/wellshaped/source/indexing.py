"""Reads `x[...]`: which axes an index takes, and the numbers and masks it takes them with."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from wellshaped.records.observation import Operand
from wellshaped.source.scope import Scope
from wellshaped.source.values import UNKNOWN

Reader = Callable[[str, ast.expr, Scope], Operand]


def read_index(
    node: ast.Subscript, scope: Scope, one: Reader
) -> tuple[tuple[Operand, ...], dict[str, Any]]:
    """The tensors of the index, and as options: how many axes it takes, and which number where.

    `index 2` is the third part of the index as a number, `axis 2` the axis it falls on;
    parts behind an ellipsis have no axis here.
    """
    operands = [one("input", node.value, scope)]
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    options: dict[str, Any] = {}
    axis, open_ended = 0, False
    for place, part in enumerate(parts):
        value = UNKNOWN if isinstance(part, ast.Slice) else scope.value(part)
        if value is None:
            continue
        if value is Ellipsis:
            open_ended = True
            continue
        if not open_ended:
            options[f"axis {place}"] = axis
        width = 1
        if type(value) is int:
            options[f"index {place}"] = value
        elif not isinstance(part, ast.Slice):
            found = one(f"index {place}", part, scope)
            if found.fact is not None:
                operands.append(found)
                width = found.fact.rank if found.fact.dtype in ("bool", "uint8") else 1
        axis += width
    return tuple(operands), options | {"axes": axis}
