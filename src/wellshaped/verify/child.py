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
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from wellshaped.verify.meter import LOOK, Meter


@dataclass(eq=False, slots=True)
class Child:
    """Work that is under way; `scratch` is a folder of its own, removed at the end.

    One that `leads` has children of its own, which end with it. `result` is None until the work
    is done, and where the child left none.
    """

    pid: int
    reading: int
    scratch: Path
    meter: Meter
    leads: bool = False
    parts: list[bytes] = field(default_factory=list)
    result: Any = None


def begin(work: Callable[[Path], Any], *, seconds: float, leads: bool = False) -> Child:
    """Start the work, which may use these CPU seconds. Every child must be ended.

    One that does not lead is told when they are over, and should then end by itself.
    """
    reading, writing = os.pipe()
    scratch = Path(tempfile.mkdtemp(prefix="wellshaped-"))
    with warnings.catch_warnings():
        # Python 3.12 warns when other threads run; the child starts none and waits for none.
        warnings.simplefilter("ignore", DeprecationWarning)
        pid = os.fork()
    if pid == 0:
        os.close(reading)
        _work(work, writing, scratch, leads)
    if leads:
        with contextlib.suppress(OSError):  # the child does it too: whoever is first
            os.setpgid(pid, pid)
    os.close(writing)
    return Child(pid, reading, scratch, Meter(pid, seconds, listens=not leads), leads)


def end(child: Child) -> Any:
    """Wait for the result; None where the child left none."""
    while not ended([child]):
        pass
    return child.result


def ended(children: Sequence[Child]) -> list[Child]:
    """Wait until something comes from one of them; those that are done, or late, with it."""
    ready, _, _ = select.select([child.reading for child in children], [], [], LOOK)
    found = []
    for child in children:
        part = os.read(child.reading, 1 << 20) if child.reading in ready else b""
        if part:
            child.parts.append(part)
        elif child.reading in ready or child.meter.over():
            with contextlib.suppress(EOFError, pickle.UnpicklingError):  # it died while it wrote
                child.result = pickle.loads(b"".join(child.parts))
            drop(child)
            found.append(child)
    return found


def drop(child: Child) -> None:
    """End a child, with its own ones if it leads, and take away what it left."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        (os.killpg if child.leads else os.kill)(child.pid, signal.SIGKILL)
    os.close(child.reading)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(child.pid, 0)
    shutil.rmtree(child.scratch, ignore_errors=True)


def _work(work: Callable[[Path], Any], writing: int, scratch: Path, leads: bool) -> None:
    """In the child: never returns, whatever the work does."""
    data = b""
    with contextlib.suppress(BaseException):
        signal.signal(signal.SIGXCPU, signal.SIG_IGN)  # until somebody listens (`clock`)
        if leads:
            os.setpgid(0, 0)
            tempfile.tempdir = str(scratch)  # what its own children leave goes with it
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
