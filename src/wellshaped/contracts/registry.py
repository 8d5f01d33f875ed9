"""All contracts by name, and the way from a function, module or name to its contract."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from wellshaped.contracts.contract import Contract
from wellshaped.contracts.tables import classes, elementwise, linear, pairs, sequences

ROWS: dict[str, Contract] = {
    row.name: row
    for table in (elementwise, classes, linear, pairs, sequences)
    for row in table.TABLE
}
MODULES: dict[str, Contract] = {
    module: row for row in ROWS.values() for module in (row.module, *row.modules)
}


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a functional: its name, its default, whether it may be positional."""

    name: str
    default: Any
    positional: bool


# `AdaptiveLogSoftmaxWithLoss` has no functional: what its method takes from the module is
# given by name, and unknown where only the name of the loss is known.
_METHODS = {
    "adaptive_log_softmax_with_loss": (
        Parameter("input", inspect.Parameter.empty, positional=True),
        Parameter("target", inspect.Parameter.empty, positional=True),
        Parameter("in_features", None, positional=False),
        Parameter("cutoffs", None, positional=False),
        Parameter("dtype", None, positional=False),
    )
}


@cache
def functional(name: str) -> Callable[..., Any]:
    """The function of torch that computes this loss."""
    import torch

    if name == "adaptive_log_softmax_with_loss":
        return torch.nn.AdaptiveLogSoftmaxWithLoss.forward
    found: Callable[..., Any] = getattr(torch.nn.functional, name)
    return found


@cache
def parameters(name: str) -> tuple[Parameter, ...]:
    """The parameters of a functional, in order."""
    if name in _METHODS:
        return _METHODS[name]
    signature = inspect.signature(functional(name))
    return tuple(
        Parameter(each.name, each.default, each.kind is not each.KEYWORD_ONLY)
        for each in signature.parameters.values()
    )


@cache
def contract_of_function(function: Any) -> Contract | None:
    """The contract of a function of torch; None when it is not a loss."""
    return next((row for row in ROWS.values() if functional(row.name) is function), None)


@cache
def contract_of_module(kind: Any) -> Contract | None:
    """The contract of a module class or of the loss class it derives from."""
    import torch

    for ancestor in kind.__mro__:
        row = MODULES.get(ancestor.__name__)
        if row is not None and ancestor.__module__.startswith(torch.nn.__name__):
            return row
    return None


def contract_of_instance(module: Any) -> Contract | None:
    """The contract of a module instance."""
    kind: Any = type(module)
    return contract_of_module(kind)
