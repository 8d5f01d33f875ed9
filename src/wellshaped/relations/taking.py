"""Takes a step of a running program: waits for a batch, forks, and lets children run it changed.

The first step of a run is only watched. From then on, whatever comes first, a batch of a loader or
a call of a model with gradients on, is where the process forks: each child changes the batch, runs
on to `backward()` on a tape, and leaves the tape in a file. Nothing of the program runs after it.
"""

from __future__ import annotations

import contextlib
import gc
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

import torch
from torch.nn.modules import module as modules

from wellshaped.execute import Loaders, aside, decoded, to_json
from wellshaped.records.source import Passage
from wellshaped.relations.batch import StepBatch, batch_of, tensors_given
from wellshaped.relations.left_out import left_out
from wellshaped.relations.tape import Tape, TapeEntry
from wellshaped.source import is_library

__between_program_and_torch__ = True

_MOST_TRIES = 3
_BUFFERS = "_buffers"

Change = Callable[[StepBatch], None]


class StepTaken(BaseException):
    """The step was taken: the program need not go on."""


class InChild(BaseException):
    """This process is a child now: it goes on with the program, at once."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a child tells of its run beside its tape; `stopped` is why there is none."""

    stopped: str = ""
    entries: tuple[TapeEntry, ...] = ()
    passages: tuple[Passage, ...] = ()
    ends: tuple[int, ...] = ()
    met: bool = False
    full: bool = False
    drew: bool = False
    slope: int | None = None
    idle: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TapedRun:
    """A step that ran: what was told, and the result of each entry.

    `slope` is the gradient at the first result that has rows and learns: its entry, and its values.
    """

    told: Told
    results: list[torch.Tensor]

    @property
    def slope(self) -> torch.Tensor | None:
        """The gradient, where there is one."""
        return self.results[-1] if self.told.slope is not None else None


@dataclass
class Taker:
    """Waits for the step of a program, and asks what is to be done with it.

    `study` is given the batch, and a function that runs the step with a change of it. It answers
    whether another batch, or another reading of this one, should be tried.
    """

    folder: Path
    study: Callable[[StepBatch, Runner], bool]
    seconds: float
    steps: int = 0
    tries: int = 0
    child: TapingChild | None = None
    _depth: int = 0

    def give(self, batch: Any, rows: int | None) -> None:
        """A loader gives a batch to the program."""
        if self.child is not None:
            self.child.leave("another_batch")
        if self._waits and rows:
            self.take(batch_of(batch, None, rows))

    def called(self, module: torch.nn.Module, args: Any) -> None:
        """A model is called."""
        if self.child is None and self._waits and torch.is_grad_enabled():
            with contextlib.suppress(LookupError):
                caller = _caller()
                given = (args, _keywords())
                first = next(each for each in tensors_given(given) if each.dim())
                around = list(_names_in_sight(caller))
                for axis in range(min(first.dim(), 2)):
                    batch = batch_of(given, around, first.shape[axis], axis)
                    if axis and (batch is None or len(batch.tensors) < 2):
                        break  # nothing else has that many rows
                    if not self.take(batch):
                        break
                if self.tries and not self.in_child:
                    self._end()

    def backward(self, losses: Any) -> None:
        """The program calls `backward`."""
        if self.child is not None:
            self.child.end(losses)
        self.steps += 1

    @property
    def in_child(self) -> bool:
        """Whether this process is a child that runs a changed step."""
        return self.child is not None

    @property
    def _waits(self) -> bool:
        return self.steps > 0 and self.tries < _MOST_TRIES

    def take(self, batch: StepBatch | None) -> bool:
        """Study a batch; whether another reading of it should be tried. False in a child."""
        if batch is None:
            return True
        self.tries += 1
        try:
            again = self.study(batch, Runner(self, batch, _buffers()))
        except InChild:
            return False
        if not again:
            self._end()
        return True

    def _end(self) -> NoReturn:
        self.tries = _MOST_TRIES  # whatever the program makes of it
        raise StepTaken


@dataclass
class Runner:
    """Runs the step from here to its end, in a child, with a change of its batch."""

    taker: Taker
    batch: StepBatch
    fixed: frozenset[int]
    runs: int = 0

    def __call__(
        self, change: Change, *, places: bool = False, running_statistics: bool = False
    ) -> TapedRun:
        """What came of it; raises `InChild` in the child."""
        self.runs += 1
        path = self.taker.folder / f"step-{self.taker.tries}-{self.runs}"
        with aside:
            reading, writing = os.pipe()
            child = os.fork()
        if child == 0:
            os.close(reading)
            own = frozenset(id(each.held) for each in self.batch.parts)
            with torch._C.DisableTorchFunction(), torch.no_grad():
                change(self.batch)
            tape = Tape(self.batch.rows, own, self.fixed, places, running_statistics)
            self.taker.child = TapingChild(tape, path, writing)
            tape.__enter__()  # type: ignore[no-untyped-call]
            raise InChild
        os.close(writing)
        _wait(child, reading, self.taker.seconds)
        return _read(path)


@dataclass
class TapingChild:
    """A child that runs a step: it leaves its tape, and never goes beyond."""

    tape: Tape
    path: Path
    life: int

    def end(self, losses: Any) -> NoReturn:
        """The step is at its end."""
        tape = self.tape
        with torch._C.DisableTorchFunction():
            given = tensors_given([losses])
            found = [tape.number_of(each) for each in given]
            ends = tuple(each for each in found if each is not None)
            slope, idle = _slopes(tape, given)
            self._leave(
                Told(
                    "" if ends else "no_loss",
                    tuple(tape.entries),
                    tuple(tape.passages),
                    ends,
                    tape.met,
                    tape.full,
                    tape.drew_elsewhere,
                    slope,
                    idle,
                )
            )

    def leave(self, why: str) -> NoReturn:
        """It cannot go on."""
        self._leave(Told(why))

    def _leave(self, told: Told) -> NoReturn:
        with aside, contextlib.suppress(BaseException), torch._C.DisableTorchFunction():
            torch.save(self.tape.results, self.path.with_suffix(".tape"))
            self.path.write_bytes(to_json(told))
        with aside:
            os._exit(0)


def _read(path: Path) -> TapedRun:
    with aside:
        try:
            told = decoded(path.read_bytes())
            results = torch.load(path.with_suffix(".tape"), weights_only=True)
        except (OSError, ValueError, TypeError, RuntimeError):
            return TapedRun(Told("stopped"), [])
        for each in (path, path.with_suffix(".tape")):
            each.unlink(missing_ok=True)
    return TapedRun(told, results)


def _wait(child: int, reading: int, seconds: float) -> None:
    """Wait for a child, which holds the other end of a pipe until it is gone."""
    until = time.monotonic() + seconds
    with aside:
        while (left := until - time.monotonic()) > 0:
            if select.select([reading], [], [], left)[0]:
                break
        else:
            os.kill(child, signal.SIGKILL)
        os.close(reading)
        os.waitpid(child, 0)


@contextlib.contextmanager
def watched(taker: Taker, loaders: Loaders | None = None) -> Iterator[None]:
    """Watch batches, models and backward passes of the program inside."""
    plain = torch.autograd.backward

    def backward(tensors: Any, *args: Any, **options: Any) -> None:
        taker.backward(tensors)
        plain(tensors, *args, **options)

    hook = modules.register_module_forward_pre_hook(
        lambda module, args: taker.called(module, args) if _is_outermost() else None
    )
    if loaders is not None:
        loaders.on_given = taker.give
    torch.autograd.backward = backward
    try:
        yield
    finally:
        torch.autograd.backward = plain
        hook.remove()


def _is_outermost() -> bool:
    """Whether the program itself calls this module: no other module is under way."""
    frame: FrameType | None = sys._getframe(2)
    calls = 0
    while frame is not None:
        calls += frame.f_code is _CALL
        frame = frame.f_back
    return calls == 1


_CALL = torch.nn.Module._call_impl.__code__


def _keywords() -> Any:
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code is not _CALL:
        frame = frame.f_back
    return frame.f_locals.get("kwargs") if frame is not None else None


def _caller() -> FrameType:
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and is_library(frame.f_code.co_filename):
        frame = frame.f_back
    if frame is None:
        raise LookupError
    return frame


def _names_in_sight(frame: FrameType | None) -> Iterator[Any]:
    """The values of the names that the program holds, in every function under way."""
    while frame is not None:
        if not is_library(frame.f_code.co_filename):
            yield list(frame.f_locals.values())
        frame = frame.f_back


def _buffers() -> frozenset[int]:
    """What modules hold beside their parameters."""
    return frozenset(
        id(each)
        for held in gc.get_objects()
        if issubclass(type(held), torch.nn.Module)
        for each in vars(held).get(_BUFFERS, {}).values()
        if each is not None
    )


def _slopes(tape: Tape, losses: list[torch.Tensor]) -> tuple[int | None, tuple[str, ...]]:
    """Where the gradient was taken, which goes behind the results; and what learns from nobody."""
    number, first = tape.first_with_rows()
    if first is None or any(each.numel() != 1 for each in losses):
        return None, ()
    with contextlib.suppress(RuntimeError):
        total = sum(losses[1:], losses[0])
        (slope,) = torch.autograd.grad(total, [first], allow_unused=True)
        if slope is not None:
            tape.results.append(slope.detach().clone())
            return number, left_out(list(tape.weights.values()))
    return None, ()
