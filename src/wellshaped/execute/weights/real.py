"""A context in which a program runs with real weights, as far as they fit, on any machine."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch.utils.weak import WeakIdKeyDictionary

from wellshaped.execute.devices import mapped_devices
from wellshaped.execute.eager import eager_patches
from wellshaped.execute.patches import patched


class TooLarge(BaseException):
    """A model passed the limit: it is not to be filled with values."""


class RealWeights:
    """The parameters that modules were given; copies made by `deepcopy` are not among them."""

    def __init__(self, limit: int | None):
        self.limit = limit
        self.count = 0
        self._counted: WeakIdKeyDictionary = WeakIdKeyDictionary()

    @property
    def too_large(self) -> bool:
        """Whether there are more elements than the limit."""
        return self.limit is not None and self.count > self.limit

    def add(self, parameter: torch.Tensor) -> None:
        """Count a parameter, once; raise when there are too many elements."""
        if parameter not in self._counted:
            self._counted[parameter] = True
            self.count += parameter.numel()
        if self.too_large:
            raise TooLarge(f"more than {self.limit} parameters")


@contextlib.contextmanager
def real_weights(limit: int | None = None) -> Iterator[RealWeights]:
    """Run the block with absent devices mapped and nothing compiled.

    With a `limit` the run ends at the parameter that passes it. Modules register a parameter
    before they fill it, so memory that was asked for is not yet there.
    """
    weights = RealWeights(limit)
    with contextlib.ExitStack() as stack:
        for patch in eager_patches():
            stack.enter_context(patched(patch))
        register = torch.nn.Module, "register_parameter", _register(weights)
        stack.enter_context(patched(register))
        stack.enter_context(mapped_devices())
        yield weights


def _register(weights: RealWeights) -> Callable[..., None]:
    plain = torch.nn.Module.register_parameter

    def register_parameter(self: Any, name: str, param: Any) -> None:
        plain(self, name, param)
        if param is not None and not torch.nn.parameter.is_lazy(param):
            weights.add(param)

    return register_parameter
