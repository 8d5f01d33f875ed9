"""Other numbers: one that sets a size which does not fit, or a size that a tensor has."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from math import prod

from wellshaped.records.observation import FrameNames, Observation
from wellshaped.records.shape import TensorFact
from wellshaped.repair.backward_slice import last_name
from wellshaped.repair.variations.conflict import Conflict
from wellshaped.repair.variations.record import SmallChange, Why
from wellshaped.repair.variations.size_sources import NO_SIZES

_MOST_TENSORS = 3
_SCALED_FROM = 16
_MOST_TIMES = 16
_MOST_DIVISORS = 3
_ALONG = frozenset(("dim", "axis", "dims", "seed"))
_MADE_UP = frozenset(
    ("randn", "rand", "randint", "randperm", "normal", "standard_normal", "integers", "random",
     "uniform", "choice", "range"),
)  # fmt: skip


def other_numbers(
    node: ast.expr, conflict: Conflict, known: Iterable[int], *, is_default: bool, is_data: bool
) -> Iterator[SmallChange]:
    """A literal that is a size of the conflict, or a factor of one, as the other size asks.

    A default that nobody chose is likelier to be wrong than what the program says itself. One that
    sets the rows, or sizes of data that is made up, gives the program other data, and comes last.
    `known` are the numbers of the program: one that is large enough may be the size that is meant.
    """
    if not isinstance(node, ast.Constant) or type(node.value) is not int or node.value < 1:
        return
    value = node.value
    rows = {size for pair in conflict.rows for size in pair}
    why: Why = "default" if is_default else "number"
    exact = (*fitting_numbers(value, conflict, known), *_nearly(value, conflict))
    kinds: dict[int, Why] = dict.fromkeys(exact, why)
    for other in _factors(value, conflict):
        kinds.setdefault(other, "factor")
    for other, kind in kinds.items():
        if other > 0 and other != value:
            yield SmallChange(node, str(other), "amount" if is_data or value in rows else kind)


def fitting_numbers(value: int, conflict: Conflict, known: Iterable[int]) -> list[int]:
    """What a size ought to be, and the next larger number of the program: a table has room."""
    found = conflict.instead_of(value)
    larger = [each for each in known if found and each > max(found) > value]
    return [*found, min(larger)] if larger else found


def _nearly(value: int, conflict: Conflict) -> list[int]:
    """A number that is nearly a size which is one too large or too small."""
    found: list[int] = []
    for a, b in conflict.pairs if value > 2 else ():
        for size, wanted in ((a, b), (b, a)):
            if abs(a - b) == 1 and size != value and abs(size - value) <= 1:
                found.append(value + wanted - size)
    return list(dict.fromkeys(found))


def _factors(value: int, conflict: Conflict) -> list[int]:
    """What a factor of a size is for the other size; where it is there twice, its root."""
    found: list[int] = []
    for a, b in conflict.pairs if value > 1 else ():
        for size, wanted in ((a, b), (b, a)):
            if size == value or size % value or max(size, wanted) > _MOST_TIMES * min(size, wanted):
                continue
            for power in (1, 2, 3):
                other = round(value * (wanted / size) ** (1 / power))
                if other and size * other**power == wanted * value**power:
                    found.append(other)
    return list(dict.fromkeys(found))


def dividing(node: ast.expr, observation: Observation) -> Iterator[SmallChange]:
    """Heads that do not divide a width: the nearest numbers that do, or the nearest widths."""
    if not isinstance(node, ast.Constant) or type(node.value) is not int:
        return
    for heads, width in _heads(observation):
        if node.value == heads:
            fitting = [each for each in range(2, width) if width % each == 0]
            near = sorted(fitting, key=lambda each: (abs(each - heads), each))
            yield from (SmallChange(node, str(each), "number") for each in near[:_MOST_DIVISORS])
        elif node.value == width:
            lower = width // heads * heads
            for each in (lower, lower + heads):
                if each:
                    yield SmallChange(node, str(each), "number")


def _heads(observation: Observation) -> Iterator[tuple[int, int]]:
    """Pairs of a number of heads and the width that it ought to divide."""
    heads, width = (observation.options.get(name) for name in ("num_heads", "embed_dim"))
    if type(heads) is int and type(width) is int and heads > 0 and width % heads:
        yield heads, width
    sizes = next((each for each in observation.options.values() if _is_shape(each)), ())
    if observation.callee not in ("view", "reshape", "unflatten") or not observation.operands:
        return
    total = prod(observation.operands[0].shape)
    for place in range(len(sizes) - 1):
        rest = prod(each for at, each in enumerate(sizes) if at not in (place, place + 1))
        if rest > 0 and total % rest == 0 and sizes[place] > 1 and total // rest % sizes[place]:
            yield sizes[place], total // rest


def _is_shape(value: object) -> bool:
    return (
        isinstance(value, (tuple, list))
        and len(value) > 1
        and all(type(one) is int for one in value)
    )


def scaled(node: ast.expr, conflict: Conflict) -> Iterator[SmallChange]:
    """A setting halved or doubled: where layers with strides follow, sizes follow it by powers.

    Sizes that differ by one come of halves that were rounded: then a multiple of a power of two.
    """
    if not isinstance(node, ast.Constant) or type(node.value) is not int:
        return
    value = node.value
    if value < _SCALED_FROM:
        return
    near = any(abs(a - b) == 1 for a, b in conflict.pairs)
    rounded = [
        each
        for step in (16, 32, 8)
        if near and value % step
        for each in (-(-value // step) * step, value // step * step)
    ]
    halves = [value // 2, value // 4, value * 2] if value % 4 == 0 else []
    for other in dict.fromkeys([*rounded, *halves]):
        yield SmallChange(node, str(other), "scale")


def no_sizes(expression: ast.expr) -> set[ast.AST]:
    """The nodes that choose a dimension, an entry or an amount of chance, and set no size."""
    found: set[ast.AST] = set()
    for node in ast.walk(expression):
        match node:
            case ast.Call(func=func, args=args, keywords=given):
                if last_name(func) in NO_SIZES:
                    found |= {part for each in (*args, *given) for part in ast.walk(each)}
                found |= {
                    part for each in given if each.arg in _ALONG for part in ast.walk(each.value)
                }
            case ast.Subscript(slice=inner):
                parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
                found |= {each for each in parts if not isinstance(each, ast.Slice)}
    return found


def made_up(expression: ast.expr) -> set[ast.AST]:
    """The nodes inside calls that make data up."""
    calls = [each for each in ast.walk(expression) if isinstance(each, ast.Call)]
    return {node for call in calls if last_name(call.func) in _MADE_UP for node in ast.walk(call)}


def tensor_sizes(
    node: ast.expr, frames: Sequence[FrameNames], conflict: Conflict
) -> Iterator[SmallChange]:
    """A number or a name that fixes rows, as the rows of a tensor of the same function."""
    value = _value(node, frames)
    if value is None:
        return
    met = {size for pair in conflict.rows if value in pair for size in pair}
    wanted = {size for size in met if size < value}  # rows that are there, of those that were fixed
    for pair in conflict.rows:  # rows that stand k times in a size, as two views of an image do
        less, more = sorted(pair)
        if value != more and more % value == 0 and value * less % more == 0:
            wanted.add(value * less // more)
    tensors = [
        (name, fact.shape[0])
        for frame in frames
        for name, fact in frame.names
        if isinstance(fact, TensorFact) and fact.shape
    ]
    found = [
        f"{name}.size(0)" + (f" // {rows // size}" if rows != size else "")
        for size in wanted
        for name, rows in sorted(tensors, key=lambda each: "." in each[0])
        if size and rows in (size, 2 * size)
    ]
    for text in sorted(found, key=lambda each: "//" in each)[:_MOST_TENSORS]:
        yield SmallChange(node, text, "rows")


def _value(node: ast.expr, frames: Sequence[FrameNames]) -> int | None:
    if isinstance(node, ast.Constant):
        return node.value if type(node.value) is int and node.value > 1 else None
    if not isinstance(node, (ast.Name, ast.Attribute)) or not isinstance(node.ctx, ast.Load):
        return None
    text = ast.unparse(node)
    for frame in frames:
        for name, held in frame.names:
            if name == text and type(held) is int:
                return held
    return None
