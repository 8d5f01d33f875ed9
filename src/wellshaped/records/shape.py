"""What is known of a tensor without its values: shape and dtype."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

DTYPES = (
    "bool",
    "uint8",
    "int8",
    "int16",
    "int32",
    "int64",
    "float16",
    "bfloat16",
    "float32",
    "float64",
    "complex64",
    "complex128",
)


@dataclass(frozen=True, slots=True)
class TensorFact:
    """A tensor's shape and dtype, given by hand instead of by a tensor.

    `dtype` may be a `torch.dtype` or its name; it is kept as the name, `"float32"`.
    """

    shape: tuple[int, ...]
    dtype: str = "float32"

    def __init__(self, shape: Any, dtype: Any = "float32") -> None:
        object.__setattr__(self, "shape", _sizes(shape))
        object.__setattr__(self, "dtype", str(dtype).removeprefix("torch."))

    @property
    def rank(self) -> int:
        """The number of axes."""
        return len(self.shape)

    def __str__(self) -> str:
        return f"{shape_text(self.shape)} {self.dtype}"


def shape_text(shape: tuple[int | str, ...]) -> str:
    """Print a shape the house way: `(64, 1)`, `(64,)`, `()`; an axis may be a name: `(B, 1)`."""
    inner = ", ".join(str(size) for size in shape)
    return f"({inner},)" if len(shape) == 1 else f"({inner})"


def _sizes(shape: Any) -> tuple[int, ...]:
    try:
        sizes = tuple(int(size) for size in shape)
    except TypeError:
        raise ValueError(f"WS911: a shape is a sequence of sizes, not {shape!r}") from None
    if any(size < 0 for size in sizes):
        raise ValueError(f"WS911: a size cannot be negative: {sizes}")
    return sizes
