"""Runs one step of a caller's program on batches of several sizes, each in a child of its own."""

from __future__ import annotations

import contextlib
import inspect
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import torch

from wellshaped.contracts.call import BadCall
from wellshaped.execute import limited, must_be_confined, running_writers, sandboxed, start_again
from wellshaped.execute.cpu_time import cpu_seconds
from wellshaped.execute.forked.child import begin, end, tell
from wellshaped.observe.batches import Rows
from wellshaped.observe.failure.raised import raised_of
from wellshaped.observe.observers import observing
from wellshaped.observe.result import RunResult, Setting
from wellshaped.observe.run import outcome, prepare_guard, user_places_of

Step = Callable[..., Any]


def observe_step(step: Step, rows: Rows, size: int, *, seconds: float) -> RunResult:
    """Run the step on a batch of this size; nothing of the caller's changes."""
    must_be_confined()
    prepare_guard()
    setting = Setting(size)
    call = calling(step, rows.batch, whole=rows.samples)

    writers = running_writers()

    def work(scratch: Path) -> RunResult:
        def attempt() -> None:
            start_again(writers)
            call(rows.of(size))

        return _observed(attempt, setting, scratch, seconds)

    child = begin(work, seconds=seconds)
    end(child)
    return outcome(child, setting)


def calling(step: Step, batch: Any, *, whole: bool = False) -> Callable[[Any], Any]:
    """How the step takes its batch: whole, spread over its parameters, or by their names.

    A mapping whose keys are parameters is given by name. What else can be called with one
    argument gets the batch whole; otherwise a tuple or list is spread.
    """
    try:
        signature = inspect.signature(_with_parameters(step))
    except (TypeError, ValueError):
        return step  # some builtins tell nothing of their parameters
    by_name = isinstance(batch, Mapping) and all(isinstance(key, str) for key in batch)
    if by_name and set(batch) <= set(signature.parameters) and _binds(signature, **batch):
        return lambda given: step(**given)
    if _binds(signature, batch):
        return step
    if isinstance(batch, (list, tuple)) and not whole and _binds(signature, *batch):
        return lambda given: step(*given)
    if by_name and _binds(signature, **batch):
        return lambda given: step(**given)
    raise BadCall("WS972", f"the step, called as {signature}, cannot take this batch")


def must_be_able_to_fork(rows: Rows) -> None:
    """A forked child has no accelerator: what is checked runs on the CPU."""
    if not hasattr(os, "fork"):
        raise BadCall("WS974", "this system cannot fork, and a step is run in a forked child")
    if torch.cuda.is_initialized():
        raise BadCall("WS974", "this process has used CUDA, which a forked child cannot")
    for each in rows.arrays():
        if isinstance(each, torch.Tensor) and each.device.type not in ("cpu", "meta"):
            raise BadCall("WS974", f"a tensor of the batch is on {each.device}; it must be on cpu")


@contextlib.contextmanager
def same_random_state() -> Iterator[None]:
    """What happens inside leaves torch's random numbers as they were."""
    with torch.random.fork_rng(devices=()):
        yield


def _with_parameters(step: Step) -> Step:
    """A module tells its parameters by `forward`: `__call__` takes anything."""
    forward: Step = step.forward if isinstance(step, torch.nn.Module) else step
    return forward


def _binds(signature: inspect.Signature, *args: Any, **kwargs: Any) -> bool:
    try:
        signature.bind(*args, **kwargs)
    except TypeError:
        return False
    return True


def _observed(
    call: Callable[[], Any], setting: Setting, scratch: Path, seconds: float
) -> RunResult:
    start, size = cpu_seconds(), setting.batch
    assert size is not None
    seen: BaseException | None = None

    def died() -> RunResult:
        """What counts if the step ends this process."""
        return RunResult(
            setting,
            "died",
            hazards=observers.watch.suspects,
            sizes=(size,),
            batch_sizes_seen=(size,),
            current=size,
            batch=size,
        )

    with observing() as observers, sandboxed(scratch / "overlay") as sandbox:
        observers.on_new(lambda: tell(died()))
        try:
            with limited(seconds) as bell:
                call()
        except BaseException as error:  # `sys.exit` in a step is an outcome, too
            seen = error
    late = bell.rung  # whatever the step made of it
    raised = None if late else seen
    stack = [] if seen is None else user_places_of(seen)
    facts = raised_of(raised) if raised else None
    return RunResult(
        setting,
        "late" if late else "raised" if raised else "ended",
        observation=observers.observe_failure(raised) if raised else None,
        error=f"{facts.type}: {facts.message}" if facts else "",
        place=stack[-1] if stack else None,
        stack=tuple(stack),
        hazards=observers.watch.suspects,
        sizes=(size,),
        batch_sizes_seen=(size,),
        current=size,
        batch=size,
        seconds=cpu_seconds() - start,
        refused=tuple(note for note in sandbox.notes if note.kind != "redirected"),
        raised=facts,
    )
