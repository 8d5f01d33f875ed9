"""Runs functions in forked children, several at a time, and gives their results in order."""

from __future__ import annotations

import contextlib
import os
import pickle
import select
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import torch

Result = TypeVar("Result")


@dataclass
class _Child:
    pid: int
    reading: int
    scratch: Path
    deadline: float
    parts: list[bytes] = field(default_factory=list)


def in_order(
    tasks: Sequence[Callable[[], Result]], *, seconds: float, width: int = 0
) -> Generator[Result | None, None, None]:
    """The result of each task, None for one that died or was late, as soon as it is its turn.

    As many run side by side as there are cores. Closing the iterator ends those under way with
    all their children, and takes away what they left in the folder for temporary files.
    """
    torch.set_num_threads(1)  # or the children wait for threads they do not have
    width = width or max(1, os.cpu_count() or 1)
    running: dict[int, _Child] = {}
    results: dict[int, Result | None] = {}
    begun = turn = 0
    try:
        while turn < len(tasks):
            while len(running) < width and begun < len(tasks):
                running[begun] = _begin(tasks[begun], seconds)
                begun += 1
            if turn in results:
                yield results.pop(turn)
                turn += 1
            else:
                _collect(running, results)
    finally:
        for child in running.values():
            _end(child)


def _begin(task: Callable[[], Result], seconds: float) -> _Child:
    reading, writing = os.pipe()
    scratch = Path(tempfile.mkdtemp(prefix="wellshaped-"))
    pid = os.fork()
    if pid == 0:
        os.setpgid(0, 0)
        os.close(reading)
        _work(task, writing, scratch)
    with contextlib.suppress(OSError):  # the child does it too: whoever is first
        os.setpgid(pid, pid)
    os.close(writing)
    return _Child(pid, reading, scratch, time.monotonic() + seconds)


def _work(task: Callable[[], Result], writing: int, scratch: Path) -> None:
    """The forked child: never returns."""
    tempfile.tempdir = str(scratch)
    with contextlib.suppress(BaseException):  # no result is a result: None
        data = pickle.dumps(task())
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(data)
    os._exit(0)


def _collect(running: dict[int, _Child], results: dict[int, Result | None]) -> None:
    """Wait until something comes, and take the results of those that have ended."""
    first = min(child.deadline for child in running.values())
    wait = max(0.0, first - time.monotonic())
    ready, _, _ = select.select([child.reading for child in running.values()], [], [], wait)
    for place, child in list(running.items()):
        late = time.monotonic() > child.deadline
        part = os.read(child.reading, 1 << 20) if child.reading in ready else b""
        if part:
            child.parts.append(part)
        elif child.reading in ready or late:
            results[place] = None
            with contextlib.suppress(EOFError, pickle.UnpicklingError):  # it died while it wrote
                results[place] = pickle.loads(b"".join(child.parts))
            _end(running.pop(place))


def _end(child: _Child) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    os.close(child.reading)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(child.pid, 0)
    shutil.rmtree(child.scratch, ignore_errors=True)
