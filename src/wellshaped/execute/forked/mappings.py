"""Makes memory that is shared with other processes this process's own, at the same addresses.

A forked child shares with its parent what is mapped as shared: `mmap`, `np.memmap`, tensors in
shared memory, locks of `multiprocessing`. Each such range is mapped again as a private one: of the
same file where it can be opened, which costs nothing, else as a copy. What is larger than `MOST`
and has no file is made read-only: a write then ends the run. Linux only: elsewhere the system does
not tell what is mapped, and shared memory stays shared.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from wellshaped.execute.forked.inherited import MOST

_LINE = re.compile(r"(\w+)-(\w+) (r|-)(w|-)(x|-)s (\w+) (\w+):(\w+) (\d+) *(.*)")
_PRIVATE, _FIXED, _ANONYMOUS = 0x02, 0x10, 0x20
_MAYMOVE_FIXED = 0x01 | 0x02
_FAILED = ctypes.c_void_p(-1).value
# What a device or the kernel is at the other end of is no memory.
_NO_MEMORY = re.compile(r"anon_inode:|/\[|\[|/dev/(?!shm/|zero)|/proc/|/sys/")


@dataclass(frozen=True, slots=True)
class _Range:
    """Shared memory that can be written: where it is, its rights, and what file it is of."""

    start: int
    length: int
    rights: int
    offset: int
    file: tuple[int, int]
    path: str


def can_make_memory_private() -> bool:
    """Whether the system shows what is mapped."""
    return sys.platform == "linux" and os.access("/proc/self/maps", os.R_OK)


def make_memory_private(numbers: Iterable[int]) -> None:
    """Map what is shared and can be written as private; `numbers` are the files still open."""
    if not can_make_memory_private():
        return
    ranges = list(_shared())
    if not ranges:
        return
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = libc.mremap.restype = ctypes.c_void_p
    opened = {_file_of(number): number for number in numbers} if ranges else {}
    left = MOST
    for each in ranges:
        if not _mapped_again(libc, each, opened):
            left -= each.length
            if left < 0 or not _copied(libc, each):
                libc.mprotect(ctypes.c_void_p(each.start), ctypes.c_size_t(each.length), 1)


def _shared() -> Iterator[_Range]:
    with open("/proc/self/maps", errors="surrogateescape") as lines:
        for line in lines:
            found = _LINE.match(line)
            if found is None or found[4] != "w" or _NO_MEMORY.match(found[10]):
                continue
            start, end = int(found[1], 16), int(found[2], 16)
            rights = (found[3] == "r") | (found[4] == "w") << 1 | (found[5] == "x") << 2
            device = os.makedev(int(found[7], 16), int(found[8], 16))
            file = (device, int(found[9]))
            yield _Range(start, end - start, rights, int(found[6], 16), file, found[10])


def _file_of(number: int) -> tuple[int, int]:
    try:
        found = os.fstat(number)
    except OSError:
        return 0, 0
    return found.st_dev, found.st_ino


def _mapped_again(libc: ctypes.CDLL, shared: _Range, opened: dict[tuple[int, int], int]) -> bool:
    """Map the file of a range in its place; what is written there stays in this process."""
    number = opened.get(shared.file)
    path = shared.path if number is None else f"/proc/self/fd/{number}"
    try:
        source = os.open(path, os.O_RDONLY)
    except (OSError, ValueError):
        return False
    try:
        if _file_of(source) != shared.file:
            return False
        at, length = ctypes.c_void_p(shared.start), ctypes.c_size_t(shared.length)
        offset = ctypes.c_long(shared.offset)
        made = libc.mmap(at, length, shared.rights, _PRIVATE | _FIXED, source, offset)
        return bool(made == shared.start)
    finally:
        os.close(source)


def _copied(libc: ctypes.CDLL, shared: _Range) -> bool:
    """Move a copy in the place of a range."""
    length = ctypes.c_size_t(shared.length)
    made = libc.mmap(None, length, 3, _PRIVATE | _ANONYMOUS, -1, ctypes.c_long(0))
    if made is None or made == _FAILED:
        return False
    # The system reads for us: a page behind the end of its file would end this process.
    memory = os.open("/proc/self/mem", os.O_RDONLY)
    with contextlib.suppress(OSError):
        copy = (ctypes.c_char * shared.length).from_address(made)
        view, done = memoryview(copy).cast("B"), 0
        while done < shared.length:
            done += os.preadv(memory, [view[done:]], shared.start + done) or shared.length
    os.close(memory)
    libc.mprotect(ctypes.c_void_p(made), length, shared.rights)
    at = ctypes.c_void_p(shared.start)
    return bool(
        libc.mremap(ctypes.c_void_p(made), length, length, _MAYMOVE_FIXED, at) == shared.start
    )
