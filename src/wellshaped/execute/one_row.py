"""Lets a run at another batch size pass batch normalisation with one row, to see what follows.

In training the layer refuses a single value per channel, by design. A program that never meets
one row in training may meet it in evaluation, and a run that stops in training would not get there.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import torch
from torch.nn import functional

from wellshaped.records.source import Place
from wellshaped.source.frames import user_place


@contextlib.contextmanager
def one_row_passes() -> Iterator[list[Place]]:
    """Normalise one value per channel by the running statistics; yields the user's lines."""
    passed: list[Place] = []
    plain = functional.batch_norm

    def batch_norm(
        input: Any,
        running_mean: Any,
        running_var: Any,
        weight: Any = None,
        bias: Any = None,
        training: bool = False,
        *rest: Any,
        **options: Any,
    ) -> Any:
        if training and _has_one_value(input):
            place, training = user_place(), False
            if place not in passed:
                passed.append(place)
            if running_mean is None:
                running_mean = torch.zeros_like(input.detach().flatten())
                running_var = torch.ones_like(running_mean)
        return plain(input, running_mean, running_var, weight, bias, training, *rest, **options)

    functional.batch_norm = batch_norm
    try:
        yield passed
    finally:
        functional.batch_norm = plain


def _has_one_value(input: Any) -> bool:
    """Whether rows and positions make one value for each channel."""
    return bool(input.dim() > 1 and input.numel() == input.shape[1])
