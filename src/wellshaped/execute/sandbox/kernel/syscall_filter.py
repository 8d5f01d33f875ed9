"""Denies this process the system calls by which it could leave a trace that Landlock allows.

Landlock knows writes; modes, owners and times of files, queues of the kernel, mounts, clocks and
datagrams are left to a filter of system calls (seccomp, Linux 3.17+, in nearly every container).
It sees numbers and never what a pointer points to: our own changes of modes and times, all of
them in the scratch folder, carry a `key` in an argument that the kernel does not read, and
addresses of other machines are told by their length. Not denied: `sendmsg` with an address.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import secrets
from collections.abc import Iterable
from dataclasses import dataclass

_SET_NO_NEW_PRIVS, _SET_FILTER, _KEEP_SPECULATION = 38, 1, 1 << 2
_LOAD, _EQUAL, _AT_LEAST, _ANSWER = 0x20, 0x15, 0x35, 0x06
_ALLOW, _FAIL = 0x7FFF0000, 0x00050000
_NUMBER, _ARCHITECTURE = 0, 4
_FIRST_OF_X32 = 0x40000000
# Of IPv4, IPv6, a socket file as C passes it, and room for any: Python passes files by length.
_ADDRESS_SIZES = (16, 28, 110, 128)
# Settings of a terminal, and input put into it as if it had been typed.
_TERMINAL_REQUESTS = (0x5402, 0x5403, 0x5404, 0x5412, 0x5414)

# Numbers on x86-64 and on aarch64, where 0 is a call that there is not.
_CHANGES_METADATA = {
    "chmod": (90, 0),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, 0),
    "fchown": (93, 55),
    "lchown": (94, 0),
    "fchownat": (260, 54),
    "utime": (132, 0),
    "utimes": (235, 0),
    "futimesat": (261, 0),
    "utimensat": (280, 88),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "setxattrat": (463, 463),
    "removexattrat": (466, 466),
    "file_setattr": (469, 469),
}
_OUTLASTS_US = {
    "shmget": (29, 194),
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "ptrace": (101, 117),
    "process_vm_writev": (311, 271),
    "mount": (165, 40),
    "umount2": (166, 39),
    "move_mount": (429, 429),
    "mount_setattr": (442, 442),
    "pivot_root": (155, 41),
    "reboot": (169, 142),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "acct": (163, 89),
    "bpf": (321, 280),
}
_CONNECT, _SEND_TO, _IOCTL = (42, 203), (44, 206), (16, 29)
# It does any of the others out of sight; who is told that there is no such call does without.
_IO_URING = (425, 425)
_SECCOMP = (317, 277)


@dataclass(frozen=True, slots=True)
class _Machine:
    """An architecture as the filter knows it, and its column in the tables."""

    mark: int
    column: int


_MACHINES = {"x86_64": _Machine(0xC000003E, 0), "aarch64": _Machine(0xC00000B7, 1)}

key: int | None = None  # of a process that is filtered; those it forks inherit both


def number_of(call: str) -> int:
    """The number of a call that changes metadata, on this machine."""
    return _CHANGES_METADATA[call][_MACHINES[platform.machine()].column]


def deny_calls() -> bool:
    """Whether the kernel now denies this thread, and those it starts, what is in the tables."""
    global key
    machine = _MACHINES.get(platform.machine())
    if platform.system() != "Linux" or machine is None:
        return False
    chosen = secrets.randbits(64)
    steps = _resolved(_steps(machine, chosen))
    program = (_Instruction * len(steps))(*(_Instruction(*step) for step in steps))
    asked = ctypes.byref(_Filter(len(steps), program))
    libc = ctypes.CDLL(None)
    if libc.prctl(_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        return False
    # Without the flag kernels before 5.16 make every process with a filter slower.
    seccomp = _SECCOMP[machine.column]
    if all(libc.syscall(seccomp, _SET_FILTER, flag, asked) for flag in (_KEEP_SPECULATION, 0)):
        return False
    key = chosen
    return True


class _Instruction(ctypes.Structure):
    _fields_ = (
        ("code", ctypes.c_uint16),
        ("if_true", ctypes.c_uint8),
        ("if_false", ctypes.c_uint8),
        ("value", ctypes.c_uint32),
    )


class _Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_uint16), ("first", ctypes.POINTER(_Instruction)))


@dataclass(frozen=True, slots=True)
class _Step:
    """An instruction; a comparison goes to a label where it holds, or where it does not."""

    code: int
    value: int
    holds: str = ""
    fails: str = ""
    label: str = ""


def _steps(machine: _Machine, chosen: int) -> list[_Step]:
    at = machine.column
    low, high = chosen & 0xFFFFFFFF, chosen >> 32
    return [
        _Step(_LOAD, _ARCHITECTURE),
        _Step(_EQUAL, machine.mark, fails="deny"),
        _Step(_LOAD, _NUMBER),
        _Step(_AT_LEAST, _FIRST_OF_X32, holds="deny"),
        *_each((call[at] for call in _CHANGES_METADATA.values()), "metadata"),
        *_each((call[at] for call in _OUTLASTS_US.values()), "deny"),
        _Step(_EQUAL, _CONNECT[at], holds="connect"),
        _Step(_EQUAL, _SEND_TO[at], holds="send"),
        _Step(_EQUAL, _IOCTL[at], holds="ioctl"),
        _Step(_EQUAL, _IO_URING[at], holds="unknown"),
        _Step(_ANSWER, _ALLOW, label="allow"),
        _Step(_LOAD, _argument(5), label="metadata"),
        _Step(_EQUAL, low, fails="deny"),
        _Step(_LOAD, _argument(5) + 4),
        _Step(_EQUAL, high, holds="allowed", fails="deny"),
        _Step(_LOAD, _argument(2), label="connect"),
        *_each(_ADDRESS_SIZES, "deny"),
        _Step(_ANSWER, _ALLOW),
        _Step(_LOAD, _argument(5), label="send"),
        *_each(_ADDRESS_SIZES, "deny"),
        _Step(_ANSWER, _ALLOW),
        _Step(_LOAD, _argument(1), label="ioctl"),
        *_each(_TERMINAL_REQUESTS, "deny"),
        _Step(_ANSWER, _ALLOW, label="allowed"),
        _Step(_ANSWER, _FAIL | errno.EPERM, label="deny"),
        _Step(_ANSWER, _FAIL | errno.ENOSYS, label="unknown"),
    ]


def _each(values: Iterable[int], label: str) -> list[_Step]:
    return [_Step(_EQUAL, value, holds=label) for value in values if value]


def _argument(place: int) -> int:
    """Where the low half of an argument stands, on machines with the low half first."""
    return 16 + 8 * place


def _resolved(steps: list[_Step]) -> list[tuple[int, int, int, int]]:
    """The steps with the distance of each label."""
    labels = {step.label: place for place, step in enumerate(steps) if step.label}

    def distance(label: str, place: int) -> int:
        return labels[label] - place - 1 if label else 0

    return [
        (step.code, distance(step.holds, place), distance(step.fails, place), step.value)
        for place, step in enumerate(steps)
    ]
