"""What `os.scandir` yields for a folder that two layers make up: `os.DirEntry` cannot be made."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from typing import Any


class Entry:
    """A name in a folder; what it asks of the file goes through the overlay as all calls do."""

    def __init__(self, given: Any, folder: str, name: str) -> None:
        is_bytes = isinstance(given, bytes)
        self.name: Any = os.fsencode(name) if is_bytes else name
        self.path: Any = os.path.join(given, self.name)
        self._full = os.path.join(folder, name)  # `given` is relative, or no path but a descriptor

    def __fspath__(self) -> Any:
        return self.path

    def __repr__(self) -> str:
        return f"<DirEntry {self.name!r}>"

    def inode(self) -> int:
        """The number of the file in its file system."""
        return self.stat(follow_symlinks=False).st_ino

    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
        """Its facts, as `os.stat` gives them."""
        return os.stat(self._full, follow_symlinks=follow_symlinks)

    def is_dir(self, *, follow_symlinks: bool = True) -> bool:
        """Whether it is a folder."""
        return self._is(stat.S_ISDIR, follow_symlinks)

    def is_file(self, *, follow_symlinks: bool = True) -> bool:
        """Whether it is a plain file."""
        return self._is(stat.S_ISREG, follow_symlinks)

    def is_symlink(self) -> bool:
        """Whether it is a link."""
        return self._is(stat.S_ISLNK, False)

    def is_junction(self) -> bool:
        """Never: only Windows has junctions; `os.walk` asks since Python 3.12."""
        return False

    def _is(self, kind: Callable[[int], bool], follow: bool) -> bool:
        try:
            return kind(self.stat(follow_symlinks=follow).st_mode)
        except FileNotFoundError:
            return False


class Entries:
    """The entries of a folder, to be iterated, closed, or used in a `with` statement."""

    def __init__(self, entries: list[Entry]) -> None:
        self._left = iter(entries)

    def __iter__(self) -> Iterator[Entry]:
        return self

    def __next__(self) -> Entry:
        return next(self._left)

    def __enter__(self) -> Entries:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Nothing more is yielded."""
        self._left = iter(())
