"""The kernels behind losses whose targets are class numbers, or probabilities of classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from wellshaped.contracts.kernels.elementwise import same_dtype
from wellshaped.contracts.sketch import (
    Rejected,
    Sketch,
    combine_into,
    compared,
    floating,
    log_softmax,
    real_gradient,
    reduced,
    refuse_unless,
    summed,
)

_CLASS_NUMBERS = ("int64", "uint8")


def class_numbers(
    log_probs: Sketch,
    target: Sketch,
    weight: Sketch | None,
    reduction: str,
    ignore_index: int,
) -> Sketch:
    """`nll_loss_nd`: class numbers against log-probabilities, at any rank."""
    _class_shapes(log_probs, target)
    _class_weight(log_probs, target, weight)
    few = log_probs.rank <= 2 or (target.numel == 0 and reduction != "none")
    _class_dtypes(log_probs, target, _CLASS_NUMBERS if few else ("int64",))
    same_dtype(log_probs, weight)
    _some_class(log_probs, target)
    shape = () if log_probs.rank == 1 or reduction != "none" else target.shape
    odd = log_probs.rank == 1 and target.shape == (1,) and log_probs.shape != (1,)
    odd = odd or (log_probs.rank > 2 and target.dtype == "uint8")
    return replace(log_probs, shape=shape, name="", broken=log_probs.broken or odd)


def _class_shapes(log_probs: Sketch, target: Sketch) -> None:
    refuse_unless(log_probs.rank > 0, "needs a class axis", log_probs.name or "input")
    if log_probs.rank == 1:
        refuse_unless(target.rank <= 1, "one class number is needed", target.name)
        refuse_unless(target.numel == 1, "one class number is needed", target.name)
        return
    if not target.rank or target.shape[0] != log_probs.shape[0]:
        raise Rejected("has another batch size", argument=target.name, axis=0)
    wanted = (log_probs.shape[0], *log_probs.shape[2:])
    if target.shape != wanted:
        raise Rejected(f"is {target.shape} where {wanted} is needed", argument=target.name)


def _class_weight(log_probs: Sketch, target: Sketch, weight: Sketch | None) -> None:
    if weight is None:
        return
    classes = log_probs.shape[0 if log_probs.rank == 1 else 1]
    ranks = (1,) if log_probs.rank <= 2 else range(7)
    fits = weight.rank in ranks and weight.numel == classes
    refuse_unless(fits, f"one weight for each of the {classes} classes", weight.name)


def _class_dtypes(log_probs: Sketch, target: Sketch, allowed: Sequence[str]) -> None:
    floating(log_probs)
    if target.dtype not in allowed:
        raise Rejected(f"class numbers are int64, not {target.dtype}", argument=target.name)


def _some_class(log_probs: Sketch, target: Sketch) -> None:
    classes = log_probs.shape[0 if log_probs.rank == 1 else 1]
    refuse_unless(classes > 0 or target.numel == 0, "there is no class to name", target.name)


def cross_entropy(
    input: Sketch,
    target: Sketch,
    weight: Sketch | None,
    reduction: str,
    ignore_index: int,
    label_smoothing: float,
) -> Sketch:
    """`cross_entropy_loss`: probabilities where the shapes are equal, class numbers elsewhere."""
    if input.shape == target.shape:
        floating(target)
        refuse_unless(ignore_index < 0, "probabilities have no index to ignore", "ignore_index")
        return _probabilities(input, target, weight, reduction, label_smoothing)
    if label_smoothing > 0:
        return _smoothed(input, target, weight, reduction, ignore_index, label_smoothing)
    axis = 0 if input.rank == 1 else 1
    return class_numbers(log_softmax(input, axis), target, weight, reduction, ignore_index)


def _probabilities(
    input: Sketch, target: Sketch, weight: Sketch | None, reduction: str, smoothing: float
) -> Sketch:
    axis = 0 if input.rank == 1 else 1
    input.size(axis)
    _class_weight(input, target, weight)
    refuse_unless(weight is None or weight.rank == 1, "must have one axis", "weight")
    logs = log_softmax(input, axis)
    if smoothing > 0:
        refuse_unless(smoothing <= 1, "must not exceed 1", "label_smoothing")
        target = target * (1 - smoothing) + 1.0
    product = logs * target
    if weight is not None:
        product = product * _along(weight, input.rank, axis)
    product = -product
    return summed(product, axis) if reduction == "none" else _settled(summed(product), reduction)


def _smoothed(
    input: Sketch,
    target: Sketch,
    weight: Sketch | None,
    reduction: str,
    ignore_index: int,
    smoothing: float,
) -> Sketch:
    refuse_unless(smoothing <= 1, "must not exceed 1", "label_smoothing")
    axis = 0 if input.rank == 1 else 1
    logs = log_softmax(input, axis)
    hard = class_numbers(logs, target, weight, reduction, ignore_index)
    if weight is not None:
        refuse_unless(weight.numel == weight.size(0), "must be a vector", weight.name)
    spread = logs if weight is None else logs * _along(weight, input.rank, axis)
    rows = summed(-spread, axis)
    ignored = compared(target, ignore_index)
    combine_into(rows, ignored)
    if weight is not None and reduction == "mean" and target.dtype != "int64":
        raise Rejected("a gather needs int64", argument=target.name)
    soft = rows if reduction == "none" else _settled(summed(rows), reduction)
    return soft * 1.0 + hard * 1.0


def _settled(total: Sketch, reduction: str) -> Sketch:
    return reduced(total, reduction) if reduction != "none" else total


def _along(weight: Sketch, rank: int, axis: int) -> Sketch:
    shape = tuple(weight.numel if place == axis else 1 for place in range(rank))
    return replace(weight, shape=shape)


def multi_margin(input: Sketch, target: Sketch, weight: Sketch | None, reduction: str) -> Sketch:
    """`multi_margin_loss`: one class number per row."""
    rows, classes = _rows_and_classes(input)
    real_gradient(input)
    fits = target.rank <= 1 and target.numel == rows
    refuse_unless(fits, f"{rows} class numbers are needed", target.name)
    if weight is not None:
        fits = weight.rank <= 1 and weight.numel == classes
        refuse_unless(fits, f"one weight for each of the {classes} classes", weight.name)
    if input.numel:
        _double_or_single(input)
        _class_dtypes(input, target, ("int64",))
        same_dtype(input, weight)
    shape = target.shape if reduction == "none" and target.rank else ()
    return replace(input, shape=shape, name="")


def multilabel_margin(input: Sketch, target: Sketch, reduction: str) -> Sketch:
    """`multilabel_margin_loss`: a row of class numbers per row."""
    rows, classes = _rows_and_classes(input)
    real_gradient(input)
    if input.rank <= 1:
        fits = target.rank <= 1 and target.numel == classes
    else:
        fits = target.shape == input.shape
    refuse_unless(fits, "must have the shape of the input", target.name)
    if input.numel:
        _double_or_single(input)
        _class_dtypes(input, target, ("int64",))
    shape = (rows,) if reduction == "none" and input.rank == 2 else ()
    return replace(input, shape=shape, name="")


def _double_or_single(input: Sketch) -> None:
    fits = input.dtype in ("float32", "float64")
    refuse_unless(fits, f"has no kernel for {input.dtype}", input.name)


def _rows_and_classes(input: Sketch) -> tuple[int, int]:
    refuse_unless(input.rank <= 2, "must be a vector or a matrix", input.name)
    classes = input.shape[-1] if input.rank else 1
    refuse_unless(classes > 0, "needs at least one class", input.name)
    return (input.shape[0] if input.rank == 2 else 1), classes
