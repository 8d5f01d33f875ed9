"""Asks Linux to deny this process writes outside some folders: the net under code in C.

Landlock (what we ask of it: Linux 5.19+) needs no privilege and cannot be undone. Newer kernels
deny TCP (6.7+), and signals and abstract sockets of others (6.12+), as well. Threads that run
already are not bound by it. Python does not offer it: the system calls are made by number.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import platform
import stat
import threading
from collections.abc import Iterable, Iterator
from functools import cache

# The same numbers on every architecture that has them.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ASK_VERSION, _PATH_BENEATH, _PORT, _SET_NO_NEW_PRIVS = 1, 1, 2, 38
_WRITE_FILE = 1 << 1
_REMOVE_AND_MAKE = sum(1 << bit for bit in range(4, 13))
_REFER, _REFER_SINCE = 1 << 13, 2
_TRUNCATE, _TRUNCATE_SINCE = 1 << 14, 3
_BIND, _CONNECT, _TCP_SINCE = 1 << 0, 1 << 1, 4
_ABSTRACT_SOCKETS, _SIGNALS, _SCOPES_SINCE = 1 << 0, 1 << 1, 6
_ANY_FREE_PORT = 0
_OF_DEVICES = ("pts", "dri", "accel", "nvidia-caps")
_OF_THE_KERNEL = ("mem", "kmem", "port", "kmsg")


class _Ruleset(ctypes.Structure):
    """What is denied unless a rule allows it; older kernels take the zeros they do not know."""

    _fields_ = (
        ("handled_access_fs", ctypes.c_uint64),
        ("handled_access_net", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    )


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed_access", ctypes.c_uint64), ("parent_fd", ctypes.c_int32))


class _Port(ctypes.Structure):
    _fields_ = (("allowed_access", ctypes.c_uint64), ("port", ctypes.c_uint64))


@cache
def can_confine() -> bool:
    """Whether Linux confines whoever asks for it here: tried in a thread, which ends with it."""
    found: list[bool] = []
    thread = threading.Thread(target=lambda: found.append(deny_writes_outside()))
    thread.start()
    thread.join()
    return found == [True]


def deny_writes_outside(*folders: str) -> bool:
    """Whether the kernel now denies this thread, and those it starts, all other writes.

    Devices can be written to. Connections are denied with them, where the kernel can; a process
    may listen at a port that is free (gloo does, in a group of one).
    """
    if platform.system() != "Linux":
        return False
    libc = ctypes.CDLL(None)
    version = libc.syscall(_CREATE_RULESET, None, 0, _ASK_VERSION)
    if version < _REFER_SINCE:  # without it no file could be renamed into another folder
        return False
    asked = _asked(version)
    ruleset = libc.syscall(_CREATE_RULESET, ctypes.byref(asked), ctypes.sizeof(asked), 0)
    if ruleset < 0:
        return False
    writing = asked.handled_access_fs & (_WRITE_FILE | _TRUNCATE)
    rules = [(folder, asked.handled_access_fs) for folder in (*folders, *_shared_memory())]
    rules += [(device, writing) for device in _devices()]
    try:
        return (
            _allow_writes(libc, ruleset, rules)
            and (not asked.handled_access_net or _allow_listening(libc, ruleset))
            and _restrict(libc, ruleset)
        )
    finally:
        os.close(ruleset)


def _asked(version: int) -> _Ruleset:
    files = _WRITE_FILE | _REMOVE_AND_MAKE | _REFER
    files |= _TRUNCATE if version >= _TRUNCATE_SINCE else 0
    network = _BIND | _CONNECT if version >= _TCP_SINCE else 0
    scopes = _ABSTRACT_SOCKETS | _SIGNALS if version >= _SCOPES_SINCE else 0
    return _Ruleset(files, network, scopes)


def _shared_memory() -> Iterable[str]:
    return [folder for folder in ("/dev/shm",) if os.path.isdir(folder)]


def _devices() -> Iterator[str]:
    """Terminals, `/dev/null`, accelerators; no disks, and nothing of the kernel's own."""
    for entry in os.scandir("/dev"):
        with contextlib.suppress(OSError):  # one that goes away meanwhile
            is_character = stat.S_ISCHR(entry.stat().st_mode)
            if entry.name in _OF_DEVICES or (is_character and entry.name not in _OF_THE_KERNEL):
                yield entry.path


def _allow_writes(libc: ctypes.CDLL, ruleset: int, rules: Iterable[tuple[str, int]]) -> bool:
    for path, rights in rules:
        descriptor = os.open(path, getattr(os, "O_PATH", os.O_RDONLY))
        rule = ctypes.byref(_Beneath(rights, descriptor))
        refused: int = libc.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, rule, 0)
        os.close(descriptor)
        if refused:
            return False
    return True


def _allow_listening(libc: ctypes.CDLL, ruleset: int) -> bool:
    rule = ctypes.byref(_Port(_BIND, _ANY_FREE_PORT))
    return bool(libc.syscall(_ADD_RULE, ruleset, _PORT, rule, 0) == 0)


def _restrict(libc: ctypes.CDLL, ruleset: int) -> bool:
    if libc.prctl(_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        return False
    return bool(libc.syscall(_RESTRICT_SELF, ruleset, 0) == 0)
