"""Weights that are shared out over processes (FSDP), and the same weights whole again.

Of a model that is sharded each process holds a part of every weight. Checkpoints and results are
whole, so that they do not depend on how many processes there were.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn
from torch.distributed.checkpoint.state_dict import (
    StateDictOptions,
    get_optimizer_state_dict,
    set_model_state_dict,
    set_optimizer_state_dict,
)

from wellshaped.train.processes import Accelerator


def shell_of(model: nn.Module) -> nn.Module:
    """A copy without weights, made before they are shared out, to be `filled` at the end."""
    memo: dict[int, Any] = {
        id(one): nn.Parameter(torch.empty_like(one, device="meta"), requires_grad=one.requires_grad)
        for one in model.parameters()
    }
    return copy.deepcopy(model, memo)


def filled(shell: nn.Module, weights: Mapping[str, Tensor]) -> nn.Module:
    """The shell with these weights; those that were one stay one."""
    made: dict[int, nn.Parameter] = {}
    for prefix, module in shell.named_modules():
        for name, empty in module._parameters.items():
            if empty is not None:
                weight = weights[f"{prefix}.{name}" if prefix else name]
                own = nn.Parameter(weight, requires_grad=empty.requires_grad)
                module._parameters[name] = made.setdefault(id(empty), own)
    return shell


def optimizer_state(accelerator: Accelerator, model: nn.Module, optimizer: Any) -> dict[str, Any]:
    """The state of an optimizer, whole; of one that is sharded, in the first process only."""
    if not accelerator.is_fsdp2:
        state: dict[str, Any] = optimizer.state_dict()
        return state
    options = StateDictOptions(full_state_dict=True, cpu_offload=True)
    return dict(get_optimizer_state_dict(model, optimizer.optimizer, options=options))


def load_optimizer(
    accelerator: Accelerator, model: nn.Module, optimizer: Any, state: dict[str, Any]
) -> None:
    """Take up a state that `optimizer_state` gave."""
    if not accelerator.is_fsdp2:
        optimizer.load_state_dict(state)
        return
    options = StateDictOptions(full_state_dict=True)
    set_optimizer_state_dict(model, optimizer.optimizer, state, options=options)


def load_weights(accelerator: Accelerator, model: nn.Module, weights: Mapping[str, Tensor]) -> None:
    """Take up whole weights; where they are shared out, those that the first process has."""
    if not accelerator.is_fsdp2:
        plain: Any = accelerator.unwrap_model(model)
        plain.load_state_dict(dict(weights))
        return
    options = StateDictOptions(full_state_dict=True, broadcast_from_rank0=True)
    set_model_state_dict(model, dict(weights), options=options)
