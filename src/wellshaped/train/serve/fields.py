"""The fields of a request, each of the type and in the range that it must have."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from wellshaped.records.phrase import UserError

_SHOWN = 60


def number(
    fields: Mapping[str, Any],
    name: str,
    otherwise: float,
    *,
    least: float = -math.inf,
    most: float = math.inf,
) -> float:
    """A number, or what stands for it where it is not given."""
    value = fields.get(name)
    if value is None:
        return otherwise
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise bad(name, value)
    if not (math.isfinite(value) and least <= value <= most):
        raise bad(name, value)
    return value


def whole(
    fields: Mapping[str, Any], name: str, otherwise: int, *, least: int, most: float = math.inf
) -> int:
    """A whole number, or what stands for it where it is not given."""
    value = number(fields, name, otherwise, least=least, most=most)
    if value != int(value):
        raise bad(name, value)
    return int(value)


def bad(name: str, value: Any) -> UserError:
    """That a field cannot have this value."""
    shown = repr(value)
    return UserError(
        "WS998",
        "request_field",
        name=name,
        got=shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}...",
    )
