"""How a model in training takes its steps, and how what it learned is kept: one class a way.

A window of batches is called and gone back through one by one; then `step` multiplies the
gradients, which are means over the processes, by a factor that is known only by now, clips them
and moves the weights. Weights and the state of the optimizer are given and taken whole.
"""

from __future__ import annotations

import contextlib
import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any

import torch
from torch import Tensor, nn

from wellshaped.train.distributed.processes import Accelerator, asks_deepspeed
from wellshaped.train.distributed.sharding import (
    GatheredModel,
    filled,
    gathered,
    load_optimizer,
    load_weights,
    local,
    optimizer_state,
    shell_of,
    whole_weights,
)


class Stepper(ABC):
    """A model, its optimizer, and the steps they take; all processes do all of it together."""

    model: nn.Module
    """What is called in place of the model."""

    @property
    @abstractmethod
    def groups(self) -> list[dict[str, Any]]:
        """The groups of the optimizer, whose rates may be set."""

    @abstractmethod
    def part(self, *, is_last: bool) -> contextlib.AbstractContextManager[object]:
        """Around the call and the backward pass of one batch of a window."""

    @abstractmethod
    def backward(self, loss: Tensor) -> None:
        """Add to the gradients."""

    @abstractmethod
    def reaches(self, weights: Iterable[nn.Parameter]) -> bool:
        """Whether some gradient of these is not zero here; to be asked before a step."""

    @abstractmethod
    def step(self, factor: float = 1.0) -> float:
        """Multiply the gradients, clip them, take the step; the norm before it was clipped."""

    @abstractmethod
    def drop(self) -> None:
        """Forget the gradients instead of a step."""

    @abstractmethod
    def weights(self) -> dict[str, Tensor]:
        """Whole weights; where they are sharded, in the first process only."""

    @abstractmethod
    def load(self, weights: Mapping[str, Tensor], *, strict: bool = True) -> None:
        """Take up whole weights; where they are sharded, those that the first process has.

        Where not all weights are given, and it is not `strict`, each process has those that are.
        """

    @abstractmethod
    def optimizer_state(self) -> dict[str, Any]:
        """The state of the optimizer, whole; where it is sharded, in the first process only."""

    @abstractmethod
    def load_optimizer(self, state: dict[str, Any]) -> None:
        """Take up a state that `optimizer_state` gave; each process has it."""

    @abstractmethod
    def gathered(self) -> GatheredModel | None:
        """A shell that can be filled, where each process has a part of every weight only."""

    @abstractmethod
    def trained(self) -> nn.Module:
        """The model with whole weights, for the first process; all must ask for it."""

    @abstractmethod
    def release(self) -> None:
        """Take off the model what training put on it."""


def stepper(
    accelerator: Accelerator, model: nn.Module, optimizer: torch.optim.Optimizer, *, clip: float
) -> Stepper:
    """The way of steps that `accelerate launch` was told; gradients longer than `clip` are cut."""
    if asks_deepspeed():
        from wellshaped.train.distributed.engine import Engine

        return Engine(accelerator, model, optimizer, clip=clip)
    return Accelerated(accelerator, model, optimizer, clip=clip)


class Accelerated(Stepper):
    """Copies of the model, or its weights sharded by FSDP, as accelerate prepares them."""

    def __init__(
        self,
        accelerator: Accelerator,
        model: nn.Module,
        optimizer: torch.optim.Optimizer,
        *,
        clip: float,
    ) -> None:
        self._accelerator, self._clip, self._plain = accelerator, clip, model
        self._shell = shell_of(model) if accelerator.is_fsdp2 else None
        self.model, self._optimizer = accelerator.prepare(model, optimizer)

    @property
    def groups(self) -> list[dict[str, Any]]:
        """Those of the optimizer as accelerate holds it."""
        found: list[dict[str, Any]] = self._optimizer.param_groups
        return found

    def part(self, *, is_last: bool) -> contextlib.AbstractContextManager[object]:
        """Gradients go to the other processes with the last batch."""
        if is_last:
            return contextlib.nullcontext()
        waiting: contextlib.AbstractContextManager[object] = self._accelerator.no_sync(self.model)
        return waiting

    def backward(self, loss: Tensor) -> None:
        """Add to the gradients."""
        self._accelerator.backward(loss)

    def reaches(self, weights: Iterable[nn.Parameter]) -> bool:
        """Whether some gradient of these is not zero here."""
        return any(one.grad is not None and bool(local(one.grad).any()) for one in weights)

    def step(self, factor: float = 1.0) -> float:
        """Multiply the gradients, clip them, take the step."""
        most = self._clip / factor if self._clip else math.inf
        # Clipped before: accelerate takes the scale of float16 off in that call.
        norm = self._accelerator.clip_grad_norm_(self.model.parameters(), most)
        if factor != 1.0:
            found = [each.grad for each in self.model.parameters() if each.grad is not None]
            torch._foreach_mul_(found, factor)
        self._optimizer.step()
        self._optimizer.zero_grad()
        return float(norm) * factor

    def drop(self) -> None:
        """Forget the gradients."""
        self._optimizer.zero_grad()

    def weights(self) -> dict[str, Tensor]:
        """Whole weights, as accelerate gathers them."""
        return whole_weights(self._accelerator, self.model)

    def load(self, weights: Mapping[str, Tensor], *, strict: bool = True) -> None:
        """Take up whole weights."""
        load_weights(self._accelerator, self.model, weights, strict=strict)

    def optimizer_state(self) -> dict[str, Any]:
        """The state of the optimizer, whole."""
        return optimizer_state(self._accelerator, self.model, self._optimizer)

    def load_optimizer(self, state: dict[str, Any]) -> None:
        """Take up a state that `optimizer_state` gave."""
        load_optimizer(self._accelerator, self.model, self._optimizer, state)

    def gathered(self) -> GatheredModel | None:
        """The shell of what FSDP sharded."""
        if self._shell is None:
            return None
        return gathered(self._shell, self._plain, self._accelerator.device)

    def trained(self) -> nn.Module:
        """The model itself, or its shell with the weights of all processes."""
        if self._shell is None:
            return self._plain
        weights = self.weights()
        return filled(self._shell, weights) if weights else self._plain

    def release(self) -> None:
        """Take back the forward that accelerate put autocast around."""
        self._accelerator.unwrap_model(self.model, keep_fp32_wrapper=False)
