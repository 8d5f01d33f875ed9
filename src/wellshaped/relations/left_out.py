"""Finds modules that a plain list holds: no optimizer gets to know their parameters."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any

import torch


def left_out(weights: list[torch.Tensor]) -> tuple[str, ...]:
    """The plain lists, as `Model.layers`, of modules that learn from no optimizer of the program.

    Their parameters take part in the step; the module that holds the list has others, or is
    beside others, which an optimizer holds. What is left out of an optimizer otherwise may be
    meant so.
    """
    everything = gc.get_objects()
    optimizers = [each for each in everything if _is(each, torch.optim.Optimizer)]
    held = {
        id(each)
        for optimizer in optimizers
        for group in optimizer.param_groups
        for each in group["params"]
    }
    strangers = {id(each) for each in weights} - held
    if not held or not strangers:
        return ()
    found = []
    for module in (each for each in everything if _is(each, torch.nn.Module)):
        registered = {id(each) for each in module.parameters()}
        for name, value in vars(module).items():
            inside = {id(each) for one in _modules(value) for each in one.parameters()}
            if inside & strangers and not inside & registered:
                found.append(f"{type(module).__name__}.{name}")
    return tuple(dict.fromkeys(found))


def _modules(value: Any) -> Iterator[torch.nn.Module]:
    parts = value.values() if type(value) is dict else value
    if type(value) in (list, tuple, dict):
        yield from (each for each in parts if _is(each, torch.nn.Module))


def _is(value: Any, kind: type) -> bool:
    return issubclass(type(value), kind)  # not `isinstance`: a proxy may say anything
