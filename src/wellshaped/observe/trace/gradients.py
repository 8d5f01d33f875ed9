"""Notes which parameters of a program a gradient reaches, and which took part without one."""

from __future__ import annotations

import contextlib
import math
import weakref
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

import torch
from torch.nn.modules import module as modules
from torch.optim.optimizer import (
    register_optimizer_step_post_hook,
    register_optimizer_step_pre_hook,
)

_MOST_LOSSES = 4


class Listener(Protocol):
    """Who is told of backward passes and of steps."""

    def backward(self, losses: Any) -> None:
        """Called after a backward pass."""

    def refused(self, losses: Any, error: Exception) -> None:
        """Called after a backward pass that torch refused."""

    def before_step(self, optimizer: torch.optim.Optimizer, *, closure: bool) -> None:
        """Called before an optimizer takes a step, perhaps with a closure of the program's."""

    def after_step(self, optimizer: torch.optim.Optimizer) -> None:
        """Called after an optimizer took a step."""


@dataclass(frozen=True, slots=True)
class Reach:
    """The parameters a gradient came to, by class, name and order of making.

    `idle` are those that an optimizer holds, whose module ran, and that got none; `ran` is
    whether there was a backward pass at all, `finite` whether every loss was a number. `losses` are
    the sums of the first ones: programs that compute the same have the same.
    """

    reached: frozenset[str] = frozenset()
    idle: frozenset[str] = frozenset()
    known: int = 0
    ran: bool = False
    finite: bool = True
    losses: tuple[float, ...] = ()


@dataclass(slots=True)
class _Parameter:
    name: str
    held: weakref.ref[torch.Tensor]
    owner: weakref.ref[torch.nn.Module]


@dataclass(slots=True)
class Noted:
    """What is noted while a program runs."""

    parameters: list[_Parameter] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    reached: set[str] = field(default_factory=set)
    entered: weakref.WeakSet[torch.nn.Module] = field(default_factory=weakref.WeakSet)
    optimized: set[int] = field(default_factory=set)
    ran: bool = False
    finite: bool = True
    losses: list[float] = field(default_factory=list)
    listener: Listener | None = None

    def meet(self, module: torch.nn.Module, name: str, parameter: Any) -> None:
        """Called when a module is given a parameter."""
        if parameter is None:
            return
        kind = f"{type(module).__name__}.{name}"
        self.counts[kind] += 1
        label = f"{kind} {self.counts[kind]}"
        self.parameters.append(_Parameter(label, weakref.ref(parameter), weakref.ref(module)))

    def enter(self, module: torch.nn.Module, _: Any) -> None:
        """Called when a module runs."""
        if torch.is_grad_enabled():
            self.entered.add(module)

    def step(self, optimizer: torch.optim.Optimizer, given: Any, options: Any) -> None:
        """Called when an optimizer takes a step."""
        for group in optimizer.param_groups:
            self.optimized.update(map(id, group["params"]))
        closure = any(map(callable, (*given, *options.values())))
        if self.listener is not None:
            with contextlib.suppress(Exception):  # whatever goes wrong with us is not theirs
                self.listener.before_step(optimizer, closure=closure)

    def stepped(self, optimizer: torch.optim.Optimizer, *_: Any) -> None:
        """Called when an optimizer has taken a step."""
        if self.listener is not None:
            with contextlib.suppress(Exception):  # whatever goes wrong with us is not theirs
                self.listener.after_step(optimizer)

    def look(self, losses: Any) -> None:
        """Called after a backward pass."""
        self.ran = True
        self.finite &= all(_finite(each) for each in _tensors(losses))
        if len(self.losses) < _MOST_LOSSES:
            self.losses += [_total(each) for each in _tensors(losses)]
        for each in self.parameters:
            if each.name not in self.reached:
                held = each.held()
                if held is not None and held.grad is not None:
                    self.reached.add(each.name)
        if self.listener is not None:
            self.listener.backward(losses)

    def refuse(self, losses: Any, error: Exception) -> None:
        """Called after a backward pass that torch refused."""
        if self.listener is not None:
            self.listener.refused(losses, error)

    def reach(self) -> Reach:
        """What came of it."""
        idle = frozenset(each.name for each in self.parameters if self._idle(each))
        return Reach(
            frozenset(self.reached),
            idle,
            len(self.parameters),
            self.ran,
            self.finite,
            tuple(self.losses),
        )

    def _idle(self, parameter: _Parameter) -> bool:
        held, owner = parameter.held(), parameter.owner()
        if held is None or owner is None or parameter.name in self.reached:
            return False
        return held.requires_grad and id(held) in self.optimized and owner in self.entered


@contextlib.contextmanager
def gradients_noted(*, entries: bool) -> Iterator[Noted]:
    """Watch the backward passes of this process; with `entries`, which modules run as well."""
    noted = Noted()
    hooks = [
        modules.register_module_parameter_registration_hook(noted.meet),
        register_optimizer_step_pre_hook(noted.step),
        register_optimizer_step_post_hook(noted.stepped),
    ]
    if entries:
        hooks.append(modules.register_module_forward_pre_hook(noted.enter))
    plain = torch.autograd.backward

    def backward(tensors: Any, *args: Any, **options: Any) -> None:
        try:
            plain(tensors, *args, **options)
        except RuntimeError as error:
            with contextlib.suppress(Exception):  # whatever goes wrong with us is not theirs
                noted.refuse(tensors, error)
            raise
        with contextlib.suppress(Exception):  # whatever goes wrong with us is not the program's
            noted.look(tensors)

    torch.autograd.backward = backward
    try:
        yield noted
    finally:
        torch.autograd.backward = plain
        for hook in hooks:
            hook.remove()


def _tensors(losses: Any) -> Iterator[torch.Tensor]:
    for each in losses if isinstance(losses, (list, tuple)) else (losses,):
        if isinstance(each, torch.Tensor):
            yield each


def _total(loss: torch.Tensor) -> float:
    """The sum of a loss, to six digits: kernels round differently; 0 where there are no values."""
    if type(loss) is not torch.Tensor:
        return 0.0
    with torch.no_grad():
        total = float(loss.detach().double().sum())
    return float(f"{total:.6g}") if math.isfinite(total) else 0.0


def _finite(loss: torch.Tensor) -> bool:
    with torch.no_grad():
        return type(loss) is not torch.Tensor or bool(torch.isfinite(loss).all())
