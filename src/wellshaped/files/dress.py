"""What a file is besides its bytes: its owner, mode and extended attributes, access lists too."""

from __future__ import annotations

import contextlib
import importlib
import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from wellshaped.records.fix import NotKept

# The kernel's own sums over the bytes of a file.
_OF_THE_BYTES: Final = ("security.ima", "security.evm")
# Where attributes cannot be read, a new file cannot be shown to have those of the old one.
IS_WHOLLY_READ: Final = hasattr(os, "listxattr") or os.name == "nt"


@dataclass(frozen=True, slots=True)
class Dress:
    """The owner, group, mode and attributes of a file."""

    owner: int
    group: int
    mode: int
    attributes: Mapping[str, bytes]


def worn(handle: int) -> Dress:
    """The dress of an open file."""
    info = os.fstat(handle)
    return Dress(info.st_uid, info.st_gid, stat.S_IMODE(info.st_mode), dict(_attributes(handle)))


def dress_of(path: Path) -> Dress:
    """The dress of a file, by its name."""
    handle = os.open(path, os.O_RDONLY)
    try:
        return worn(handle)
    finally:
        os.close(handle)


def wear(handle: int, dress: Dress) -> None:
    """Give an open file a dress as far as that is allowed; `worn` shows how far it was."""
    if not hasattr(os, "fchown"):
        return
    now = worn(handle)
    if (now.owner, now.group) != (dress.owner, dress.group):
        _hand_over(handle, dress)
    with contextlib.suppress(OSError):
        os.fchmod(handle, _mode_for(os.fstat(handle), dress))
    if not hasattr(os, "listxattr"):
        return
    for name in {**dress.attributes, **now.attributes}:
        with contextlib.suppress(OSError):
            if name in dress.attributes:
                os.setxattr(handle, name, dress.attributes[name])
            else:  # of the folder, which gives its new files some
                os.removexattr(handle, name)


def not_kept(file: str, then: Dress, now: Dress) -> Iterator[NotKept]:
    """Each part of a dress in which a file is not what it was."""
    if (then.owner, then.group) != (now.owner, now.group):
        yield NotKept("owner", file, _named(then), _named(now))
    if then.mode != now.mode:
        yield NotKept("mode", file, f"{then.mode:04o}", f"{now.mode:04o}")
    names = then.attributes.keys() | now.attributes.keys()
    for name in sorted(names):
        before, after = then.attributes.get(name), now.attributes.get(name)
        if before != after:
            yield NotKept("attribute", file, name, "" if after is None else name)


def _hand_over(handle: int, dress: Dress) -> None:
    for owner in (dress.owner, -1):  # who may not give a file away may give it to a group
        try:
            os.fchown(handle, owner, dress.group)
        except OSError:
            continue
        return


def _mode_for(info: os.stat_result, dress: Dress) -> int:
    """The mode, but for what it would give to another owner or group than it was meant for."""
    mode = dress.mode
    if info.st_uid != dress.owner:
        mode &= ~stat.S_ISUID
    if info.st_gid != dress.group:
        mode &= ~(stat.S_ISGID | stat.S_IRWXG)
    return mode


def _attributes(handle: int) -> Iterator[tuple[str, bytes]]:
    if not hasattr(os, "listxattr"):
        return
    try:
        names = os.listxattr(handle)
    except OSError:  # a file system without any
        return
    for name in names:
        if name not in _OF_THE_BYTES:
            with contextlib.suppress(OSError):  # listed, and not for us to read
                yield name, os.getxattr(handle, name)


def _named(dress: Dress) -> str:
    """Owner and group by name; by number where the system names none."""
    owner, group = str(dress.owner), str(dress.group)
    with contextlib.suppress(ImportError, KeyError):
        owner = importlib.import_module("pwd").getpwuid(dress.owner).pw_name
    with contextlib.suppress(ImportError, KeyError):
        group = importlib.import_module("grp").getgrgid(dress.group).gr_name
    return f"{owner}:{group}"
