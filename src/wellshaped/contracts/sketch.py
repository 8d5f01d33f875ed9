"""A tensor known by shape, dtype and gradient alone, and the operations losses are made of.

The operations follow torch 2.13 on CPU: what they refuse, the shape and dtype they return,
and whether a gradient can flow back through them. They never touch data.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import inf, prod

from wellshaped.contracts.promotion import (
    COMPLEX,
    DIFFERENTIABLE,
    FLOATS,
    REAL_OF,
    castable,
    result_dtype,
)
from wellshaped.records.shape import shape_text

Number = bool | int | float | complex


class Rejected(Exception):
    """Torch would raise here; `argument` is the operand to blame, where one can be named."""

    def __init__(self, reason: str, *, argument: str | None = None, axis: int | None = None):
        super().__init__(reason)
        self.reason, self.argument, self.axis = reason, argument, axis


class Unmeasured(Exception):
    """The result comes from a function of the user's: its shape cannot be told."""


@dataclass(frozen=True, slots=True)
class Sketch:
    """Shape, dtype, whether a gradient is wanted, whether its way back is broken."""

    shape: tuple[int, ...]
    dtype: str
    name: str = ""
    grad: bool = False
    broken: bool = False

    @property
    def rank(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def numel(self) -> int:
        """The number of elements."""
        return prod(self.shape)

    def size(self, axis: int) -> int:
        """The length of one axis; refuses an axis that is not there."""
        if not -self.rank <= axis < self.rank:
            raise Rejected(f"has no axis {axis}", argument=self.name or None)
        return self.shape[axis]

    def __neg__(self) -> Sketch:
        if self.dtype == "bool":
            raise Rejected("bool has no negative", argument=self.name or None)
        return self._derived(self.shape, self.dtype)

    def __add__(self, other: Sketch | Number) -> Sketch:
        return combine(self, other)

    __radd__ = __add__
    __mul__ = __add__
    __rmul__ = __add__

    def __sub__(self, other: Sketch | Number) -> Sketch:
        for operand in (self, other):
            if getattr(operand, "dtype", type(operand)) in ("bool", bool):
                raise Rejected("bool cannot be subtracted", argument=getattr(operand, "name", None))
        return combine(self, other)

    def __rsub__(self, other: Number) -> Sketch:
        return self.__sub__(other)

    def __truediv__(self, other: Sketch | Number) -> Sketch:
        result = combine(self, other)
        dtype = result.dtype if result.dtype in DIFFERENTIABLE else "float32"
        return replace(result, dtype=dtype, grad=result.grad or _wants_grad((self, other), dtype))

    def _derived(self, shape: tuple[int, ...], dtype: str, *, broken: bool = False) -> Sketch:
        grad = self.grad and dtype in DIFFERENTIABLE
        return Sketch(shape, dtype, "", grad, self.broken or broken)


def broadcast(*sketches: Sketch) -> tuple[int, ...]:
    """The shape operands meet at; refuses sizes that neither match nor are 1."""
    rank = max(sketch.rank for sketch in sketches)
    sizes = [1] * rank
    for sketch in sketches:
        for back in range(1, sketch.rank + 1):
            size = sketch.shape[-back]
            if size != 1 and sizes[-back] not in (1, size):
                raise Rejected(
                    f"size {size} meets size {sizes[-back]}",
                    argument=sketch.name or None,
                    axis=sketch.rank - back,
                )
            if size != 1:
                sizes[-back] = size
    return tuple(sizes)


def combine(*operands: Sketch | Number) -> Sketch:
    """An element-wise operation with type promotion."""
    sketches = [operand for operand in operands if isinstance(operand, Sketch)]
    numbers = [operand for operand in operands if not isinstance(operand, Sketch)]
    dtype = result_dtype(((sketch.dtype, sketch.rank) for sketch in sketches), numbers)
    return Sketch(
        broadcast(*sketches),
        dtype,
        "",
        _wants_grad(sketches, dtype),
        any(sketch.broken for sketch in sketches),
    )


def combine_into(target: Sketch, *others: Sketch | Number) -> Sketch:
    """An in-place element-wise operation: shape and dtype of `target` must not change."""
    result = combine(target, *others)
    if result.shape != target.shape:
        raise Rejected(
            f"an in-place result of {shape_text(result.shape)} into {shape_text(target.shape)}",
            argument=_first_name(others),
        )
    if not castable(result.dtype, target.dtype):
        raise Rejected(f"{result.dtype} into {target.dtype}", argument=_first_name(others))
    return replace(result, dtype=target.dtype, grad=_wants_grad((target, *others), target.dtype))


def _wants_grad(operands: Iterable[Sketch | Number], dtype: str) -> bool:
    return dtype in DIFFERENTIABLE and any(getattr(operand, "grad", False) for operand in operands)


def _first_name(operands: Iterable[Sketch | Number]) -> str | None:
    names = (getattr(operand, "name", "") for operand in operands)
    return next((name for name in names if name), None)


def to_float(x: Sketch) -> Sketch:
    """`exp`, `log`, `sqrt`: integers become float32."""
    return x._derived(x.shape, x.dtype if x.dtype in DIFFERENTIABLE else "float32")


exp = log = sqrt = to_float


def to_float_(x: Sketch) -> Sketch:
    """`exp_`, `log1p_`: integers cannot hold the result."""
    if x.dtype not in DIFFERENTIABLE:
        raise Rejected(f"float32 into {x.dtype}")
    return x


exp_ = log1p_ = to_float_


def magnitude(x: Sketch) -> Sketch:
    """`abs`: complex becomes real."""
    if x.dtype == "bool":
        raise Rejected("no `abs` of bool")
    return x._derived(x.shape, REAL_OF.get(x.dtype, x.dtype))


def squared(x: Sketch) -> Sketch:
    """`x ** 2`: bool becomes int64."""
    return x._derived(x.shape, "int64" if x.dtype == "bool" else x.dtype)


def clamp_min(x: Sketch) -> Sketch:
    """`clamp_min(0)`, which complex numbers do not have."""
    ordered(x)
    return x._derived(x.shape, "int64" if x.dtype == "bool" else x.dtype)


def ordered(*sketches: Sketch) -> None:
    """Refuse complex numbers, which have no order."""
    for sketch in sketches:
        if sketch.dtype in COMPLEX:
            raise Rejected("complex numbers have no order", argument=sketch.name or None)


def real_gradient(x: Sketch) -> None:
    """Refuse a complex result of a kernel that has no complex derivative."""
    refuse_unless(not (x.grad and x.dtype in COMPLEX), "has no complex derivative")


def floating(*sketches: Sketch) -> None:
    """Refuse what is not real floating point."""
    for sketch in sketches:
        if sketch.dtype not in FLOATS:
            raise Rejected(f"must be floating point, not {sketch.dtype}", argument=sketch.name)


def xlogy(x: Sketch, y: Sketch) -> Sketch:
    """`x * log(y)`; integers become float32."""
    return to_float(combine(x, y))


def compared(*operands: Sketch | Number) -> Sketch:
    """`==` and its kin: bool, without a gradient."""
    return replace(combine(*operands), dtype="bool", grad=False)


def where(condition: Sketch, x: Sketch, y: Sketch) -> Sketch:
    """Choose by a condition; the dtype comes from the choices."""
    chosen = combine(x, y)
    return chosen._derived(broadcast(condition, x, y), chosen.dtype)


def summed(x: Sketch, axis: int | None = None) -> Sketch:
    """`sum`, over one axis or over all; integers become int64."""
    refuse_unless(x.dtype != "complex32", "no sum of complex32")
    dtype = x.dtype if x.dtype in DIFFERENTIABLE else "int64"
    return x._derived(without(x, axis), dtype)


def averaged(x: Sketch) -> Sketch:
    """`mean` over all; integers have none, nor has complex32."""
    if x.dtype not in DIFFERENTIABLE or x.dtype == "complex32":
        raise Rejected(f"no mean of {x.dtype}", argument=x.name or None)
    return x._derived((), x.dtype)


def without(x: Sketch, axis: int | None) -> tuple[int, ...]:
    """The shape that is left when an axis is reduced; a 0-d tensor has axis 0 and -1."""
    if axis is None or (x.rank == 0 and axis in (0, -1)):
        return ()
    x.size(axis)
    axis %= x.rank
    return x.shape[:axis] + x.shape[axis + 1 :]


def distance(x: Sketch, y: Sketch, p: float, eps: float) -> Sketch:
    """`pairwise_distance`: the p-norm of the difference over the last axis."""
    difference = x - y + eps
    rest = without(difference, -1)
    reduced = difference.shape[-1] if difference.rank else 1
    if reduced == 0 and (p == inf or p < 0):
        raise Rejected(f"no {p}-norm of an empty axis")
    return difference._derived(rest, REAL_OF.get(difference.dtype, difference.dtype))


def log_softmax(x: Sketch, axis: int) -> Sketch:
    """`log_softmax`, whose kernel refuses other dtypes only when there is something to do."""
    if x.rank and x.numel == 0:
        x.size(axis)
        real_gradient(x)
        return x._derived(x.shape, x.dtype)
    floating(x)
    if x.rank:
        x.size(axis)
    return x._derived(x.shape, x.dtype)


def reduced(x: Sketch, reduction: str) -> Sketch:
    """The usual end of a loss: `mean`, `sum` or nothing."""
    if reduction in ("mean", "elementwise_mean"):
        return averaged(x)
    if reduction == "sum":
        return summed(x)
    if reduction == "none":
        return x
    raise Rejected(f"`{reduction}` is not a reduction", argument="reduction")


def minus_from(number: float, x: Sketch) -> Sketch:
    """`number - x` as compiled code writes it: the number takes the dtype of the tensor."""
    refuse_unless(x.dtype != "bool", "bool cannot be subtracted", x.name or None)
    return x._derived(x.shape, x.dtype)


def same_rank(*sketches: Sketch) -> None:
    """Refuse operands whose numbers of axes differ, blaming the odd one out."""
    ranks = [sketch.rank for sketch in sketches]
    if len(set(ranks)) > 1:
        odd = next((s for s in sketches if ranks.count(s.rank) == 1), sketches[-1])
        raise Rejected("has another number of axes than the rest", argument=odd.name)


def one_more_axis(sketch: Sketch, target: Sketch) -> None:
    """Refuse a sample that has not exactly one axis more than its target."""
    fits = sketch.rank == target.rank + 1
    refuse_unless(fits, "needs one axis more than the target", sketch.name)


def same_shape(first: Sketch, second: Sketch) -> None:
    """Refuse operands whose shapes differ."""
    if first.shape != second.shape:
        raise Rejected(
            f"{shape_text(second.shape)} is not {shape_text(first.shape)}", argument=second.name
        )


def refuse_unless(holds: bool, reason: str, argument: str | None = None) -> None:
    """Refuse when a condition of torch's own does not hold."""
    if not holds:
        raise Rejected(reason, argument=argument)
