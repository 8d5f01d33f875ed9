"""Type promotion as torch does it, on names of dtypes."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

INTEGERS = frozenset({"uint8", "int8", "int16", "int32", "int64"})
FLOATS = frozenset({"float16", "bfloat16", "float32", "float64"})
COMPLEX = frozenset({"complex32", "complex64", "complex128"})
DIFFERENTIABLE = FLOATS | COMPLEX
REAL_OF = {"complex64": "float32", "complex128": "float64"}

_BITS = {"uint8": 8, "int8": 8, "int16": 16, "int32": 32, "int64": 64}
_BITS |= {"float16": 16, "bfloat16": 16, "float32": 32, "float64": 64}
_BITS |= {"complex32": 32, "complex64": 64, "complex128": 128, "bool": 1}


def category(dtype: str) -> int:
    """Rank of a dtype's kind: bool, integer, floating point, complex."""
    return (dtype in INTEGERS) + 2 * (dtype in FLOATS) + 3 * (dtype in COMPLEX)


@cache
def promote(first: str, second: str) -> str:
    """The dtype two tensors of these dtypes meet at."""
    if first == second:
        return first
    low, high = sorted((first, second), key=lambda dtype: (category(dtype), _BITS[dtype]))
    if category(low) == category(high):
        return _promote_alike(low, high)
    if low == "float64" and high == "complex64":
        return "complex128"
    return high


def _promote_alike(low: str, high: str) -> str:
    if {low, high} == {"uint8", "int8"}:
        return "int16"
    if {low, high} == {"float16", "bfloat16"}:
        return "float32"
    return high


def result_dtype(tensors: Iterable[tuple[str, int]], scalars: Iterable[complex] = ()) -> str:
    """The dtype of an operation: tensors with axes first, then 0-d tensors, then numbers.

    Each tensor is (dtype, rank). A lower group counts only by a higher category.
    """
    groups: list[str | None] = [None, None, None]
    for dtype, rank in tensors:
        place = 0 if rank else 1
        known = groups[place]
        groups[place] = dtype if known is None else promote(known, dtype)
    for number in scalars:
        known = groups[2]
        dtype = _dtype_of_number(number)
        groups[2] = dtype if known is None else promote(known, dtype)
    return _combine(groups[0], _combine(groups[1], groups[2])) or "float32"


def _combine(higher: str | None, lower: str | None) -> str | None:
    if higher is None or lower is None:
        return higher or lower
    if category(higher) >= category(lower):
        return higher
    if higher in FLOATS:
        return {"float64": "complex128", "float16": "complex32"}.get(higher, "complex64")
    return promote(higher, lower)


def _dtype_of_number(number: complex) -> str:
    if isinstance(number, bool):
        return "bool"
    if isinstance(number, int):
        return "int64"
    return "float32" if isinstance(number, float) else "complex64"


def castable(source: str, target: str) -> bool:
    """Whether an in-place operation may store `source` into a tensor of `target`."""
    if target == "bool":
        return source == "bool"
    if source in COMPLEX:
        return target in COMPLEX
    return not (source in FLOATS and target not in DIFFERENTIABLE)
