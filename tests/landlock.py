"""Starts a command as on a kernel that does not know Landlock: its calls are answered ENOSYS.

python -m tests.landlock python -m wellshaped check train.py
"""

import ctypes
import errno
import os
import sys

_NO_NEW_PRIVS, _SECCOMP, _FILTER = 38, 22, 2
_LOAD, _EQUAL, _ANSWER = 0x20, 0x15, 0x06
_ALLOW, _FAIL = 0x7FFF0000, 0x00050000
_LANDLOCK = (444, 445, 446)


class _Instruction(ctypes.Structure):
    _fields_ = (
        ("code", ctypes.c_uint16),
        ("if_true", ctypes.c_uint8),
        ("if_false", ctypes.c_uint8),
        ("value", ctypes.c_uint32),
    )


class _Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_uint16), ("first", ctypes.POINTER(_Instruction)))


def forget_landlock() -> None:
    """From now on neither this thread nor what it starts can use Landlock."""
    to_failure = range(len(_LANDLOCK), 0, -1)
    steps = [
        (_LOAD, 0, 0, 0),
        *((_EQUAL, jump, 0, call) for jump, call in zip(to_failure, _LANDLOCK, strict=True)),
        (_ANSWER, 0, 0, _ALLOW),
        (_ANSWER, 0, 0, _FAIL | errno.ENOSYS),
    ]
    program = (_Instruction * len(steps))(*(_Instruction(*step) for step in steps))
    libc = ctypes.CDLL(None, use_errno=True)
    asked = ctypes.byref(_Filter(len(steps), program))
    if libc.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(_SECCOMP, _FILTER, asked, 0, 0):
        raise OSError(ctypes.get_errno(), "no seccomp here")


if __name__ == "__main__":
    forget_landlock()
    os.execvp(sys.argv[1], sys.argv[1:])
