"""Judges the values with which a loss function is entered, as its hook finds them."""

from __future__ import annotations

from typing import Any

import torch

from wellshaped.contracts.call import BadCall, Target, bind, resolve_loss
from wellshaped.contracts.judge import judge_bound
from wellshaped.contracts.registry import ROWS
from wellshaped.records.verdict import Verdict


def judge_values(
    name: str, names: tuple[str, ...], values: tuple[Any, ...]
) -> tuple[Verdict, dict[str, Any]] | None:
    """The verdict and the facts it rests on; None where no contract can say."""
    if any(_symbolic(value) for value in values):
        return None
    try:
        if name == "adaptive_log_softmax_with_loss":
            target = resolve_loss(values[0])
            bound = bind(target, values[1:], {})
        else:
            target = Target(ROWS[name], {})
            bound = bind(target, (), dict(zip(names, values, strict=True)))
    except BadCall:
        return None
    facts = {key: bound[key] for key in target.contract.tensors}
    return judge_bound(target.contract, bound), facts


def _symbolic(value: Any) -> bool:
    if not isinstance(value, torch.Tensor):
        return False
    return not all(type(size) is int for size in value.shape)
