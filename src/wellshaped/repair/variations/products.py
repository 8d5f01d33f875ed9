"""Products of sizes with a factor too many: the rows of a batch among the features of a row."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from math import prod

from wellshaped.records.observation import Observation
from wellshaped.repair.variations.record import SmallChange


def without_rows(
    node: ast.expr, observation: Observation, tree: ast.Module
) -> Iterator[SmallChange]:
    """The size of a row that is viewed, without the factor it has too many, wherever it stands."""
    factors = _factors(node)
    wanted = _wanted(observation)
    if len(factors) < 2 or not wanted or prod(factors) % wanted:
        return
    times = prod(factors) // wanted
    if times > 1 and times in factors:
        rest = list(factors)
        rest.remove(times)
        text, own = " * ".join(map(str, rest)), ast.unparse(node)
        also = tuple(
            (each, text)
            for each in ast.walk(tree)
            if isinstance(each, ast.BinOp)
            and ast.unparse(each) == own
            and (each.lineno, each.col_offset) != (node.lineno, node.col_offset)
        )
        yield SmallChange(node, text, "number", also)


def _wanted(observation: Observation) -> int:
    """The elements of a row of what is viewed as `(-1, size)`; 0 where it is not."""
    sizes = [each for each in observation.options.get("args", ()) if type(each) is int]
    shape = observation.operands[0].shape if observation.operands else ()
    if observation.callee not in ("view", "reshape") or len(sizes) != 2 or sizes[0] != -1:
        return 0
    return prod(shape[1:]) if len(shape) > 1 else 0


def _factors(node: ast.expr) -> list[int]:
    match node:
        case ast.BinOp(left=left, op=ast.Mult(), right=ast.Constant(value=int(last))):
            before = [left.value] if isinstance(left, ast.Constant) else _factors(left)
            return [*before, last] if before and type(before[0]) is int else []
    return []
