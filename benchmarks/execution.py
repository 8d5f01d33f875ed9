"""Runs a call of a loss on real tensors with valid values, forward and backward."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

import torch

from benchmarks.calls import Call
from wellshaped.contracts.registry import ROWS, functional
from wellshaped.records.shape import TensorFact


@dataclass(frozen=True)
class Happened:
    """What torch did."""

    accepted: bool
    output_shape: tuple[int, ...] | None = None
    output_dtype: str | None = None
    backward: str = "raises"
    error: str = ""


def execute(name: str, call: Call, *, seed: int) -> Happened:
    """Run the call and say what came of it."""
    generator = torch.Generator().manual_seed(seed)
    tensors = {
        key: _tensor(name, key, fact, call, generator) if isinstance(fact, TensorFact) else fact
        for key, fact in call.facts.items()
    }
    for key in ROWS[name].predicts:
        value = tensors.get(key)
        if isinstance(value, torch.Tensor) and (value.is_floating_point() or value.is_complex()):
            value.requires_grad_()
    try:
        result = _run(name, tensors, call.options)
    except Exception as error:
        return Happened(False, error=f"{type(error).__name__}: {error}"[:120])
    shape, dtype = tuple(result.shape), str(result.dtype).removeprefix("torch.")
    return Happened(True, shape, dtype, _backward(result))


def _run(name: str, tensors: dict[str, Any], options: dict[str, Any]) -> torch.Tensor:
    if name != "adaptive_log_softmax_with_loss":
        result: torch.Tensor = functional(name)(**tensors, **options)
        return result
    features = options.get("in_features", tensors["input"].shape[-1])
    dtype = options.get("dtype", str(tensors["input"].dtype).removeprefix("torch."))
    module = torch.nn.AdaptiveLogSoftmaxWithLoss(features, 6, [2, 4], 2.0)
    loss: torch.Tensor = module.to(getattr(torch, dtype))(*tensors.values()).loss
    return loss


def _backward(result: torch.Tensor) -> str:
    try:
        (result.sum() if result.dim() else result).backward()
    except Exception:
        return "raises"
    return "ok"


def _tensor(
    name: str, key: str, fact: TensorFact, call: Call, generator: torch.Generator
) -> torch.Tensor:
    dtype: torch.dtype = getattr(torch, fact.dtype)
    if key == "target" and name.startswith("adaptive") and dtype not in _INEXACT:
        return torch.randint(6, fact.shape, generator=generator).to(dtype)
    if key in ("target", "targets") and dtype not in _INEXACT:
        return torch.full(fact.shape, _class_number(call), dtype=dtype)
    if key.endswith("_lengths"):
        return _lengths(key, fact, call).to(dtype)
    values = torch.rand(fact.shape, generator=generator) * 0.9 + 0.05
    return values.to(dtype)


_INEXACT = frozenset(
    getattr(torch, name)
    for name in ("float16", "bfloat16", "float32", "float64", "complex64", "complex128")
)


def _class_number(call: Call) -> int:
    """A class that exists and is not ignored; where there is none, any number not ignored."""
    fact = next(iter(call.facts.values()))
    shape = call.facts.get("linear_weight", fact).shape
    axis = 0 if "linear_weight" in call.facts or len(shape) < 2 else 1
    classes = shape[axis] if shape else 1
    if "linear_weight" in call.facts and "weight" in call.facts:
        classes = min(classes, prod(call.facts["weight"].shape))
    ignored = call.options.get("ignore_index")
    if classes == 0:
        return int(ignored == 0)
    return int(ignored == 0 and classes > 1)


def _lengths(key: str, fact: TensorFact, call: Call) -> torch.Tensor:
    """Lengths that fit: concatenated targets all belong to the first sequence."""
    targets = call.facts["targets"]
    values = torch.full(fact.shape, int(key == "input_lengths"))
    if key == "target_lengths" and len(targets.shape) == 1 and values.numel():
        values.view(-1)[0] = targets.shape[0]
    return values
