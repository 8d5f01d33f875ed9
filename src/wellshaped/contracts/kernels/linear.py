"""The kernels behind `linear_cross_entropy` and the adaptive softmax."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from wellshaped.contracts.kernels.classes import cross_entropy
from wellshaped.contracts.kernels.elementwise import same_dtype
from wellshaped.contracts.promotion import COMPLEX
from wellshaped.contracts.sketch import Rejected, Sketch, floating, one_more_axis, refuse_unless


@dataclass(frozen=True, slots=True)
class Head:
    """What a linear head multiplies: samples, one weight row per class, perhaps a bias."""

    input: Sketch
    weight: Sketch
    bias: Sketch | None

    @property
    def logits_shape(self) -> tuple[int, ...]:
        """Batch axis if there is one, classes, further axes."""
        return (*self.input.shape[:-1], *self.weight.shape[:-1])


def head(input: Sketch, weight: Sketch, bias: Sketch | None) -> Head:
    """Check a linear head the way `linear_cross_entropy` does."""
    refuse_unless(input.rank in (1, 2), "must be a vector or a matrix", input.name)
    refuse_unless(weight.rank >= 2, "needs two axes or more", weight.name)
    if input.shape[-1] != weight.shape[-1]:
        raise Rejected("has another number of features", argument=weight.name, axis=weight.rank - 1)
    fits = bias is None or bias.shape == weight.shape[:-1]
    refuse_unless(fits, "must have the shape of the classes", bias.name if bias else None)
    refuse_unless(weight.rank == 2 or input.rank == 2, "needs a batch axis", input.name)
    return Head(input, weight, bias)


def linear_cross_entropy(
    head: Head,
    target: Sketch,
    weight: Sketch | None,
    reduction: str,
    ignore_index: int | None,
    label_smoothing: float,
    options: Any,
) -> Sketch:
    """`linear_cross_entropy`: whole logits, or chunks of them where `options` asks for it."""
    soft = target.shape == head.logits_shape
    refuse_unless(not soft or ignore_index is None, "not for probabilities", "ignore_index")
    chunked = (
        options is not None
        and reduction in ("mean", "sum", "none")
        and label_smoothing == 0
        and target.dtype == "int64"
        and head.weight.rank == 2
    )
    if chunked:
        return _chunked(head, target, weight, reduction, options)
    logits = _logits(head)
    ignored = -100 if ignore_index is None else ignore_index
    return cross_entropy(logits, target, weight, reduction, ignored, label_smoothing)


def _logits(head: Head) -> Sketch:
    same_dtype(head.input, head.weight, head.bias)
    grad = any(part is not None and part.grad for part in (head.input, head.weight, head.bias))
    return Sketch(head.logits_shape, head.input.dtype, "", grad)


def _chunked(
    head: Head, target: Sketch, weight: Sketch | None, reduction: str, options: Any
) -> Sketch:
    rows = head.input.shape[0] if head.input.rank == 2 else 1
    classes, features = head.weight.shape
    by_ratio = options.chunking_method is not None and options.batch_chunk_size is None
    refuse_unless(features > 0 or not by_ratio, "has no features to chunk by", head.input.name)
    refuse_unless(classes > 0 or not by_ratio, "has no classes to chunk by", head.weight.name)
    floating(head.input)
    if rows:
        _chunk_operands(head, target, weight, rows, options)
    shape = () if reduction != "none" or head.input.rank == 1 else (rows,)
    dtype = head.input.dtype
    grad = any(part is not None and part.grad for part in (head.input, head.weight, head.bias))
    too_long = reduction == "none" and rows > 1 and target.shape[0] != rows
    return Sketch(shape, dtype, "", grad, too_long)


def _chunk_operands(
    head: Head, target: Sketch, weight: Sketch | None, rows: int, options: Any
) -> None:
    if not _weight_is_cast(head.input.dtype, options):
        same_dtype(head.input, head.weight)
    length = target.shape if head.input.rank == 2 else (1, *target.shape)
    refuse_unless(len(length) == 1, "must be a vector of class numbers", target.name)
    refuse_unless(length[0] >= rows, "has fewer rows than the input", target.name)
    refuse_unless(head.weight.shape[0] > 0, "there is no class to name", target.name)
    if weight is not None:
        fits = weight.numel > 0 and (weight.rank == 1 or (weight.rank == 0 and length[0] == 1))
        refuse_unless(fits, "one weight a class", weight.name)


def _weight_is_cast(dtype: str, options: Any) -> bool:
    """Whether the chunks are computed in float32, so that the weight is converted first."""
    wide = options.acc_policy == "auto" if options.acc_dtype is None else True
    return wide and dtype in ("float16", "bfloat16")


def adaptive(
    input: Sketch, target: Sketch, in_features: int | None, cutoffs: object, dtype: str | None
) -> Sketch:
    """`AdaptiveLogSoftmaxWithLoss`: the loss it returns beside the log-probabilities."""
    refuse_unless(target.rank <= 1, "must be a vector of class numbers", target.name)
    if target.rank == 1 and input.size(0) != target.shape[0]:
        raise Rejected("has another batch size", argument=target.name, axis=0)
    one_more_axis(input, target)
    if in_features is not None and input.shape[-1] != in_features:
        raise Rejected(f"needs {in_features} features", argument=input.name, axis=input.rank - 1)
    if target.dtype in COMPLEX or (target.numel and target.dtype not in ("int64", "int32")):
        raise Rejected(f"class numbers are int64, not {target.dtype}", argument=target.name)
    floating(input)
    if dtype is not None and input.dtype != dtype:
        raise Rejected(f"is {input.dtype} where {dtype} is needed", argument=input.name)
    return replace(input, shape=(), name="", grad=True)
