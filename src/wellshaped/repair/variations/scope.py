"""What else a function has at hand: another of its parameters, the rows of a tensor, an option."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from wellshaped.repair.backward_slice import declared_parameters, last_name
from wellshaped.repair.variations.conflict import Conflict
from wellshaped.repair.variations.record import SmallChange

_SHAPED = frozenset(("view", "reshape", "expand", "zeros", "ones", "randn", "full", "new_zeros"))
_RECURRENT = frozenset(("LSTM", "GRU", "RNN"))
_UPWARD = frozenset(("ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d"))
_MOST_PARAMETERS = 2
_MOST_PADDED = 2


def other_parameters(
    node: ast.expr, functions: Sequence[ast.FunctionDef], conflict: Conflict
) -> Iterator[SmallChange]:
    """Another parameter whose name has a word in common: `memory_size` for `hidden_size`."""
    if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load) or not conflict.pairs:
        return
    for function in functions:
        names = declared_parameters(function)
        if node.id in names and function.name == "__init__":
            words = set(node.id.split("_"))
            alike = [each for each in names if each != node.id and words & set(each.split("_"))]
            for each in alike[:_MOST_PARAMETERS]:
                yield SmallChange(node, each, "name")


def fixed_rows(
    node: ast.expr, functions: Sequence[ast.FunctionDef], conflict: Conflict
) -> Iterator[SmallChange]:
    """A setting that stands for the rows of a shape, as those of what the function is given."""
    if not isinstance(node, ast.Call) or last_name(node.func) not in _SHAPED or not conflict.rows:
        return
    first = node.args[0] if node.args else None
    if not isinstance(first, ast.Attribute):
        return
    for function in functions:
        names = [each for each in declared_parameters(function) if each not in ("self", "cls")]
        for each in names[:1]:
            yield SmallChange(first, f"{each}.size(0)", "fixed")


def options_left(
    node: ast.expr, functions: Sequence[ast.FunctionDef], conflict: Conflict
) -> Iterator[SmallChange]:
    """Options of layers that were left to their defaults, as the sizes ask."""
    if not isinstance(node, ast.Call):
        return
    name, given = last_name(node.func), {each.arg for each in node.keywords}
    if name in _RECURRENT and "num_layers" not in given and len(node.args) < 3:
        for text in _named(functions, "layers")[:_MOST_PARAMETERS]:
            yield _with(node, "num_layers", text)
    if name in _UPWARD and "output_padding" not in given and len(node.args) < 6:
        short = any(abs(a - b) <= _MOST_PADDED for a, b in conflict.pairs)
        yield from _padded(node, int(name[-2])) if short else ()


def _named(functions: Sequence[ast.FunctionDef], word: str) -> list[str]:
    """What the functions have under a name with a word in it."""
    found = {
        ast.unparse(part)
        for function in functions
        for part in ast.walk(function)
        if word in last_name(part)
    }
    return sorted(
        found | {each for one in functions for each in declared_parameters(one) if word in each}
    )


def _padded(node: ast.Call, dimensions: int) -> Iterator[SmallChange]:
    """One row more, in all dimensions or one of them; where the stride is a name, if it is odd."""
    strides = [each.value for each in node.keywords if each.arg == "stride"]
    if strides and not isinstance(strides[0], ast.Constant):
        yield _with(node, "output_padding", f"{ast.unparse(strides[0])} % 2")
    yield _with(node, "output_padding", "1")
    for place in range(dimensions if dimensions > 1 else 0):
        parts = [str(int(each == place)) for each in range(dimensions)]
        yield _with(node, "output_padding", f"({', '.join(parts)})")


def _with(node: ast.Call, option: str, value: str) -> SmallChange:
    keyword = ast.keyword(option, ast.parse(value, mode="eval").body)
    changed = ast.Call(node.func, node.args, [*node.keywords, keyword])
    return SmallChange(node, ast.unparse(changed), "option")
