"""Asks Linux to deny this process writes outside some folders: the net under code in C.

Landlock (what we ask of it: Linux 5.19+) needs no privilege and cannot be undone. Threads that
run already are not bound by it. Python does not offer it: the system calls are made by number.
"""

from __future__ import annotations

import ctypes
import os
import platform

# The same numbers on every architecture that has them.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ASK_VERSION, _PATH_BENEATH, _SET_NO_NEW_PRIVS = 1, 1, 38
_WRITE_FILE = 1 << 1
_REMOVE_AND_MAKE = sum(1 << bit for bit in range(4, 13))
_REFER, _REFER_SINCE = 1 << 13, 2
_TRUNCATE, _TRUNCATE_SINCE = 1 << 14, 3


class _Ruleset(ctypes.Structure):
    _fields_ = (("handled_access_fs", ctypes.c_uint64),)


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed_access", ctypes.c_uint64), ("parent_fd", ctypes.c_int32))


def deny_writes_outside(*folders: str) -> bool:
    """Whether the kernel now denies this thread, and those it starts, all other writes."""
    if platform.system() != "Linux":
        return False
    libc = ctypes.CDLL(None)
    version = libc.syscall(_CREATE_RULESET, None, 0, _ASK_VERSION)
    if version < _REFER_SINCE:  # without it no file could be renamed into another folder
        return False
    rights = _WRITE_FILE | _REMOVE_AND_MAKE | _REFER
    rights |= _TRUNCATE if version >= _TRUNCATE_SINCE else 0
    asked = _Ruleset(rights)
    ruleset = libc.syscall(_CREATE_RULESET, ctypes.byref(asked), ctypes.sizeof(asked), 0)
    if ruleset < 0:
        return False
    try:
        return _allow(libc, ruleset, rights, folders) and _restrict(libc, ruleset)
    finally:
        os.close(ruleset)


def _allow(libc: ctypes.CDLL, ruleset: int, rights: int, folders: tuple[str, ...]) -> bool:
    for folder in folders:
        descriptor = os.open(folder, getattr(os, "O_PATH", os.O_RDONLY))
        rule = ctypes.byref(_Beneath(rights, descriptor))
        refused: int = libc.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, rule, 0)
        os.close(descriptor)
        if refused:
            return False
    return True


def _restrict(libc: ctypes.CDLL, ruleset: int) -> bool:
    if libc.prctl(_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        return False
    return bool(libc.syscall(_RESTRICT_SELF, ruleset, 0) == 0)
