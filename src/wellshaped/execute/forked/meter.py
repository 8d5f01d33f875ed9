"""Counts the CPU time of a child with all its descendants, and ends it when that is spent.

CPU time does not pass while a program waits. One that waits for what never comes is ended too:
after it has used almost no CPU time for as many seconds as it may use, and some more.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from dataclasses import dataclass, field
from pathlib import Path

_PROCESSES = Path("/proc")
LOOK = 0.2  # seconds between two looks at a child
_STILL = 1.0
# Seconds, beside its budget, that a child may wait; of those it must use this part, or it waits.
_WAIT, _WORKING = 10.0, 0.01
# What ends a child that uses little CPU time without ever stopping: times its budget, and more.
_TIMES, _MORE = 10.0, 30.0
# A child that was told to end has this CPU time, and this time, for what it has to report.
_GRACE, _GRACE_WAIT = 5.0, 20.0


@dataclass
class Meter:
    """A child's CPU time against the `seconds` it may use; `listens` is whether a signal ends it.

    `spent` is what it was last seen to have used, `rung` is whether it was told to end, `waited`
    is whether that was for using almost nothing.
    """

    pid: int
    seconds: float
    listens: bool = True
    spent: float = 0.0
    rung: bool = False
    waited: bool = False
    _looked: float = field(default_factory=time.monotonic)
    _age: float = 0.0
    _worked: tuple[float, float] = (0.0, 0.0)  # its age and CPU time when it was last at work
    _end: tuple[float, float] = (0.0, 0.0)  # those at which it is ended, told or not
    _told: float = 0.0

    def over(self) -> bool:
        """Look at the child, tell it to end where its time is over; whether it did not obey."""
        self._look()
        if not self.rung and self._is_spent():
            self.rung = True
            self._end = (self._age + _GRACE_WAIT, self.spent + _GRACE)
        if not self.rung:
            return False
        if not self.listens or self._age > self._end[0] or self.spent > self._end[1]:
            return True
        self._tell()
        return False

    def _look(self) -> None:
        now = time.monotonic()
        # While this process itself stood still (Ctrl-Z), so did the child.
        self._age += min(now - self._looked, _STILL)
        self._looked = now
        self.spent = max(self.spent, _used(self.pid))

    def _tell(self) -> None:
        if self._looked - self._told >= 1.0:
            self._told = self._looked
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGXCPU)

    def _is_spent(self) -> bool:
        if self.spent > self.seconds:
            return True
        self.waited = self._waits() or self._age > _TIMES * self.seconds + _MORE
        return self.waited

    def _waits(self) -> bool:
        """Whether it has used almost no CPU time for long."""
        patience = self.seconds + _WAIT
        if self.spent - self._worked[1] > _WORKING * patience:
            self._worked = (self._age, self.spent)
        return sees_processes() and self._age - self._worked[0] > patience


def sees_processes() -> bool:
    """Whether the system shows what other processes use: `/proc`, as on Linux."""
    return (_PROCESSES / "self" / "stat").exists()


def _used(pid: int) -> float:
    """CPU seconds of a process, its descendants, and those of them that were waited for."""
    seconds, todo, seen = 0.0, [pid], set()
    while todo:
        each = todo.pop()
        if each not in seen:
            seen.add(each)
            seconds += _own(each)
            todo += _children(each)
    return seconds


def _own(pid: int) -> float:
    try:
        text = (_PROCESSES / str(pid) / "stat").read_text(errors="replace")
    except OSError:
        return 0.0  # it has ended, or there is no `/proc`
    # The second field is the name of the command, in parentheses: it may hold anything.
    used = text.rpartition(")")[2].split()[11:15]
    return sum(map(int, used)) / os.sysconf("SC_CLK_TCK")


def _children(pid: int) -> list[int]:
    found: list[int] = []
    with contextlib.suppress(OSError):  # the process has ended while its threads were listed
        for file in (_PROCESSES / str(pid) / "task").glob("*/children"):
            with contextlib.suppress(OSError):  # that thread has ended
                found += map(int, file.read_text().split())
    return found
