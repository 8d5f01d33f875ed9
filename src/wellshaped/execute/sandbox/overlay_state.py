"""What the processes of one run know together of the overlay: whether it is used, what is deleted.

A forked child has its own memory, and its parent must see what it deleted. Paths are kept in a
file that only grows; each process reads on where its length in shared memory has changed.
"""

from __future__ import annotations

import mmap
import os
import struct

_LENGTH = struct.Struct("Q")
_TOUCHED = _LENGTH.size


class Hidden:
    """The virtual paths that are deleted or replaced: nothing shows from below them."""

    def __init__(self, log: str) -> None:
        self._log = log
        self._shared = mmap.mmap(-1, _LENGTH.size + 1)  # anonymous: no descriptor to be closed
        self._read = 0
        self._paths: set[str] = set()

    @property
    def touched(self) -> bool:
        """Whether anything was written: until then every path is what it seems."""
        return bool(self._shared[_TOUCHED])

    def touch(self) -> None:
        """From now on paths have to be looked up."""
        self._shared[_TOUCHED] = 1

    def add(self, path: str) -> None:
        """Hide a path from all processes of the run."""
        self.touch()
        log = os.open(self._log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(log, os.fsencode(path) + b"\0")
            _LENGTH.pack_into(self._shared, 0, os.fstat(log).st_size)
        finally:
            os.close(log)

    def covers(self, path: str) -> bool:
        """Whether the path or a folder above it is hidden."""
        paths = self._known()
        while paths and path not in paths:
            path, _, name = path.rpartition("/")
            if not name:
                return False
        return bool(paths)

    def _known(self) -> set[str]:
        if _LENGTH.unpack_from(self._shared)[0] != self._read:
            start = self._read  # another thread may be doing the same
            with open(self._log, "rb") as log:
                log.seek(start)
                new = log.read()
            whole = new.rpartition(b"\0")[0]  # another process may be writing the last one
            self._paths.update(map(os.fsdecode, whole.split(b"\0") if whole else ()))
            self._read = start + len(whole) + bool(whole)
        return self._paths
