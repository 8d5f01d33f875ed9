"""Shared memory and semaphores of the program: noted where it makes them, removed after it.

They have names in a folder of the system, not in the overlay. Python's own are seen as they are
made; those that torch makes in C bear the number of the process. A segment that somebody else has
made is copied when it is opened, and is never removed. Not seen: System V segments, and names that
other libraries choose in C.
"""

from __future__ import annotations

import contextlib
import importlib
import math
import os
import shutil
import stat
import time
from multiprocessing import process
from pathlib import Path
from typing import Any

MARKS = "marks"
_FOLDER = "/dev/shm"
# What stands before and after the number of the process: names of torch, of `multiprocessing`.
_BY_PROCESS = (("torch_", "_"), ("sem.mp-", "-"))


class Marks:
    """A file with a line for each process of the run, and for each name it made."""

    def __init__(self, folder: Path, descriptor: int) -> None:
        self._folder = folder
        self._descriptor = descriptor
        self._made: set[str] = set()

    def add(self, kind: str, name: str) -> None:
        """Write a line; the file is read after the run, however that ends."""
        with contextlib.suppress(OSError):  # a program that closes everything closes this, too
            os.write(self._descriptor, f"{kind} {name}\n".encode())

    def is_own(self, name: str) -> bool:
        """Whether the program made the segment of this name, or nobody did."""
        return name in self._made or not os.path.exists(os.path.join(_FOLDER, name))

    def opened(self, plain: Any, path: str, flags: int, mode: int) -> int:
        """Open a segment: the program's own, or a copy of somebody else's."""
        name = path.removeprefix("/")
        if self.is_own(name):
            if flags & os.O_CREAT:
                self._made.add(name)
                self.add("name", name)
            return int(plain(path, flags, mode))
        if flags & os.O_EXCL or flags & os.O_ACCMODE == os.O_RDONLY:
            return int(plain(path, flags, mode))
        copy = self._folder / f"segment-{len(self._made)}-{os.getpid()}"
        shutil.copyfile(os.path.join(_FOLDER, name), copy)
        return os.open(copy, flags & ~os.O_CREAT | os.O_CLOEXEC)


def mark_shared_memory(folder: Path, descriptor: int) -> None:
    """Note, from now on, what this process and those it forks share beyond the file system.

    `descriptor` is that of `MARKS` in the folder, open for appending.
    """
    marks = Marks(folder, descriptor)
    marks.add("begun", str(time.time()))
    marks.add("pid", str(os.getpid()))
    os.register_at_fork(after_in_child=lambda: marks.add("pid", str(os.getpid())))
    # The prefix of the names that `multiprocessing` makes up, here and in what it forks.
    config: Any = vars(process.current_process())["_config"]
    config["semprefix"] = f"/mp-{os.getpid()}"
    with contextlib.suppress(ImportError):  # systems without POSIX shared memory
        _watch(importlib.import_module("_posixshmem"), marks)


def _watch(memory: Any, marks: Marks) -> None:
    plain_open, plain_unlink = memory.shm_open, memory.shm_unlink

    def shm_open(path: str, flags: int, mode: int = 0o777) -> int:
        return marks.opened(plain_open, path, flags, mode)

    def shm_unlink(path: str) -> None:
        if marks.is_own(path.removeprefix("/")):
            plain_unlink(path)

    memory.shm_open, memory.shm_unlink = shm_open, shm_unlink


def remove_shared(folder: Path) -> None:
    """Take away what the processes of a run shared and did not remove."""
    try:
        lines = [line.partition(" ") for line in (folder / MARKS).read_text().splitlines()]
        names = os.listdir(_FOLDER)
    except OSError:
        return
    said = {kind: {name for each, _, name in lines if each == kind} for kind, _, _ in lines}
    begun = min(map(float, said.get("begun", ())), default=math.inf)
    pids = said.get("pid", ())
    prefixes = tuple(f"{before}{pid}{after}" for pid in pids for before, after in _BY_PROCESS)
    for name in names:
        if name in said.get("name", ()) or name.startswith(prefixes):
            _remove(os.path.join(_FOLDER, name), begun)


def _remove(path: str, begun: float) -> None:
    """Remove a file of the run; one that is older has the number of a process long gone."""
    with contextlib.suppress(OSError):
        found = os.lstat(path)
        is_own = found.st_uid == os.getuid() and found.st_mtime >= begun - 1.0
        if stat.S_ISREG(found.st_mode) and is_own:
            os.unlink(path)
