"""The texts of torch 2.13's errors, one table for each family, real and fake wording together."""

from __future__ import annotations

from functools import cache

from wellshaped.observe.message.notation import Pattern
from wellshaped.observe.message.tables import (
    attention,
    backward,
    dtypes,
    joining,
    layers,
    losses,
    products,
    recurrent,
    shaping,
)

_FAMILIES = (
    *(losses, products, layers, recurrent, attention, joining, shaping, backward),
    dtypes,
)


@cache
def patterns() -> tuple[Pattern, ...]:
    """Every pattern; those that name what was called come before those that do not."""
    return tuple(pattern for family in _FAMILIES for pattern in family.PATTERNS)
