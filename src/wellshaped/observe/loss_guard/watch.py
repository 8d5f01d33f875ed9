"""Judges every loss call inside a `with` block, before torch sees it."""

from __future__ import annotations

import contextlib
import sys
import warnings
from collections.abc import Callable, Mapping
from contextlib import ContextDecorator
from contextvars import ContextVar
from dataclasses import replace
from types import FrameType
from typing import Any, Literal

import torch
from torch.overrides import handle_torch_function

from wellshaped.contracts.call import BadCall
from wellshaped.contracts.questions import losses
from wellshaped.contracts.registry import ROWS, functional, parameters
from wellshaped.observe.failure.exception import observe_hazard
from wellshaped.observe.loss_guard.hooks import Hook, Hooks
from wellshaped.observe.loss_guard.judged_values import judge_values
from wellshaped.observe.loss_guard.loss_values import loss_values
from wellshaped.records.facts import Facts
from wellshaped.records.mismatch import ShapeMismatch, table
from wellshaped.records.observation import LossCall
from wellshaped.records.shape import TensorFact
from wellshaped.records.source import Place
from wellshaped.records.verdict import Verdict
from wellshaped.source.frames import user_place
from wellshaped.source.internal_calls import in_internal_call, internal_calls, user_calls

OnHazard = Literal["raise", "warn", "record"]
_THROUGH = handle_torch_function.__code__


class ShapeWarning(UserWarning):
    """A loss call that runs and does not compute what was asked for."""


class guard(ContextDecorator):  # noqa: N801 - read as a statement: `with guard():`
    """Judge every loss call inside the block, by functional, module or subclass.

    `on_hazard` says what happens to a call that torch accepts but pairs or reduces in a way
    it does not document: "raise" a `ShapeMismatch`, "warn", or "record" it in `.calls`.
    A call torch refuses raises torch's own exception, with the contract as a note on it.
    Applies to the thread (or task) that entered it, or, `everywhere`, to all that have no
    guard of their own; compiled code runs as it was compiled. Entering raises a `ValueError`
    with the code WS943 where a known hazard is not seen.
    """

    # Asked of a loss call that fits, with its input: where no record of the run tells more.
    inspect: Callable[[str, Any], Facts | None] | None = None
    # What tells the batch size at a call, where something does: a loader that gave the batch.
    batch_size: Callable[[], int | None] = staticmethod(lambda: None)

    def __init__(self, on_hazard: OnHazard = "raise", *, everywhere: bool = False):
        if on_hazard not in ("raise", "warn", "record"):
            raise BadCall("WS914", f'on_hazard is "raise", "warn" or "record", not {on_hazard!r}')
        self.on_hazard = on_hazard
        self.everywhere = everywhere
        # Places of which somebody was told already: they are counted, and not warned of again.
        self.told: set[Place] = set()
        self._seen: dict[tuple[str, Place], LossCall] = {}
        self._one_way: dict[tuple[str, Place], LossCall] = {}
        self._inspected: dict[tuple[str, Place], LossCall] = {}
        # Called when a place is met for the first time: a run that dies has told of it.
        self.on_new: Callable[[], None] = lambda: None

    @property
    def calls(self) -> tuple[LossCall, ...]:
        """The hazards seen so far, one for each place, with how often each happened."""
        return tuple(self._seen.values())

    @property
    def suspects(self) -> tuple[LossCall, ...]:
        """The hazards, calls that cannot be differentiated, calls whose input is a fault."""
        return (*self._one_way.values(), *self._inspected.values(), *self._seen.values())

    def __enter__(self) -> guard:
        _hooks.acquire()
        if self.everywhere:
            _everywhere.append(self)
        else:
            _stack.set((*_stack.get(), self))
        return self

    def __exit__(self, *_: object) -> None:
        if self.everywhere:
            _everywhere.remove(self)
        else:
            _stack.set(_stack.get()[:-1])
        _hooks.release()

    def _suspect(self, call: LossCall, held: dict[str, Any]) -> None:
        if self.on_hazard == "record" and torch.is_grad_enabled():
            self._add(self._one_way, replace(call, observation=observe_hazard(call.loss, held)))

    def _keep_inspected(self, call: LossCall, held: dict[str, Any], facts: Facts) -> None:
        """Keep a call that fits, and whose input is a fault all the same."""
        seen = observe_hazard(call.loss, held)
        if seen is not None:
            seen = replace(seen, kind="silent", facts=facts)
            self._add(self._inspected, replace(call, observation=seen))

    def _add(self, calls: dict[tuple[str, Place], LossCall], call: LossCall) -> None:
        if calls.setdefault((call.loss, call.place), call) is call:
            self.on_new()

    def _meet(self, call: LossCall, held: dict[str, Any]) -> None:
        if self.on_hazard == "raise":
            raise ShapeMismatch(_headline(call.verdict), call.verdict, call.facts)
        key = (call.loss, call.place)
        known = self._seen.get(key)
        if known is None and self.on_hazard == "record":
            call = _examined(call, held)
        seen = call if known is None else replace(known, count=known.count + 1)
        batch = self.batch_size()
        rows = _rows(call.facts) if batch is None else {batch}
        self._seen[key] = replace(seen, rows=seen.rows | rows)
        if known is None:
            self.on_new()
        if self.on_hazard == "warn" and known is None and call.place not in self.told:
            text = "\n".join((_headline(call.verdict), *table(call.verdict, call.facts)))
            warnings.warn_explicit(text, ShapeWarning, call.place.file, call.place.line)


_stack: ContextVar[tuple[guard, ...]] = ContextVar("wellshaped guards", default=())
_everywhere: list[guard] = []


def _rows(facts: Mapping[str, Any]) -> frozenset[int]:
    """The number of rows of a call: the smallest leading size of its tensors."""
    shapes = [each.shape for each in facts.values() if isinstance(each, TensorFact)]
    return frozenset([min(shape[0] for shape in shapes if shape)] if any(shapes) else [])


def _headline(verdict: Verdict) -> str:
    return f"`{verdict.loss}` accepts these shapes and does not compute the loss they ask for"


def _make_hook(name: str) -> Hook:
    """The hook of one loss: a look-up for what was accepted before, else the slow way."""
    accepted: set[Any] = set()
    is_compiling = torch.compiler.is_compiling
    current = _stack.get
    names = tuple(each.name for each in parameters(name))

    def before(values: tuple[Any, ...]) -> None:
        if is_compiling():
            return
        stack = current() or _everywhere
        if not stack or in_internal_call():
            return
        key = _key(values)
        if key in accepted:
            return
        try:
            outcome = meet(values, stack[-1])
        except (ShapeMismatch, Warning):
            raise
        except Exception:  # whatever goes wrong with us is not the program's
            return
        if outcome == "accept" and key is not None:
            accepted.add(key)

    def meet(values: tuple[Any, ...], innermost: guard) -> str:
        judged = judge_values(name, names, values)
        if judged is None:
            return "unknown"
        verdict, facts = judged
        if verdict.outcome == "hazard" and not _nested() and not _entered_again(name):
            call = LossCall(name, verdict, facts, user_place())
            innermost._meet(call, dict(zip(names, values, strict=False)))
        elif verdict.outcome == "accept" and verdict.backward == "raises":
            call = LossCall(name, verdict, facts, user_place())
            innermost._suspect(call, dict(zip(names, values, strict=False)))
            return "one way"
        elif verdict.outcome == "accept" and innermost.inspect is not None:
            known = innermost.inspect(name, values[0])
            if known is not None and not _nested() and not _entered_again(name):
                call = LossCall(name, verdict, facts, user_place())
                innermost._keep_inspected(call, dict(zip(names, values, strict=False)), known)
        return verdict.outcome

    def failed(error: Exception, values: tuple[Any, ...]) -> None:
        stack = current() or _everywhere
        if is_compiling() or not stack or in_internal_call() or stack[-1].everywhere:
            return
        with contextlib.suppress(Exception):
            judged = judge_values(name, names, values)
            if judged is not None and not judged[0].accepted and not hasattr(error, "__notes__"):
                error.add_note("\n".join(("wellshaped:", *table(*judged))))

    return Hook(before, failed)


def _key(values: tuple[Any, ...]) -> Any:
    """What a verdict depends on; None when it cannot be a key."""
    key = tuple(
        [
            value
            if value is None or value.__class__ is str
            else (value.shape, value.dtype)
            if isinstance(value, torch.Tensor)
            else (value.__class__, value)
            for value in values
        ]
    )
    try:
        hash(key)
    except TypeError:
        return None
    return key


def _nested() -> bool:
    """Whether the loss was called by another loss, for its own end."""
    return sys._getframe(4).f_code.co_name in ROWS


def _entered_again(name: str) -> bool:
    """Whether this is the second way into one call, through a mode or a kind of tensor."""
    frame: FrameType | None = sys._getframe(4)
    while frame is not None:
        if frame.f_code is _THROUGH and frame.f_locals.get("public_api") is functional(name):
            return True
        frame = frame.f_back
    return False


def _examined(call: LossCall, held: dict[str, Any]) -> LossCall:
    """The call with what its frames tell while they are there, and its value row by row."""
    values = None
    with contextlib.suppress(Exception), internal_calls(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        values = loss_values(call.loss, held)
    return replace(call, observation=observe_hazard(call.loss, held), values=values)


# Losses of two tensors that broadcast in silence: torch itself warns of none of them.
_SILENT = [
    name for name in ROWS if name in losses(unequal="silent") and len(ROWS[name].predicts) == 1
]


def _sees_a_broadcast() -> bool:
    """Whether a known silent broadcast is seen, by the hook of the first loss that has one."""
    column, vector = torch.zeros(2, 1, device="cpu"), torch.zeros(2, device="cpu")
    token = _stack.set((guard("raise"),))
    try:
        with user_calls():
            for name in [each for each in _SILENT if each not in _hooks.unwatched][:1]:
                functional(name)(column, vector, reduction="sum")
    except ShapeMismatch:
        return True
    finally:
        _stack.reset(token)
    return False


def unwatched_losses() -> tuple[str, ...]:
    """The losses that no guard judges: their hooks could not be made."""
    return _hooks.unwatched


_hooks = Hooks(_make_hook, _sees_a_broadcast)
