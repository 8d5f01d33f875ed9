"""Other processes of a program in a dry run: children that it forks, and commands that only read.

A forked child has the overlay, the audit hook and the kernel's rules of its parent. An
interpreter that is started anew has not: `multiprocessing` forks instead, whatever the start
method. A child hands over what it saw when it ends; what it ran is followed by nobody else, and a
note says so.
"""

from __future__ import annotations

import _posixsubprocess
import contextlib
import glob
import multiprocessing.context as contexts
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from multiprocessing import resource_tracker
from typing import Any

from wellshaped.execute.sandbox.notes import Notes, aside
from wellshaped.execute.sandbox.overlay import Overlay
from wellshaped.execute.sandbox.read_only_commands import reading, reading_line
from wellshaped.execute.sandbox.rebind import Replacement

Pairs = list[tuple[Any, Any]]


def process_functions() -> list[Any]:
    """What is replaced here."""
    return [os.fork, os._exit, _posixsubprocess.fork_exec, os.get_terminal_size]


class Processes:
    """Starts what can be contained, and knows the children of this process."""

    def __init__(self, overlay: Overlay, notes: Notes) -> None:
        self._overlay = overlay
        self._notes = notes
        self._owner = os.getpid()
        self.seen: Callable[[], Any] = tuple  # what this process has seen, to be handed over
        self.on_exception: Callable[[BaseException], None] = _nothing  # what ends a child
        self._children: set[int] = set()

    def replacements(self) -> Pairs:
        """What starts a process and raises no event, or needs its answer changed."""
        _fork_always(self._start)
        vars(subprocess)["_USE_POSIX_SPAWN"] = False  # `fork_exec`, for which there is a body
        pairs: list[tuple[Callable[..., Any], Callable[..., Any]]] = [
            (os.fork, self._fork),
            (os._exit, self._exit),
            (_posixsubprocess.fork_exec, self._fork_exec),
            (os.get_terminal_size, _terminal_size),
        ]
        return [(original, Replacement(original, body)) for original, body in pairs]

    def refuses(self, command: Any) -> bool:
        """Whether a command may do more than read, or would read what the program has changed."""
        if isinstance(command, (str, bytes)):
            words: list[str] = [os.fsdecode(command)]
            return reading_line(words[0]) is None or self._reads_changed(words)
        words = [os.fsdecode(word) for word in command]
        return reading(words) is None or self._reads_changed(words)

    def is_child(self, process: int) -> bool:
        """Whether this process started it: it may send it signals."""
        return process in self._children

    def leave_if_forked(self, status: int) -> None:
        """End a forked child that came to the end of the program: what follows is its parent's."""
        if os.getpid() != self._owner:
            with contextlib.suppress(Exception):
                sys.stdout.flush()
            with aside:
                self._exit(status)

    def handed_over(self) -> list[Any]:
        """What each child had seen when it ended, but for those that were killed."""
        found = []
        for path in sorted(glob.glob(f"{self._overlay.scratch}/child-*[0-9]")):
            with open(path, "rb") as file, contextlib.suppress(Exception):  # a child wrote it
                found.append(pickle.load(file))
        return found

    def end(self) -> None:
        """End the children that the program left running."""
        for child in self._children:
            with contextlib.suppress(OSError):
                if os.waitpid(child, os.WNOHANG)[0] == 0:
                    os.kill(child, signal.SIGKILL)
                    os.waitpid(child, 0)

    def _fork(self) -> int:
        self._notes.unwatched("os.fork")
        child = os.fork()
        if child:
            self._children.add(child)
        else:
            self._children.clear()
        return child

    def _start(self, process: Any, popen: Callable[[Any], Any]) -> Any:
        """Start a process of `multiprocessing`, which would print its exception and no more."""
        run = process.run

        def watched() -> None:
            try:
                run()
            except Exception as error:
                self.on_exception(error)
                raise

        vars(process)["run"] = watched
        return popen(process)

    def _exit(self, status: int) -> None:
        if os.getpid() != self._owner:
            path = f"{self._overlay.scratch}/child-{os.getpid()}"
            # What cannot be written is lost, as the note of every child says.
            with contextlib.suppress(Exception):
                with open(f"{path}-draft", "wb") as file:
                    pickle.dump(self.seen(), file)
                os.rename(f"{path}-draft", path)
        os._exit(status)

    def _fork_exec(self, arguments: Any, executables: Any, *rest: Any) -> int:
        words = [os.fsdecode(word) for word in arguments]
        allowed = None if self.refuses(words) else reading(words)
        # What is run between fork and exec would be run as ours.
        if allowed is None or any(map(callable, rest)):
            raise self._notes.refused("fork_exec", " ".join(words))
        if allowed[0] != words[0]:
            executables = (os.fsencode(allowed[0]),)
        close, keep, folder, *others = rest
        if folder is None and os.path.isdir(self._overlay.cwd):
            folder = os.fsencode(self._overlay.cwd)  # this process may be in the scratch folder
        child: int = _posixsubprocess.fork_exec(
            [os.fsencode(word) for word in allowed], executables, close, keep, folder, *others
        )
        self._children.add(child)
        return child

    def _reads_changed(self, words: Sequence[str]) -> bool:
        """Whether a word names a file that only the overlay has, or has otherwise."""
        if not self._overlay.touched:
            return False
        named = {each for word in words for each in word.split() if not each.startswith("-")}
        virtual = [self._overlay.resolve(each) for each in named if "\0" not in each]
        return any(self._overlay.real(each) != each for each in virtual)


def _fork_always(start: Callable[[Any, Callable[[Any], Any]], Any]) -> None:
    """Let each start method of `multiprocessing` fork: another interpreter has no sandbox."""
    forks: Any = contexts.ForkProcess
    processes: tuple[Any, ...] = (forks, contexts.SpawnProcess, contexts.ForkServerProcess)
    popen, after_fork = forks._Popen, forks._after_fork
    for process in processes:
        process._Popen = staticmethod(lambda started: start(started, popen))
        process._after_fork = staticmethod(after_fork)
    kinds: tuple[Any, ...] = (contexts.SpawnContext, contexts.ForkServerContext)
    for context in kinds:
        # Semaphores are then unlinked at once; `get_start_method()` of the module says the name.
        context.get_start_method = _says_fork
    # It would start a process that cleans up after the program; here that is the caller's.
    tracker: Any = resource_tracker.ResourceTracker
    tracker._send = _nothing


def _says_fork(self: Any, allow_none: bool = False) -> str:
    return "fork"


def _nothing(*_: Any) -> None:
    pass


def _terminal_size(*descriptor: int) -> os.terminal_size:
    try:
        return os.get_terminal_size(*descriptor)
    except OSError:  # a dry run has no terminal, where the program's own run has one
        return os.terminal_size((80, 24))
