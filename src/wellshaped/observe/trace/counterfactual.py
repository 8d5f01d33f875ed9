"""Follows what values would be if one thing had been written otherwise, down to the loss.

A counterfactual begins with a tensor and the values it would have had. Every operation that takes
such a tensor is done twice; where the loss of a backward pass comes out the same, it is dropped.
"""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import torch
from torch.utils._pytree import tree_flatten, tree_map

from wellshaped.source.internal_calls import internal_calls

_MOST_OPEN = 4
_MOST_PASSES = 3
_MOST_TIMES = 2
# A loss that differs by less is the same one, added up in another order.
_TOLERANCE = 1e-5
_ULPS = 4
# What is drawn is data of its own, and what leaves torch is followed by nobody.
_NOT_FOLLOWED = frozenset(
    "multinomial bernoulli poisson normal item tolist numpy __float__ __array__ __bool__ __len__ "  # noqa: SIM905 - a table
    "grad _set_grad_enabled requires_grad_ retain_grad register_hook".split()
)

# Layers that change what they are given besides: a mean that they go on with.
_KEEPING_COUNT = ("batch_norm", "instance_norm")

# Called with what the loss is and what it would be.
OnDifference = Callable[[float, float], None]
# Called before something is put into a tensor; what it gives back is called behind.
OnWrite = Callable[[torch.Tensor, Any, Any], Callable[[], None] | None]


@dataclass(eq=False)
class Counterfactual:
    """One thing that may be meant otherwise, and the values of all that comes of it."""

    key: Any
    differs: OnDifference
    values: dict[int, tuple[Any, torch.Tensor]] = field(default_factory=dict)
    passes: int = 0

    def keep(self, tensor: torch.Tensor, other: torch.Tensor) -> None:
        """Remember what a tensor would be for as long as it lives."""
        key = id(tensor)

        def forget(reference: Any) -> None:
            if key in self.values and self.values[key][0] is reference:
                del self.values[key]

        self.values[key] = (weakref.ref(tensor, forget), other)

    def of(self, value: Any) -> Any:
        """What a value would be; itself where nothing changes it."""
        entry = self.values.get(id(value))
        return entry[1] if entry is not None and entry[0]() is value else value

    def touches(self, given: list[Any]) -> bool:
        """Whether some of these would be others."""
        return any(id(each) in self.values and self.of(each) is not each for each in given)


@dataclass
class Counterfactuals:
    """Those that are open, and how often each place had one."""

    open: list[Counterfactual] = field(default_factory=list)
    times: dict[Any, int] = field(default_factory=dict)
    on_write: list[OnWrite] = field(default_factory=list)
    passes: int = 0
    _state: torch.Tensor | None = None
    _then: list[Callable[[], None]] = field(default_factory=list)
    _before: tuple[Any, torch.Tensor] | None = None

    def begin(self, key: Any, differs: OnDifference) -> Counterfactual | None:
        """That of a place, begun or still open; None where it was followed often enough."""
        for each in self.open:
            if each.key == key:
                return each
        self.open = [each for each in self.open if each.values]
        if len(self.open) >= _MOST_OPEN or self.times.get(key, 0) >= _MOST_TIMES:
            return None
        self.times[key] = self.times.get(key, 0) + 1
        self.open.append(Counterfactual(key, differs))
        return self.open[-1]

    def drop(self, key: Any) -> None:
        """Let go of that of a place."""
        self.open = [each for each in self.open if each.key != key]

    def added_to(self, tensor: torch.Tensor) -> torch.Tensor | None:
        """What a tensor was before something was last added to it in place."""
        known = self._before
        return known[1] if known is not None and known[0]() is tensor else None

    def before(self, func: Any, args: tuple[Any, ...], options: Mapping[str, Any]) -> None:
        """An operation is about to run: keep what it overwrites."""
        name = getattr(func, "__name__", "")
        if name == "__setitem__" and len(args) == 3:
            with contextlib.suppress(Exception), internal_calls(), torch.no_grad():
                self._then = [then for each in self.on_write if (then := each(*args))]
        elif name in ("__iadd__", "add_") and self.on_write:
            self._before = (weakref.ref(args[0]), args[0].detach().clone())
        self._state = None
        given = tree_flatten((args, options))[0] if self.open else []
        for each in self.open:
            if each.touches(given):
                self._state = torch.get_rng_state()
                if is_in_place(name) and not each.touches([args[0]]):
                    each.keep(args[0], args[0].detach().clone())

    def after(self, func: Any, args: tuple[Any, ...], options: Mapping[str, Any], got: Any) -> None:
        """An operation has run: do it again with what its operands would be."""
        name = getattr(func, "__name__", "")
        if name == "backward":
            self.passes += 1
            self._compare_losses(args[0] if args else None)
        elif self._state is not None and name not in _NOT_FOLLOWED and "out" not in options:
            given = tree_flatten((args, options))[0]
            for each in self.open:
                if each.touches(given):
                    with contextlib.suppress(Exception):  # what cannot be repeated is left
                        self._again(each, func, args, options, got)
        while self._then:
            self._then.pop()()

    def _again(self, changed: Counterfactual, func: Any, args: Any, options: Any, got: Any) -> None:
        def instead(value: Any) -> Any:
            other = changed.of(value)
            keeps = getattr(func, "__name__", "") in _KEEPING_COUNT and torch.is_tensor(other)
            return other.clone() if keeps else other

        given, named = tree_map(instead, (args, dict(options)))
        with internal_calls(), torch.no_grad(), _same_draws(self._state):
            other = func(*given, **named)
        for one, two in zip(tree_flatten(got)[0], tree_flatten(other)[0], strict=True):
            known = any(one is each for each in args)
            if isinstance(one, torch.Tensor) and isinstance(two, torch.Tensor) and not known:
                changed.keep(one, two)

    def _compare_losses(self, loss: Any) -> None:
        """A backward pass starts here: what changes its loss is told, the rest is dropped."""
        for each in list(self.open):
            each.passes += 1
            other = each.of(loss)
            if isinstance(loss, torch.Tensor) and other is not loss and loss.numel() == 1:
                self.open.remove(each)
                is_, would_be = float(loss.detach()), float(other)
                most = max(_TOLERANCE, _ULPS * torch.finfo(loss.dtype).eps)
                if abs(is_ - would_be) > most * max(abs(is_), abs(would_be)):
                    each.differs(is_, would_be)
            elif each.passes >= _MOST_PASSES:
                self.open.remove(each)


def is_in_place(name: str) -> bool:
    """Whether an operation writes into what it is given."""
    if name.startswith("__i") and name not in ("__invert__", "__index__", "__int__"):
        return True
    return name == "__setitem__" or (name.endswith("_") and not name.endswith("__"))


@contextlib.contextmanager
def _same_draws(state: torch.Tensor | None) -> Iterator[None]:
    assert state is not None
    with torch.random.fork_rng(devices=[]):
        torch.set_rng_state(state)
        yield
