"""Distributions of torch: what a value meets when its probability is asked for."""

from __future__ import annotations

import ast
import contextlib
from typing import Any

import torch
from torch.distributions import Distribution

from wellshaped.source.scope import Scope
from wellshaped.source.values import UNKNOWN

# Methods that take a value element by element.
ASKED = ("log_prob", "cdf")


def batch_shape_of(call: ast.Call, scope: Scope) -> torch.Tensor | None:
    """A tensor of the shape a distribution has for the value it is asked of."""
    asked = isinstance(call.func, ast.Attribute) and call.func.attr in ASKED and len(call.args) == 1
    if not asked or not isinstance(call.func, ast.Attribute):
        return None
    found = _distribution(call.func.value, scope)
    if found is None or found.event_shape:
        return None
    return torch.zeros(()).expand(found.batch_shape)


def _distribution(node: ast.expr, scope: Scope) -> Distribution | None:
    """The distribution an expression is, or makes."""
    value = scope.value(node)
    if isinstance(value, Distribution):
        return value
    kind: Any = scope.value(node.func) if isinstance(node, ast.Call) else None
    if not isinstance(node, ast.Call) or not isinstance(kind, type):
        return None
    named = {each.arg: scope.value(each.value) for each in node.keywords if each.arg}
    given = [scope.value(each) for each in node.args]
    if not issubclass(kind, Distribution):
        return None
    if any(each is UNKNOWN for each in (*given, *named.values())):
        return None
    with contextlib.suppress(Exception):
        made: Distribution = kind(*given, **named)
        return made
    return None
