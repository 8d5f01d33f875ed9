"""Changes modes, owners, times and attributes of files where the kernel denies that to others.

The filter of `sandbox_calls` lets through what carries its key. Each function takes what its
namesake in `os` takes, a path or a descriptor, and is that where there is no filter.
"""

from __future__ import annotations

import ctypes
import functools
import os
import time
from collections.abc import Callable
from typing import Any

from wellshaped.execute.sandbox.kernel import syscall_filter as sandbox_calls

_HERE, _NOT_FOLLOWING = -100, 0x100
_BILLION = 1_000_000_000


class _Time(ctypes.Structure):
    _fields_ = (("seconds", ctypes.c_long), ("nanoseconds", ctypes.c_long))


def allowed(original: Callable[..., Any]) -> Callable[..., Any]:
    """A function of `os` that changes metadata, in a form that a filtered process can use."""
    body = _BODIES[original.__name__]

    @functools.wraps(original)
    def changing(path: Any, *args: Any, **options: Any) -> None:
        function = original if sandbox_calls.key is None else body
        function(path, *args, **options)

    del changing.__wrapped__  # `rebind` would turn it into a reference to itself
    return changing


def _chmod(
    path: Any, mode: int, *, dir_fd: int | None = None, follow_symlinks: bool = True
) -> None:
    if not follow_symlinks:
        raise NotImplementedError("chmod: follow_symlinks unavailable on this platform")
    if isinstance(path, int):
        _call("fchmod", path, path, mode)
    else:
        _call("fchmodat", path, _folder(dir_fd), _name(path), mode)


def _chown(
    path: Any, uid: int, gid: int, *, dir_fd: int | None = None, follow_symlinks: bool = True
) -> None:
    if isinstance(path, int):
        _call("fchown", path, path, uid, gid)
    else:
        flags = 0 if follow_symlinks else _NOT_FOLLOWING
        _call("fchownat", path, _folder(dir_fd), _name(path), uid, gid, flags)


def _lchown(path: Any, uid: int, gid: int) -> None:
    _chown(path, uid, gid, follow_symlinks=False)


def _utime(
    path: Any,
    times: tuple[float, float] | None = None,
    *,
    ns: tuple[int, int] | None = None,
    dir_fd: int | None = None,
    follow_symlinks: bool = True,
) -> None:
    if times is not None and ns is not None:
        raise ValueError("utime: you may specify either 'times' or 'ns' but not both")
    if times is not None:
        ns = (int(times[0] * _BILLION), int(times[1] * _BILLION))
    stamps = (time.time_ns(),) * 2 if ns is None else ns
    pair = ctypes.byref((_Time * 2)(*(_Time(*divmod(stamp, _BILLION)) for stamp in stamps)))
    if isinstance(path, int):
        _call("utimensat", path, path, None, pair, 0)
    else:
        flags = 0 if follow_symlinks else _NOT_FOLLOWING
        _call("utimensat", path, _folder(dir_fd), _name(path), pair, flags)


def _setxattr(
    path: Any, attribute: Any, value: Any, flags: int = 0, *, follow_symlinks: bool = True
) -> None:
    data = bytes(value)
    given = (_name(attribute), data, ctypes.c_size_t(len(data)), flags)
    _call(_of_kind("setxattr", path, follow_symlinks), path, _target(path), *given)


def _removexattr(path: Any, attribute: Any, *, follow_symlinks: bool = True) -> None:
    call = _of_kind("removexattr", path, follow_symlinks)
    _call(call, path, _target(path), _name(attribute))


# By the names of their namesakes.
_BODIES: dict[str, Callable[..., None]] = {
    "chmod": _chmod,
    "fchmod": _chmod,
    "chown": _chown,
    "fchown": _chown,
    "lchown": _lchown,
    "utime": _utime,
    "setxattr": _setxattr,
    "removexattr": _removexattr,
}


METADATA = frozenset(_BODIES)


def _call(name: str, path: Any, *arguments: Any) -> None:
    """Make a system call with the key in its sixth argument, which none of these has."""
    libc = ctypes.CDLL(None, use_errno=True)
    rest = [ctypes.c_long(0)] * (5 - len(arguments))
    given = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    number = ctypes.c_long(sandbox_calls.number_of(name))
    if libc.syscall(number, *given, *rest, ctypes.c_ulong(sandbox_calls.key or 0)):
        number_of_error = ctypes.get_errno()
        raise OSError(number_of_error, os.strerror(number_of_error), path)


def _of_kind(call: str, path: Any, follow_symlinks: bool) -> str:
    return f"f{call}" if isinstance(path, int) else call if follow_symlinks else f"l{call}"


def _target(path: Any) -> Any:
    return path if isinstance(path, int) else _name(path)


def _folder(dir_fd: int | None) -> int:
    return _HERE if dir_fd is None else dir_fd


def _name(path: Any) -> bytes:
    return os.fsencode(path)
