"""A copy-on-write view of the file system: the real files below, a scratch folder above.

Paths that the program uses are *virtual*: absolute, with links resolved, as if its writes had
happened. Behind each stands at most one real file, in the scratch folder or where it always was.
All of this runs while `aside` is held, so plain `os` calls reach the real files. POSIX only.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import stat
import sys
import threading
from typing import Any

from wellshaped.execute.sandbox.overlay_state import Hidden

_LINKS = 40  # as many in a row as Linux follows


def failure(number: int) -> OSError:
    """The error that the system gives for a number; the caller's path is added on its way out."""
    return OSError(number, os.strerror(number), "")


def folder_of(descriptor: int) -> str:
    """The real path of an open file or folder."""
    if sys.platform == "darwin":
        import fcntl

        return os.fsdecode(fcntl.fcntl(descriptor, fcntl.F_GETPATH, bytes(1024)).rstrip(b"\0"))
    return os.readlink(f"/proc/self/fd/{descriptor}")


class Overlay:
    """Which real file stands behind a virtual path, and how one comes to be ours to change."""

    def __init__(self, scratch: str) -> None:
        self.scratch = os.path.realpath(scratch)
        self.cwd = os.getcwd()
        self._upper = os.path.join(self.scratch, "overlay")
        self._hidden = Hidden(os.path.join(self.scratch, "hidden"))
        self._lock = threading.RLock()
        os.makedirs(self._upper, exist_ok=True)
        os.register_at_fork(after_in_child=self._unlock)

    @property
    def touched(self) -> bool:
        """Whether the program or a child of it wrote: until then paths are what they seem."""
        return self._hidden.touched

    def resolve(self, path: Any, *, dir_fd: int | None = None, follow: bool = True) -> str:
        """The virtual path that the program means; `follow` says whether a last link counts."""
        folder = self.cwd if dir_fd is None else self.virtual(folder_of(dir_fd))
        left = os.path.join(folder, os.fsdecode(path)).split("/")[::-1]
        done, links = "", 0
        while left:
            name = left.pop()
            if name == "..":
                done = done.rpartition("/")[0]
            if name in ("", ".", ".."):
                continue
            here = f"{done}/{name}"
            if here.startswith("/proc/"):  # its links lead to open files, not to names
                return "/".join([here, *left[::-1]])
            link = self._link(here) if follow or any(left) else None
            if link is None:
                done = here
                continue
            links += 1
            if links > _LINKS:
                raise failure(errno.ELOOP)
            done = "" if link.startswith("/") else done
            left += link.split("/")[::-1]
        return done or "/"

    def virtual(self, real: str) -> str:
        """The path under which the program knows a real file."""
        return real.removeprefix(self._upper) or "/"

    def find(self, path: str) -> str | None:
        """The real file behind a virtual path, if there is one."""
        upper = self.upper(path)
        if os.path.lexists(upper):
            return upper
        return path if os.path.lexists(path) and not self._hidden.covers(path) else None

    def real(self, path: str) -> str:
        """Where to read it; where there is nothing, a path that the system says so of."""
        return self.find(path) or (self.upper(path) if self._hidden.covers(path) else path)

    def upper(self, path: str) -> str:
        """Where it is, or would be, when it is ours."""
        return path if self.is_ours(path) else self._upper + path

    def is_ours(self, path: str) -> bool:
        """Whether the virtual path lies in the scratch folder: no detour is needed there."""
        return path == self.scratch or path.startswith(self.scratch + "/")

    def names(self, path: str) -> list[str]:
        """What a folder lists: the names of both layers, those from below first."""
        below = os.path.isdir(path) and not self._hidden.covers(path)
        above = os.path.isdir(self.upper(path))
        if not below and not above:
            return os.listdir(self.real(path))  # for the system's own error
        parent = path if path != "/" else ""
        shown = [n for n in os.listdir(path) if self.find(f"{parent}/{n}")] if below else []
        return list(dict.fromkeys([*shown, *(os.listdir(self.upper(path)) if above else ())]))

    def claim(self, path: str, *, keep: bool = True) -> str:
        """A real file in the scratch folder for changing; `keep` brings the contents along.

        Where there is no such file it can be made at the answer, if its folder exists.
        """
        with self._lock:
            below, upper = self.find(path), self.upper(path)
            if below == upper:
                return upper
            if below is None:
                return self._room(path)
            self._claim_folder(os.path.dirname(path))
            with contextlib.suppress(FileExistsError):  # another process was quicker
                _copy(below, upper, f"{self.scratch}/copy-{os.getpid()}", keep=keep)
        return upper

    def create(self, path: str) -> str:
        """Where to make something that must not exist yet."""
        if self.find(path) is not None:
            raise failure(errno.EEXIST)
        return self._room(path)

    def delete(self, path: str) -> None:
        """Remove a file or a link."""
        found = self._removable(path)
        if stat.S_ISDIR(os.lstat(found).st_mode):
            raise failure(errno.EISDIR)
        self._hide(path)

    def delete_folder(self, path: str) -> None:
        """Remove an empty folder."""
        found = self._removable(path)
        if not stat.S_ISDIR(os.lstat(found).st_mode):
            raise failure(errno.ENOTDIR)
        if self.names(path):
            raise failure(errno.ENOTEMPTY)
        self._hide(path)

    def move(self, source: str, target: str) -> None:
        """Rename a file or a folder, in place of what has the new name."""
        moved, replaced = self._removable(source), self.find(target)
        if source == target:
            return
        if target.startswith(source + "/"):
            raise failure(errno.EINVAL)
        is_folder = stat.S_ISDIR(os.lstat(moved).st_mode)
        if replaced is not None and is_folder != stat.S_ISDIR(os.lstat(replaced).st_mode):
            raise failure(errno.ENOTDIR if is_folder else errno.EISDIR)
        if replaced is not None and is_folder and self.names(target):
            raise failure(errno.ENOTEMPTY)
        room = self._room(target)
        self._claim_tree(source)
        self._hide(target)
        os.rename(self.upper(source), room)
        self._hide(source)

    def _link(self, path: str) -> str | None:
        found = self.find(path)
        return os.readlink(found) if found is not None and os.path.islink(found) else None

    def _unlock(self) -> None:
        self._lock = threading.RLock()  # a thread that only the parent has may have held it

    def _room(self, path: str) -> str:
        """Where a new file goes; its folder must exist and allow it, as in the real place."""
        folder = os.path.dirname(path)
        real = self.find(folder)
        if real is None:
            raise failure(errno.ENOENT)
        if not os.path.isdir(real):
            raise failure(errno.ENOTDIR)
        if not os.access(real, os.W_OK):
            raise failure(errno.EACCES)
        self._claim_folder(folder)
        return self.upper(path)

    def _removable(self, path: str) -> str:
        found = self.find(path)
        if found is None:
            raise failure(errno.ENOENT)
        if not os.access(self.real(os.path.dirname(path)), os.W_OK):
            raise failure(errno.EACCES)
        return found

    def _claim_folder(self, path: str) -> None:
        self._hidden.touch()
        upper = self.upper(path)
        if not os.path.isdir(upper):
            self._claim_folder(os.path.dirname(path))
            with contextlib.suppress(FileExistsError):  # another process was quicker
                os.mkdir(upper)
            shutil.copystat(path, upper)
            os.chmod(upper, os.stat(path).st_mode | stat.S_IRWXU)

    def _claim_tree(self, path: str) -> None:
        self.claim(path)
        if stat.S_ISDIR(os.lstat(self.upper(path)).st_mode):
            for name in self.names(path):
                self._claim_tree(f"{path}/{name}")

    def _hide(self, path: str) -> None:
        self._hidden.touch()
        upper = self.upper(path)
        if os.path.isdir(upper) and not os.path.islink(upper):
            shutil.rmtree(upper)
        elif os.path.lexists(upper):
            os.unlink(upper)
        if os.path.lexists(path):
            self._hidden.add(path)


def _copy(source: str, target: str, draft: str, *, keep: bool) -> None:
    """Copy by way of a draft: other processes see the whole file or none."""
    mode = os.lstat(source).st_mode
    if stat.S_ISLNK(mode):
        os.symlink(os.readlink(source), target)
    elif stat.S_ISDIR(mode):
        os.mkdir(target, stat.S_IMODE(mode) | stat.S_IRWXU)
    elif keep and stat.S_ISREG(mode):
        shutil.copy2(source, draft)
        try:
            os.link(draft, target)
        finally:
            os.unlink(draft)
    else:  # to be overwritten, or a device: an empty stand-in
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        shutil.copymode(source, target)
