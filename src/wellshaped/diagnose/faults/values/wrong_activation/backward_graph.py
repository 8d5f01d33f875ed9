"""Reads from a tensor's own way back which activation made its values, at no cost to a run.

Where a program runs as it is, no record of its tensors is kept: this needs none, and no torch.
"""

from __future__ import annotations

from typing import Any

from wellshaped.contracts.questions import losses
from wellshaped.diagnose.faults.values.wrong_activation import WrongActivation

# Losses that apply an activation of their own.
RAW = losses(applies="log_softmax") | losses(applies="sigmoid")
SQUASHING = ("softmax", "sigmoid")
_MADE = {"SoftmaxBackward0": "softmax", "SigmoidBackward0": "sigmoid"}
# Steps that keep every value as it is.
_THROUGH = (
    *("View", "UnsafeView", "ReshapeAlias", "Squeeze", "Unsqueeze", "Transpose", "Permute"),
    *("T", "Clone", "Select", "Slice"),
)


def inspect_activation(loss: str, given: Any) -> WrongActivation | None:
    """An activation too many before a loss which has its own."""
    made = activation_before(loss, given)
    return None if made is None else WrongActivation(found=made)


def activation_before(loss: str, given: Any) -> str | None:
    """The activation that made the input of a loss which has its own."""
    step = getattr(given, "grad_fn", None) if loss in RAW else None
    while step is not None and _kind(step) in _THROUGH:
        step = step.next_functions[0][0]
    return _MADE.get(step.name()) if step is not None else None


def _kind(step: Any) -> str:
    return str(step.name().partition("Backward")[0])
