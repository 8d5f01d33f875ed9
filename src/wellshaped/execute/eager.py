"""Compiled functions run as they are written: one call, one line, the shapes of this batch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from wellshaped.execute.patches import Patch


def eager_patches() -> Iterator[Patch]:
    """What to replace so that nothing is compiled."""
    yield torch, "compile", _compile


def as_it_is(model: Any = None, *_: Any, **__: Any) -> Any:
    """`decorate(f)` and `@decorate(mode=…)`: the function itself."""
    return (lambda function: function) if model is None else model


def _compile(model: Any = None, *_: Any, **__: Any) -> Any:
    """`torch.compile`; programs reach the plain module through its `_orig_mod`."""
    if isinstance(model, torch.nn.Module):
        object.__setattr__(model, "_orig_mod", model)  # unseen by `modules()`: it holds itself
    return as_it_is(model)
