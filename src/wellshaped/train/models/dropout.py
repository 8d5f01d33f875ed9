"""Dropout, switched off for good: both sides of a pair, and old and new log-probabilities of a
token, are of the same function."""

from __future__ import annotations

from torch import nn


def without_dropout(model: nn.Module) -> None:
    """Set every dropout of a model to 0."""
    for module in model.modules():
        if isinstance(module, nn.modules.dropout._DropoutNd):
            module.p = 0.0
        # Attention takes its rate from a number: `attention_dropout` of Llama, for one.
        for name, value in vars(module).items():
            if "dropout" in name and isinstance(value, float):
                setattr(module, name, 0.0)
