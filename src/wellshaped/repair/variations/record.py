"""One small change of the source: what stands there, what would, and what kind of change it is."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Literal, get_args

# From the likeliest to be meant to the least.
Why = Literal[
    "size_index", "rows", "squeeze", "undone", "precedence", "masked", "dtype", "put_in", "given",
    "default", "number", "word", "option", "loss", "slice", "count", "join", "argmax", "channels",
    "fixed", "name", "dimension", "factor", "left_out", "repeat", "scale", "amount",
]  # fmt: skip
ORDER: tuple[Why, ...] = get_args(Why)


@dataclass(frozen=True, slots=True, eq=False)
class SmallChange:
    """An expression and what may stand there instead; `also` are changed along with it."""

    node: ast.expr
    text: str
    why: Why
    also: tuple[tuple[ast.expr | ast.alias, str], ...] = ()
