"""One small change of the source: what stands there, what would, and what kind of change it is."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Literal

# From the likeliest to be meant to the least.
Why = Literal[
    "size_index", "rows", "squeeze", "undone", "dtype", "given", "default", "number", "option",
    "loss", "name", "dimension", "left_out", "put_in", "scale", "amount",
]  # fmt: skip
ORDER: tuple[Why, ...] = (
    "size_index", "rows", "squeeze", "undone", "dtype", "given", "default", "number", "option",
    "loss", "name", "dimension", "left_out", "put_in", "scale", "amount",
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class SmallChange:
    """An expression and what may stand there instead; `also` are changed along with it."""

    node: ast.expr
    text: str
    why: Why
    also: tuple[tuple[ast.expr, str], ...] = ()
