"""Weights that are sharded over processes (FSDP), and the same weights whole again.

Of a model that is sharded each process holds a part of every weight. Checkpoints and results are
whole, so that they do not depend on how many processes there were.
"""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch
from torch import Tensor, nn
from torch.distributed.checkpoint.state_dict import (
    StateDictOptions,
    get_optimizer_state_dict,
    set_model_state_dict,
    set_optimizer_state_dict,
)
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import DTensor, Shard, distribute_tensor

from wellshaped.train.distributed.processes import Accelerator


def shell_of(model: nn.Module) -> nn.Module:
    """A copy without weights, made before they are sharded, to be `filled` at the end."""
    memo: dict[int, Any] = {
        id(one): nn.Parameter(torch.empty_like(one, device="meta"), requires_grad=one.requires_grad)
        for one in model.parameters()
    }
    return copy.deepcopy(model, memo)


def filled(shell: nn.Module, weights: Mapping[str, Tensor]) -> nn.Module:
    """The shell with these weights; those that were one stay one.

    Buffers among them, as the means of a `BatchNorm`, are taken too; others are as they were.
    """
    made: dict[int, nn.Parameter] = {}
    for prefix, module in shell.named_modules():
        before = f"{prefix}." if prefix else ""
        for name, empty in module._parameters.items():
            if empty is not None:
                weight = weights[before + name]
                own = nn.Parameter(weight, requires_grad=empty.requires_grad)
                module._parameters[name] = made.setdefault(id(empty), own)
        for name, buffer in module._buffers.items():
            module._buffers[name] = weights.get(before + name, buffer)
    return shell


class GatheredModel:
    """A shell that has the weights of all processes while it is used, and none otherwise.

    All processes must enter `whole` together; what they do inside needs no other process.
    """

    def __init__(
        self, shell: nn.Module, parts: Callable[[], Mapping[str, Tensor]], device: torch.device
    ) -> None:
        self.shell, self._parts, self._depth = shell, parts, 0
        for module in shell.modules():
            for name, buffer in module._buffers.items():
                module._buffers[name] = None if buffer is None else buffer.to(device)

    def fill(self) -> None:
        """Have all weights from now on."""
        if not self._depth:
            filled(self.shell, _wholes(self._parts()))
        self._depth += 1

    @contextlib.contextmanager
    def whole(self) -> Iterator[None]:
        """Have all weights for a while."""
        self.fill()
        try:
            yield
        finally:
            self._depth -= 1
            if not self._depth:
                emptied(self.shell)


def gathered(shell: nn.Module, model: nn.Module, device: torch.device) -> GatheredModel:
    """The shell of a model that was sharded since, with the weights that it has by now."""

    def parts() -> dict[str, Tensor]:
        named = dict(model.named_parameters(remove_duplicate=False))
        return {**dict(model.named_buffers(remove_duplicate=False)), **named}

    return GatheredModel(shell, parts, device)


def shard(model: nn.Module, accelerator: Accelerator) -> GatheredModel:
    """A model that does not learn, of which each process keeps a part of every weight."""
    device = accelerator.device
    mesh = init_device_mesh(device.type, (accelerator.num_processes,))
    made: dict[int, Tensor] = {}
    parts: dict[str, Tensor] = {}
    for name, weight in model.named_parameters(remove_duplicate=False):
        if id(weight) not in made:
            here = weight.detach().to(device)
            made[id(weight)] = distribute_tensor(here, mesh, [Shard(0)]) if here.ndim else here
        parts[name] = made[id(weight)]
    return GatheredModel(shell_of(model), lambda: parts, device)


def emptied(shell: nn.Module) -> None:
    """Forget the weights; those that were one stay one."""
    empty = {
        each: nn.Parameter(torch.empty_like(each, device="meta"), requires_grad=each.requires_grad)
        for each in shell.parameters()
    }
    for module in shell.modules():
        for name, weight in module._parameters.items():
            if weight is not None:
                module._parameters[name] = empty[weight]


def _wholes(parts: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Whole weights by name; a weight of two names is asked for once."""
    made: dict[int, Tensor] = {}
    for part in parts.values():
        if id(part) not in made:
            weight = part.detach()
            made[id(part)] = weight.full_tensor() if isinstance(weight, DTensor) else weight
    return {name: made[id(part)] for name, part in parts.items()}


def local(weight: Tensor) -> Tensor:
    """The part of a weight that is here; all of it where nothing is sharded."""
    return weight.to_local() if isinstance(weight, DTensor) else weight


def whole_weights(accelerator: Accelerator, model: nn.Module) -> dict[str, Tensor]:
    """The weights by name; of those that are sharded, whole in the first process only."""
    found: dict[str, Tensor] = accelerator.get_state_dict(model)
    if not accelerator.is_fsdp2:
        return found
    first: dict[int, str] = {}
    for name, weight in model.named_parameters(remove_duplicate=False):
        first.setdefault(id(weight), name)
        if name in found:
            found[name] = found[first[id(weight)]]  # those that were one stay one
    return found


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


def load_weights(
    accelerator: Accelerator,
    model: nn.Module,
    weights: Mapping[str, Tensor],
    *,
    strict: bool = True,
) -> None:
    """Take up whole weights; where they are sharded, those that the first process has."""
    if not accelerator.is_fsdp2:
        plain: Any = accelerator.unwrap_model(model)
        plain.load_state_dict(dict(weights), strict=strict)
        return
    options = StateDictOptions(full_state_dict=True, broadcast_from_rank0=True, strict=strict)
    set_model_state_dict(model, dict(weights), options=options)
