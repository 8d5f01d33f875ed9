"""The kernels behind losses that pair elements, and the small parts losses share."""

from __future__ import annotations

from dataclasses import replace

from wellshaped.contracts.promotion import category
from wellshaped.contracts.sketch import (
    Number,
    Rejected,
    Sketch,
    Unmeasured,
    broadcast,
    clamp_min,
    combine,
    combine_into,
    distance,
    floating,
    ordered,
    reduced,
    refuse_unless,
    summed,
)


def expanded(first: Sketch, second: Sketch, which: int) -> Sketch:
    """One of two operands after `broadcast_tensors`."""
    chosen = (first, second)[which]
    return replace(chosen, shape=broadcast(first, second))


def pointwise(x: Sketch, y: Sketch, reduction: str) -> Sketch:
    """`mse_loss`, `smooth_l1_loss`: promote, then floating point only."""
    result = combine(expanded(x, y, 0), expanded(x, y, 1))
    floating(replace(result, name=y.name))
    return reduced(result, reduction)


def huber(x: Sketch, y: Sketch, delta: float) -> Sketch:
    """`huber_loss` without reduction: keeps the input's dtype, goes back only for equal ones."""
    refuse_unless(delta > 0, "delta must be positive", "delta")
    wide = expanded(x, y, 0)
    floating(x)
    joint = combine(wide, expanded(x, y, 1))
    floating(replace(joint, name=y.name))
    return replace(wide, name="", broken=wide.broken or x.dtype != y.dtype)


def weighted(loss: Sketch, weight: Sketch, input: Sketch, reduction: str) -> Sketch:
    """The weighted mean of `l1_loss` and `mse_loss`: divided by the sum of the weights."""
    _weight_of_input(weight, input)
    product = loss * weight
    if reduction == "mean":
        return summed(product) / summed(weight)
    plain_reduction(reduction)
    return summed(product) if reduction == "sum" else product


def weighted_mean(loss: Sketch, weight: Sketch, input: Sketch, reduction: str) -> Sketch:
    """The weighted mean of `huber_loss`: divided by the number of elements."""
    _weight_of_input(weight, input)
    plain_reduction(reduction)
    return reduced(loss * weight, reduction)


def _weight_of_input(weight: Sketch, input: Sketch) -> None:
    refuse_unless(weight.shape == input.shape, "must have the shape of the input", weight.name)


def plain_reduction(reduction: str) -> None:
    """Refuse every reduction but the three names that the Python code compares with."""
    fits = reduction in ("mean", "sum", "none")
    refuse_unless(fits, f"`{reduction}` is not a reduction", "reduction")


def reduction_name(reduction: str) -> str:
    """The reduction a kernel gets; `elementwise_mean` is an old name of `mean`."""
    name = "mean" if reduction == "elementwise_mean" else reduction
    plain_reduction(name)
    return name


def binary_cross_entropy(
    input: Sketch, target: Sketch, weight: Sketch | None, reduction: str
) -> Sketch:
    """`binary_cross_entropy`: one shape, one dtype; the weight may broadcast into it."""
    name = reduction_name(reduction)
    refuse_unless(target.shape == input.shape, "must have the shape of the input", target.name)
    floating(input)
    same_dtype(input, target)
    loss = replace(input, name="")
    if weight is not None:
        loss = combine_into(loss, weight)
    return reduced(loss, name)


def variance(var: Sketch | Number, input: Sketch, eps: float) -> Sketch:
    """The variance of `gaussian_nll_loss`, with the axis it may lack."""
    if not isinstance(var, Sketch):
        refuse_unless(isinstance(var, float), "must be a tensor or a float", "var")
        assert isinstance(var, float)
        refuse_unless(var >= 0, "must not be negative", "var")
        ordered(input)
        return replace(input * var, grad=False)
    ordered(var)
    if var.shape != input.shape:
        var = _with_missing_axis(var, input)
    floating(var)
    return replace(var, name="")


def _with_missing_axis(var: Sketch, input: Sketch) -> Sketch:
    if input.rank and input.shape[:-1] == var.shape:
        return replace(var, shape=(*var.shape, 1))
    odd = [b for a, b in zip(input.shape, var.shape, strict=False) if a != b]
    fits = input.rank == var.rank and sum(odd) == 1
    refuse_unless(fits, "must have the shape of the input, or one axis of size 1", var.name)
    return var


def stirling_term(term: Sketch, target: Sketch) -> Sketch:
    """The optional term of `poisson_nll_loss`, masked where the target is small."""
    ordered(target)
    return term


def batch_mean(loss: Sketch, input: Sketch) -> Sketch:
    """`batchmean` of `kl_div`: the sum divided by the first size of the input."""
    total = summed(loss)
    return divided(total, input.shape[0]) if input.rank else total


def divided(x: Sketch, count: int) -> Sketch:
    """Division by a count; integers become float32."""
    return x / count


def zeros_like(x: Sketch) -> Sketch:
    """A tensor of zeros, without a gradient."""
    return replace(x, name="", grad=False, broken=False)


def not_integral(*sketches: Sketch) -> None:
    """Refuse integers, as `kl_div` does."""
    for sketch in sketches:
        refuse_unless(category(sketch.dtype) > 1, "must be floating point", sketch.name)


def no_way_back(loss: Sketch, because: bool) -> Sketch:
    """A result whose derivative torch cannot compute, for a reason known beforehand."""
    return replace(loss, broken=loss.broken or because)


def smaller(x: Sketch, y: Sketch) -> Sketch:
    """`minimum` of two real tensors."""
    return combine(x, y)


def measured(function: object, x: Sketch, y: Sketch) -> Sketch:
    """The distance of `triplet_margin_with_distance_loss`; only torch's own has a rule."""
    if function is None:
        return distance(x, y, 2.0, 1e-6)
    settings = getattr(function, "__dict__", {})
    if not {"norm", "eps", "keepdim"} <= settings.keys():
        raise Unmeasured
    found = distance(x, y, settings["norm"], settings["eps"])
    return replace(found, shape=(*found.shape, 1)) if settings["keepdim"] else found


def same_dtype(*sketches: Sketch | None) -> None:
    """Refuse operands whose dtypes differ."""
    given = [sketch for sketch in sketches if sketch is not None]
    for other in given[1:]:
        if other.dtype != given[0].dtype:
            reason = f"is {other.dtype} where {given[0].dtype} is needed"
            raise Rejected(reason, argument=other.name)


def clamp_min_(x: Sketch) -> Sketch:
    """`clamp_min_(0)`, in place."""
    result = clamp_min(x)
    refuse_unless(result.dtype == x.dtype, "bool cannot be clamped in place")
    return result


def log_sigmoid(x: Sketch) -> Sketch:
    """`logsigmoid`, whose kernel knows real floating point only."""
    floating(x)
    return replace(x, name="")
