"""Other numbers: one that sets a size which does not fit, or a size that a tensor has."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from wellshaped.records.observation import FrameNames
from wellshaped.records.shape import TensorFact
from wellshaped.repair.backward_slice import last_name
from wellshaped.repair.variations.conflict import Conflict
from wellshaped.repair.variations.record import SmallChange, Why

_MOST_TENSORS = 3
_SCALED_FROM = 16
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
    for other in _instead(value, conflict, known):
        if other > 0 and other != value:
            why: Why = "default" if is_default else "number"
            yield SmallChange(node, str(other), "amount" if is_data or value in rows else why)


def _instead(value: int, conflict: Conflict, known: Iterable[int]) -> list[int]:
    found = conflict.instead_of(value)
    larger = [each for each in known if found and each > max(found) > value]
    found += [min(larger)] if larger else []
    for a, b in conflict.pairs if value > 1 else ():
        for size, wanted in ((a, b), (b, a)):
            if size != value and size % value == 0 and (value * wanted) % size == 0:
                found.append(value * wanted // size)
            elif abs(a - b) == 1 and abs(size - value) <= 1 and value > 2:
                found.append(value + wanted - size)
    return list(dict.fromkeys(found))


def scaled(node: ast.expr) -> Iterator[SmallChange]:
    """A setting halved or doubled: where layers with strides follow, sizes follow it by powers."""
    if isinstance(node, ast.Constant) and type(node.value) is int and node.value >= _SCALED_FROM:
        for other in (node.value // 2, node.value // 4, node.value * 2):
            if node.value % 4 == 0:
                yield SmallChange(node, str(other), "scale")


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
