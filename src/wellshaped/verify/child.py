"""Does something in a forked child of this process and brings its result back: nothing else stays.

The child has one thread, as the workers of a data loader do: in its first parallel region it would
wait for threads that only its parent has (OpenMP, torch 2.13).
"""

from __future__ import annotations

import contextlib
import os
import pickle
import select
import shutil
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

_GRACE = 5.0


@dataclass(frozen=True, slots=True)
class Child:
    """Work that is under way; `scratch` is a folder of its own, removed at the end."""

    pid: int
    reading: int
    scratch: Path
    deadline: float


def begin(work: Callable[[Path], Any], *, seconds: float) -> Child:
    """Start the work; it should end by itself in time. Every child must be ended."""
    reading, writing = os.pipe()
    scratch = Path(tempfile.mkdtemp(prefix="wellshaped-"))
    with warnings.catch_warnings():
        # Python 3.12 warns when other threads run; the child starts none and waits for none.
        warnings.simplefilter("ignore", DeprecationWarning)
        pid = os.fork()
    if pid == 0:
        os.close(reading)
        _work(work, writing, scratch)
    os.close(writing)
    return Child(pid, reading, scratch, time.monotonic() + seconds + _GRACE)


def end(child: Child) -> Any:
    """Wait for the result; None where the child left none."""
    try:
        data = _received(child)
    finally:
        os.close(child.reading)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(child.pid, 0)
        shutil.rmtree(child.scratch, ignore_errors=True)
    return None if data is None else pickle.loads(data)


def _received(child: Child) -> bytes | None:
    parts: list[bytes] = []
    while True:
        left = max(0.0, child.deadline - time.monotonic())
        ready, _, _ = select.select([child.reading], [], [], left)
        if not ready:
            os.kill(child.pid, signal.SIGKILL)
            return None
        part = os.read(child.reading, 1 << 20)
        if not part:
            return b"".join(parts) or None
        parts.append(part)


def _work(work: Callable[[Path], Any], writing: int, scratch: Path) -> None:
    """In the child: never returns, whatever the work does."""
    data = b""
    with contextlib.suppress(BaseException):
        torch.set_num_threads(1)
        _mute()
        data = pickle.dumps(work(scratch))
    with contextlib.suppress(BaseException), os.fdopen(writing, "wb") as pipe:
        pipe.write(data)
    os._exit(0)


def _mute() -> None:
    """What the child prints is nobody's: neither on the terminal nor in a notebook's streams."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    warnings.simplefilter("ignore")  # a test that makes them errors means those of its own process
