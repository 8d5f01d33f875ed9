"""Judges every loss call inside a `with` block, before torch sees it."""

from __future__ import annotations

import warnings
from contextlib import ContextDecorator
from contextvars import ContextVar
from dataclasses import replace
from typing import Any, Literal

import torch

from wellshaped.contracts.call import BadCall, Target, bind, resolve, signature
from wellshaped.contracts.judge import judge_bound
from wellshaped.contracts.registry import ROWS
from wellshaped.observe.frames import user_place
from wellshaped.observe.hooks import Hook, Hooks, Original
from wellshaped.records.mismatch import ShapeMismatch, table
from wellshaped.records.observation import LossCall, Place
from wellshaped.records.verdict import Verdict

OnHazard = Literal["raise", "warn", "record"]


class ShapeWarning(UserWarning):
    """A loss call that runs and does not compute what was asked for."""


class guard(ContextDecorator):  # noqa: N801 - read as a statement: `with guard():`
    """Judge every loss call inside the block, by functional, module or subclass.

    `on_hazard` says what happens to a call that torch accepts but pairs or reduces in a way
    it does not document: "raise" a `ShapeMismatch`, "warn", or "record" it in `.calls`.
    A call torch refuses raises torch's own exception, with the contract as a note on it.
    Applies to the thread (or task) that entered it; compiled code runs as it was compiled.
    """

    def __init__(self, on_hazard: OnHazard = "raise"):
        if on_hazard not in ("raise", "warn", "record"):
            raise BadCall("WS914", f'on_hazard is "raise", "warn" or "record", not {on_hazard!r}')
        self.on_hazard = on_hazard
        self._seen: dict[tuple[str, Place], LossCall] = {}

    @property
    def calls(self) -> tuple[LossCall, ...]:
        """The hazards seen so far, one for each place, with how often each happened."""
        return tuple(self._seen.values())

    def __enter__(self) -> guard:
        _hooks.acquire()
        _stack.set((*_stack.get(), self))
        return self

    def __exit__(self, *_: object) -> None:
        _stack.set(_stack.get()[:-1])
        _hooks.release()

    def _meet(self, call: LossCall) -> None:
        if self.on_hazard == "raise":
            raise ShapeMismatch(_headline(call.verdict), call.verdict, call.facts)
        key = (call.loss, call.place)
        known = self._seen.get(key)
        self._seen[key] = call if known is None else replace(known, count=known.count + 1)
        if self.on_hazard == "warn" and known is None:
            text = "\n".join((_headline(call.verdict), *table(call.verdict, call.facts)))
            warnings.warn_explicit(text, ShapeWarning, call.place.file, call.place.line)


_stack: ContextVar[tuple[guard, ...]] = ContextVar("wellshaped guards", default=())


def _headline(verdict: Verdict) -> str:
    return f"`{verdict.loss}` accepts these shapes and does not compute the loss they ask for"


def _make_hook(name: str, original: Original) -> Hook:
    """The hook of one loss: a look-up for what was accepted before, else the slow way."""
    accepted: set[Any] = set()
    is_compiling = torch.compiler.is_compiling
    current = _stack.get
    nests = name == "linear_cross_entropy"  # it calls `cross_entropy` for its own end

    def hook(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if is_compiling():
            return original(*args, **kwargs)
        stack = current()
        if not stack:
            return original(*args, **kwargs)
        key = signature(args, kwargs)
        if key in accepted and not nests:
            return original(*args, **kwargs)
        judged = _judge(name, args, kwargs)
        if judged is None:
            return original(*args, **kwargs)
        verdict, facts = judged
        if verdict.outcome == "accept":
            if key is not None:
                accepted.add(key)
        elif verdict.outcome == "hazard":
            stack[-1]._meet(LossCall(name, verdict, facts, user_place()))
        else:
            return _explained(original, args, kwargs, verdict, facts)
        return _run(original, args, kwargs, alone=nests)

    return hook


def _run(original: Original, args: Any, kwargs: Any, *, alone: bool) -> Any:
    if not alone:
        return original(*args, **kwargs)
    token = _stack.set(())
    try:
        return original(*args, **kwargs)
    finally:
        _stack.reset(token)


def _explained(
    original: Original, args: Any, kwargs: Any, verdict: Verdict, facts: dict[str, Any]
) -> Any:
    try:
        return _run(original, args, kwargs, alone=True)
    except Exception as error:
        error.add_note("\n".join(("wellshaped:", *table(verdict, facts))))
        raise


def _judge(name: str, args: Any, kwargs: Any) -> tuple[Verdict, dict[str, Any]] | None:
    """The verdict and the facts it rests on; None where no contract can say."""
    if any(_symbolic(value) for value in (*args, *kwargs.values())):
        return None
    try:
        if name == "adaptive_log_softmax_with_loss":
            target, args = resolve(args[0]), args[1:]
            kwargs = {key.rstrip("_"): value for key, value in kwargs.items()}
        else:
            target = Target(ROWS[name], {})
        bound = bind(target, args, kwargs)
    except BadCall:
        return None
    return judge_bound(target.contract, bound), {key: bound[key] for key in target.contract.tensors}


def _symbolic(value: Any) -> bool:
    if not isinstance(value, torch.Tensor):
        return False
    return not all(type(size) is int for size in value.shape)


_hooks = Hooks(_make_hook)
