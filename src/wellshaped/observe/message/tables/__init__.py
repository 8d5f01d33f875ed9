"""The texts of torch's errors, one table for each family, real and fake wording together."""

from __future__ import annotations

from functools import cache

from wellshaped.observe.message.notation import Pattern
from wellshaped.observe.message.tables import (
    attention,
    backward,
    dtypes,
    joining,
    layer_options,
    layers,
    losses,
    operation_dtypes,
    operation_options,
    products,
    ranks,
    recurrent,
    saved,
    shaping,
    sizes,
    types,
    unnamed_ranks,
    values,
    windows,
)

_FAMILIES = (
    *(losses, products, layers, recurrent, attention, joining, shaping, backward),
    *(ranks, unnamed_ranks, sizes, windows, layer_options, operation_options, types, values),
    *(operation_dtypes, saved, dtypes),
)


@cache
def patterns() -> tuple[Pattern, ...]:
    """Every pattern; those that name what was called come before those that do not."""
    return tuple(pattern for family in _FAMILIES for pattern in family.PATTERNS)
