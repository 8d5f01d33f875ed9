"""A small process between this one and a run: it outlives neither, and nothing outlives it.

The keeper starts the run, waits for its end or for the end of its own parent, however that comes
(a signal, `kill -9`, a crash), ends every process that the run has started, and takes away its
folder and its shared memory. Ctrl-C does not reach it: it has a session of its own. On Linux it
adopts what the run detaches from itself; elsewhere it ends the process group of the run.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import secrets
import select
import shutil
import signal
import stat
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

from wellshaped.execute.sandbox.shared_memory import remove_shared

_SET_DEATH_SIGNAL, _SET_SUBREAPER = 1, 36
PREFIX = "wellshaped-"
_TICK = 0.5
_PATIENCE = 5.0


def forked(body: Callable[[set[Any]], NoReturn]) -> int:
    """Fork: the child does `body`, with signals blocked, given those that were not; its number.

    A Ctrl-C waits until the caller can know of the child.
    """
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    try:
        with warnings.catch_warnings():
            # Python 3.12 warns when other threads run; the child starts none and waits for none.
            warnings.simplefilter("ignore", DeprecationWarning)
            pid = os.fork()
        if pid == 0:
            body(mask)
        return pid
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def new_folder() -> Path:
    """The path of a temporary folder that is not there yet."""
    return Path(tempfile.gettempdir(), f"{PREFIX}{secrets.token_hex(6)}")


@contextlib.contextmanager
def kept_folder() -> Iterator[Path]:
    """A temporary folder that goes with the block, and with this process, however it ends."""
    folder = new_folder()
    held, life = os.pipe()

    def wait(_: object) -> NoReturn:
        with contextlib.suppress(BaseException):  # nobody is left to be told
            parent = os.getppid()
            os.close(life)
            os.setsid()
            _close_all_but(held)
            _status(0, held, parent)
        remove_leftovers(folder)
        os._exit(0)

    pid = forked(wait)
    os.close(held)
    try:
        folder.mkdir(0o700)
        yield folder
    finally:
        os.close(life)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, 0)


def keep(
    folder: Path,
    *,
    life: int,
    report: int,
    run: Callable[[], object],
    tell: Callable[[int | None, str], None],
) -> NoReturn:
    """In a forked child, with signals blocked: be the keeper of `run`; never returns.

    `life` is the end of a pipe whose other end only the parent has. `run` is called in a child
    that has `folder`. `tell` is given the wait status of the run, None where it was ended, and why
    it could not be started.
    """
    parent, status, error = os.getppid(), None, ""
    with contextlib.suppress(BaseException):  # nobody is left to be told; what was made must go
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        _prctl(_SET_SUBREAPER, 1)
        try:
            folder.mkdir(0o700)
            keeper, started = os.getpid(), os.fork()
            if started == 0:
                _run(run, keeper)
            _close_all_but(life, report)
            status = _status(started, life, parent)
            end_all(started)
        except OSError as failure:
            error = str(failure)
    with contextlib.suppress(BaseException):
        remove_leftovers(folder)
        tell(status, error)
    os._exit(0)


def end_with(parent: int) -> None:
    """Let this process be killed when its parent ends (Linux; elsewhere nothing happens)."""
    _prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:  # it ended before the request was made
        os._exit(1)


def remove_leftovers(folder: Path) -> None:
    """Take away a folder with what a run left in and by it, whatever modes it was given."""
    for each in _nested(folder):
        remove_shared(each)
    with contextlib.suppress(OSError):
        for above, _, _ in os.walk(folder):
            os.chmod(above, stat.S_IRWXU)
    shutil.rmtree(folder, ignore_errors=True)


def _nested(folder: Path) -> Iterator[Path]:
    """The folder of a run, and those of the runs that it started and could not end."""
    yield folder
    for inner in folder.glob(f"{PREFIX}*"):
        yield from _nested(inner)


def _run(run: Callable[[], object], keeper: int) -> NoReturn:
    try:
        end_with(keeper)
        os.setpgid(0, 0)
        run()
    finally:
        os._exit(1)


def _close_all_but(*kept: int) -> None:
    """The keeper holds nothing of its parent's: no pipe may stay open for it."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    last = 2
    for each in sorted(kept):
        os.closerange(last + 1, each)
        last = each
    os.closerange(last + 1, max(open_descriptors(), default=last) + 1)


def open_descriptors() -> Iterator[int]:
    """The numbers of what this process has open."""
    for folder in ("/proc/self/fd", "/dev/fd"):
        with contextlib.suppress(OSError):
            yield from sorted(map(int, os.listdir(folder)))
            return
    yield from range(os.sysconf("SC_OPEN_MAX"))


def _status(started: int, life: int, parent: int) -> int | None:
    """Wait for the run, if there is one; None if the parent lets go, or is gone, before."""
    poll = select.poll()
    poll.register(life, select.POLLIN | select.POLLHUP)
    tick = 0.02
    if started and hasattr(os, "pidfd_open"):
        with contextlib.suppress(OSError):  # Linux before 5.3
            poll.register(os.pidfd_open(started), select.POLLIN)
            tick = _TICK
    while True:
        let_go = any(number == life for number, _ in poll.poll(tick * 1000))
        with contextlib.suppress(ChildProcessError):  # there is none
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                if ended[0] == started:
                    return ended[1]
        if let_go or os.getppid() != parent:
            return None
        _pass_on(started)


def _pass_on(started: int) -> None:
    """That its time is over (`meter`) is said to the keeper, and meant for the run."""
    while signal.SIGXCPU in signal.sigpending():
        signal.sigwait({signal.SIGXCPU})
        if started:
            os.kill(started, signal.SIGXCPU)


def end_all(started: int) -> None:
    """Kill every process that descends from this one: orphans of the killed come to us."""
    until = time.monotonic() + _PATIENCE
    while _has_children() and time.monotonic() < until:
        with contextlib.suppress(OSError):
            os.killpg(started, signal.SIGKILL)
        for pid in _children():
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.001)
    if sys.platform != "linux":  # there what the run has orphaned is not ours
        with contextlib.suppress(OSError):
            os.killpg(started, signal.SIGKILL)


def _has_children() -> bool:
    """Whether there are any, after those that have ended were taken leave of."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def _children() -> Iterator[int]:
    """The processes whose parent this one is; none where the system does not tell."""
    own = str(os.getpid())
    for name in os.listdir("/proc") if sys.platform == "linux" else ():
        if name.isdecimal():
            with contextlib.suppress(OSError):
                text = Path("/proc", name, "stat").read_text(errors="replace")
                if text.rpartition(")")[2].split()[1] == own:
                    yield int(name)


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
