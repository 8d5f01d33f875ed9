"""Does something in a forked child of this process and brings its result back: nothing else stays.

The child has one thread, as the workers of a data loader do: in its first parallel region it would
wait for threads that only its parent has (OpenMP, torch 2.13). Files and memory that the parent
has open are copies there (`inherited`, `mappings`); a keeper ends it with all it has started.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import resource
import secrets
import select
import signal
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NoReturn

import torch

from wellshaped.execute.forked.inherited import make_files_private
from wellshaped.execute.forked.keeper import (
    forked,
    keep,
    new_folder,
    open_descriptors,
    remove_leftovers,
)
from wellshaped.execute.forked.mappings import make_memory_private
from wellshaped.execute.forked.meter import LOOK, Meter
from wellshaped.execute.forked.wire import Frames, NotPlain, frame_of
from wellshaped.execute.sandbox.shared_memory import MARKS, mark_shared_memory

_PATIENCE = 10.0
# What a frame holds: the result, what was seen so far, why there is no result, how it ended.
_RESULT, _SO_FAR, _FAILED, _ENDED = b"=", b"+", b"!", b"."
_PIPE = 1 << 20
_SET_PIPE_SIZE = getattr(fcntl, "F_SETPIPE_SZ", 1031)

How = Literal["under way", "done", "died", "late"]


@dataclass(eq=False, slots=True)
class Child:
    """Work that is under way; `scratch` is a folder of its own, removed at the end.

    `result` is None until the work is done, and where the child left none: then `how` and
    `reason` say what became of it, and `so_far` is the last that it told.
    """

    pid: int
    reading: int
    life: int
    scratch: Path
    meter: Meter
    frames: Frames
    how: How = "under way"
    result: Any = None
    so_far: Any = None
    reason: str = ""


def begin(work: Callable[[Path], Any], *, seconds: float, listens: bool = True) -> Child:
    """Start the work, which may use these CPU seconds. Every child must be ended, or dropped.

    One that `listens` is told when they are over (`clock`), and should then end by itself.
    """
    scratch, key = new_folder(), secrets.token_bytes(16)
    reading, writing = os.pipe()
    held, life = os.pipe()

    def keeping(mask: set[Any]) -> NoReturn:
        os.close(reading)
        os.close(life)
        answer = _Answer(writing, key)
        keep(
            scratch,
            life=held,
            report=writing,
            run=lambda: _work(work, answer, scratch, mask),
            tell=lambda status, error: answer.send(_ENDED, (status, error)),
        )

    pid = forked(keeping)
    os.close(writing)
    os.close(held)
    meter = Meter(pid, seconds, listens=listens)
    return Child(pid, reading, life, scratch, meter, Frames(key))


def end(child: Child) -> Any:
    """Wait for the result; None where the child left none."""
    try:
        while not finished([child]):
            pass
    finally:
        drop(child)  # a Ctrl-C leaves none running
    return child.result


def finished(children: Sequence[Child]) -> list[Child]:
    """Wait until something comes from one of them; those that are done, or late, with it."""
    poll = select.poll()
    for child in children:
        poll.register(child.reading, select.POLLIN)
    ready = {number for number, _ in poll.poll(LOOK * 1000)}
    found = []
    for child in children:
        is_open = _read(child) if child.reading in ready else True
        if not is_open or child.meter.over():
            drop(child, how="late" if is_open else "died")
            found.append(child)
    return found


def drop(child: Child, *, how: How = "died") -> None:
    """End a child with all it has started, and see that what it left is taken away."""
    if child.pid == 0:
        return  # it was dropped before
    life, child.life = child.life, -1
    if life >= 0:
        os.close(life)  # the keeper does the rest
    until = time.monotonic() + _PATIENCE
    while _readable(child, until) and _read(child):
        pass
    os.close(child.reading)
    with contextlib.suppress(OSError):
        if time.monotonic() > until:
            os.kill(child.pid, signal.SIGKILL)
        os.waitpid(child.pid, 0)
    if child.scratch.exists():
        remove_leftovers(child.scratch)  # the keeper itself was killed
    child.pid, child.how = 0, "done" if child.how == "done" else how
    _explain(child)


def tell(value: Any) -> None:
    """In a child: send what was seen so far; it counts if the child dies before its result.

    Nothing happens elsewhere, in processes that the child has forked, and when too much was told.
    """
    if _answer is not None:
        _answer.tell(value)


@dataclass(slots=True)
class _Answer:
    """The end of the pipe that the child writes to; half of what it holds is for what is told."""

    descriptor: int
    key: bytes
    owner: int = 0
    room: int = 0
    lock: Any = field(default_factory=threading.Lock)

    def move(self) -> None:
        """Put it where a program does not come by accident, and make room for what is told."""
        least = max(64, min(resource.getrlimit(resource.RLIMIT_NOFILE)[0], 1024) - 64)
        least += secrets.randbelow(32)
        number = fcntl.fcntl(self.descriptor, fcntl.F_DUPFD_CLOEXEC, least)
        os.close(self.descriptor)
        self.descriptor, self.owner, self.room = number, os.getpid(), 1 << 15
        with contextlib.suppress(OSError):  # Linux has larger pipes, if their number allows
            self.room = fcntl.fcntl(number, _SET_PIPE_SIZE, _PIPE) // 2

    def tell(self, value: Any) -> None:
        if os.getpid() != self.owner:
            return
        with contextlib.suppress(NotPlain, OSError):  # the result will show it
            frame = frame_of(value, key=self.key, kind=_SO_FAR)
            if len(frame) <= self.room:
                self.room -= len(frame)
                self._write(frame)

    def send(self, kind: bytes, value: Any) -> None:
        self._write(frame_of(value, key=self.key, kind=kind))

    def _write(self, frame: bytes) -> None:
        """Write all of it: half a frame, as an alarm would leave, makes the rest unreadable."""
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        try:
            with self.lock:
                while frame:
                    frame = frame[os.write(self.descriptor, frame) :]
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)


_answer: _Answer | None = None


def _readable(child: Child, until: float) -> bool:
    poll = select.poll()
    poll.register(child.reading, select.POLLIN)
    return bool(poll.poll(max(0.0, until - time.monotonic()) * 1000))


def _read(child: Child) -> bool:
    """Take what has come; whether more may come."""
    part = os.read(child.reading, 1 << 20)
    try:
        for kind, value in child.frames.take(part):
            _take(child, kind, value)
    except NotPlain as error:
        child.reason = str(error)
    return bool(part)


def _take(child: Child, kind: bytes, value: Any) -> None:
    if kind == _RESULT:
        child.how, child.result = "done", value
    elif kind == _SO_FAR:
        child.so_far = value
    elif kind == _FAILED:
        child.reason = value
    else:
        status, error = value
        child.reason = child.reason or error or (how_it_ended(status) if status is not None else "")


def _explain(child: Child) -> None:
    """What became of a child; a result does not count if something else wrote beside it."""
    if child.frames.garbled:
        child.how, child.result = "died", None
        child.reason = "the program wrote into the pipe of its result"
    elif child.how == "late":
        child.reason = "it did not end in time"
    elif child.how == "done":
        child.reason = ""
    elif not child.reason:
        child.reason = "its process left no status"


def how_it_ended(status: int) -> str:
    """How a process came to its end, from its wait status."""
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        return f"exited by os._exit({code})"
    name = signal.Signals(-code).name if -code in signal.valid_signals() else f"signal {-code}"
    known = {"SIGSEGV": "segmentation fault", "SIGABRT": "aborted", "SIGBUS": "bus error"}
    return f"{known[name]} ({name})" if name in known else f"killed by {name}"


def _work(work: Callable[[Path], Any], answer: _Answer, scratch: Path, mask: set[Any]) -> None:
    """In the child: never returns, whatever the work does."""
    global _answer
    try:
        answer.move()
        _settle(scratch, answer.descriptor)
        _answer = answer
        signal.signal(signal.SIGXCPU, signal.SIG_IGN)  # until somebody listens (`clock`)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        answer.send(_RESULT, work(scratch))
    except BaseException as error:  # the child has nobody else to tell
        with contextlib.suppress(BaseException):
            answer.send(_FAILED, f"{type(error).__name__}: {error}")
    os._exit(0)


def _settle(scratch: Path, answer: int) -> None:
    """Nothing of the parent's is within reach; what the child leaves goes with its folder."""
    tempfile.tempdir = str(scratch)
    torch.set_num_threads(1)
    _mute()
    marks = os.open(scratch / MARKS, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)
    number = fcntl.fcntl(marks, fcntl.F_DUPFD_CLOEXEC, answer + 1)
    os.close(marks)
    others = [each for each in open_descriptors() if each not in (0, 1, 2, answer, number)]
    make_memory_private(others)
    make_files_private(scratch / "inherited", others)
    mark_shared_memory(scratch, number)


def _mute() -> None:
    """What the child prints is nobody's: neither on the terminal nor in a notebook's streams."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    os.close(nothing)
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    warnings.simplefilter("ignore")  # a test that makes them errors means those of its own process
