"""Ends a run when its CPU time is spent: in the child, where the parent's signal arrives.

The parent counts (`meter`) and sends SIGXCPU, once a second until the run ends: python drops an
exception that comes while it collects garbage. A program's own alarms, profilers and threads are
left alone, and before the end no signal disturbs it.
"""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from dataclasses import dataclass

from wellshaped.execute.cpu_time import cpu_seconds
from wellshaped.execute.forked.meter import sees_processes

_TICK = 0.25


class TimeUp(BaseException):
    """The budget of a run is spent."""


@dataclass
class Bell:
    """Whether the time of a run was over: a program may catch `TimeUp`, and go on or end."""

    rung: bool = False

    def ring(self, *_: object) -> None:
        """End the run."""
        self.rung = True
        raise TimeUp


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[Bell]:
    """Raise `TimeUp` inside when this process is told that its time is over."""
    bell = Bell()
    signal.signal(signal.SIGXCPU, bell.ring)
    try:
        with contextlib.nullcontext() if sees_processes() else _counted_here(seconds, bell):
            yield bell
    finally:
        signal.signal(signal.SIGXCPU, signal.SIG_IGN)


@contextlib.contextmanager
def _counted_here(seconds: float, bell: Bell) -> Iterator[None]:
    """Count in this process, where the system (macOS) shows its parent no other process."""
    end = cpu_seconds() + seconds

    def tick(*_: object) -> None:
        if cpu_seconds() > end:
            bell.ring()

    signal.signal(signal.SIGPROF, tick)
    signal.siginterrupt(signal.SIGPROF, False)
    signal.setitimer(signal.ITIMER_PROF, _TICK, _TICK)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
