"""The file functions of Python, over the overlay instead of the file system."""

from __future__ import annotations

import io
import os
import posix
import re
import stat
from collections.abc import Callable
from functools import partial
from typing import Any

from wellshaped.execute.sandbox.entries import Entries, Entry
from wellshaped.execute.sandbox.metadata import METADATA, allowed
from wellshaped.execute.sandbox.notes import Notes
from wellshaped.execute.sandbox.openers import file_io, opening
from wellshaped.execute.sandbox.overlay import Overlay, folder_of
from wellshaped.execute.sandbox.rebind import Replacement

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_NOT_FOLLOWING = os.O_CREAT | os.O_EXCL
_DESCRIPTOR = re.compile(r"/(?:proc/self|proc/\d+|dev)/fd/(\d+)")

# Functions whose first argument is a path, by what they do to it.
_READ = ("stat", "access", "statvfs", "listxattr", "getxattr")
_READ_LINK = ("lstat", "readlink")
_CHANGE = (
    *("truncate", "chmod", "fchmod", "chown", "fchown"),
    *("utime", "setxattr", "removexattr"),
)
_CHANGE_LINK = ("lchown",)
_CREATE = ("mkdir", "mkfifo", "mknod")
_OWN = (
    *("listdir", "scandir", "chdir", "fchdir", "getcwd", "getcwdb"),
    *("remove", "unlink", "rmdir", "rename", "replace", "link", "symlink"),
)

Function = Callable[..., Any]


def file_functions() -> list[Any]:
    """What is replaced here."""
    names = (*_READ, *_READ_LINK, *_CHANGE, *_CHANGE_LINK, *_CREATE, *_OWN, "open")
    functions = [getattr(posix, name) for name in names if hasattr(posix, name)]
    return [*functions, io.open_code, io.open, io.FileIO]


def is_device(path: str) -> bool:
    """Whether writing there changes no file: terminals, pipes, `/dev/null`."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return stat.S_ISCHR(mode) or stat.S_ISFIFO(mode)


def _own(function: Function) -> Function:
    """What we call ourselves; some changes the kernel denies to everybody else."""
    return allowed(function) if function.__name__ in METADATA else function


class Files:
    """The bodies that answer the program's file calls; each runs while `aside` is held."""

    def __init__(self, overlay: Overlay, notes: Notes) -> None:
        self.overlay = overlay
        self._notes = notes

    def replacements(self) -> list[tuple[Any, Any]]:
        """Each function of Python that takes a path, and what stands in for it."""
        kinds: dict[str, Callable[[Function], Function]] = {
            **dict.fromkeys(_READ, partial(self._reading, follow=True)),
            **dict.fromkeys(_READ_LINK, partial(self._reading, follow=False)),
            **dict.fromkeys(_CHANGE, partial(self._changing, follow=True)),
            **dict.fromkeys(_CHANGE_LINK, partial(self._changing, follow=False)),
            **dict.fromkeys(_CREATE, self._creating),
        }
        own = {name: _own(getattr(os, name)) for name in kinds if hasattr(os, name)}
        named = {name: kinds[name](function) for name, function in own.items()}
        named |= {name: getattr(self, name) for name in _OWN}
        pairs = [
            (getattr(posix, n), Replacement(getattr(posix, n), b, own.get(n)))
            for n, b in named.items()
        ]
        opener = Replacement(os.open, self.open)
        pairs += [(os.open, opener), (io.open_code, Replacement(io.open_code, self.open_code))]
        pairs.append((io.open, opening(io.open, opener)))
        return [*pairs, (io.FileIO, file_io(io.FileIO, opener))]

    def reading(self, path: Any) -> str:
        """The real path for code that opens files by name, out of Python's sight."""
        return self.overlay.real(self.overlay.resolve(path))

    def writing(self, action: str, path: Any, *, keep: bool = False) -> str:
        """The same for writing; `keep` where the old contents count."""
        virtual = self.overlay.resolve(path)
        if is_device(virtual):
            return virtual
        real = self.overlay.claim(virtual, keep=keep)
        self._note(action, virtual)
        return real

    def open(self, path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        follow = not flags & os.O_NOFOLLOW and flags & _NOT_FOLLOWING != _NOT_FOLLOWING
        virtual = self.overlay.resolve(path, dir_fd=dir_fd, follow=follow)
        if not flags & WRITING:
            return os.open(self.overlay.real(virtual), flags, mode)
        if descriptor := _DESCRIPTOR.fullmatch(virtual):
            return os.dup(int(descriptor[1]))  # `/dev/stdout`: what is open is the program's
        if is_device(self.overlay.real(virtual)):
            return os.open(self.overlay.real(virtual), flags, mode)
        if flags & _NOT_FOLLOWING == _NOT_FOLLOWING:
            real = self.overlay.create(virtual)
        else:
            real = self.overlay.claim(virtual, keep=not flags & os.O_TRUNC)
        self._note("open", virtual)
        return os.open(real, flags, mode)

    def open_code(self, path: str) -> Any:
        return io.open_code(self.reading(path))

    def listdir(self, path: Any = None) -> list[Any]:
        if not self.overlay.touched:
            return os.listdir(path)
        names = self.overlay.names(self._folder(path))
        return [os.fsencode(name) for name in names] if isinstance(path, bytes) else names

    def scandir(self, path: Any = None) -> Any:
        if not self.overlay.touched:
            return os.scandir(path)
        folder, is_open = self._folder(path), isinstance(path, int)
        given = "" if is_open else os.fspath("." if path is None else path)
        return Entries([Entry(given, folder, name) for name in self.overlay.names(folder)])

    def chdir(self, path: Any) -> None:
        virtual = self._folder(path)
        os.chdir(self.overlay.real(virtual))  # so that code out of our sight looks there too
        self.overlay.cwd = virtual

    def fchdir(self, fd: int) -> None:
        self.chdir(fd)

    def getcwd(self) -> str:
        return self.overlay.cwd

    def getcwdb(self) -> bytes:
        return os.fsencode(self.overlay.cwd)

    def remove(self, path: Any, *, dir_fd: int | None = None) -> None:
        virtual = self.overlay.resolve(path, dir_fd=dir_fd, follow=False)
        self.overlay.delete(virtual)
        self._note("remove", virtual)

    unlink = remove

    def rmdir(self, path: Any, *, dir_fd: int | None = None) -> None:
        virtual = self.overlay.resolve(path, dir_fd=dir_fd, follow=False)
        self.overlay.delete_folder(virtual)
        self._note("rmdir", virtual)

    def rename(
        self, src: Any, dst: Any, *, src_dir_fd: int | None = None, dst_dir_fd: int | None = None
    ) -> None:
        source = self.overlay.resolve(src, dir_fd=src_dir_fd, follow=False)
        target = self.overlay.resolve(dst, dir_fd=dst_dir_fd, follow=False)
        self.overlay.move(source, target)
        self._note("rename", source)
        self._note("rename", target)

    replace = rename

    def link(
        self,
        src: Any,
        dst: Any,
        *,
        src_dir_fd: int | None = None,
        dst_dir_fd: int | None = None,
        follow_symlinks: bool = True,
    ) -> None:
        source = self.overlay.resolve(src, dir_fd=src_dir_fd, follow=follow_symlinks)
        target = self.overlay.resolve(dst, dir_fd=dst_dir_fd, follow=False)
        room = self.overlay.create(target)
        os.link(self.overlay.claim(source), room)
        self._note("link", target)

    def symlink(
        self, src: Any, dst: Any, target_is_directory: bool = False, *, dir_fd: int | None = None
    ) -> None:
        target = self.overlay.resolve(dst, dir_fd=dir_fd, follow=False)
        os.symlink(src, self.overlay.create(target), target_is_directory)
        self._note("symlink", target)

    def _reading(self, original: Function, *, follow: bool) -> Function:
        def body(path: Any, *args: Any, dir_fd: int | None = None, **options: Any) -> Any:
            if not self.overlay.touched or isinstance(path, int):
                return original(
                    path, *args, **options, **({} if dir_fd is None else {"dir_fd": dir_fd})
                )
            follows = follow and options.get("follow_symlinks", True)
            virtual = self.overlay.resolve(path, dir_fd=dir_fd, follow=follows)
            answer = original(self.overlay.real(virtual), *args, **options)
            is_bytes = isinstance(path, bytes) and isinstance(answer, str)
            return os.fsencode(answer) if is_bytes else answer

        return body

    def _changing(self, original: Function, *, follow: bool) -> Function:
        def body(path: Any, *args: Any, dir_fd: int | None = None, **options: Any) -> Any:
            if isinstance(path, int) and self.overlay.is_ours(folder_of(path)):
                return original(path, *args, **options)
            path = self.overlay.virtual(folder_of(path)) if isinstance(path, int) else path
            follows = follow and options.get("follow_symlinks", True)
            virtual = self.overlay.resolve(path, dir_fd=dir_fd, follow=follows)
            real = self.overlay.claim(virtual)
            self._note(original.__name__, virtual)
            return original(real, *args, **options)

        return body

    def _creating(self, original: Function) -> Function:
        def body(path: Any, *args: Any, dir_fd: int | None = None, **options: Any) -> Any:
            virtual = self.overlay.resolve(path, dir_fd=dir_fd, follow=False)
            original(self.overlay.create(virtual), *args, **options)
            self._note(original.__name__, virtual)

        return body

    def _folder(self, path: Any) -> str:
        if isinstance(path, int):
            return self.overlay.virtual(folder_of(path))
        return self.overlay.resolve("." if path is None else path)

    def _note(self, action: str, virtual: str) -> None:
        if not self.overlay.is_ours(virtual):
            self._notes.redirected(action, virtual)
