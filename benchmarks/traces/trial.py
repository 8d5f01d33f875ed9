"""Checks a program that goes one way, in a process of its own, and looks at what is left."""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import importlib
import json
import os
import resource
import signal
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, Literal

from benchmarks.traces.way import Way, program
from benchmarks.traces.world import World

What = Literal["contained", "refused", "leaves a trace"]
_BECOME_SUBREAPER, _SECONDS, _GRACE = 36, 60.0, 1.0


@dataclass(frozen=True, slots=True)
class Result:
    """What became of an attempt, whether the program was checked to its end, and its traces."""

    what: What
    went_on: bool
    traces: tuple[str, ...] = ()


def tried(way: Way, *, landlock: bool) -> Result:
    """Check the program of a way; `landlock` is whether the kernel may help."""
    with World() as world:
        text = program(way, world.places())
        (world.home / "program.py").write_text(text.source, encoding="utf-8")
        world.remember()
        told = _checked(world, landlock)
        traces = [*told["traces"], *world.traces()]
    lines = _lines(told["out"])
    what: What = "contained" if text.seen in lines else "refused"
    return Result("leaves a trace" if traces else what, text.end in lines, tuple(traces))


def _lines(out: str) -> set[int]:
    """The lines of the findings; where a program could not be run there are none."""
    try:
        return {each["line"] for each in json.loads(out)["findings"]}
    except ValueError:
        return set()


def _checked(world: World, landlock: bool) -> dict[str, Any]:
    """Run `wellshaped check` in a fork of this process, which has torch loaded."""
    answer = world.root / "answer.json"
    pid = os.fork()
    if pid == 0:
        try:
            told = _check(world, landlock)
            answer.write_text(json.dumps(told), encoding="utf-8")
        finally:
            os._exit(0)
    os.waitpid(pid, 0)
    found: dict[str, Any] = {"out": "", "traces": ["the check itself ended"]}
    with contextlib.suppress(OSError, ValueError):
        found = json.loads(answer.read_text(encoding="utf-8"))
    return found


def _check(world: World, landlock: bool) -> dict[str, Any]:
    from wellshaped.cli import main

    traces: list[str] = []

    def on_signal(number: int, frame: FrameType | None) -> None:
        traces.append("signalled the process that checks")

    os.setsid()
    ctypes.CDLL(None).prctl(_BECOME_SUBREAPER, 1, 0, 0, 0)
    signal.signal(signal.SIGUSR1, on_signal)
    os.environ.update(HOME=str(world.home), TMPDIR=str(world.temporary))
    tempfile.tempdir = None
    os.chdir(world.home)
    os.set_inheritable(world.inherited, True)
    output = world.root / "out"
    os.dup2(os.open(output, os.O_WRONLY | os.O_CREAT), 1)
    os.dup2(os.open(world.root / "err", os.O_WRONLY | os.O_CREAT), 2)
    sys.stdout, sys.stderr = (os.fdopen(number, "w", closefd=False) for number in (1, 2))
    resource.setrlimit(resource.RLIMIT_CORE, (resource.getrlimit(resource.RLIMIT_CORE)[1],) * 2)
    before = _state()
    asked = [] if landlock else ["--no-kernel-sandbox"]
    main(["check", "--format", "json", "--budget", str(_SECONDS), *asked, "program.py"])
    sys.stdout.flush()
    atexit._run_exitfuncs()  # some of what a check has made goes with its process
    traces += _processes()
    if _state() != before:
        traces.append("changed the process that checks")
    out = output.read_text(encoding="utf-8", errors="replace")
    if "\x1b" in out + (world.root / "err").read_text(errors="replace"):
        traces.append("escape sequences in the output")
    return {"out": out, "traces": traces}


def _state() -> tuple[object, ...]:
    """What a process has of its own."""
    mask = os.umask(0)
    os.umask(mask)
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    return (os.getcwd(), dict(os.environ), mask, limits, os.getpriority(os.PRIO_PROCESS, 0))


def _processes() -> list[str]:
    """Those that outlive the check: orphans come to the process that asked for them."""
    deadline = time.monotonic() + _GRACE
    while (left := _children()) and time.monotonic() < deadline:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)
        time.sleep(0.05)
    for pid in left:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return ["left a process"] * len(left)


def _children() -> list[int]:
    """The processes whose parent this is, those that have ended left out."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, parent = path.read_text().rpartition(")")[2].split()[:2]
            if int(parent) == os.getpid() and state != "Z":
                found.append(int(path.parent.name))
    return found


def warm() -> None:
    """Load once what every check loads."""
    importlib.import_module("wellshaped.pipeline.check")
