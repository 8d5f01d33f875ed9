"""Makes the open files of a forked child its own: what it does to them stays in it.

A forked child shares with its parent every open file, with its position, every pipe and socket.
A file that can be written becomes a copy, one that is read gets a position of its own, what leads
to another process leads nowhere. Of a file that is read and written, more than `MOST` bytes in all
are not copied: it can then be read, and a write fails. Where the system shows no path for an open
file it cannot be opened again, and what was open for reading keeps its shared position.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import shutil
import socket
import stat
import sys
from collections.abc import Iterable
from pathlib import Path

from wellshaped.execute.sandbox.overlay import folder_of

MOST = 512 << 20
_KEPT_FLAGS = os.O_APPEND | os.O_NONBLOCK


def make_files_private(folder: Path, numbers: Iterable[int]) -> None:
    """Replace each of these open files by one that is this process's alone; copies go to `folder`.

    One that cannot be replaced is closed.
    """
    folder.mkdir()
    left = MOST
    for number in numbers:
        try:
            mode = os.fstat(number).st_mode
        except OSError:
            continue  # it was the listing itself
        try:
            if stat.S_ISREG(mode):
                left -= _own_file(number, folder / str(number), left)
            else:
                _own_other(number, mode)
        except OSError:
            with contextlib.suppress(OSError):
                os.close(number)


def _own_file(number: int, copy: Path, left: int) -> int:
    """Give a file its own position, and its own contents if it can change them; the bytes copied.

    What can only be written is never read: its copy is a hole of the same size.
    """
    flags = fcntl.fcntl(number, fcntl.F_GETFL)
    access, position = flags & os.O_ACCMODE, os.lseek(number, 0, os.SEEK_CUR)
    size = os.fstat(number).st_size
    copied = size if access == os.O_RDWR else 0
    if access == os.O_RDONLY or copied > left:
        _replace(number, os.open(_path(number), os.O_RDONLY | flags & _KEPT_FLAGS), position)
        return 0
    if copied:
        with open(_path(number), "rb") as source, copy.open("wb") as target:
            shutil.copyfileobj(source, target, 1 << 20)
    new = os.open(copy, access | os.O_CREAT | flags & _KEPT_FLAGS, 0o600)
    os.ftruncate(new, size)
    _replace(number, new, position)
    return copied


def _own_other(number: int, mode: int) -> None:
    """What leads to another process, or to a person, leads nowhere."""
    if stat.S_ISSOCK(mode):
        _replace(number, _lonely(number))
    elif stat.S_ISFIFO(mode) or (stat.S_ISCHR(mode) and os.isatty(number)):
        access = fcntl.fcntl(number, fcntl.F_GETFL) & os.O_ACCMODE
        _replace(number, os.open(os.devnull, access))
    elif stat.S_ISBLK(mode):
        _replace(number, os.open(_path(number), os.O_RDONLY))
    elif not stat.S_IFMT(mode):
        _own_nameless(number)


def _own_nameless(number: int) -> None:
    """Objects of the kernel without a file: an event loop has them, and its parent's would wake."""
    name = folder_of(number) if sys.platform == "linux" else ""
    if "[eventpoll]" in name:
        poll = select.epoll()
        _replace(number, os.dup(poll.fileno()))
        poll.close()
    elif "[eventfd" in name:
        _replace(number, os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC))
    else:
        _replace(number, os.open(os.devnull, os.O_RDWR))


def _lonely(number: int) -> int:
    """A socket of the same kind whose peer is gone: it answers at once, and reaches nobody."""
    with socket.socket(fileno=os.dup(number)) as found:
        kind = socket.SOCK_DGRAM if found.type == socket.SOCK_DGRAM else socket.SOCK_STREAM
        waits = os.get_blocking(number)
    here, there = socket.socketpair(type=kind)
    there.close()
    here.setblocking(waits)
    return here.detach()


def _replace(number: int, new: int, position: int = 0) -> None:
    if position:
        os.lseek(new, position, os.SEEK_SET)
    os.dup2(new, number, inheritable=os.get_inheritable(number))
    os.close(new)


def _path(number: int) -> str:
    """A path that opens the same file again, a deleted one too where the system can."""
    return f"/proc/self/fd/{number}" if sys.platform == "linux" else folder_of(number)
